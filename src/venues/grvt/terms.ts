import { inBase, inQuote, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; leverage and margins are in a call per contract, which is not made. */
export const TERMS: TermsTable = {
  call: 'full/v1/all_instruments',
  evidence:
    'recorded rows; gravity-technologies/api-spec of 2026-05-13: `min_size` and `max_position_size` count the base, `min_notional` is in the quote currency and absent on older rows; ccxt 4.5.84 notes that `min_size` is the step of sizes too, and not `base_decimals`',
  confidence: 'high',
  fields: {
    tick: tick('tick_size'),
    lot: inBase('min_size'),
    minSize: inBase('min_size'),
    minNotionalUsd: inQuote('min_notional'),
    positionLimit: inBase('max_position_size'),
  },
};
