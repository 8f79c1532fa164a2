import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { FIRST, START, sessionOf } from '../../../test/books/dialect-session.ts';
import { describeRecorded, readLines, readPayload } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { mexc } from './index.ts';

function begun(...contracts: readonly (string | Instrument)[]): BookRig {
  if (mexc.books === undefined) throw new Error('no books');
  const rig = new BookRig(mexc.books);
  rig.follow(...contracts);
  return rig;
}

const seed = (version: number, bids: readonly number[][], asks: readonly number[][]) => ({
  success: true,
  code: 0,
  data: { cts: null, asks, bids, version, timestamp: 1789498405500 },
});

describeRecorded('samples', 'recorded MEXC streams', () => {
  const merged = readLines('samples', 'mexc/ws-depth-merged-2026-09.jsonl');
  const DOGE = contract('mexc', 'DOGE_USDT', { contractSize: 100 });

  const joined = async (version: number) => {
    const rig = begun(DOGE);
    for (const line of merged) rig.push(line);
    await rig.ask().answer(
      seed(
        version,
        [
          [0.08009, 55, 1],
          [0.07969, 66, 1],
        ],
        [[0.0804, 77, 1]],
      ),
    );
    return rig;
  };

  it('a merged change: joins the REST book it begins behind', async () => {
    const rig = await joined(8752807947);
    const levels = rig.levels('DOGE_USDT');
    expect(levels?.bids.slice(0, 3)).toEqual([
      [0.08008, 345_300],
      [0.08007, 387_800],
      [0.08006, 520_000],
    ]);
    expect(levels?.bids.map(([price]) => price)).not.toContain(0.07969);
    expect(levels?.asks[0]).toEqual([0.08009, 270_000]);
    expect(levels?.asks.at(-1)).toEqual([0.0805, 8400]);
    expect(rig.books.stats().breaks.gap).toBe(0);
  });

  it('a REST book from within the change is joined as well', async () => {
    const rig = await joined(8752807999);
    expect(rig.levels('DOGE_USDT')?.asks[0]).toEqual([0.08009, 270_000]);
  });

  it('a REST book that is behind the socket is asked for again', async () => {
    const rig = await joined(8752807556);
    expect(rig.levels('DOGE_USDT')).toBeUndefined();
    expect(rig.books.stats().breaks.old_seed).toBe(1);
    rig.pass(500);
    expect(rig.asks.map(({ symbol }) => symbol)).toEqual(['DOGE_USDT']);
  });

  it('single changes follow each other by one', async () => {
    const [first = '', second = ''] = readLines('samples', 'mexc/ws-depth-unmerged-2026-09.jsonl');
    const play = async (...frames: readonly string[]) => {
      const rig = begun('ETH_USDT');
      for (const frame of frames) rig.push(frame);
      await rig.ask().answer(seed(37723308979, [[2384.5, 1, 1]], [[2384.7, 3, 1]]));
      return rig;
    };
    const both = await play(first, second);
    expect(both.levels('ETH_USDT')?.asks.map(([price]) => price)).toEqual([2384.59, 2384.6, 2384.7]);
    expect((await play(second)).levels('ETH_USDT')).toBeUndefined();
  });

  it('the empty book of a contract that trades no more is none', () => {
    const payload = readPayload('samples', 'mexc/depth-delisted-2026-09.json');
    const decoded = mexc.books?.rest?.call.decode(payload, {
      instruments: new Map([['ALIGN_USDT', contract('mexc', 'ALIGN_USDT')]]),
      request: { method: 'GET', path: '/api/v1/contract/depth/ALIGN_USDT?limit=5', symbol: 'ALIGN_USDT' },
    });
    expect(decoded?.books).toEqual([]);
    expect(decoded?.rejects).toEqual([{ symbol: 'ALIGN_USDT', reason: 'not_trading', detail: 'empty book' }]);
  });
});

describe('numbers of MEXC changes', () => {
  it.each([
    ['right before it', FIRST, 149.95, 0],
    ['from within it', FIRST + 4, 149.95, 0],
    ['from before the one that is missing', FIRST - 1, undefined, 1],
  ])('the first joins a REST book %s', async (_, seed, bid, old_seed) => {
    const session = sessionOf('mexc');
    session.bestAfter(FIRST, FIRST + 9);
    await session.rig.ask().answer(JSON.parse(session.dialect.whole(seed, START)));
    expect(session.levels?.bids[0]?.[0]).toBe(bid);
    expect(session.rig.books.stats().breaks).toMatchObject({ gap: 0, old_seed });
  });
});

describeKeepAlive(mexc, { ping: { method: 'ping' } });
