import { expect, it } from 'vitest';
import { contract, rigOf } from '../../../test/books/book-rig.ts';
import { best } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { hyperliquid, hyperliquidDex } from './index.ts';

describeRecorded('samples', 'recorded Hyperliquid books', () => {
  it('every frame is the book', () => {
    const rig = rigOf(hyperliquid, 'BTC', contract('v', 'kPEPE', { multiplier: 1000 }), 'MATIC');
    for (const frame of readLines('samples', 'hyperliquid/ws-frames.jsonl')) rig.push(frame);
    expect(best(rig.levels('BTC'), 1)).toEqual({ bids: [[84143, 10.25923]], asks: [[84144, 50.66449]] });
    expect(rig.levels('kPEPE')?.bids[0]?.[1]).toBe(2_058_973_000);
    expect(rig.levels('MATIC')).toEqual({ bids: [], asks: [] });
  });
});

describeKeepAlive(hyperliquid, { ping: { method: 'ping' } });
describeKeepAlive(hyperliquidDex('xyz'), { ping: { method: 'ping' } });
