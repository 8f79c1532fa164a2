import { readNumber } from '../../domain/read.ts';
import { inBase, margin, type TermsTable, term, tick } from '../grammar/terms.ts';

function leverageOf(fraction: unknown): number | undefined {
  const margin = readNumber(fraction);
  return margin !== undefined && margin > 0 && margin <= 1 ? Number((1 / margin).toPrecision(6)) : undefined;
}

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'v4/perpetualMarkets',
  evidence:
    'recorded perpetualMarkets; documentation of v4: the smallest order is one step, the largest leverage 1 / initial margin. `openInterestUpperCap` raises the margin and limits nothing',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('stepSize'),
    maxLeverage: term('initialMarginFraction', 'fraction, read as 1 / it', leverageOf),
    initialMargin: margin('initialMarginFraction'),
    maintenanceMargin: margin('maintenanceMarginFraction'),
  },
};
