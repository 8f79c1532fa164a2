import { readNumber } from '../../domain/read.ts';
import { asBase, type BaseQty } from '../../domain/units.ts';
import {
  inContracts,
  margin,
  stepOfDecimals,
  type Term,
  type TermsTable,
  term,
  tick,
} from '../grammar/terms.ts';

/** Decimals of a number of contracts; they may be fewer than none: -3 are thousands. */
const lotTerm: Term<BaseQty> = term(
  'contractValueTradePrecision',
  'decimals of a size in contracts',
  (decimals, { units: { perContract } }) => {
    const step = stepOfDecimals(readNumber(decimals));
    return step === undefined || perContract === undefined
      ? undefined
      : asBase(Number((step * perContract).toPrecision(13)));
  },
);

/** Terms of contracts, as the list states them, of clients that are not retail: these have `retailMarginLevels`. */
export const TERMS: TermsTable = {
  call: 'v3/instruments',
  evidence:
    'recorded 2025; documentation "Get instruments": the first of `marginLevels` is of the smallest position, `maxPositionSize` counts contracts',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: lotTerm,
    initialMargin: margin('marginLevels.0.initialMargin'),
    maintenanceMargin: margin('marginLevels.0.maintenanceMargin'),
    positionLimit: inContracts('maxPositionSize'),
  },
};
