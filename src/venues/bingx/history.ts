import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readPrice, readText } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import { addCandle, addFundingPoint } from '../history-points.ts';
import { asked, candlesOf, rowsOf, unitsOf } from './wire.ts';

/** `GET /quote/fundingRate?symbol=`: settled rates, newest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'symbol', unitsOf, context, out, (row, symbol) =>
    addFundingPoint(out, symbol, row.fundingTime, row.fundingRate),
  );
  return out;
}

/** `GET /market/markPriceKlines?symbol=`: opens of mark candles, as objects or as lists `[time, open, …]`. */
export function decodeMarkCandles(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = candlesOf(payload, out);
  if (rows === undefined) return out;
  const [first] = rows;
  const symbol = (isWire(first) ? readText(first.symbol) : undefined) ?? asked(context);
  readOneContract(symbol, unitsOf, context, out, (name, { multiplier }) => {
    for (const row of rows) {
      const [time, open] = Array.isArray(row)
        ? (row as readonly unknown[])
        : isWire(row)
          ? [row.openTime ?? row.time, row.open]
          : [];
      addCandle(out, name, 'markPrice', readMs(time), readPrice(open, multiplier));
    }
  });
  return out;
}
