import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readPrice, type Wire } from '../../domain/read.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, type StatedAmount } from '../amounts.ts';
import { readOneContract, type UnitsLookup } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { STATS_OPEN_INTEREST } from './published.ts';
import { rateScaling, rowsOf, unitsOf } from './rows.ts';

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
  take: (row: Wire, symbol: string, units: ContractUnits) => void,
  rule: UnitsLookup = unitsOf,
): void {
  const rows = rowsOf(payload, mark, out);
  if (rows.length === 0) return;
  readOneContract(symbol, rule, context, out, (name, units) => {
    for (const row of rows) {
      if (isWire(row)) take(row, name, units);
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
  const take = (row: Wire, symbol: string) =>
    addFundingPoint(out, symbol, row.t, row.r, SECOND_MS, MINUTE_MS);
  eachRow(payload, 'r', requestedContract(context), context, out, take, rateScaling);
  return out;
}

/** Open interest that a `contract_stats` row states, from REST or from the channel. */
export function statedBy({ open_interest, open_interest_usd }: Wire): StatedAmount {
  return { contracts: open_interest, quote: open_interest_usd };
}

/** `GET /futures/usdt/contract_stats?contract=`: open interest and mark, stamped in seconds. */
export function decodeContractStats(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachRow(payload, 'open_interest', requestedContract(context), context, out, (row, symbol, units) => {
    const markPrice = readPrice(row.mark_price, units.multiplier);
    const beside = markPrice === undefined ? {} : { markPrice };
    const time = readMs(row.time, SECOND_MS);
    addOpenInterestPoint(out, symbol, time, STATS_OPEN_INTEREST, statedBy(row), units, beside);
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
    addCandle(out, name, CANDLE_PRICES[prefix], readMs(row.t, SECOND_MS), readPrice(row.o, multiplier)),
  );
  return out;
}
