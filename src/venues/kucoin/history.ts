import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readPrice } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { PUBLISHED } from './published.ts';
import { contractOf, dataOf, rowsOf, unitsOf } from './rows.ts';

function requestedSymbol(context: DecodeContext): string | undefined {
  return context.request?.symbol ?? requestParam(context.request, 'symbol');
}

/** `GET /api/v1/contract/funding-rates`: settled rates, newest first, at most 100 a reply. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol) =>
    addFundingPoint(out, symbol, row.timepoint, row.fundingRate),
  );
  return out;
}

/** `GET /api/ua/v2/market/funding-rate-history`: `{symbol, list: [{fundingRate, ts}]}`. */
export function decodeUnifiedFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return out;
  const symbol = isWire(data) ? contractOf(data.symbol) : undefined;
  const rows = rowsOf(data, out);
  if (rows.length === 0) return out;
  readOneContract(symbol ?? requestedSymbol(context), unitsOf, context, out, (name) => {
    for (const row of rows) {
      if (isWire(row)) addFundingPoint(out, name, row.ts, row.fundingRate);
      else out.rejects.push({ symbol: name, reason: 'malformed', detail: 'row' });
    }
  });
  return out;
}

/** `GET /api/ua/v2/market/open-interest?symbol=&interval=`: past lots of the requested contract, newest first. */
export function decodeOpenInterestHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = rowsOf(payload, out);
  if (rows.length === 0) return out;
  readOneContract(requestedSymbol(context), unitsOf, context, out, (symbol, units) => {
    if (units.perContract === undefined) {
      out.rejects.push({ symbol, reason: 'unknown_unit', detail: 'openInterest: lot size unknown' });
      return;
    }
    for (const row of rows) {
      const { ts, openInterest: contracts } = isWire(row) ? row : {};
      addOpenInterestPoint(out, symbol, readMs(ts), PUBLISHED.openInterest, { contracts }, units);
    }
  });
  return out;
}

/** The name of a mark in v1, behind that of its contract. */
const MARK_NAME = /-mark-price$/;

/** `GET /api/ua/v2/market/kline?tradeType=FUTURES&symbol=XBTUSDTM&klineType=MARK_PRICE`: rows `[seconds, open, …]`. */
export function decodeMarkCandles(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = rowsOf(payload, out);
  if (rows.length === 0) return out;
  const symbol = requestParam(context.request, 'symbol')?.replace(MARK_NAME, '');
  readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
    for (const row of rows) {
      const [time, open] = Array.isArray(row) ? row : [];
      addCandle(out, name, 'markPrice', readMs(time, 1000), readPrice(open, multiplier));
    }
  });
  return out;
}
