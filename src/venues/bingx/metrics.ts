import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readMs, readPrice, readRate } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { eachContract } from '../contract-rows.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { rowsOf, unitsOf } from './wire.ts';

/** Row of `premiumIndex`. */
interface BingxPremium {
  readonly markPrice?: unknown;
  readonly indexPrice?: unknown;
  /** Despite its name the running rate of the coming settlement. */
  readonly lastFundingRate?: unknown;
  readonly nextFundingTime?: unknown;
  /** Missing before 2026. */
  readonly fundingIntervalHours?: unknown;
}

/** Row of `ticker`. */
interface BingxTicker {
  /** Coins, 24 h. */
  readonly volume?: unknown;
  readonly quoteVolume?: unknown;
  readonly bidPrice?: unknown;
  readonly askPrice?: unknown;
}

/**
 * `GET /quote/premiumIndex`, of all contracts or of one: rate, interval, next funding, mark, index. `updateTime` is
 * the last settlement and no stamp of freshness.
 */
export function decodePremiums(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (wire, symbol, { multiplier }) => {
    const row: BingxPremium = wire;
    const q: QuotePatch = { symbol };
    const hours = row.fundingIntervalHours;
    need(q, 'fundingRate', readRate(row.lastFundingRate), row.lastFundingRate, rejects);
    put(q, 'fundingIntervalHours', readHours(hours), hours, rejects);
    put(q, 'nextFundingTime', readMs(row.nextFundingTime), row.nextFundingTime, rejects);
    need(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
    put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
    keepPatch(q, out.quotes, rejects);
  });
  return out;
}

/** `GET /quote/ticker`, of all contracts or of one: volume and touch. */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (wire, symbol, units) => {
    const row: BingxTicker = wire;
    const { multiplier } = units;
    const q: QuotePatch = { symbol };
    const traded = { base: row.volume, quote: row.quoteVolume };
    putVolume(q, PUBLISHED.volume, traded, units, rejects);
    put(q, 'bestBid', readPrice(row.bidPrice, multiplier), row.bidPrice, rejects);
    put(q, 'bestAsk', readPrice(row.askPrice, multiplier), row.askPrice, rejects);
    keepPatch(q, out.quotes, rejects);
  });
  return out;
}

/** `GET /quote/openInterest?symbol=`: the notional in the quote currency, not coins. */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol, units) => {
    const q: QuotePatch = { symbol };
    const stated = { quote: row.openInterest };
    putOpenInterest(q, PUBLISHED.openInterest, stated, units, out.rejects, 'required');
    keepPatch(q, out.quotes, out.rejects);
  });
  return out;
}
