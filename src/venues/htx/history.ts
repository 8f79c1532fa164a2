import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, type StatedAmount } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { put } from '../quote-field.ts';
import { PUBLISHED } from './published.ts';
import { candlesOf, isRefusal, objectOf, rowsOf, symbolOf, unitsOf } from './wire.ts';

/**
 * `GET /linear-swap-api/v1/swap_historical_funding_rate` (a page, newest first) and
 * `GET /v5/market/funding_rate_history`: settled rates. `realized_rate` is what was charged, where it is stated.
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (isRefusal(payload, out)) return out;
  const rows = rowsOf(isWire(payload) && isWire(payload.data) ? payload.data : payload, out);
  eachContract(rows, 'contract_code', unitsOf, context, out, (row, symbol) => {
    const charged = readRate(row.realized_rate) === undefined ? row.funding_rate : row.realized_rate;
    addFundingPoint(out, symbol, row.funding_time, charged);
  });
  return out;
}

/** `GET /linear-swap-api/v1/swap_his_open_interest`: past open interest, in contracts (1) or coins (2) and USDT. */
export function decodeInterestHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = isWire(payload) && Array.isArray(payload.tick) ? payload : objectOf(payload, out);
  if (data === undefined) return out;
  const ticks = wireArray(data.tick) ?? (data.volume === undefined ? undefined : [data]);
  if (ticks === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no tick' });
    return out;
  }
  const named = readText(data.contract_code) ?? symbolOf(payload, context);
  readOneContract(named, unitsOf, context, out, (symbol, units) => {
    for (const tick of ticks) {
      if (!isWire(tick)) out.rejects.push({ symbol, reason: 'malformed', detail: 'tick' });
      else addOpenInterestPoint(out, symbol, readMs(tick.ts), PUBLISHED.openInterest, statedBy(tick), units);
    }
  });
  return out;
}

function statedBy({ amount_type, volume, value: quote }: Wire): StatedAmount {
  return Number(amount_type) === 2 ? { base: volume, quote } : { contracts: volume, quote };
}

/**
 * `GET /index/market/history/linear_swap_mark_price_kline`: opens of mark candles, stamped in seconds. Where the last
 * candle is still open at the time of the answer, its close is also the mark now.
 */
export function decodeMarkCandles(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const candles = candlesOf(payload, out);
  if (candles === undefined) return out;
  const now = (isWire(payload) ? readMs(payload.ts) : undefined) ?? context.receivedAt;
  readOneContract(symbolOf(payload, context), unitsOf, context, out, (symbol, { multiplier }) => {
    for (const candle of candles) {
      const { id, open } = isWire(candle) ? candle : {};
      addCandle(out, symbol, 'markPrice', readMs(id, SECOND_MS), readPrice(open, multiplier));
    }
    const running = openCandle(candles, now);
    if (running === undefined) return;
    const q: QuotePatch = { symbol };
    put(q, 'markPrice', readPrice(running.close, multiplier), running.close, out.rejects);
    if (q.markPrice !== undefined) out.quotes.push(q);
  });
  return out;
}

/** The last candle where it is still open: its close is the price now. A candle alone is taken for a minute's. */
function openCandle(candles: readonly unknown[], now: UnixMs | undefined): Wire | undefined {
  const [before, last] = [candles.at(-2), candles.at(-1)];
  const start = isWire(last) ? readMs(last.id, SECOND_MS) : undefined;
  if (!isWire(last) || start === undefined || now === undefined) return undefined;
  const earlier = isWire(before) ? readMs(before.id, SECOND_MS) : undefined;
  const length = earlier === undefined ? MINUTE_MS : start - earlier;
  return start + length > now ? last : undefined;
}
