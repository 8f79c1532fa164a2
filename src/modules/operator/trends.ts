import { iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import type { OperatorTrends } from './schemas/trends.ts';

export const TREND_EVERY_MS = MINUTE_MS;
/** A day of minutes. */
const POINTS = 1440;
const MAX_HOURS = 24;

/** A metric that is followed over time. */
export interface TrendSource {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** Set for a count since the start: shown is what it grows by in a minute. */
  readonly isCount?: true;
  /** Undefined where it is not known. */
  readonly read: () => number | undefined;
}

interface Look {
  readonly at: UnixMs;
  readonly values: readonly (number | undefined)[];
}

/** Points of a few metrics in memory, the oldest of which go. */
export class Trends {
  readonly #sources: readonly TrendSource[];
  readonly #points: Look[] = [];
  #last: Look | undefined;

  constructor(sources: readonly TrendSource[]) {
    this.#sources = sources;
  }

  /** Adds a point. */
  take(at: UnixMs): void {
    const look: Look = { at, values: this.#sources.map(({ read }) => read()) };
    const before = this.#last;
    this.#last = look;
    const values = this.#sources.map(({ isCount }, i) =>
      isCount === true ? growth(before, look, i) : look.values[i],
    );
    this.#points.push({ at, values });
    if (this.#points.length > POINTS) this.#points.shift();
  }

  /** The points since a time, oldest first. */
  read(from: UnixMs): OperatorTrends {
    const points = this.#points.filter(({ at }) => at >= from);
    const [first] = points;
    return {
      every_seconds: TREND_EVERY_MS / 1000,
      since: first === undefined ? null : iso(first.at),
      times: points.map(({ at }) => Math.floor(at / 1000)),
      trends: this.#sources.map(({ name, title, unit }, i) => ({
        name,
        title,
        unit,
        values: points.map(({ values }) => values[i] ?? null),
      })),
    };
  }
}

/** The growth of a count a minute; undefined without a point before, and where it was set back. */
function growth(before: Look | undefined, now: Look, i: number): number | undefined {
  const first = before?.values[i];
  const last = now.values[i];
  if (before === undefined || first === undefined || last === undefined || last < first) return undefined;
  const minutes = (now.at - before.at) / MINUTE_MS;
  return minutes > 0 ? (last - first) / minutes : undefined;
}

/** Trends of the last hours: `hours`, 1 to 24; fails for any other number. */
export function operatorTrends(trends: Trends, query: URLSearchParams, now: UnixMs): Result<OperatorTrends> {
  const hours = Number(query.get('hours') ?? MAX_HOURS);
  if (!(hours >= 1 && hours <= MAX_HOURS)) {
    return fail({ code: 'invalid_parameter', detail: `hours must be from 1 to ${MAX_HOURS}.` });
  }
  return ok(trends.read(asMs(now - hours * HOUR_MS)));
}
