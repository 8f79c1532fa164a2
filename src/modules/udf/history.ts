import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { KnownRange, SeriesBucket } from '../../domain/series.ts';
import { asMs } from '../../domain/units.ts';
import type { Ports } from '../../products/define-product.ts';
import { fromStore, readerOf, storedSeries, UNREADABLE } from '../../products/history/stored.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import { type Bar, type Bars, barsOf, columnsOf } from './bars.ts';
import type { Kind } from './kinds.ts';
import { stepOf } from './resolutions.ts';
import { type Charted, chartedOf } from './symbols.ts';

const MOST_BARS = 5000;
const INTEGER = /^-?\d{1,12}$/;

/** Bars, or none, with the time of the last one before where there is one. */
export type HistoryAnswer =
  | ({ readonly s: 'ok' } & Bars)
  | { readonly s: 'no_data'; readonly nextTime?: number };

interface Asked extends Charted {
  readonly stepMs: number;
  /** Milliseconds; the end is not included. */
  readonly from: number;
  readonly to: number;
  /** Bars before the end, whatever the start; undefined where the start decides. */
  readonly count: number | undefined;
}

const invalid = (detail: string): { readonly ok: false; readonly error: Failure } =>
  fail({ code: 'invalid_parameter', detail });

export const unknownSymbol = (name: string) =>
  fail({ code: 'unknown_ticker', detail: `No contract is called ${name}: /udf/search?query= finds them` });

/** Seconds as milliseconds; undefined where they are none. */
function timeOf(asked: URLSearchParams, name: string): number | undefined {
  const text = asked.get(name) ?? '';
  return INTEGER.test(text) ? Math.max(0, Number(text)) * SECOND_MS : undefined;
}

function readAsked({ market, clock }: Ports, asked: URLSearchParams): Result<Asked> {
  const name = asked.get('symbol') ?? '';
  const charted = chartedOf(market, name);
  if (charted === undefined) return unknownSymbol(name);
  const resolution = asked.get('resolution') ?? '';
  const stepMs = stepOf(charted.kind, resolution);
  if (stepMs === undefined) return invalid(`resolution ${resolution} is not one of ${name}`);
  const from = timeOf(asked, 'from');
  const end = timeOf(asked, 'to');
  if (from === undefined || end === undefined) return invalid('from and to are Unix times in seconds');
  const countback = asked.get('countback');
  if (countback !== null && !INTEGER.test(countback)) return invalid('countback is a number of bars');
  const count = countback === null ? undefined : Math.min(MOST_BARS, Math.max(1, Number(countback)));
  return ok({ ...charted, stepMs, from, to: Math.min(end, clock.now() + 1), count });
}

/** The hours of the contract over a span that begins with a whole bar. */
async function hoursOf(ports: Ports, asked: Asked, from: number): Promise<Result<readonly SeriesBucket[]>> {
  const { row, kind, to, stepMs } = asked;
  const begin = asMs(Math.max(0, Math.floor(from / stepMs) * stepMs));
  const end = asMs(Math.ceil(to / HOUR_MS) * HOUR_MS);
  if (end <= begin) return ok([]);
  const scope = { canonicalId: row.canonicalId, venues: [row.venue], from: begin, to: end };
  const samples = { measures: [kind.measure], lastRate: kind.measure === 'rate' };
  const series = await storedSeries(ports, {}, scope, HOUR_MS, { samples, payments: false });
  return series.ok ? ok(series.value.buckets) : series;
}

/** Bars that begin before the end, which belongs to none, from a start on. */
async function barsFrom(ports: Ports, asked: Asked, from: number) {
  const hours = await hoursOf(ports, asked, from);
  if (!hours.ok) return hours;
  return ok(barsOf(asked.kind, hours.value, asked.stepMs).filter(({ start }) => start < asked.to));
}

/**
 * The answer of `/history`. With `countback` it has as many bars before `to` as there are, whatever `from` says, so that the
 * library never asks its way through a gap; without it those of the window.
 */
export async function answerHistory(ports: Ports, query: URLSearchParams): Promise<Result<HistoryAnswer>> {
  if (ports.history === undefined) return fail(UNREADABLE);
  const read = readAsked(ports, query);
  if (!read.ok) return read;
  const asked = read.value;
  const { kind, stepMs, to, count } = asked;
  const from = count === undefined ? asked.from : to - count * stepMs;
  const near = await barsFrom(ports, asked, from);
  if (!near.ok) return near;
  if (near.value.length >= (count ?? 1)) return ok(barsAnswer(kind, near.value.slice(-(count ?? MOST_BARS))));
  const known = await knownBefore(ports, asked, count === undefined ? from : to);
  if (!known.ok) return known;
  const range = known.value;
  if (count === undefined) return ok(range === undefined ? NONE : gapAnswer(range.to, stepMs));
  const isAll = range === undefined || range.from >= from;
  const all = isAll ? near : await barsFrom(ports, asked, range.from);
  return all.ok ? ok(barsAnswer(kind, all.value.slice(-count))) : all;
}

const NONE: HistoryAnswer = { s: 'no_data' };

const barsAnswer = (kind: Kind, bars: readonly Bar[]): HistoryAnswer =>
  bars.length === 0 ? NONE : { s: 'ok', ...columnsOf(kind, bars) };

/** The library's adapter hands `nextTime` on as it is, and wants milliseconds, while it multiplies the times of bars. */
const gapAnswer = (last: number, stepMs: number): HistoryAnswer => ({
  s: 'no_data',
  nextTime: Math.floor(last / stepMs) * stepMs,
});

async function knownBefore(
  ports: Ports,
  { row, kind }: Asked,
  end: number,
): Promise<Result<KnownRange | undefined>> {
  const to = asMs(Math.max(0, Math.floor(end / HOUR_MS) * HOUR_MS));
  const scope = { canonicalId: row.canonicalId, venues: [row.venue], to };
  return fromStore(await readerOf(ports).knownRange(scope, kind.measure));
}
