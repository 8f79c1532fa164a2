import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readHours, readMs, readNumber, readRate, readText } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import { contractUnitsOf } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { readLevels } from '../levels.ts';
import { requestSegment } from '../request-segment.ts';
import { eachContract } from '../rows.ts';
import { bodyOf, contracts, SECONDS } from './rows.ts';

/** `GET /funding-history/{market}`: settled rates, newest first. The rate was fixed one interval before. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  const rows = bodyOf(payload, out);
  if (rejects.length > 0) return out;
  eachContract(rows, 'market', out, context, contracts, (row, symbol) => {
    const time = readMs(row.fundingTime, SECONDS);
    const rate = readRate(row.fundingRate);
    if (time === undefined) rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    if (rate === undefined) rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    if (time === undefined || rate === undefined) return;
    const [settled, fixed] = [readNumber(row.fundingTime), readNumber(row.rateCalculatedTime)];
    const hours =
      settled === undefined || fixed === undefined ? undefined : readHours(settled - fixed, 1 / 3600);
    out.funding.push({ symbol, time, rate, ...(hours === undefined ? {} : { intervalHours: hours }) });
  });
  return out;
}

/** `GET /orderbook/{market}`: snapshot without a number; the stamp is the second of the answer. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const body = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  const asked = requestSegment(context.request, /\/orderbook\/([^/]+)$/);
  const symbol = isWire(body) ? (readText(body.ticker_id) ?? asked) : undefined;
  if (!isWire(body) || symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no book' });
    return out;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return out;
  }
  const [bids, asks] = [readLevels(body.bids, units.multiplier), readLevels(body.asks, units.multiplier)];
  const stamps = bookStamps(undefined, undefined, body.timestamp, SECONDS);
  addBook(out, symbol, 'snapshot', units, { bids, asks }, stamps);
  return out;
}
