import { describe, expect, it } from 'vitest';
import { BookRig } from '../../../test/books/book-rig.ts';
import { FIRST, NOTHING, sessionOf } from '../../../test/books/dialect-session.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive, NOW } from '../../../test/venues/keep-alive.ts';
import type { BookFeed } from '../book-feed.ts';
import { gate } from './index.ts';

/** The recorded channel has changes alone: its snapshots come over REST, in the same numbers. */
function seeded(): BookFeed {
  if (gate.books === undefined) throw new Error('no books');
  return { ...gate.books, initialSnapshot: 'rest' };
}

interface Recorded {
  readonly t: number;
  readonly frame?: string;
  readonly url?: string;
  readonly body?: string;
}

interface Frame {
  readonly channel: string;
  readonly result: {
    readonly s?: string;
    readonly U?: number;
    readonly u?: number;
    readonly b?: unknown;
    readonly B?: number;
    readonly a?: unknown;
    readonly A?: number;
  };
}

const recorded = (file: string): readonly Recorded[] =>
  readLines('sessions', file).map((line) => JSON.parse(line) as Recorded);

describeRecorded('sessions', 'a recorded Gate session', () => {
  const lines = [...recorded('gate-2023-05.jsonl'), ...recorded('gate-2023-05.snapshots.jsonl')].sort(
    (point, other) => point.t - other.t,
  );
  const symbolOf = (url: string): string => new URL(url).searchParams.get('contract') ?? '';
  const symbols = lines.flatMap(({ url }) => (url === undefined ? [] : [symbolOf(url)]));
  const bodies = new Map(lines.map(({ url, body }) => [url === undefined ? '' : symbolOf(url), body]));
  /** First number of a change of the contract; 0 for all other lines. */
  const startOf = ({ frame = '' }: Recorded, symbol: string): number => {
    if (!frame.includes('futures.order_book_update')) return 0;
    const { result } = JSON.parse(frame) as Frame;
    return result.s === symbol ? (result.U ?? 0) : 0;
  };

  const play = async (skip?: Recorded) => {
    const rig = new BookRig(seeded());
    rig.follow(...symbols);
    /** Best levels of the books, and what the venue said that they were, by contract and number. */
    const reached = new Map<string, string>();
    const stated = new Map<string, string>();
    for (const line of lines) {
      if (line === skip) continue;
      if (line.body !== undefined) {
        const ask = rig.asks.find(({ symbol }) => symbol === symbolOf(line.url ?? ''));
        await ask?.answer(JSON.parse(line.body));
        continue;
      }
      const text = line.frame ?? '';
      rig.push(text);
      const { channel, result } = JSON.parse(text) as Frame;
      const { s = '', u, b, B, a, A } = result;
      if (channel === 'futures.book_ticker') stated.set(`${s} ${u}`, `${Number(b)}:${B} ${Number(a)}:${A}`);
      const levels = channel === 'futures.order_book_update' ? rig.levels(s) : undefined;
      if (levels === undefined) continue;
      const bid = levels.bids[0]?.join(':');
      const ask = levels.asks[0]?.join(':');
      reached.set(`${s} ${u}`, `${bid} ${ask}`);
    }
    return { rig, reached, stated };
  };

  it('joins every REST book without a gap', async () => {
    const { rig } = await play();
    const { breaks, live } = rig.books.stats();
    expect(symbols).toHaveLength(8);
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(live).toBe(8);
    for (const symbol of symbols) expect(rig.levels(symbol), symbol).toBeDefined();
  });

  it('has the best prices and sizes that the venue has at that number', async () => {
    const { reached, stated } = await play();
    const both = [...stated].filter(([key]) => reached.has(key));
    expect(both.length).toBeGreaterThan(8);
    for (const [key, best] of both) expect(reached.get(key), key).toBe(best);
  });

  it.each(symbols)('%s: a frame that is missing is found, and nothing is served', async (symbol) => {
    const { id } = JSON.parse(bodies.get(symbol) ?? '') as { readonly id: number };
    // The last is followed by none, and of the first the REST book may have all.
    const changes = lines.filter((line) => startOf(line, symbol) > id).slice(1, -1);
    const step = Math.max(1, Math.floor(changes.length / 6));
    for (const skip of changes.filter((_, i) => i % step === 0)) {
      const { rig } = await play(skip);
      expect(rig.books.stats().breaks.gap, `without the frame of ${skip.t}`).toBe(1);
      expect(rig.levels(symbol)).toBeUndefined();
    }
  });
});

describeRecorded('samples', 'recorded Gate streams of 2026', () => {
  const [ack = '', full = '', change = '', empty = '', pong = '', twice = '', unknown = ''] = readLines(
    'samples',
    'gate/ws-obu-2026-09.jsonl',
  );

  const begun = (): BookRig => {
    if (gate.books === undefined) throw new Error('no books');
    const rig = new BookRig(gate.books);
    rig.follow('BTC_USDT', 'ETH_USDT');
    return rig;
  };

  it('a snapshot is taken', () => {
    const rig = begun();
    for (const frame of [ack, full, pong, twice, unknown]) rig.push(frame);
    expect(rig.levels('ETH_USDT')?.bids[0]).toEqual([2480.27, 2781.6]);
    expect(rig.levels('BTC_USDT')).toBeUndefined();
  });

  /** A snapshot that the recorded changes follow. */
  const before = JSON.stringify({
    time: 1789455580,
    time_ms: 1789455580200,
    channel: 'futures.obu',
    event: 'update',
    result: {
      t: 1789455580190,
      full: true,
      s: 'ob.BTC_USDT.50',
      u: 125033675974,
      b: [['77220.1', '5']],
      a: [['77235.2', '7']],
    },
  });

  it('deltas chain, and an empty one counts', () => {
    const rig = begun();
    for (const frame of [before, change, empty]) rig.push(frame);
    expect(rig.levels('BTC_USDT')).toEqual({
      bids: [
        [77222.9, 648],
        [77220.1, 5],
      ],
      asks: [[77235, 50]],
    });
    expect(rig.books.stats().breaks.gap).toBe(0);
  });

  it('a missing delta is detected at an empty one', () => {
    const rig = begun();
    for (const frame of [before, empty]) rig.push(frame);
    expect(rig.levels('BTC_USDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['ob.BTC_USDT.400']);
  });
});

describe('numbers of Gate changes', () => {
  it('a change of nothing counts, and shows what is missing before it', async () => {
    const session = sessionOf('gate');
    await session.begin();
    expect(session.bestAfter(FIRST, FIRST + 9, NOTHING)).toBe(149.9);
    expect(session.bestAfter(FIRST + 9, FIRST + 12)).toBe(149.95);
    expect(session.bestAfter(FIRST + 13, FIRST + 20, NOTHING)).toBeUndefined();
  });
});

describeKeepAlive(gate, { ping: { time: NOW / 1000, channel: 'futures.ping' } });
