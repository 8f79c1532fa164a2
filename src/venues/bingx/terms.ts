import { readNumber } from '../../domain/read.ts';
import { asPrice, type Price } from '../../domain/units.ts';
import type { ContractRow } from '../grammar/field.ts';
import {
  baseDecimals,
  end,
  inBase,
  inQuote,
  leverage,
  stepOfDecimals,
  type Term,
  type TermsTable,
  term,
} from '../grammar/terms.ts';
import { isStated } from '../quote-field.ts';

function tickOf(decimals: unknown, { units }: ContractRow): Price | undefined {
  const step = stepOfDecimals(readNumber(decimals));
  return step === undefined ? undefined : asPrice(Number((step / units.multiplier).toPrecision(13)));
}

const LONG = leverage('maxLongLeverage');
const SHORT = leverage('maxShortLeverage');

/** Both directions have the smaller one. A direction that cannot be read leaves it unknown. */
const eitherWay: Term<number> = term(
  'maxLongLeverage',
  'multiple, the smaller of it and maxShortLeverage',
  (raw, row) => {
    const long = LONG.read(raw, row);
    const short = SHORT.raw(row.wire);
    if (!isStated(short) || long === undefined) return long;
    const other = SHORT.read(short, row);
    return other === undefined ? undefined : Math.min(long, other);
  },
);

/** Terms of contracts, as the list states them; margins by tier are in a call that needs a key. */
export const TERMS: TermsTable = {
  call: 'v2/quote/contracts',
  evidence:
    'recorded 2023-12 and 2025; documentation "USDT-M Perp Futures symbols" and BingX-API/api-ai-skills of 2026-04: precisions are decimals of price and quantity, `tradeMinQuantity` counts coins, `offTime` is when it goes offline and 0 where it does not; leverage by direction is not on all rows',
  confidence: 'high',
  fields: {
    tick: term('pricePrecision', 'decimals of the price', tickOf),
    lot: baseDecimals('quantityPrecision'),
    minSize: inBase('tradeMinQuantity'),
    minNotionalUsd: inQuote('tradeMinUSDT'),
    maxLeverage: eitherWay,
    delistsAt: end('offTime'),
  },
};
