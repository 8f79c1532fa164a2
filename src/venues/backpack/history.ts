import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readPrice, readRate, wireArray } from '../../domain/read.ts';
import { asHours, asMs, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { contractUnitsOf } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { addCandle } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { eachContract } from '../rows.ts';
import { contracts, readUtc, unlessError } from './rows.ts';

/** Since then every perpetual settles hourly; each eight hours until then, this settlement included. */
const HOURLY_AFTER = asMs(Date.UTC(2025, 7, 20, 8));

/**
 * Whether a row is of the interval that still runs, which the first page begins with. Without the time of receipt
 * only its place tells it.
 */
function isRunning(end: UnixMs, place: number, context: DecodeContext): boolean {
  if (context.receivedAt !== undefined) return end > context.receivedAt;
  return place === 0 && Number(requestParam(context.request, 'offset') ?? '0') === 0;
}

/** `GET /fundingRates?symbol=`: newest first, the rate of the running interval before the settled ones. */
export function decodeFundingRates(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  const rows = unlessError(payload, out);
  if (rejects.length > 0) return out;
  const first = wireArray(rows)?.[0];
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol) => {
    const end = row.intervalEndTimestamp;
    const time = readUtc(end);
    const rate = readRate(row.fundingRate);
    if (time === undefined) rejects.push(fieldFault(symbol, 'intervalEndTimestamp', end));
    if (rate === undefined) rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    if (time === undefined || rate === undefined) return;
    if (isRunning(time, row === first ? 0 : 1, context)) {
      rejects.push({ symbol, reason: 'placeholder', detail: 'interval still running' });
      return;
    }
    out.funding.push({ symbol, time, rate, intervalHours: asHours(time > HOURLY_AFTER ? 1 : 8) });
  });
  return out;
}

/** `GET /klines?priceType=MarkPrice|IndexPrice`: the open of each candle; candles of trades are no metric. */
export function decodeKlines(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = unlessError(payload, out);
  if (out.rejects.length > 0) return out;
  const list = wireArray(rows);
  const type = requestParam(context.request, 'priceType');
  const symbol = requestParam(context.request, 'symbol') ?? context.request?.symbol;
  if (list === undefined || symbol === undefined || (type !== 'MarkPrice' && type !== 'IndexPrice')) {
    const reason = list === undefined ? 'unexpected_shape' : 'unknown_unit';
    out.rejects.push({ symbol: symbol ?? null, reason, detail: 'no candles of mark or index' });
    return out;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return out;
  }
  for (const row of list) {
    const { start, open } = isWire(row) ? row : {};
    const key = type === 'MarkPrice' ? 'markPrice' : 'indexPrice';
    addCandle(out, symbol, key, readUtc(start), readPrice(open, units.multiplier));
  }
  return out;
}
