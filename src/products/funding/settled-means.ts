import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { SettledSpan, SettledSpans } from '../../domain/series.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOURS_A_DAY } from '../../runtime/duration.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import { nullable, number, timestamp } from '../answer/schema.ts';
import { MIN_COVERAGE } from '../statistics/history-window.ts';

const mean = (days: number) =>
  nullable(number(`Mean of the payments of ${days} d until the last one, scaled to eight hours, fraction`));

/** Settled payments, as a part of a row. */
export const settledMeansSchema = Type.Object({
  rate_8h_1d: mean(1),
  rate_8h_7d: mean(7),
  rate_8h_30d: mean(30),
  last_payment_at: nullable(timestamp('Last payment that is stored')),
  ...nullReasons,
});
type SettledMeans = Static<typeof settledMeansSchema>;

const assetKey = (canonicalId: string, venue: string): string => `${canonicalId}\t${venue}`;
const contractKey = (canonicalId: string, venue: string, symbol: string): string =>
  `${canonicalId}\t${venue}\t${symbol}`;

/** Payments of the longest span. */
const paymentsOf = (known: SettledSpans | undefined): number => known?.spans.at(-1)?.payments ?? 0;

/**
 * Finds what is stored of a row's contract; before its first payment under a new name of the asset, of the venue's contract
 * under the former one that was paid most often.
 */
export function spansFinder(list: readonly SettledSpans[]): (row: MarketRow) => SettledSpans | undefined {
  const known = new Map<string, SettledSpans>();
  const former = new Map<string, SettledSpans>();
  for (const spans of list) {
    const { canonicalId, venue, symbol, formerId } = spans;
    known.set(contractKey(canonicalId, venue, symbol), spans);
    const key = assetKey(canonicalId, venue);
    if (formerId !== undefined && paymentsOf(spans) > paymentsOf(former.get(key))) former.set(key, spans);
  }
  return ({ canonicalId, venue, symbol }) =>
    known.get(contractKey(canonicalId, venue, symbol)) ?? former.get(assetKey(canonicalId, venue));
}

/** True if stored payments cover nine tenths of a span's hours. */
export const isCovered = ({ days, hours }: SettledSpan): boolean =>
  hours >= days * HOURS_A_DAY * MIN_COVERAGE;

/** Sum of the rates x 8 / hours that they are for: an interval that changed within the span is right by that. */
const meanRate8h = (span: SettledSpan): number | null =>
  isCovered(span) ? (span.rateSum * 8) / span.hours : null;

/** Means of what a row's contract was paid in the last 1, 7 and 30 days; null where the past is too short. */
export function settledMeans(known: SettledSpans | undefined): SettledMeans {
  const [day, week, month] = (known?.spans ?? []).map(meanRate8h);
  const isUntold = known?.spans.some((span) => span.unknown > 0 && !isCovered(span)) === true;
  const why: NullReason = isUntold ? 'interval_unknown' : 'past_too_short';
  return withReasons(
    {
      rate_8h_1d: day ?? null,
      rate_8h_7d: week ?? null,
      rate_8h_30d: month ?? null,
      last_payment_at: known === undefined ? null : iso(known.lastAt),
    },
    { rate_8h_1d: why, rate_8h_7d: why, rate_8h_30d: why, last_payment_at: why },
  );
}
