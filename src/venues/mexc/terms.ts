import type { ContractRow } from '../grammar/field.ts';
import { inContracts, leverage, margin, type Term, type TermsTable, tick } from '../grammar/terms.ts';

const LEVERAGE = leverage('maxLeverage');
const ofFirstTier = margin('initialMarginRate');

const leverageOf = (row: ContractRow): number | undefined => LEVERAGE.read(LEVERAGE.raw(row.wire), row);

/** The rate is that of the first tier of risk; the largest leverage asks for more where it is smaller. */
const initial: Term<number> = {
  ...ofFirstTier,
  unit: 'fraction, at least 1 / maxLeverage',
  appliesTo: (row) => leverageOf(row) !== undefined,
  read: (raw, row) => {
    const stated = ofFirstTier.read(raw, row);
    const most = leverageOf(row);
    return stated === undefined || most === undefined ? undefined : Math.max(stated, 1 / most);
  },
};

/** Terms of contracts, as the list states them; `riskBaseVol` is the first tier of an account's limit, and no limit. */
export const TERMS: TermsTable = {
  call: 'v1/contract/detail',
  evidence:
    'documentation "Get Contract Info" of 2026 (a leverage of 500 beside an initial margin of 0.002); an older example has 100 beside 0.008, which is then a margin that nobody can use; sizes count contracts',
  confidence: 'high',
  fields: {
    tick: tick('priceUnit'),
    lot: inContracts('volUnit'),
    minSize: inContracts('minVol'),
    maxLeverage: LEVERAGE,
    initialMargin: initial,
    maintenanceMargin: margin('maintenanceMarginRate'),
  },
};
