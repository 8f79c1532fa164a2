import { describe, expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { END, START, sessionOf } from '../../../test/books/dialect-session.ts';
import { replay } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { phemex } from './index.ts';

describeRecorded('samples', 'recorded Phemex books', () => {
  const session = readLines('samples', 'phemex/ws-book-legacy-xtzusd.jsonl');
  const symbol = 'XTZUSD';

  it('a snapshot and 392 changes: growing, and equal to a plain book', () => {
    const { rig, plain, breaks } = replay(phemex, symbol, session);
    expect(session).toHaveLength(393);
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(symbol)).toEqual(plain.levels());
  });

  it('a missing frame is not detected', () => {
    for (const skip of [1, 20, 150, 390]) {
      const { rig, plain, breaks } = replay(phemex, symbol, session, skip);
      expect(breaks.gap).toBe(0);
      expect(rig.levels(symbol)).toEqual(plain.levels());
    }
  });

  it('reordered frames are detected', () => {
    const swapped = [...session.slice(0, 40), ...session.slice(41, 42), ...session.slice(40, 41)];
    const { rig, breaks } = replay(phemex, symbol, swapped);
    expect(breaks.gap).toBe(1);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([symbol]);
  });

  it('frames of 2026: numbers skip, and belong to several contracts', () => {
    const lines = readLines('samples', 'phemex/ws-book-2026.jsonl');
    const rig = rigOf(phemex, 'ETHUSDT', 'BTCUSDT');
    const touch = { bids: [['86510.6', '1']], asks: [['86586.2', '2']] };
    rig.push(
      JSON.stringify({
        depth: 0,
        orderbook_p: touch,
        sequence: 68604886401,
        symbol: 'BTCUSDT',
        timestamp: 1_790_133_513_600 * 1e6,
        type: 'snapshot',
      }),
    );
    for (const line of lines) rig.push(line);
    expect(rig.levels('ETHUSDT')?.bids[0]).toEqual([2763.86, 32.22]);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([86512.1, 2.36]);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(lines.filter((line) => line.includes('"incremental"'))).toHaveLength(2);
  });
});

describe('Phemex books, whose losses are not visible', () => {
  it('is corrected by the snapshot of each minute', async () => {
    const session = sessionOf('phemex');
    await session.begin();
    session.change(1);
    session.change(3);
    expect(session.levels?.asks).toEqual([
      [150.1, 35],
      [151, 950],
    ]);
    session.rig.push(
      session.dialect.whole(session.numberOf(3), {
        bids: [
          ['149.95', '12'],
          ['149.90', '40'],
          ['149.00', '900'],
        ],
        asks: [
          ['150.10', '5.5'],
          ['151.00', '950'],
        ],
      }),
    );
    expect(session.levels).toEqual(END);
  });

  it('a quiet book: compared with REST, invalidated where it lags', async () => {
    const session = sessionOf('phemex');
    await session.begin();
    const { rig, dialect } = session;
    rig.pass(26_000);
    await rig.ask().answer({
      error: null,
      id: 0,
      result: JSON.parse(
        dialect.whole(session.numberOf(9), { ...START, bids: [['149.95', '1'], ...START.bids] }),
      ),
    });
    expect(session.levels).toBeDefined();
    rig.pass(3500);
    expect(session.levels).toBeUndefined();
    expect(rig.books.stats().breaks.stalled).toBe(1);
  });
});

describeKeepAlive(phemex, { ping: { id: 0, method: 'server.ping', params: [] } });
