import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { asMs } from '../domain/units.ts';
import { VenueHealthBoard } from './health.ts';
import type { VenueHealth } from './ports.ts';

const REFRESH = 3000;
const LIVE = 3 * REFRESH;
const DOWN = 15 * 60_000;

function makeBoard() {
  const time = new ManualTime();
  const board = new VenueHealthBoard(time.clock);
  board.track('v', REFRESH);
  const read = (): VenueHealth => {
    const health = board.of('v');
    if (health === undefined) throw new Error('not tracked');
    return health;
  };
  const data = (
    more: { source?: string; stampAge?: number; isCoarse?: boolean; marks?: boolean } = {},
  ): void => {
    const { source = 'tickers', stampAge, isCoarse, marks = true } = more;
    const stamp = stampAge === undefined ? undefined : asMs(time.now - stampAge);
    board.data('v', { source, receivedAt: asMs(time.now), stamp, isCoarse, marks });
  };
  return { time, board, read, data };
}

describe('VenueHealthBoard judges by the age of data', () => {
  it('down before the first data, live with it', async () => {
    const { time, read, data } = makeBoard();
    const trackedAt = time.now;
    await time.advance(5000);
    expect(read()).toMatchObject({ status: 'down', lastUpdateAt: undefined, since: trackedAt });
    data();
    expect(read()).toMatchObject({ status: 'live', lastUpdateAt: time.now, since: time.now });
  });

  it('three refresh periods: stale; 15 minutes: down; since is the turn', async () => {
    const { time, read, data } = makeBoard();
    data();
    const at = time.now;
    await time.advance(LIVE);
    expect(read()).toMatchObject({ status: 'live', since: at });
    await time.advance(1);
    expect(read()).toMatchObject({ status: 'stale', since: at + LIVE });
    await time.advance(DOWN - LIVE - 1);
    expect(read()).toMatchObject({ status: 'stale', since: at + LIVE });
    await time.advance(60_000);
    expect(read()).toMatchObject({ status: 'down', since: at + DOWN, lastUpdateAt: at });
    data();
    expect(read()).toMatchObject({ status: 'live', since: time.now });
  });

  it('stale in time where data ended as the clock was set back', () => {
    const { time, read, data } = makeBoard();
    data();
    time.jump(-3_600_000);
    expect(read()).toMatchObject({ status: 'live', lastUpdateAt: time.now });
    time.jump(LIVE + 1);
    expect(read()).toMatchObject({ status: 'stale' });
  });

  it('gives the same since whether or not anybody looked in between', async () => {
    const { time, read, data } = makeBoard();
    data();
    const at = time.now;
    await time.advance(2 * DOWN);
    expect(read()).toMatchObject({ status: 'down', since: at + DOWN });
  });

  it('keeps `since` over a gap that began and ended between two reads', async () => {
    const { time, read, data } = makeBoard();
    data();
    await time.advance(LIVE + 5000);
    data();
    expect(read()).toMatchObject({ status: 'live', since: time.now });
  });

  it('stamps that stand still: stale, though answers keep coming', async () => {
    const { time, read, data } = makeBoard();
    data({ stampAge: 100 });
    const stamp = time.now - 100;
    for (let i = 0; i < 10; i++) {
      await time.advance(REFRESH);
      data({ stampAge: time.now - stamp });
    }
    expect(read()).toMatchObject({ status: 'stale', lastUpdateAt: stamp, since: stamp + LIVE });
    expect(read().lastError).toMatch(/stand still/);
    data({ stampAge: 50 });
    expect(read()).toMatchObject({ status: 'live', lastError: undefined });
  });

  it('a source without timestamps beside a frozen one: stays stale', async () => {
    const { time, read, data } = makeBoard();
    const stamp = time.now;
    for (let i = 0; i < 10; i++) {
      data({ stampAge: time.now - stamp });
      data({ source: 'open-interest', marks: false });
      data({ source: 'books' });
      await time.advance(REFRESH);
    }
    expect(read().status).toBe('stale');
  });

  it('a stream beside a poll with whole-minute stamps: stays live', async () => {
    const { time, read, data } = makeBoard();
    for (let i = 0; i < 30; i++) {
      data({ source: 'previews', stampAge: time.now % 60_000, isCoarse: true });
      data({ source: 'stream' });
      expect(read()).toMatchObject({ status: 'live', lastUpdateAt: time.now, lastError: undefined });
      await time.advance(REFRESH);
    }
  });

  it('coarse timestamps alone: used, and not reported as frozen', async () => {
    const { time, read, data } = makeBoard();
    data({ stampAge: LIVE + 1, isCoarse: true });
    expect(read()).toMatchObject({
      status: 'stale',
      lastUpdateAt: time.now - LIVE - 1,
      lastError: undefined,
    });
  });

  it('falls back to the other source once the stamped one no longer answers', async () => {
    const { time, read, data } = makeBoard();
    data({ stampAge: 0 });
    for (let i = 0; i < 10; i++) {
      await time.advance(REFRESH);
      data({ source: 'stream' });
    }
    expect(read()).toMatchObject({ status: 'live', lastUpdateAt: time.now });
  });

  it('is as fresh as its marks: other quotes do not keep a venue live', async () => {
    const { time, read, data } = makeBoard();
    data();
    for (let i = 0; i < 10; i++) {
      await time.advance(REFRESH);
      data({ source: 'funding', marks: false });
    }
    expect(read().status).toBe('stale');
  });

  it('uses any data where no source states marks', async () => {
    const { time, read, data } = makeBoard();
    data({ source: 'funding', marks: false });
    expect(read().status).toBe('live');
    await time.advance(LIVE + 1);
    expect(read().status).toBe('stale');
  });

  it('caps a timestamp in the future at its receipt time', async () => {
    const { time, read, data } = makeBoard();
    data({ stampAge: -3_600_000 });
    const at = time.now;
    await time.advance(LIVE + 1);
    expect(read()).toMatchObject({ status: 'stale', lastUpdateAt: at });
  });

  it('is down at once when no longer collected', async () => {
    const { time, board, read, data } = makeBoard();
    data();
    await time.advance(1000);
    board.retire('v', 'no longer listed');
    expect(read()).toMatchObject({
      status: 'down',
      retired: true,
      since: time.now,
      lastError: 'no longer listed',
    });
    board.track('v', REFRESH);
    data();
    expect(read()).toMatchObject({ status: 'live', lastError: undefined });
    expect(read().retired).toBeUndefined();
  });

  it('is no venue of the board while it is not collected', () => {
    const { board } = makeBoard();
    board.track('w', REFRESH);
    board.retire('v', 'no longer listed');
    expect(board.all().map(({ venue }) => venue)).toEqual(['w']);
    board.track('v', REFRESH);
    expect(board.all().map(({ venue }) => venue)).toEqual(['v', 'w']);
  });
});

