import type { FundingPayment, SettledSpan, SettledSpans } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { groupBy } from '../runtime/group-by.ts';
import { paidSinceListing } from './since-listing.ts';

/** Adds up the payments of the days before the last one, as the store adds up those of one name. */
function spanOf(days: number, payments: readonly FundingPayment[], lastAt: number): SettledSpan {
  let count = 0;
  let rateSum = 0;
  let paidHours = 0;
  let unknown = 0;
  for (const { at, rate, hours = 0 } of payments) {
    if (at <= lastAt - days * DAY_MS) continue;
    count += 1;
    if (hours > 0) {
      rateSum += rate;
      paidHours += hours;
    } else unknown += 1;
  }
  return { days, payments: count, rateSum, hours: paidHours, unknown };
}

/**
 * Spans of contracts whose assets were called otherwise within them: they count what was paid under the former names, too,
 * of the contract that led up to the present one.
 *
 * @param list spans of single names
 * @param payments of the assets that were renamed, under their present ids; by contract and time
 */
export function joinSpans(
  list: readonly SettledSpans[],
  payments: readonly FundingPayment[],
): readonly SettledSpans[] {
  const keyOf = ({ canonicalId, venue }: Pick<SettledSpans, 'canonicalId' | 'venue'>): string =>
    `${canonicalId}\t${venue}`;
  const ofAssets = groupBy(payments, keyOf);
  return list.map((known) => {
    const { venue, symbol, spans } = known;
    const paid = paidSinceListing(ofAssets.get(keyOf(known)) ?? [], { venue, symbol, listedAt: undefined });
    if (!paid.some(({ formerId }) => formerId !== undefined)) return known;
    const lastAt = asMs(Math.max(...paid.map(({ at }) => at)));
    return { ...known, lastAt, spans: spans.map(({ days }) => spanOf(days, paid, lastAt)) };
  });
}
