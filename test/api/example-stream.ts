import { ok } from '../../src/domain/errors.ts';
import { newMeter } from '../../src/modules/paid-stream/meter.ts';
import type { PaidStreams } from '../../src/modules/paid-stream/port.ts';
import type { StreamRecord } from '../../src/modules/paid-stream/stream-record.ts';

const ID = 's0123456789abcdef01234567';
/** The moment of the examples' answers. */
const NOW = Date.parse('2026-11-20T21:18:30.000Z');

/** A stream of the example: its third minute runs, and one was credited. */
const RECORD: StreamRecord = {
  id: ID,
  secretHash: '',
  payer: '0x',
  selection: {
    topics: ['funding', 'touches'],
    symbol: ['BTC', 'ETH'],
    assets: ['crypto:BTC', 'crypto:ETH'],
    venues: ['binance', 'okx'],
    uses: 1,
  },
  boughtAt: NOW - 150_000,
  paidAt: NOW - 150_000,
  meter: { ...newMeter(10), credited: 1, used: 3, endsAt: NOW + 40_000 },
  servedBy: 'example',
  credits: [{ at: NOW - 80_000, minutes: 1, reason: 'shutdown' }],
  untold: 0,
};

/** Streams of the example: one is kept, and whatever is asked for is offered under one name. Nothing is sold. */
export function exampleStreams(): PaidStreams {
  return {
    full: () => undefined,
    offer: () => ({ id: ID, secret: 'q1V8mT0cQ2yYw3kS9bZrX7eN5uHdLfGa' }),
    extend: () => {},
    find: (id) => (id === ID ? RECORD : undefined),
    read: (id) =>
      id === ID
        ? ok(RECORD)
        : { ok: false, error: { code: 'no_data', detail: `No stream ${id} has this secret` } },
    unknown: () => undefined,
    now: () => NOW,
    readers: () => 1,
  };
}
