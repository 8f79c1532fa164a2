import Type, { type Static } from 'typebox';
import {
  boolean,
  counts,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
} from '../../../products/answer/schema.ts';

/** A poll or a stream of a venue. */
export const feed = Type.Object({
  kind: oneOf(['poll', 'stream']),
  name: text('Name of the call or channel'),
  quotes: integer('Quotes that were decoded'),
  rejects: integer('Rows that were rejected'),
  last_data_at: nullable(timestamp('When data came last; null for polls and before the first')),
  every_seconds: Type.Optional(number('Time between two rounds of a poll')),
  rounds: Type.Optional(integer('Rounds that ended')),
  good_rounds: Type.Optional(integer('Rounds without a failure')),
  requests: Type.Optional(integer('Requests that were sent')),
  failures: Type.Optional(integer('Requests that failed')),
  open: Type.Optional(integer('Connections that are open')),
  connections: Type.Optional(integer('Connections that there should be')),
  topics: Type.Optional(integer('Topics that are followed')),
  reconnects: Type.Optional(integer('Connections that ended')),
  frames: Type.Optional(integer('Frames that came')),
});

/** A payload that a decoder found a fault in, cut short. */
export const rejectSample = Type.Object({
  at: timestamp('When it came'),
  source: text('Call or channel that it came from'),
  symbol: nullable(text("The venue's own symbol; null where the row has none")),
  reason: text('Reason of the rejection'),
  detail: nullable(text('What was wrong, where the reason does not say it')),
  payload: text('The beginning of the payload'),
});

export const operatorVenue = Type.Object({
  venue: text('Venue identifier'),
  status: oneOf(['live', 'stale', 'down']),
  since: timestamp('Since when it has this status'),
  last_update_at: nullable(timestamp('When data came last')),
  rejects_5m: integer('Rows rejected within five minutes'),
  rejects: counts('Rejected rows since start, by reason'),
  error_rate_5m: nullable(number('Failed share of the requests of five minutes; null without a request')),
  last_error: nullable(text('The last failure')),
  circuits: integer('Hosts that rest after failures'),
  sample: nullable(rejectSample),
  feeds: Type.Array(feed),
});

export const budget = Type.Object({
  venue: text('Venue identifier'),
  pool: text('Name of the rate limit'),
  limit: number("The venue's own limit, weight a window"),
  per_seconds: number('Length of the window'),
  used: number('Weight in the present window'),
  waiting: integer('Requests that wait for weight'),
  waited_seconds: number('Time that requests waited, since start'),
});

export const operatorHistory = Type.Object({
  ok: boolean('True while it is written, or has nothing to write'),
  lag_seconds: nullable(number('Age of the newest stored sample')),
  mode: oneOf(['writing', 'lagging', 'read_only']),
  reason: nullable(text('Why it is not writing')),
  waiting_rows: integer('Rows that wait in memory'),
  written_rows: integer('Rows written since start'),
  lost_rows: integer('Rows that were not stored, because no more could wait'),
  refused_rows: integer('Rows that the store refused'),
  skipped_samples: integer('Minutes that were not sampled, because the machine was too slow'),
  backfill: nullable(
    Type.Object({
      contracts: integer('Contracts whose past is asked for'),
      done: integer('Those whose past is whole'),
    }),
  ),
});

/** `/operator/state`: the process, its venues and its stores, as of now. */
export const stateSchema = Type.Object({
  at: timestamp('When it was read'),
  version: text('Version of the service'),
  node: text('Version of Node.js'),
  process: Type.Object({
    uptime_seconds: integer('Age of the process'),
    rss_bytes: integer('Resident memory'),
    heap_bytes: integer('Heap in use'),
    external_bytes: integer('Memory outside the heap'),
    event_loop_lag_seconds: number('The longest that the event loop was late of late'),
    event_loop_active_seconds: number('Time that the event loop was not idle'),
    cpu_seconds: number('CPU time of the process'),
  }),
  overload: Type.Object({
    lagSeconds: number('The longest that the event loop was late of late'),
    level: integer('Kinds of work given up because the machine is too slow'),
    since: Type.Optional(integer('When the level last changed, Unix ms')),
    reason: Type.Optional(text('Why work is given up')),
  }),
  disks: Type.Array(
    Type.Object({
      folder: text('Name of the folder'),
      free_bytes: nullable(integer('Room that is left; null where it cannot be looked at')),
      size_bytes: nullable(integer('Size of the disk; null where it cannot be looked at')),
    }),
  ),
  http: Type.Object({
    open: integer('Requests that wait for something'),
    broken: integer('Connections that sent what is no request'),
    kept: Type.Object({
      answers: integer('Answers that are kept to be used again'),
      bytes: integer('Memory of these'),
    }),
    routes: Type.Array(
      Type.Object({ route: text('Id of the route'), statuses: counts('Answers by status') }),
    ),
  }),
  venues: Type.Array(operatorVenue),
  budgets: Type.Array(budget),
  identities: counts('Rows that are not compared, by reason'),
  history: nullable(operatorHistory),
});

export type OperatorState = Static<typeof stateSchema>;
export type OperatorVenue = Static<typeof operatorVenue>;
export type RejectSample = Static<typeof rejectSample>;
export type Feed = Static<typeof feed>;
export type Budget = Static<typeof budget>;
export type OperatorHistory = Static<typeof operatorHistory>;
