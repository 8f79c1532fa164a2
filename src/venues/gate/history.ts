import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readBase, readMs, readPrice, readUsd, type Wire } from '../../domain/read.ts';
import type { BaseQty, Price, Usd } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { oneContract, type Scaling } from '../contract-rows.ts';
import { fieldFault } from '../field-fault.ts';
import { addCandle, addFundingPoint } from '../past-points.ts';
import { requestParam } from '../request-param.ts';
import type { Scale } from '../scale.ts';
import { rateScaling, rowsOf, scaling } from './rows.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/** Prefix of a candle request's contract, and the price that it asks for. */
const CANDLE_PRICES = { mark_: 'markPrice', index_: 'indexPrice' } as const;

function requestedContract(context: DecodeContext): string | undefined {
  return context.request?.symbol ?? requestParam(context.request, 'contract');
}

/** Hands every row of a list about the requested contract to `take`; an empty list is no fault. */
function eachRow(
  payload: unknown,
  mark: string,
  symbol: string | undefined,
  context: DecodeContext,
  out: Decoded,
  take: (row: Wire, symbol: string, scale: Scale) => void,
  rule: Scaling = scaling,
): void {
  const rows = rowsOf(payload, mark, out);
  if (rows.length === 0) return;
  oneContract(symbol, rule, context, out, (name, scale) => {
    for (const row of rows) {
      if (isWire(row)) take(row, name, scale);
      else out.rejects.push({ symbol: name, reason: 'malformed', detail: 'row' });
    }
  });
}

/**
 * `GET /futures/usdt/funding_rate?contract=`: `{t: seconds, r}` of settled rates. The stamp comes up to two
 * seconds late; settlements are on whole minutes.
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const take = (row: Wire, symbol: string) => addFundingPoint(out, symbol, row.t, row.r, SECOND, MINUTE);
  eachRow(payload, 'r', requestedContract(context), context, out, take, rateScaling);
  return out;
}

/** Open interest in ticker units and USD, and the mark that it was valued at. */
export interface StatFields {
  openInterestBase?: BaseQty;
  openInterestUsd?: Usd;
  markPrice?: Price;
}

/** The fields of a `contract_stats` row, from REST or from the channel. */
export function readStats(row: Wire, { multiplier, perContract }: Scale): StatFields {
  const fields: StatFields = {};
  const base = perContract === undefined ? undefined : readBase(row.open_interest, perContract);
  const usd = readUsd(row.open_interest_usd);
  const mark = readPrice(row.mark_price, multiplier);
  if (base !== undefined) fields.openInterestBase = base;
  if (usd !== undefined) fields.openInterestUsd = usd;
  if (mark !== undefined) fields.markPrice = mark;
  return fields;
}

/** `GET /futures/usdt/contract_stats?contract=`: open interest and mark, stamped in seconds. */
export function decodeContractStats(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachRow(payload, 'open_interest', requestedContract(context), context, out, (row, symbol, scale) => {
    const time = readMs(row.time, SECOND);
    const fields = readStats(row, scale);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 'time', row.time));
    else if (fields.openInterestUsd === undefined && fields.openInterestBase === undefined) {
      out.rejects.push(fieldFault(symbol, 'open_interest_usd', row.open_interest_usd));
    } else out.history.push({ symbol, time, ...fields });
  });
  return out;
}

/** `GET /futures/usdt/candlesticks?contract=mark_BTC_USDT` or `index_…`: opens of mark or index candles. */
export function decodeCandles(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const asked = requestParam(context.request, 'contract') ?? '';
  const prefix = asked.startsWith('index_') ? 'index_' : 'mark_';
  if (!asked.startsWith(prefix)) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'mark_ or index_ in the request' });
    return out;
  }
  const symbol = asked.slice(prefix.length);
  eachRow(payload, 't', symbol, context, out, (row, name, { multiplier }) =>
    addCandle(out, name, CANDLE_PRICES[prefix], readMs(row.t, SECOND), readPrice(row.o, multiplier)),
  );
  return out;
}
