import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { Distribution } from './distribution.ts';

/** What is counted: `second` = comparisons with a second way, `paid` = with what was paid, `age` = seconds since a value was stated. */
export type QualityKind = 'second' | 'paid' | 'age';

/** The largest difference beyond its tolerance, with what both said. */
export interface WorstComparison {
  readonly symbol: string;
  readonly way: string;
  readonly at: UnixMs;
  readonly shown: number;
  readonly second: number;
  readonly difference: number;
  readonly tolerance: number;
}

/** One measure of one venue over a day or more. */
export interface QualityCount {
  readonly kind: QualityKind;
  readonly venue: VenueId;
  readonly field: string;
  readonly values: Distribution;
  agreed: number;
  worst: WorstComparison | undefined;
}

/** Counts of one day. */
export interface QualityDay extends QualityCount {
  /** Start of the day (UTC). */
  readonly day: UnixMs;
}

/** Keeps days over restarts. */
export interface QualityStore {
  load(): readonly QualityDay[];
  save(changed: readonly QualityDay[], dropped: readonly QualityDay[]): void;
  close(): Promise<void>;
}

/** Answers reach back ninety days; the first of them may be a part of one. */
const KEPT_MS = 92 * DAY_MS;
const WRITE_EVERY_MS = 60_000;

/** The days of one measure, by their start. */
type Series = Map<UnixMs, QualityDay>;

const seriesKey = (kind: QualityKind, venue: VenueId, field: string): string => `${kind}\n${venue}\n${field}`;

const excess = (one: WorstComparison | undefined): number =>
  one === undefined ? -1 : one.difference / Math.max(one.tolerance, Number.MIN_VALUE);

/** Which of two lies further beyond its tolerance. */
function worse(a: WorstComparison | undefined, b: WorstComparison | undefined): WorstComparison | undefined {
  return excess(b) > excess(a) ? b : a;
}

/** Counts of quality by day, venue and field: small enough to hold all of a quarter, so that answers wait for no store. */
export class QualityDays {
  readonly #store: QualityStore;
  readonly #series = new Map<string, Series>();
  readonly #changed = new Set<QualityDay>();
  #writtenAt = 0;

  constructor(store: QualityStore) {
    this.#store = store;
    for (const day of store.load()) this.#seriesOf(day.kind, day.venue, day.field).set(day.day, day);
  }

  /** Counts a comparison. */
  compared(
    kind: 'second' | 'paid',
    venue: VenueId,
    field: string,
    agrees: boolean,
    one: WorstComparison,
  ): void {
    const count = this.#today(kind, venue, field, one.at);
    count.values.add(one.difference);
    if (agrees) count.agreed += 1;
    count.worst = worse(count.worst, one);
  }

  /** Counts the age of a value, seconds. */
  age(venue: VenueId, field: string, seconds: number, now: UnixMs): void {
    this.#today('age', venue, field, now).values.add(seconds);
  }

  /** What was counted on the days that a window touches, by venue and field. */
  between(kind: QualityKind, from: UnixMs, to: UnixMs, venue?: VenueId): readonly QualityCount[] {
    const sums: QualityCount[] = [];
    for (const days of this.#series.values()) {
      const [first] = days.values();
      if (first?.kind !== kind || (venue !== undefined && first.venue !== venue)) continue;
      const sum = emptyCount(kind, first.venue, first.field);
      let isTouched = false;
      for (const day of days.values()) {
        if (day.day + DAY_MS <= from || day.day >= to) continue;
        isTouched = true;
        sum.values.merge(day.values);
        sum.agreed += day.agreed;
        sum.worst = worse(sum.worst, day.worst);
      }
      if (isTouched) sums.push(sum);
    }
    return sums;
  }

  /**
   * Forgets what is too old, and writes what has changed, once a minute: as much is lost with the process.
   * @throws where the disk does not take it; it is tried again
   */
  flush(now: UnixMs): void {
    if (Math.abs(now - this.#writtenAt) < WRITE_EVERY_MS) return;
    this.#write(now);
    this.#writtenAt = now;
  }

  #write(now: UnixMs): void {
    const dropped: QualityDay[] = [];
    for (const days of this.#series.values())
      for (const day of days.values()) if (now - day.day > KEPT_MS) dropped.push(day);
    if (this.#changed.size + dropped.length === 0) return;
    this.#store.save([...this.#changed], dropped);
    this.#changed.clear();
    for (const { kind, venue, field, day } of dropped) this.#seriesOf(kind, venue, field).delete(day);
  }

  async stop(now: UnixMs): Promise<void> {
    try {
      this.#write(now);
    } finally {
      await this.#store.close();
    }
  }

  #today(kind: QualityKind, venue: VenueId, field: string, at: UnixMs): QualityDay {
    const day = asMs(Math.floor(at / DAY_MS) * DAY_MS);
    const days = this.#seriesOf(kind, venue, field);
    const found = days.get(day) ?? { day, ...emptyCount(kind, venue, field) };
    days.set(day, found);
    this.#changed.add(found);
    return found;
  }

  #seriesOf(kind: QualityKind, venue: VenueId, field: string): Series {
    const key = seriesKey(kind, venue, field);
    const series = this.#series.get(key) ?? new Map<UnixMs, QualityDay>();
    this.#series.set(key, series);
    return series;
  }
}

function emptyCount(kind: QualityKind, venue: VenueId, field: string): QualityCount {
  return { kind, venue, field, values: new Distribution(), agreed: 0, worst: undefined };
}
