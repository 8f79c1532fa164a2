import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readMs, readNumber, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { eachContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { rowsOf, unitsOf } from './rows.ts';

/** Row of `tickers` and of the `ticker` topic (unified account, v3). All numbers are strings. */
interface BitgetTickerV3 {
  readonly symbol?: unknown;
  readonly category?: unknown;
  readonly ts?: unknown;
  readonly bid1Price?: unknown;
  readonly ask1Price?: unknown;
  /** Base coin. */
  readonly volume24h?: unknown;
  /** Quote currency. */
  readonly turnover24h?: unknown;
  readonly indexPrice?: unknown;
  readonly markPrice?: unknown;
  readonly fundingRate?: unknown;
  /** Topic only. */
  readonly nextFundingTime?: unknown;
  /** Base coin. */
  readonly openInterest?: unknown;
  /** Blank on perpetuals. */
  readonly deliveryTime?: unknown;
}

/** One row of the v3 ticker; `stamp` is the frame's time where the row has none. */
export function takeTickerV3(
  wire: Wire,
  symbol: string,
  units: ContractUnits,
  out: Decoded,
  stamp?: unknown,
): void {
  const row: BitgetTickerV3 = wire;
  const { multiplier } = units;
  const { rejects } = out;
  if ((readNumber(row.deliveryTime) ?? 0) > 0) {
    rejects.push({ symbol, reason: 'dated' });
    return;
  }
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
  put(patch, 'nextFundingTime', readMs(row.nextFundingTime), row.nextFundingTime, rejects);
  need(patch, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  need(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  putOpenInterest(patch, PUBLISHED.openInterest, { base: row.openInterest }, units, rejects);
  const traded = { base: row.volume24h, quote: row.turnover24h };
  putVolume(patch, PUBLISHED.volume, traded, units, rejects);
  put(patch, 'bestBid', readPrice(row.bid1Price, multiplier), row.bid1Price, rejects);
  put(patch, 'bestAsk', readPrice(row.ask1Price, multiplier), row.ask1Price, rejects);
  const time = row.ts ?? stamp;
  put(patch, 'venueTime', readMs(time), time, rejects);
  keepPatch(patch, out.quotes, rejects);
}

/** `GET /api/v3/market/tickers?category=`: all metrics but the interval and the settlement time. */
export function decodeTickersV3(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, units) => {
    if (row.category === 'SPOT' || row.category === 'MARGIN') out.rejects.push({ symbol, reason: 'spot' });
    else takeTickerV3(row, symbol, units, out);
  });
  return out;
}
