import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readBase, readPrice, readUsd, type Wire } from '../../domain/read.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { DecodeContext, Decoder } from '../adapter.ts';
import { keepPatch, put } from '../quote-field.ts';
import { type UnitAmount, unitAmount } from './amount-unit.ts';
import { putAmount } from './put-amount.ts';
import { eachListed } from './unified-rows.ts';

/** Exchanges that state no quote volume, and whose "base" volume is known to count contracts; evidence in VENUE.md. */
const COUNT_CONTRACTS: ReadonlySet<VenueId> = new Set(['myokx', 'okxus']);

/**
 * Reads unified tickers (`fetchTickers`, `fetchTicker`, `fetchMarkPrices`, `fetchBidsAsks`): mark, index, best bid
 * and ask, and the 24 h volume. The last price is no mark and is not shown as one; it only tells in which unit the
 * volume counts.
 */
export function tickersDecoder(venue: VenueId): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    eachListed(payload, out, context, (row, instrument) => {
      const { symbol, multiplier } = instrument;
      const patch: QuotePatch = { symbol };
      put(patch, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, out.rejects);
      put(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, out.rejects);
      put(patch, 'bestBid', readPrice(row.bid, multiplier), row.bid, out.rejects);
      put(patch, 'bestAsk', readPrice(row.ask, multiplier), row.ask, out.rejects);
      const counted = putUnitVolume(row, instrument, context, venue);
      const volume = { amount: row.baseVolume, value: row.quoteVolume };
      putAmount(patch, 'volume24h', volume, counted, multiplier, out.rejects);
      keepPatch(patch, out.quotes, out.rejects);
    });
    return out;
  };
}

/** Units of the 24 h volume, told by the price of the last trade, else by the mark. */
function putUnitVolume(
  row: Wire,
  { symbol, multiplier, contractSize }: Instrument,
  context: DecodeContext,
  venue: VenueId,
): UnitAmount | undefined {
  const amount = readBase(row.baseVolume);
  const value = readUsd(row.quoteVolume);
  if (amount !== undefined && value === undefined && COUNT_CONTRACTS.has(venue)) {
    return { base: amount * contractSize };
  }
  const mark = context.markOf?.(symbol);
  const price = readPrice(row.last) ?? readPrice(row.markPrice) ?? (mark && mark * multiplier);
  return unitAmount({ amount, value, price, contractSize });
}
