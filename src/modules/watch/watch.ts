import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { iso } from '../../domain/clock.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { boolean, integer, nullable, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct, type Secretly } from '../../products/define-product.ts';
import { conditionSchema } from '../watch-conditions/condition.ts';
import {
  firingSchema,
  statementSchema,
  valuesSchema,
  WATCH_EVENTS,
} from '../watch-conditions/event-schemas.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import { watchesOf } from './asked-watch.ts';
import example from './examples/watch.json' with { type: 'json' };
import { firingRow, shownFiring } from './firing-row.ts';
import type { WatchDelivery, Watches } from './port.ts';
import { isToken } from './reading-token.ts';
import { isoOf } from './state-now.ts';
import type { WatchRecord } from './watch-record.ts';

const PHASES = ['armed', 'holding', 'fired', 'unknown', 'ended'] as const;

const answer = Type.Object({
  id: text('Name of the watch'),
  condition: conditionSchema,
  phase: oneOf(PHASES, {
    description:
      'armed: does not hold; holding: holds, and not for long enough yet; fired: holds, and was told; unknown: no data; ended',
  }),
  phase_since: timestamp('Since when'),
  reason: nullable(text('Why it is unknown, or has ended')),
  values: valuesSchema,
  rows_at: nullable(timestamp('Time of the oldest data in the values')),
  began_at: timestamp('Since when it is watched'),
  ends_at: timestamp('Until when it is watched'),
  sequence: integer('Number of its last firing; 0 = none yet'),
  fired: integer('Firings that its condition caused'),
  firings: Type.Array(firingSchema, { description: 'Firings behind after, the earliest first' }),
  has_more: boolean('Whether there are later ones'),
  delivery: nullable(
    Type.Object(
      {
        state: text('none, unproven (the challenge is not answered), ready, retrying or failed'),
        acknowledged: integer('Number up to which the receiver has confirmed'),
        waiting: integer('Firings that wait'),
        last_error: nullable(text('Why the last delivery failed')),
      },
      { description: 'Of the webhook; null without one' },
    ),
  ),
  statement: nullable(
    Type.String({
      description:
        'Once it has ended: compact JWS of the span that was watched and of the spans without data',
      contentMediaType: 'application/jwt',
      contentSchema: statementSchema,
    }),
  ),
});
type WatchAnswer = Static<typeof answer>;

interface Found {
  readonly record: WatchRecord;
  readonly watches: Watches;
  /** Read by a token: the receiver's address is shown as its host, since the rest lets anybody post there. */
  readonly byToken: boolean;
}

function find({ id, secret }: { readonly id: string } & Secretly, services: Services): Result<Found> {
  const watches = watchesOf(services);
  if (!watches.ok) return watches;
  const record = watches.value.read(id, secret);
  if (!record.ok) return record;
  return ok({
    record: record.value,
    watches: watches.value,
    byToken: secret !== undefined && isToken(secret),
  });
}

export const phaseOf = ({ endedAt, progress }: WatchRecord): WatchAnswer['phase'] => {
  if (endedAt !== undefined) return 'ended';
  return progress.unknownSince === undefined ? progress.phase : 'unknown';
};

const shownDelivery = ({ state, acknowledged, waiting, lastError }: WatchDelivery) => ({
  state,
  acknowledged,
  waiting,
  last_error: lastError ?? null,
});

/** A watch with its firings behind a number, as its owner reads it. */
export function watchAnswer({ record, watches, byToken }: Found, after: number, limit: number): WatchAnswer {
  const { id, progress, values, rowsAt, beganAt, endsAt, endedAt, endReason, statement } = record;
  const found = watches.firings(id, after, limit + 1);
  const delivery = watches.delivery(record, byToken ? 'token' : 'owner');
  const firings = found.slice(0, limit);
  return {
    id,
    condition: byToken ? shownCondition(record.condition) : record.condition,
    phase: phaseOf(record),
    phase_since: iso(asMs(endedAt ?? progress.unknownSince ?? progress.since)),
    reason: endReason ?? progress.unknownReason ?? null,
    values,
    rows_at: isoOf(rowsAt),
    began_at: iso(asMs(beganAt)),
    ends_at: iso(asMs(endsAt)),
    sequence: progress.seq,
    fired: progress.fired,
    firings: (byToken ? firings.map(shownFiring) : firings).map(firingRow),
    has_more: found.length > limit,
    delivery: delivery === undefined ? null : shownDelivery(delivery),
    statement: statement ?? null,
  };
}

export const watchRead = defineProduct({
  id: 'watch',
  path: '/v1/watches/{id}',
  access: 'free',
  summary: 'A watch: state, firings, statement',
  description:
    'A watch as its owner reads it, with the secret of its purchase in the header Perpmeter-Secret: state, values, firings behind a number, delivery, and once it has ended its signed statement. With Accept: text/event-stream its firings as they happen; Last-Event-ID resumes. Readable for seven days after its end.',
  tags: ['watches'],
  dependsOn: 'second',
  isOwn: true,
  takesSecret: true,
  events: WATCH_EVENTS,
  revisedAt: '2026-11-30T09:00:00.000Z',
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, description: 'As its purchase gave it' }),
  }),
  query: Type.Object({
    after: Type.Integer({ minimum: 0, default: 0, description: 'Firings behind this number' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most rows to return' }),
  }),
  answer,
  example: { request: '/v1/watches/w0123456789abcdef01234567', answer: example },
  find,
  compute: (found, _services: Services, { after, limit }) => ok({ body: watchAnswer(found, after, limit) }),
});
