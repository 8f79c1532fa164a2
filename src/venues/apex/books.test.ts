import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines, readPayload } from '../../../test/books/sessions.ts';
import { describeKeepAlive, NOW } from '../../../test/venues/keep-alive.ts';
import { apex } from './index.ts';

const TOPIC = 'orderBook200.H.SOLUSDT';
type Levels = readonly (readonly [string, string])[];

const frame = (type: string, u: number, b: Levels, a: Levels): string =>
  JSON.stringify({
    topic: TOPIC,
    type,
    data: { s: 'SOLUSDT', b, a, u },
    cs: 9 * u,
    ts: 1_790_585_479_521_674 + u,
  });

const snapshot = (u: number): string =>
  frame(
    'snapshot',
    u,
    [
      ['149.8', '75.5'],
      ['149.9', '40'],
    ],
    [['150.1', '35']],
  );

function rigOf(symbol = 'SOLUSDT') {
  if (apex.books === undefined) throw new Error('no books');
  const rig = new BookRig(apex.books);
  rig.follow(symbol);
  return rig;
}

const START = {
  bids: [
    [149.9, 40],
    [149.8, 75.5],
  ],
  asks: [[150.1, 35]],
};

describe('ApeX books', () => {
  it('topics: subscribed to by name, and ended before the next time', () => {
    const stream = apex.books?.stream;
    const topics = [stream?.topicOf(contract('apex', 'SOLUSDT')) ?? ''];
    expect(topics).toEqual([TOPIC]);
    expect(stream?.subscribe(topics, 1)).toEqual([`{"op":"subscribe","args":["${TOPIC}"]}`]);
    expect(stream?.unsubscribe?.(topics, 1)).toEqual([`{"op":"unsubscribe","args":["${TOPIC}"]}`]);
    // One unknown topic refuses all of its frame.
    expect(stream?.topicsPerFrame).toBe(1);
    expect(stream?.pong?.({ op: 'ping', args: ['17'] })).toBe('{"op":"pong","args":["17"]}');
    expect(stream?.pong?.({ topic: TOPIC })).toBeUndefined();
  });

  it('start with bids sorted worst first, and follow deltas and heartbeats', () => {
    const rig = rigOf();
    rig.push(snapshot(500));
    expect(rig.levels('SOLUSDT')).toEqual(START);
    rig.push(frame('delta', 501, [], []));
    rig.push(frame('delta', 502, [['149.9', '0']], [['150', '2']]));
    expect(rig.levels('SOLUSDT')).toEqual({
      bids: [[149.8, 75.5]],
      asks: [
        [150, 2],
        [150.1, 35],
      ],
    });
  });

  it('are invalidated by a missing message and resynchronised', () => {
    const rig = rigOf();
    rig.push(snapshot(500));
    rig.push(frame('delta', 502, [['149.9', '1']], []));
    expect(rig.levels('SOLUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual([TOPIC]);
    rig.push(snapshot(502));
    expect(rig.levels('SOLUSDT')).toEqual(START);
  });

  it('skip a duplicate message', () => {
    const rig = rigOf();
    rig.push(snapshot(500));
    rig.push(frame('delta', 501, [['149.9', '7']], []));
    rig.push(frame('delta', 501, [['149.9', '7']], []));
    rig.push(frame('delta', 502, [['149.8', '8']], []));
    expect(rig.levels('SOLUSDT')?.bids).toEqual([
      [149.9, 7],
      [149.8, 8],
    ]);
  });

  it('are not joined with the REST snapshot, whose sequence differs', () => {
    const call = apex.books?.rest?.call;
    const answer = { data: { a: [['2', '1']], b: [['1', '1']], s: 'SOLUSDT', u: 77 } };
    const [book] = call?.decode(answer, { instruments: new Map() }).books ?? [];
    expect(book).toMatchObject({ symbol: 'SOLUSDT', kind: 'snapshot', bids: [[1, 1]] });
    expect(book).not.toHaveProperty('sequence');
  });
});

describeRecorded('samples', 'recorded ApeX books', () => {
  const [first = '', second = ''] = readLines('samples', 'apex/ws-book-deltas.jsonl');
  const begin = (u: number): string =>
    JSON.stringify({
      topic: 'orderBook25.H.BTCUSDT',
      type: 'snapshot',
      ts: 1_790_585_479_421_674,
      data: { s: 'BTCUSDT', b: [['82811.1', '5']], a: [['82909.5', '1']], u },
    });

  it('two deltas follow a snapshot; without the first the second is rejected', () => {
    const rig = rigOf('BTCUSDT');
    for (const text of [begin(5_234_002), first, second]) rig.push(text);
    expect(rig.levels('BTCUSDT')).toEqual({
      bids: [
        [82812.1, 0.137],
        [82811.7, 0.137],
      ],
      asks: [[82918.6, 3.931]],
    });
    const broken = rigOf('BTCUSDT');
    for (const text of [begin(5_234_002), second]) broken.push(text);
    expect(broken.levels('BTCUSDT')).toBeUndefined();
  });

  it('the REST response is a snapshot', () => {
    const answer = { data: readPayload('samples', 'apex/depth.json') };
    const [book] = apex.books?.rest?.call.decode(answer, { instruments: new Map() }).books ?? [];
    expect(book).toMatchObject({
      bids: [
        [96565.2, 0.131],
        [96565.1, 0.038],
      ],
      asks: [
        [96576.3, 0.399],
        [96577.6, 0.106],
      ],
    });
  });
});

describeKeepAlive(apex, {
  ping: { op: 'ping', args: [String(NOW)] },
  pong: [
    { op: 'ping', args: ['1761069137485'] },
    { op: 'pong', args: ['1761069137485'] },
  ],
});
