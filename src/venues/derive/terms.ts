import { SECONDS } from '../grammar/field.ts';
import { end, inBase, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; margins are computed by portfolio. */
export const TERMS: TermsTable = {
  call: 'public/get_all_instruments',
  evidence:
    'recorded row; public models of the answer (nautilus-derive): amounts are in the base, `scheduled_deactivation` is in s, 0 or the largest integer where none is planned',
  confidence: 'high',
  fields: {
    tick: tick('tick_size'),
    lot: inBase('amount_step'),
    minSize: inBase('minimum_amount'),
    delistsAt: end('scheduled_deactivation', SECONDS),
  },
};
