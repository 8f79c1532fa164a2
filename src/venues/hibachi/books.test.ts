import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { hibachi } from './index.ts';

const SYMBOL = 'SOL/USDT-P';
type Levels = readonly (readonly [string, string])[];

const side = (levels: Levels) => ({ levels: levels.map(([price, quantity]) => ({ price, quantity })) });
const book = (bids: Levels, asks: Levels) => ({ bid: side(bids), ask: side(asks) });

const frame = (messageType: string, at: number, bids: Levels, asks: Levels): string =>
  JSON.stringify({
    symbol: SYMBOL,
    messageType,
    topic: 'orderbook',
    timestamp_ms: 1_790_000_000_000 + at,
    data: book(bids, asks),
  });

const BIDS: Levels = [
  ['149.9', '40'],
  ['149.8', '75.5'],
];
const ASKS: Levels = [['150.1', '35']];

function rigOf(symbol = SYMBOL) {
  if (hibachi.books === undefined) throw new Error('no books');
  const rig = new BookRig(hibachi.books);
  rig.follow(symbol);
  return rig;
}

function begun() {
  const rig = rigOf();
  rig.push(frame('Snapshot', 0, BIDS, ASKS));
  return rig;
}

describe('Hibachi books', () => {
  it('are subscribed to several in a frame', () => {
    const stream = hibachi.books?.stream;
    expect(stream?.topicOf(contract('hibachi', SYMBOL))).toBe(SYMBOL);
    expect(stream?.subscribe([SYMBOL, 'BTC/USDT-P'], 1).map((text): unknown => JSON.parse(text))).toEqual([
      {
        method: 'subscribe',
        parameters: {
          subscriptions: [
            { symbol: SYMBOL, topic: 'orderbook' },
            { symbol: 'BTC/USDT-P', topic: 'orderbook' },
          ],
        },
      },
    ]);
  });

  it('books: a snapshot first, then deltas, also several of one time', () => {
    const rig = begun();
    rig.push(frame('Update', 100, [['149.9', '0']], []));
    rig.push(frame('Update', 100, [], [['150', '2']]));
    expect(rig.levels(SYMBOL)).toEqual({
      bids: [[149.8, 75.5]],
      asks: [
        [150, 2],
        [150.1, 35],
      ],
    });
  });

  it('resynchronise at a delta older than the book', () => {
    const rig = begun();
    rig.push(frame('Update', 200, [['149.9', '7']], []));
    rig.push(frame('Update', 100, [['149.9', '9']], []));
    expect(rig.levels(SYMBOL)).toBeUndefined();
    expect(rig.renewed).toEqual([SYMBOL]);
  });

  it('skip an older snapshot', () => {
    const rig = begun();
    rig.push(frame('Update', 200, [['149.9', '7']], []));
    rig.push(frame('Snapshot', 100, BIDS, ASKS));
    expect(rig.levels(SYMBOL)?.bids[0]).toEqual([149.9, 7]);
  });

  it('do not reveal a missing delta; the comparison with REST does', async () => {
    expect(hibachi.books?.continuity.detectsLoss).toBe(false);
    const rig = begun();
    // Lost: 149.95 came, 149.9 and 149.8 went.
    rig.push(frame('Update', 200, [['149.7', '1']], []));
    for (let second = 1; second <= 130 && rig.asks.length === 0; second++) {
      rig.pass(1000);
      rig.push(frame('Update', 200 + second, [['149.7', String(second)]], []));
    }
    expect(rig.levels(SYMBOL)?.bids[0]).toEqual([149.9, 40]);
    rig.push(frame('Update', 900, [['149.7', '1']], []));
    await rig.ask().answer(
      book(
        [
          ['149.95', '3'],
          ['149.7', '1'],
        ],
        [['150.05', '3']],
      ),
    );
    expect(rig.levels(SYMBOL)).toBeUndefined();
    expect(rig.books.stats().breaks.different).toBe(1);
  });
});

describeRecorded('samples', 'the frames of Hibachi that a client wrote down', () => {
  it('the recording is a snapshot and a delta that empties a side', () => {
    const rig = rigOf('BTC/USDT-P');
    const [whole = '', change = ''] = readLines('samples', 'hibachi/ws-orderbook-shape.jsonl');
    rig.push(whole);
    expect(rig.levels('BTC/USDT-P')).toEqual({ bids: [[67432.1, 1.234]], asks: [[67432.5, 0.567]] });
    rig.push(change);
    expect(rig.levels('BTC/USDT-P')).toEqual({ bids: [], asks: [[67432.5, 0.567]] });
  });
});

describeKeepAlive(hibachi, {});
