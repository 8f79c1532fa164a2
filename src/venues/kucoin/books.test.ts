import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { FIRST, NOTHING, sessionOf } from '../../../test/books/dialect-session.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { kucoin } from './index.ts';

const XBT = contract('kucoin', 'XBTUSDTM', { contractSize: 0.001 });
const ETH = contract('kucoin', 'ETHUSDTM', { contractSize: 0.01 });

function begun(): BookRig {
  if (kucoin.books === undefined) throw new Error('no books');
  const rig = new BookRig(kucoin.books);
  rig.follow(XBT, ETH);
  return rig;
}

describeRecorded('samples', 'recorded KuCoin streams', () => {
  const lines = readLines('samples', 'kucoin/ws-uta-2026-09.jsonl');
  const delta = lines.find((line) => line.includes('"delta"')) ?? '';

  /** A REST book of the contract that the recorded change is of. */
  const seed = (sequence: number) => ({
    code: '200000',
    data: {
      sequence,
      symbol: 'XBTUSDTM',
      ts: 1790114459800000000,
      bids: [[85973.2, 7]],
      asks: [[85980, 11]],
    },
  });

  const joined = async (sequence: number) => {
    const rig = begun();
    for (const line of lines) rig.push(line);
    rig.pass(4250);
    await rig.asks.find(({ symbol }) => symbol === 'XBTUSDTM')?.answer(seed(sequence));
    return rig;
  };

  it('a snapshot is taken, its lots in coins', () => {
    const rig = begun();
    for (const line of lines) rig.push(line);
    const levels = rig.levels('ETHUSDTM');
    expect(levels?.bids.map(([price]) => price)).toEqual([2749.68, 2749.61]);
    expect(levels?.bids[0]?.[1]).toBeCloseTo(2.77, 9);
    expect(levels?.asks[1]?.[1]).toBeCloseTo(1.02, 9);
  });

  it('a late snapshot of the stream: the change waits for REST', async () => {
    const rig = await joined(1747821262583);
    expect(rig.levels('XBTUSDTM')?.bids.map(([price]) => price)).toEqual([85973.3, 85973.2, 85887.1]);
    expect(rig.books.stats().breaks.gap).toBe(0);
  });

  it('a REST book that the change does not follow is asked for again', async () => {
    const rig = await joined(1747821262582);
    expect(rig.levels('XBTUSDTM')).toBeUndefined();
    expect(rig.books.stats().breaks.old_seed).toBe(1);
  });

  it('a change that begins behind a missing one is found', async () => {
    const rig = await joined(1747821262583);
    rig.push(
      delta
        .replace('"C":1747821262585', '"C":1747821262588')
        .replace('"O":1747821262584', '"O":1747821262587'),
    );
    expect(rig.levels('XBTUSDTM')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });

  it('a change across the end of the book: taken', async () => {
    const rig = await joined(1747821262583);
    rig.push(delta.replace('"C":1747821262585', '"C":1747821262588').replace('"16236"', '"5"'));
    expect(rig.levels('XBTUSDTM')?.bids[0]?.[1]).toBeCloseTo(0.005, 9);
  });
});

describe('numbers of KuCoin changes', () => {
  it('one may begin within what is held, where it ends behind it', async () => {
    const session = sessionOf('kucoin');
    await session.begin();
    expect(session.bestAfter(FIRST, FIRST + 9, NOTHING)).toBe(149.9);
    expect(session.bestAfter(FIRST + 4, FIRST + 12)).toBe(149.95);
  });

  it('a REST book takes the place of a snapshot that is late', async () => {
    const session = sessionOf('kucoin');
    session.change(1);
    session.rig.pass(4250);
    const data = { sequence: FIRST, symbol: 'SOLUSDTM', bids: [[149.9, 40]], asks: [[150.1, 35]] };
    await session.rig.ask().answer({ code: '200000', data });
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
  });
});

describeKeepAlive(kucoin, { ping: { id: '1', type: 'ping' } });