describe('VenueHealthBoard counters', () => {
  it('count faults of five minutes and all rejects by reason', async () => {
    const { time, board, read } = makeBoard();
    board.rejects('v', [
      { symbol: 'A', reason: 'dated' },
      { symbol: 'B', reason: 'malformed' },
      { symbol: null, reason: 'error_body' },
    ]);
    expect(read()).toMatchObject({
      rejects5m: 2,
      rejectsByReason: { dated: 1, malformed: 1, error_body: 1 },
    });
    await time.advance(295_000);
    board.rejects('v', [{ symbol: 'B', reason: 'malformed' }]);
    await time.advance(10_000);
    expect(read()).toMatchObject({ rejects5m: 1, rejectsByReason: { malformed: 2 } });
    await time.advance(3_600_000);
    expect(read().rejects5m).toBe(0);
  });

  it('give the error rate of five minutes, unknown without a request', async () => {
    const { time, board, read } = makeBoard();
    expect(read().errorRate5m).toBeUndefined();
    board.succeeded('v', 'tickers');
    board.failed('v', 'tickers', 'timeout: late');
    board.failed('v', 'tickers', 'timeout: late');
    board.succeeded('v', 'tickers');
    expect(read().errorRate5m).toBe(0.5);
    await time.advance(400_000);
    expect(read().errorRate5m).toBeUndefined();
  });

  it('keep the last error until the failed call succeeds', () => {
    const { board, read } = makeBoard();
    board.failed('v', 'funding', 'status: HTTP 503');
    board.succeeded('v', 'tickers');
    expect(read().lastError).toBe('funding: status: HTTP 503');
    board.failed('v', 'tickers', 'timeout: late');
    expect(read().lastError).toBe('tickers: timeout: late');
    board.succeeded('v', 'tickers');
    expect(read().lastError).toBe('funding: status: HTTP 503');
    board.succeeded('v', 'funding');
    expect(read().lastError).toBeUndefined();
  });

  it('count nothing for a venue that is not tracked', () => {
    const { board } = makeBoard();
    board.succeeded('other', 'x');
    expect(board.of('other')).toBeUndefined();
    expect(board.all().map((h) => h.venue)).toEqual(['v']);
  });
});
