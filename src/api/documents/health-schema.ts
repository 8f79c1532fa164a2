import Type from 'typebox';
import { SHED_ORDER } from '../../collect/load-shedding.ts';
import { FEED_KINDS, ROLES } from '../../feed/ports.ts';
import { HISTORY_PARTS } from '../../history/history.ts';
import { STORE_ENGINES } from '../../history/store.ts';
import { IDENTITY_STORE_KINDS } from '../../market/stores.ts';
import { LEDGER_KINDS } from '../../pay/ledger-store.ts';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';

/** The core's fields of the health document. */
export const coreHealth = Type.Object({
  status: oneOf(['ok', 'degraded'], { description: 'degraded: a part below is not as it should be' }),
  data: oneOf(['live', 'simulated'], { description: 'Whether the venues behind the data are real' }),
  version: text('Version of the service'),
  started_at: timestamp('When the service started'),
  uptime_seconds: integer('Seconds since then'),
  stopping: boolean('Whether it is about to end: a load balancer should give it nothing more'),
  venues: Type.Object(
    { live: integer('Venues live'), stale: integer('Venues stale'), down: integer('Venues down') },
    { description: 'How many venues have which status' },
  ),
  rows: integer('Rows in the live table'),
  roles: Type.Array(oneOf(ROLES), {
    description: 'What this process does: read venues, answer for money, keep history',
  }),
  feed: nullable(
    Type.Object(
      {
        kind: oneOf(FEED_KINDS, {
          description:
            'What carries data from who collects to who sells: this process itself, or a NATS server',
        }),
        ok: boolean('Whether its server answers'),
        holds: integer('Venues that this process publishes: it holds their lease'),
        behind: Type.Array(venueName, {
          description:
            'Venues of which something published is missing here, or whose holder is silent: nothing of them is sold',
        }),
        unreached: Type.Array(venueName, {
          description:
            'Venues that this process does not reach and has left to another that does: that one publishes them',
        }),
      },
      { description: 'The feed between processes that collect and processes that sell' },
    ),
  ),
  identities: nullable(
    Type.Object(
      {
        kind: oneOf(IDENTITY_STORE_KINDS, {
          description: 'On this machine, or on a server that several hosts share',
        }),
        ok: boolean('Whether the store answered when last asked; what is known stays in use without it'),
        waiting: integer('Contracts and venues that have no identity or number until it answers'),
        refused: integer(
          'Contracts and venues that have none since it refuses what they are called; the log has the reason',
        ),
      },
      { description: 'Where it is kept which asset each contract is, and the number of each venue' },
    ),
  ),
  event_loop_lag_seconds: nullable(
    number(
      'The longest that the service itself was late within the last twenty seconds: a slow machine, not slow venues',
    ),
  ),
  overload: nullable(
    Type.Object(
      {
        level: integer('How many kinds of work are given up, 0 to 4'),
        shed: Type.Array(oneOf(SHED_ORDER), {
          description:
            'Which, the first given up first: back-fill, streams of order books that nobody reads, order books over REST in rotation, samples of every minute. Funding, marks and payments never are',
        }),
        since: nullable(timestamp('When the level last changed; null where it did not since start')),
        reason: nullable(text('What was seen of the event loop when work was last given up')),
      },
      { description: 'What is given up for now, because the machine is too slow for all of it' },
    ),
  ),
  store: Type.Object(
    {
      ok: nullable(boolean('Whether history is being written; null without a history store')),
      part: nullable(
        oneOf(HISTORY_PARTS, {
          description:
            'writer: this process writes the history; standby: it reads, and writes as soon as the process that does is gone; reader: it only reads',
        }),
      ),
      engine: nullable(
        oneOf(STORE_ENGINES, {
          description:
            'Where the history lies: in the data folder of this process, on one ClickHouse server, or on a cluster of them; null without a history store',
        }),
      ),
      lag_seconds: nullable(number('Age of the newest stored sample')),
      mode: nullable(
        oneOf(['writing', 'lagging', 'read_only'], {
          description:
            'lagging: samples wait in memory; read_only: no more can wait and new ones are lost, until the store takes them again',
        }),
      ),
      reason: nullable(text('Why it is not writing')),
      waiting_rows: nullable(integer('Rows that wait in memory to be written')),
      lost_rows: nullable(
        integer('Rows since start that came when no more could wait; the spans are noted as gaps'),
      ),
    },
    { description: 'The history store' },
  ),
  payments: Type.Object(
    {
      mode: oneOf(['remote', 'self', 'sandbox', 'off'], {
        description: 'Who settles; off means that nothing is charged',
      }),
      facilitator_ok: nullable(boolean('Whether the facilitator answered when last asked')),
      settlement_proof: nullable(
        oneOf(['rpc', 'facilitator'], {
          description: 'What a settlement is believed on: the chain itself, or the word of the facilitator',
        }),
      ),
      ledger: nullable(
        oneOf(LEDGER_KINDS, {
          description: 'Where payments are kept: on this machine, or on a server that several share',
        }),
      ),
      ledger_ok: nullable(boolean('Whether the ledger answered when last asked; without it nothing is sold')),
      node_behind: nullable(
        boolean(
          'True where the newest block of a node is too old: what was done on the chain since is not seen, and nothing is sold by channel',
        ),
      ),
    },
    { description: 'The payment gate' },
  ),
});
