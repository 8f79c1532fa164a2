import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { grvt } from './index.ts';

const SYMBOL = 'SOL_USDT_Perp';
const SELECTOR = `${SYMBOL}@100`;
type Levels = readonly (readonly [string, string])[];

const side = (levels: Levels) => levels.map(([price, size]) => ({ price, size, num_orders: 1 }));

const frame = (sequence: number, previous: number, bids: Levels, asks: Levels): string =>
  JSON.stringify({
    stream: 'v1.book.d',
    selector: SELECTOR,
    sequence_number: String(sequence),
    feed: { event_time: '1790586064400000000', instrument: SYMBOL, bids: side(bids), asks: side(asks) },
    prev_sequence_number: String(previous),
  });

const acknowledgement = (latest: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    result: {
      stream: 'v1.book.d',
      subs: [SELECTOR],
      unsubs: [],
      num_snapshots: [1],
      first_sequence_number: [String(latest + 1)],
      latest_sequence_number: [String(latest)],
    },
    id: 1,
    method: 'subscribe',
  });

const BIDS: Levels = [
  ['149.9', '40'],
  ['149.8', '75.5'],
];
const snapshot = (bids = BIDS): string => frame(0, 0, bids, [['150.1', '35']]);

function rigOf(symbol = SYMBOL) {
  if (grvt.books === undefined) throw new Error('no books');
  const rig = new BookRig(grvt.books);
  rig.follow(symbol);
  return rig;
}

function run(...frames: readonly string[]) {
  const rig = rigOf();
  for (const text of frames) rig.push(text);
  return rig;
}

describe('GRVT books', () => {
  it('are subscribed to by selector', () => {
    const stream = grvt.books?.stream;
    expect(stream?.topicOf(contract('grvt', SYMBOL))).toBe(SELECTOR);
    expect(stream?.subscribe([SELECTOR], 4).map((text): unknown => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', method: 'subscribe', params: { stream: 'v1.book.d', selectors: [SELECTOR] }, id: 4 },
    ]);
  });

  it('start at the sequence of the acknowledgement and chain from there', () => {
    const rig = run(
      acknowledgement(500),
      snapshot(),
      frame(501, 500, [['149.9', '0.0']], []),
      frame(507, 501, [], []),
      frame(508, 507, [], [['150', '2']]),
    );
    expect(rig.levels(SYMBOL)).toEqual({
      bids: [[149.8, 75.5]],
      asks: [
        [150, 2],
        [150.1, 35],
      ],
    });
  });

  it('are accepted as they are where the acknowledgement comes late', () => {
    const rig = run(snapshot(), acknowledgement(500), frame(501, 500, [['149.9', '7']], []));
    expect(rig.levels(SYMBOL)?.bids[0]).toEqual([149.9, 7]);
    rig.push(frame(503, 502, [], []));
    expect(rig.levels(SYMBOL)).toBeUndefined();
  });

  it.each([
    ['the first', [frame(502, 501, [['149.9', '7']], [])]],
    ['another', [frame(501, 500, [], []), frame(503, 502, [['149.9', '7']], [])]],
  ])('are invalidated when %s delta is missing, and resynchronised', (_, changes) => {
    const rig = run(acknowledgement(500), snapshot(), ...changes);
    expect(rig.levels(SYMBOL)).toBeUndefined();
    expect(rig.renewed).toEqual([SELECTOR]);
    for (const text of [
      acknowledgement(603),
      snapshot([['149.7', '1']]),
      frame(604, 603, [['149.7', '2']], []),
    ]) {
      rig.push(text);
    }
    expect(rig.levels(SYMBOL)?.bids).toEqual([[149.7, 2]]);
  });

  it('apply the deltas between the acknowledgement and a late snapshot', () => {
    const rig = run(
      frame(499, 498, [['149.9', '99']], []),
      acknowledgement(500),
      frame(501, 500, [['149.9', '7']], []),
      snapshot(),
    );
    expect(rig.levels(SYMBOL)?.bids[0]).toEqual([149.9, 7]);
  });
});

describeRecorded('samples', 'recorded GRVT book', () => {
  const [whole = '', change = '', later = ''] = readLines('samples', 'grvt/ws-book-d.jsonl');
  const [ack = ''] = readLines('samples', 'grvt/ws-acks-errors.jsonl');
  const levels = (...frames: readonly string[]) => {
    const rig = rigOf('BTC_USDT_Perp');
    for (const text of frames) rig.push(text);
    return rig.levels('BTC_USDT_Perp')?.bids;
  };

  it('only its own acknowledgement precedes the first delta', () => {
    const first = [82966.3, 0.531];
    expect(levels(ack, whole, change)).toEqual([first, [82964, 0.663], [82907.9, 1.334]]);
    expect(levels(ack.replace('"36480"', '"36479"'), whole, change)).toBeUndefined();
  });

  it('a delta out of sequence is rejected', () => {
    expect(levels(ack, whole, change, later)).toBeUndefined();
  });
});

describeKeepAlive(grvt, {});
