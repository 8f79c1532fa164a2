import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../src/sim/create-world.ts';
import type { SimConnection, SimSession, SimVenue } from '../../src/sim/venue.ts';
import { simBingx } from '../../src/sim/venues/bingx.ts';
import { simHtx } from '../../src/sim/venues/htx.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { bingx } from '../../src/venues/bingx/index.ts';
import { htx } from '../../src/venues/htx/index.ts';
import { BookRig, contract } from './book-rig.ts';
import { describeRecorded, readLines, readPayload } from './sessions.ts';

function rigOf({ books }: VenueAdapter, ...symbols: readonly string[]): BookRig {
  if (books === undefined) throw new Error('no books');
  const rig = new BookRig(books);
  rig.follow(...symbols);
  return rig;
}

/** The change with other numbers. */
function renumbered(frame: string, key: string, number: number): string {
  const pattern = new RegExp(`"${key}":\\d+`);
  if (!pattern.test(frame)) throw new Error(`no ${key} in the frame`);
  return frame.replace(pattern, `"${key}":${number}`);
}

describeRecorded('samples', 'recorded HTX books', () => {
  const symbol = 'BTC-USDT';
  const [ack = '', snapshot = '', change = '', ping = ''] = readLines(
    'samples',
    'htx/ws-depth-incremental-2026-09.jsonl',
  );

  it('the delta follows the snapshot by version', () => {
    const rig = rigOf(htx, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [86859.8, 6172],
        [86858.5, 147],
        [86858.4, 306],
        [86853.4, 2],
      ],
      asks: [
        [86859.9, 817],
        [86864.5, 14],
        [86864.6, 135],
      ],
    });
    expect(rig.quote(symbol)?.source).toBe('stream');
  });

  it('a missing version is detected, and the topic is subscribed to again', () => {
    const rig = rigOf(htx, symbol);
    rig.push(snapshot);
    rig.push(renumbered(change, 'version', 1789895280799));
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
    expect(rig.renewed).toEqual([`market.${symbol}.depth.size_150.high_freq`]);
  });

  it('a ping is answered with its number', () => {
    const pong = htx.books?.stream?.pong?.(JSON.parse(ping)) ?? '{}';
    expect(JSON.parse(pong)).toEqual({ pong: 1790134831961 });
    expect(htx.books?.stream?.pong?.(JSON.parse(change))).toBeUndefined();
  });
});

describeRecorded('samples', 'recorded BingX books', () => {
  const symbol = 'BTC-USDT';
  const [ack = '', snapshot = '', change = ''] = readLines('samples', 'bingx/ws-incrDepth-2026-09.jsonl');

  it('the change that comes next is applied; it deletes with decimals', () => {
    const rig = rigOf(bingx, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [86378.9, 0.0001],
        [86377.5, 0.0003],
        [86377.2, 18.0499],
        [86377, 0.0191],
        [86376.9, 0.0061],
      ],
      asks: [
        [86379.1, 87.123],
        [86379.3, 9.6687],
        [86379.4, 17.5938],
      ],
    });
  });

  it('skipped ids are no loss; a falling id is', () => {
    const rig = rigOf(bingx, symbol);
    rig.push(snapshot);
    rig.push(renumbered(change, 'lastUpdateId', 857550016));
    expect(rig.levels(symbol)?.bids[2]).toEqual([86377.2, 18.0499]);
    rig.push(change);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([`${symbol}@incrDepth`]);
  });

  it('a REST book counts coins, where it has contracts as well', () => {
    const payload = readPayload('samples', 'bingx/depth-BTC-2025-03.json');
    const request = { method: 'GET', path: '/openApi/swap/v2/quote/depth?symbol=BTC-USDT', symbol } as const;
    const [book] = bingx.books?.rest?.call.decode(payload, { instruments: new Map(), request }).books ?? [];
    expect(book?.bids[0]).toEqual([83760.7, 0.0007]);
    expect(book?.asks.at(-1)).toEqual([83784.3, 0.0008]);
  });
});

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

/** A client of a simulated socket: all texts that came, and whether it was left. */
function visit(sim: SimVenue, path: string) {
  const texts: string[] = [];
  const closed: (number | undefined)[] = [];
  const connection: SimConnection = {
    path,
    send: (frame) => {
      expect(Buffer.isBuffer(frame)).toBe(true);
      texts.push(gunzipSync(frame).toString());
    },
    close: (code) => closed.push(code),
  };
  const session = sim.socket?.(connection, world);
  if (session === undefined) throw new Error('no socket');
  session.onTick(AT);
  return { texts, closed, session };
}

function seconds(session: SimSession, from: number, to: number, each: () => void = () => {}): void {
  for (let s = from; s <= to; s++) {
    session.onTick(AT + s * 1000);
    each();
  }
}

describe.each([
  {
    name: 'HTX',
    sim: simHtx,
    adapter: htx,
    path: '/linear-swap-ws',
    isPing: (t: string) => /"ping"/.test(t),
  },
  { name: 'BingX', sim: simBingx, adapter: bingx, path: '/swap-market', isPing: (t: string) => t === 'Ping' },
])('the simulated socket of $name', ({ sim, adapter, path, isPing }) => {
  const { stream } = adapter.books ?? {};

  it('pings, and leaves a client that does not answer', () => {
    const { texts, closed, session } = visit(sim, path);
    seconds(session, 1, 19);
    expect(texts.filter(isPing)).toHaveLength(3);
    expect(closed).toEqual([]);
    seconds(session, 20, 32);
    expect(closed.length).toBeGreaterThan(0);
  });

  it('stays with a client that answers as the adapter does', () => {
    const { texts, closed, session } = visit(sim, path);
    seconds(session, 1, 60, () => {
      const last = texts.splice(0).find(isPing);
      if (last === undefined) return;
      const pong = stream?.pong?.(last === 'Ping' ? last : JSON.parse(last));
      session.onMessage(pong ?? 'no answer');
    });
    expect(closed).toEqual([]);
  });

  it('refuses what it does not have, ends what is unsubscribed from', () => {
    const { texts, session } = visit(sim, path);
    const [bad = '', topic = ''] = ['NONE-USDT', 'ETH-USDT'].map(
      (symbol) => stream?.topicOf(contract(adapter.id, symbol)) ?? '',
    );
    for (const frame of stream?.subscribe([bad], 1) ?? []) session.onMessage(frame);
    expect(texts.splice(0)[0]).toMatch(/invalid topic|80015/);
    for (const frame of stream?.subscribe([topic], 2) ?? []) session.onMessage(frame);
    expect(texts.splice(0)).toHaveLength(2);
    seconds(session, 1, 3);
    expect(texts.splice(0).filter((text) => !isPing(text))).toHaveLength(3);
    for (const frame of stream?.unsubscribe?.([topic], 3) ?? []) session.onMessage(frame);
    texts.splice(0);
    seconds(session, 4, 8);
    expect(texts.filter((text) => !isPing(text))).toEqual([]);
  });
});
