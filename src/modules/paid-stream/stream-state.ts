import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { iso } from '../../domain/clock.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { integer, nullable, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct, type Secretly } from '../../products/define-product.ts';
import { STREAM_EVENTS } from './event-schemas.ts';
import example from './examples/stream-state.json' with { type: 'json' };
import { isPaid, isRunning, leftOf, paidUntil } from './meter.ts';
import type { PaidStreams } from './port.ts';
import { selectionSchema } from './selection.ts';
import { extendPath, streamsOf } from './stream-purchase.ts';
import type { StreamRecord } from './stream-record.ts';
import { keptUntil } from './stream-store.ts';

const PHASES = ['running', 'idle', 'paused'] as const;
const CREDITED = ['shutdown', 'killed'] as const;

const answer = Type.Object({
  id: text('Name of the stream'),
  selection: selectionSchema,
  phase: oneOf(PHASES, {
    description:
      'running: a minute runs; idle: none does, and the next begins with a reader; paused: the next has to be paid',
  }),
  paid: integer('Paid minutes bought so far'),
  credited: integer('Paid minutes given back because the service broke off a minute'),
  used: integer('Paid minutes of all minutes that have begun; at most paid + credited + selection.uses'),
  left: Type.Integer({
    description: 'paid + credited - used; negative: owed, which the next payment covers first',
  }),
  minute_ends_at: nullable(timestamp('End of the minute that runs')),
  paid_until: nullable(timestamp('End of all paid minutes if they run on; null while none runs')),
  readers: integer('Readers that the answering process serves'),
  credits: Type.Array(
    Type.Object({
      at: timestamp('When it was credited'),
      minutes: integer('Paid minutes', 1),
      reason: oneOf(CREDITED, {
        description: 'shutdown, killed: the service ended in the minute',
      }),
    }),
    { description: 'The ten latest credits, the newest last' },
  ),
  kept_until: timestamp('It is forgotten then, where no minute is bought or used before'),
  extend: text('Request that buys its next minute'),
});
type StateAnswer = Static<typeof answer>;

interface Found {
  readonly record: StreamRecord;
  readonly streams: PaidStreams;
}

function find({ id, secret }: { readonly id: string } & Secretly, services: Services): Result<Found> {
  const streams = streamsOf(services);
  if (!streams.ok) return streams;
  const record = streams.value.read(id, secret);
  return record.ok ? ok({ record: record.value, streams: streams.value }) : record;
}

const isoOf = (at: number | undefined): string | null => (at === undefined ? null : iso(asMs(at)));

/** The sums of a stream's meter, as every event that is about paying states them. */
export const sumsOf = ({ meter }: Pick<StreamRecord, 'meter'>) => ({
  paid: meter.paid,
  credited: meter.credited,
  used: meter.used,
  left: leftOf(meter),
});

function stateOf({ record, streams }: Found): StateAnswer {
  const now = streams.now();
  const { id, selection, meter, credits } = record;
  const runs = isRunning(meter, now);
  return {
    id,
    selection,
    phase: runs ? 'running' : isPaid(meter, selection.uses, now) ? 'idle' : 'paused',
    ...sumsOf(record),
    minute_ends_at: runs ? isoOf(meter.endsAt) : null,
    paid_until: isoOf(paidUntil(meter, selection.uses, now)),
    readers: streams.readers(id),
    credits: credits.map(({ at, minutes, reason }) => ({ at: iso(asMs(at)), minutes, reason })),
    kept_until: iso(asMs(keptUntil(record))),
    extend: extendPath(id, selection.uses),
  };
}

export const streamState = defineProduct({
  id: 'stream-state',
  path: '/v1/streams/{id}',
  access: 'free',
  summary: 'A paid stream: events, or its state',
  description:
    'A paid stream, with the secret of its purchase in the header Perpmeter-Secret. With Accept: text/event-stream its events, which use its minutes; Last-Event-ID resumes. Else its state: minutes paid, credited, used and left, whether one runs, and what was credited why.',
  tags: ['stream'],
  dependsOn: 'second',
  isOwn: true,
  takesSecret: true,
  events: STREAM_EVENTS,
  revisedAt: '2026-11-30T09:00:00.000Z',
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, description: 'As its purchase gave it' }),
  }),
  answer,
  example: { request: '/v1/streams/s0123456789abcdef01234567', answer: example },
  find,
  compute: (found) => ok({ body: stateOf(found) }),
});
