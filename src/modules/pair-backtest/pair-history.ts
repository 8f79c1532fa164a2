import { ok, type Result } from '../../domain/errors.ts';
import type { FundingPayment, SeriesBucket, TakerFee } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { paidSinceListing, sinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
import type { HistoryQueries } from '../../products/define-product.ts';
import { fromStore } from '../../products/history/stored.ts';
import type { SpreadLegs } from '../../products/statistics/spread-legs.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { LegHistory } from './pair-backtest.ts';

/** A leg's past without the fee that is charged where none was noted. */
type StoredHistory = Omit<LegHistory, 'feeBps'>;

interface StoredHistories {
  readonly ofShort: StoredHistory;
  readonly ofLong: StoredHistory;
}

/** The stored history of both legs; of payments, the one at the end of the span, too. */
export async function readHistories(
  reader: HistoryQueries,
  { canonicalId, short, long }: SpreadLegs,
  span: { readonly from: UnixMs; readonly to: UnixMs },
  countsNotedFee: (leg: MarketRow) => boolean,
): Promise<Result<StoredHistories>> {
  // A position held to the end is paid at the end: times of payments are stored in seconds.
  const paidTo = asMs(span.to + SECOND_MS);
  const venues = [short.venue, long.venue];
  const [paid, sampled, noted] = await Promise.all([
    reader.fundingPayments({ from: span.from, to: paidTo, canonicalIds: [canonicalId], venues }),
    reader.buckets({ ...span, canonicalId, venues }, { measures: ['mark'], book: true }, HOUR_MS),
    reader.takerFees({ contracts: [short, long].filter(countsNotedFee) }),
  ]);
  const payments = fromStore(paid);
  if (!payments.ok) return payments;
  const fees = fromStore(noted);
  if (!fees.ok) return fees;
  const hours = fromStore(sampled);
  if (!hours.ok) return hours;
  return ok({
    ofShort: legHistory(short, payments.value, hours.value, fees.value),
    ofLong: legHistory(long, payments.value, hours.value, fees.value),
  });
}

function legHistory(
  row: MarketRow,
  payments: readonly FundingPayment[],
  buckets: readonly SeriesBucket[],
  fees: readonly TakerFee[],
): StoredHistory {
  const paid = paidSinceListing(payments, row);
  // Under a former name the prices are of the contract that was paid.
  const formerSymbols = new Set(paid.map(({ symbol }) => symbol));
  const ofContracts = buckets.filter(
    ({ formerId, symbol }) => formerId === undefined || formerSymbols.has(symbol),
  );
  const hours = sinceListing(ofContracts, row).map(
    ({ start, means, book }) => [start, { mark: means.mark?.mean, book }] as const,
  );
  return {
    payments: paid,
    hours: new Map(hours),
    fees: fees.filter(({ venue, symbol }) => venue === row.venue && symbol === row.symbol),
  };
}
