import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readIso, readPrice, readRate, readText, wireArray } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { PUBLISHED } from './published.ts';
import { errorBody, HOURLY, multiplierOf, type WireCandle, type WireFunding } from './wire.ts';

/** Rows of a list answer; empty after a reject. */
function rowsOf(payload: unknown, key: string, decoded: Decoded): readonly unknown[] {
  const rows = isWire(payload) ? wireArray(payload[key]) : undefined;
  if (rows !== undefined) return rows;
  decoded.rejects.push(errorBody(payload) ?? { symbol: null, reason: 'unexpected_shape', detail: key });
  return [];
}

/**
 * `historicalFunding`: settled rates per hour, newest first, with the oracle price of the payment. The time is
 * cut to the second: blocks land up to a second after the hour.
 */
export function decodeFunding(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  for (const row of rowsOf(payload, 'historicalFunding', decoded)) {
    const wire: WireFunding = isWire(row) ? row : {};
    const symbol = readText(wire.ticker);
    const multiplier = symbol === undefined ? undefined : multiplierOf(symbol, context);
    const at = readIso(wire.effectiveAt);
    const rate = readRate(wire.rate);
    if (symbol === undefined) decoded.rejects.push(fieldFault(null, 'ticker', wire.ticker));
    else if (typeof multiplier === 'object') decoded.rejects.push(multiplier);
    else if (at === undefined) decoded.rejects.push({ symbol, reason: 'malformed', detail: 'effectiveAt' });
    else if (rate === undefined) decoded.rejects.push(fieldFault(symbol, 'rate', wire.rate));
    else {
      const mark = readPrice(wire.price, multiplier);
      decoded.funding.push({
        symbol,
        time: asMs(Math.floor(at / 1000) * 1000),
        rate,
        intervalHours: HOURLY,
        ...(mark === undefined ? {} : { markPrice: mark }),
      });
    }
  }
  return decoded;
}

/** `candles`: the open interest at the start of each; prices are of trades and of the book, not the oracle's. */
export function decodeCandles(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  for (const row of rowsOf(payload, 'candles', decoded)) {
    const wire: WireCandle = isWire(row) ? row : {};
    const symbol = readText(wire.ticker);
    const multiplier = symbol === undefined ? undefined : multiplierOf(symbol, context);
    const time = readIso(wire.startedAt);
    if (symbol === undefined) decoded.rejects.push(fieldFault(null, 'ticker', wire.ticker));
    else if (typeof multiplier === 'object') decoded.rejects.push(multiplier);
    else if (multiplier !== undefined) {
      const units = { multiplier, perContract: multiplier };
      const open = { base: wire.startingOpenInterest };
      addOpenInterestPoint(decoded, symbol, time, PUBLISHED.openInterest, open, units);
    }
  }
  return decoded;
}
