import { readNumber, readText } from '../../domain/read.ts';
import { asBase, type BaseQty } from '../../domain/units.ts';
import {
  inContracts,
  leverage,
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

const MULTIPLE = leverage('leverage');

/** A multiple with its sign: `50x`. */
export const LEVERAGE: Term<number> = term('leverage', 'multiple, followed by x', (raw, row) =>
  MULTIPLE.read(/^([\d.]+)x$/.exec(readText(raw) ?? '')?.[1], row),
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
  besideMetrics: {
    call: 'feed ticker',
    evidence:
      'recorded 2023-04 (PI_XBTUSD: "50x") and 2026-07 (PF_ETHUSD: "100x"); docs.kraken.com, feed `ticker`: the leverage of the product. The list of 2025-11 has an initial margin of 0.02 for PF_ETHUSD, which is of another year',
    confidence: 'medium',
    fields: { maxLeverage: LEVERAGE },
  },
};
