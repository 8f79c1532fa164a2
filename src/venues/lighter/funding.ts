import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { asRate } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { fieldFault } from '../field-fault.ts';
import { requestParam } from '../request-param.ts';
import {
  errorBody,
  HOURLY,
  isReject,
  type Market,
  marketOf,
  readPercent,
  type WireFunding,
  type WireRate,
} from './wire.ts';

/** Rows of a list answer, or undefined after a reject. */
function rowsOf(payload: unknown, key: string, decoded: Decoded): readonly unknown[] | undefined {
  const error = errorBody(payload);
  const rows = error === undefined && isWire(payload) ? wireArray(payload[key]) : undefined;
  if (rows === undefined) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape', detail: key });
  }
  return rows;
}

/**
 * `funding-rates`: current rates as a fraction per EIGHT hours, also those of other exchanges, which are left
 * out. Divided by 8: the venue pays hourly.
 */
export function decodeRates(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  for (const row of rowsOf(payload, 'funding_rates', decoded) ?? []) {
    const wire: WireRate = isWire(row) ? row : {};
    const market = rateMarket(wire, context);
    const rate = readRate(wire.rate, 1 / 8);
    if (isReject(market)) decoded.rejects.push(market);
    else if (rate === undefined) decoded.rejects.push(fieldFault(market.symbol, 'rate', wire.rate));
    else decoded.quotes.push({ symbol: market.symbol, fundingRate: rate, fundingIntervalHours: HOURLY });
  }
  return decoded;
}

function rateMarket(wire: WireRate, context: DecodeContext): Market | Reject {
  const symbol = readText(wire.symbol) ?? null;
  const exchange = readText(wire.exchange);
  if (exchange === undefined) return fieldFault(symbol, 'exchange', wire.exchange);
  if (exchange !== 'lighter') {
    return { symbol, reason: 'not_listed', detail: `rate of ${exchange.slice(0, 40)}` };
  }
  return marketOf(wire.symbol, wire.market_id, context);
}

/**
 * `fundings`: settled payments of one market, which stands in the request only. The rate is percent per hour
 * without a sign; `direction` says who pays. Read at the resolution of one hour only: what a coarser row holds is
 * not documented.
 */
export function decodeFundings(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const rows = rowsOf(payload, 'fundings', decoded);
  if (rows === undefined || !isWire(payload)) return decoded;
  const resolution = readText(payload.resolution) ?? requestParam(context.request, 'resolution') ?? '1h';
  if (resolution !== '1h') {
    const detail = `resolution ${resolution.slice(0, 10)}`;
    decoded.rejects.push({ symbol: null, reason: 'unknown_unit', detail });
    return decoded;
  }
  const market = marketOf(undefined, requestParam(context.request, 'market_id'), context);
  if (isReject(market)) decoded.rejects.push(market);
  else for (const row of rows) readPayment(isWire(row) ? row : {}, market.symbol, decoded);
  return decoded;
}

function readPayment(row: Wire, symbol: string, decoded: Decoded): void {
  const wire: WireFunding = row;
  const time = readMs(wire.timestamp, 1000);
  const size = readPercent(wire.rate);
  const sign = wire.direction === 'long' ? 1 : wire.direction === 'short' ? -1 : undefined;
  if (time === undefined) decoded.rejects.push(fieldFault(symbol, 'timestamp', wire.timestamp));
  else if (size === undefined) decoded.rejects.push(fieldFault(symbol, 'rate', wire.rate));
  else if (size < 0) decoded.rejects.push({ symbol, reason: 'out_of_range', detail: 'rate with a sign' });
  else if (sign === undefined) decoded.rejects.push({ symbol, reason: 'malformed', detail: 'direction' });
  else
    decoded.funding.push({ symbol, time, rate: asRate(size === 0 ? 0 : sign * size), intervalHours: HOURLY });
}
