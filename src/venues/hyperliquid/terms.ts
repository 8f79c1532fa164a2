import { readNumber } from '../../domain/read.ts';
import { asPrice, asUsd, type Price } from '../../domain/units.ts';
import type { ContractRow } from '../grammar/field.ts';
import {
  always,
  baseDecimals,
  leverage,
  oneOver,
  stepOfDecimals,
  type TermsTable,
  term,
} from '../grammar/terms.ts';

/** Decimals of a price and of a size of a perpetual are six together. */
const DECIMALS = 6;

function tickOf(decimals: unknown, { units }: ContractRow): Price | undefined {
  const ofSize = readNumber(decimals);
  const step = ofSize === undefined ? undefined : stepOfDecimals(DECIMALS - ofSize);
  return step === undefined ? undefined : asPrice(Number((step / units.multiplier).toPrecision(13)));
}

/** Terms of contracts, as the list and the rules of the venue state them. Tiers of `marginTables` lower the leverage of larger positions. */
export const TERMS: TermsTable = {
  call: 'info meta',
  evidence:
    'recorded meta; documentation "Tick and lot size", "Margining": initial margin is 1 / leverage, maintenance half of that at the largest leverage; "Error responses": `MinTradeNtl`, an order must have a minimum value of $10',
  confidence: 'high',
  fields: {
    tick: term('szDecimals', 'prices have 6 decimals less it', tickOf),
    priceDigits: always(5, 'at most five significant digits, and always whole numbers'),
    lot: baseDecimals('szDecimals'),
    minNotionalUsd: always(asUsd(10), 'every order is of 10 USD at least'),
    maxLeverage: leverage('maxLeverage'),
    initialMargin: oneOver('maxLeverage'),
    maintenanceMargin: oneOver('maxLeverage', 0.5),
  },
};
