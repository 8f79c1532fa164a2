import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readPrice, readRate, readText, wireArray } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { fieldFault } from '../field-fault.ts';
import { requestParam } from '../request-param.ts';
import { resultsOf } from './rows.ts';
import { isReject, marketOf, readPeriod, type WireFunding } from './wire.ts';

/**
 * `/funding/data`: observations of the rate in force, seconds apart, newest first. Funding accrues continuously,
 * so no row is a payment; each is marked as observed. Old rows state no period: the market's counts.
 */
export function decodeFundingData(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  for (const row of resultsOf(payload, decoded)) {
    const wire: WireFunding = isWire(row) ? row : {};
    const symbol = readText(wire.market);
    const market = symbol === undefined ? undefined : marketOf(symbol, context);
    const time = readMs(wire.created_at);
    const rate = readRate(wire.funding_rate);
    if (symbol === undefined || market === undefined) {
      decoded.rejects.push(fieldFault(null, 'market', wire.market));
    } else if (isReject(market)) decoded.rejects.push(market);
    else if (time === undefined) decoded.rejects.push(fieldFault(symbol, 'created_at', wire.created_at));
    else if (rate === undefined) decoded.rejects.push(fieldFault(symbol, 'funding_rate', wire.funding_rate));
    else {
      const period = readPeriod(wire.funding_period_hours) ?? market.fundingIntervalHours;
      decoded.funding.push({
        symbol,
        time: asMs(Math.floor(time / 1000) * 1000),
        rate,
        observed: true,
        ...(period === undefined ? {} : { intervalHours: period }),
      });
    }
  }
  return decoded;
}

/** What a candle's price is, by the `price_kind` asked for. */
const PRICE_KINDS: ReadonlyMap<string, 'markPrice' | 'indexPrice'> = new Map([
  ['mark', 'markPrice'],
  ['underlying', 'indexPrice'],
]);

/**
 * `/markets/klines`: `[ms, open, high, low, close, volume]`. The open of a mark or underlying candle is the price
 * at its start; candles of trades (the default kind) state nothing that is kept.
 */
export function decodeCandles(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const rows = resultsOf(payload, decoded);
  const field = PRICE_KINDS.get(requestParam(context.request, 'price_kind') ?? 'last');
  if (field === undefined || rows.length === 0) return decoded;
  const symbol = context.request?.symbol ?? requestParam(context.request, 'symbol');
  const market = symbol === undefined ? undefined : marketOf(symbol, context);
  if (symbol === undefined || market === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return decoded;
  }
  if (isReject(market)) {
    decoded.rejects.push(market);
    return decoded;
  }
  for (const row of rows) {
    const [start, open] = wireArray(row) ?? [];
    const time = readMs(start);
    const price = readPrice(open, market.multiplier);
    if (time !== undefined && price !== undefined) decoded.history.push({ symbol, time, [field]: price });
    else decoded.rejects.push({ symbol, reason: 'malformed', detail: 'candle' });
  }
  return decoded;
}
