import { ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { paidSinceListing, sinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
import type { HistoryQueries } from '../../products/define-product.ts';
import { fromStore } from '../../products/history/stored.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import { PERP_PARTS, perpHour } from '../spot-history/prices/aligned-prices.ts';
import type { PerpPast } from './walk/carry-question.ts';

/**
 * The stored past of a perpetual, without the fee that is charged where none was noted; of payments, the one at the end of the
 * span, too.
 */
export async function readPerpPast(
  reader: HistoryQueries,
  row: MarketRow,
  span: { readonly from: UnixMs; readonly to: UnixMs },
  countsNotedFee: boolean,
): Promise<Result<Omit<PerpPast, 'feeBps'>>> {
  const { canonicalId, venue, symbol } = row;
  // Times of payments are stored in seconds.
  const paidTo = asMs(span.to + SECOND_MS);
  const venues = [venue];
  const [paid, sampled, noted] = await Promise.all([
    reader.fundingPayments({ from: span.from, to: paidTo, canonicalIds: [canonicalId], venues }),
    reader.buckets({ ...span, canonicalId, venues }, PERP_PARTS, HOUR_MS),
    reader.takerFees({ contracts: countsNotedFee ? [row] : [] }),
  ]);
  const payments = fromStore(paid);
  if (!payments.ok) return payments;
  const buckets = fromStore(sampled);
  if (!buckets.ok) return buckets;
  const fees = fromStore(noted);
  if (!fees.ok) return fees;
  const own = sinceListing(buckets.value, row);
  return ok({
    payments: paidSinceListing(payments.value, row),
    hours: new Map(own.map((bucket) => [bucket.start, perpHour(bucket)])),
    fees: fees.value.filter((fee) => fee.venue === venue && fee.symbol === symbol),
  });
}
