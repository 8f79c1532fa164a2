import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readMs, readPrice } from '../../domain/read.ts';
import type { DecodeContext, Decoder } from '../adapter.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { rowsOf, unitsOf } from './rows.ts';

/** `GET /api/v2/mix/market/history-fund-rate`: settled rates `{symbol, fundingRate, fundingTime}`, newest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol) =>
    addFundingPoint(out, symbol, row.fundingTime, row.fundingRate),
  );
  return out;
}

/** `GET /api/v3/market/history-fund-rate`: `resultList` of `{symbol, fundingRate, fundingRateTimestamp}`. */
export function decodeFundingHistoryV3(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out, 'resultList'), 'symbol', unitsOf, context, out, (row, symbol) =>
    addFundingPoint(out, symbol, row.fundingRateTimestamp, row.fundingRate),
  );
  return out;
}

/** Candles `[time, open, high, low, close, …]` of the contract that the request names. */
export function decodeCandles(key: 'markPrice' | 'indexPrice'): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    const symbol = context.request?.symbol ?? requestParam(context.request, 'symbol');
    const rows = rowsOf(payload, out);
    if (rows.length === 0) return out;
    readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
      for (const row of rows) {
        const [time, open] = Array.isArray(row) ? row : [];
        addCandle(out, name, key, readMs(time), readPrice(open, multiplier));
      }
    });
    return out;
  };
}
