import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readMs, readPrice } from '../../domain/read.ts';
import type { DecodeContext, Decoder } from '../adapter.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { requestSegment } from '../request-segment.ts';
import { objectOf, rowsOf, unitsOf } from './rows.ts';

/** `GET /api/v1/contract/funding_rate/history`: `resultList` of settled rates, newest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol) =>
    addFundingPoint(out, symbol, row.settleTime, row.fundingRate),
  );
  return out;
}

const SYMBOL_BEHIND_PRICE = /\/kline\/(?:fair|index)_price\/([^/\s]+)/;

/** `GET …/kline/fair_price|index_price/{symbol}`: columns `{time: [seconds], open: [], …}`. */
export function decodeCandles(key: 'markPrice' | 'indexPrice'): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    const columns = objectOf(payload, out);
    if (columns === undefined) return out;
    const { time, open } = columns;
    if (!Array.isArray(time) || !Array.isArray(open) || time.length !== open.length) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'time and open columns' });
      return out;
    }
    const symbol = context.request?.symbol ?? requestSegment(context.request, SYMBOL_BEHIND_PRICE);
    readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
      time.forEach((seconds: unknown, i) => {
        addCandle(out, name, key, readMs(seconds, 1000), readPrice(open[i], multiplier));
      });
    });
    return out;
  };
}
