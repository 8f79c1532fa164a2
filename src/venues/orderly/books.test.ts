import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { orderly } from './index.ts';

describeRecorded('samples', 'recorded Orderly books', () => {
  const eth = 'PERP_ETH_USDC';
  const frames = readLines('samples', 'orderly/ws-book-eth.jsonl');
  /** The book that was asked for in the session, in the words of the query API. */
  const seed = (ts: number) => {
    const answer = JSON.parse(frames[3] ?? '') as { data: Record<string, unknown> };
    return { success: true, timestamp: ts, data: { ...answer.data, ts } };
  };
  const begun = async (ts: number) => {
    const rig = rigOf(orderly, eth);
    rig.push(frames[2] ?? '');
    await rig.ask().answer(seed(ts));
    return rig;
  };

  it('a delta joins the snapshot that it names', async () => {
    const rig = await begun(1_790_132_428_187);
    expect(rig.levels(eth)?.bids[0]).toEqual([2763.6, 0.4935]);
    expect(rig.levels(eth)?.asks).toContainEqual([2766.2, 26.1946]);
    expect(rig.quote(eth)?.source).toBe('stream');
  });

  it('a delta within the snapshot: skipped; behind a gap: rejected', async () => {
    const rig = await begun(1_790_132_430_586);
    const whole = rig.levels(eth);
    expect(whole?.asks).toHaveLength(3);
    rig.push(edited(frames[2], '"prevTs":1790132428187', '"prevTs":1790132430386'));
    expect(rig.levels(eth)).toEqual(whole);
    const later = edited(frames[2], '"ts":1790132430586', '"ts":1790132430986');
    rig.push(edited(later, '"prevTs":1790132428187', '"prevTs":1790132430786'));
    expect(rig.levels(eth)).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });
});

describeKeepAlive(orderly, {
  ping: { event: 'ping' },
  pong: [{ event: 'ping', ts: 1761069137485 }, { event: 'pong' }],
});
