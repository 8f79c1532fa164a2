import { readNumber } from '../../domain/read.ts';
import { asPrice, type Price } from '../../domain/units.ts';
import type { ContractRow } from '../grammar/field.ts';
import {
  end,
  inBase,
  inQuote,
  leverage,
  stepOfDecimals,
  type TermsTable,
  term,
  tick,
} from '../grammar/terms.ts';

/** The last decimal counts in steps: `pricePlace` 1 and `priceEndStep` 5 are 0.5. */
function tickOf(places: unknown, { wire, units }: ContractRow): Price | undefined {
  const decimal = stepOfDecimals(readNumber(places));
  const steps = readNumber(wire.priceEndStep);
  if (decimal === undefined || steps === undefined || steps <= 0) return undefined;
  return asPrice(Number(((decimal * steps) / units.multiplier).toPrecision(13)));
}

/** Terms of contracts, as the list states them; margins by tier are in a call per contract, which is not made. */
export const TERMS: TermsTable = {
  call: 'v2/mix/market/contracts',
  evidence:
    'recorded 2023-09 and later; v2 documentation "Get Contract Config": `sizeMultiplier` is the step of a size, `offTime` the removal time, -1 as usual; `limitOpenTime`, from which nothing can be opened, also announces maintenance and is not read',
  confidence: 'high',
  fields: {
    tick: term('pricePlace', 'decimals of the price, of which priceEndStep is the step', tickOf),
    lot: inBase('sizeMultiplier'),
    minSize: inBase('minTradeNum'),
    minNotionalUsd: inQuote('minTradeUSDT'),
    maxLeverage: leverage('maxLever'),
    delistsAt: end('offTime'),
  },
};

/** The same in the lists of the unified account, which name each field otherwise. */
export const UNIFIED_TERMS: TermsTable = {
  call: 'v3/market/instruments',
  evidence: 'recorded 2026-02; v3 documentation "Get Instruments"',
  confidence: 'high',
  fields: {
    tick: tick('priceMultiplier'),
    lot: inBase('quantityMultiplier'),
    minSize: inBase('minOrderQty'),
    minNotionalUsd: inQuote('minOrderAmount'),
    maxLeverage: leverage('maxLeverage'),
    delistsAt: end('offTime'),
  },
};
