import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readHours, readMs, readRate } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { fieldFault } from '../field-fault.ts';
import { onGrid } from '../history-points.ts';
import { eachRow } from '../rows.ts';
import { bodyOf, parseSymbol, rowsOf, SECONDS } from './rows.ts';

/** `.BTCUSDTFR8H` is the rate of `BTCUSDT`, on contracts of four hours as well; `.BTCFR8H` that of `BTCUSD`. */
const RATE_SYMBOL = /^\.(.+)FR8H$/;

/** Rates of coin-margined contracts are named by their base alone. */
function parseRateSymbol(symbol: string): ParsedSymbol {
  const parsed = parseSymbol(symbol);
  return parsed === 'foreign_quote' ? 'inverse' : parsed;
}

/** `GET /api-data/public/data/funding-rate-history`: settled rates, oldest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  const rows = rowsOf(bodyOf(payload, out));
  if (rejects.length > 0) return out;
  eachRow(rows, 'symbol', out, (row, rateSymbol) => {
    const symbol = RATE_SYMBOL.exec(rateSymbol)?.[1] ?? rateSymbol;
    const units = contractUnitsOf(context, symbol, parseRateSymbol, 1);
    if (typeof units === 'string') {
      rejects.push({ symbol, reason: units });
      return;
    }
    const time = readMs(row.fundingTime);
    const rate = readRate(row.fundingRate);
    const hours = readHours(row.intervalSeconds, SECONDS);
    if (time === undefined) rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    if (rate === undefined) rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    if (time === undefined || rate === undefined) return;
    const interval = hours === undefined ? {} : { intervalHours: hours };
    out.funding.push({ symbol, time: onGrid(time, 1000), rate, ...interval });
  });
  return out;
}
