import Type from 'typebox';
import type { HealthPart } from '../../api/documents/health-part.ts';
import { PAST_FILL } from '../../history/past-fill.ts';
import { integer, nullable, venueName } from '../../products/answer/schema.ts';

const fields = {
  backfill_pct: nullable(
    integer('Contracts whose past is back-filled to its end, percent; null without a back-fill'),
  ),
  backfill_incomplete: nullable(
    Type.Array(
      Type.Object({
        venue: venueName,
        contracts: nullable(
          integer('Contracts that were asked about and are not whole; null where none is shown yet'),
        ),
      }),
      { description: 'Venues that have not given all of their past; they are asked again' },
    ),
  ),
  backfill_majors_pct: nullable(integer('The same of BTC, ETH, SOL, XRP and DOGE alone')),
};

/** The back-fill in the state of the history; a stand-by fills nothing. */
export const backfillHealth: HealthPart<typeof fields> = {
  within: 'store',
  after: 'lost_rows',
  fields,
  read: ({ store, readPort }) => {
    const fill = store?.().part === 'writer' ? readPort(PAST_FILL)() : undefined;
    const incomplete = fill?.incomplete.map(({ venue, contracts = null }) => ({ venue, contracts }));
    return {
      backfill_pct: fill?.percent ?? null,
      backfill_incomplete: incomplete ?? null,
      backfill_majors_pct: fill?.priorityPercent ?? null,
    };
  },
};
