import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { dydx } from './index.ts';

describeRecorded('samples', 'recorded dYdX books', () => {
  const [connected = '', whole = '', batch = ''] = readLines('samples', 'dydx/ws-orderbook-batched.jsonl');
  const begun = () => {
    const rig = rigOf(dydx, 'ETH-USD');
    for (const frame of [connected, whole]) rig.push(frame);
    return rig;
  };

  it('a snapshot and its first batch end where the index says', () => {
    const rig = begun();
    rig.push(batch);
    const levels = rig.levels('ETH-USD');
    expect(levels?.bids).toHaveLength(14);
    expect(levels?.asks).toHaveLength(6);
    expect(levels?.bids[0]).toEqual([3040, 0.658]);
    expect(levels?.asks[0]).toEqual([3073.1, 0.022]);
    expect(levels?.asks).toContainEqual([3101.4, 0.645]);
  });

  it('a skipped sequence number invalidates the book', () => {
    const rig = begun();
    rig.push(edited(batch, '"message_id":2', '"message_id":3'));
    expect(rig.levels('ETH-USD')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });

  it('hides the older level of a cross and restores it when the newer one is gone', () => {
    const rig = begun();
    rig.push(batch);
    const cross = (id: number, size: string) => {
      const frame = edited(batch, '"message_id":2', `"message_id":${id}`);
      const contents = [{ bids: [['3080', size]] }];
      return JSON.stringify({ ...(JSON.parse(frame) as object), contents });
    };
    rig.push(cross(3, '0.3'));
    expect(rig.levels('ETH-USD')?.bids[0]).toEqual([3080, 0.3]);
    expect(rig.levels('ETH-USD')?.asks[0]?.[0]).toBeGreaterThan(3080);
    expect(rig.quote('ETH-USD')).toBeDefined();
    rig.push(cross(4, '0'));
    expect(rig.levels('ETH-USD')?.bids[0]).toEqual([3040, 0.658]);
    expect(rig.levels('ETH-USD')?.asks[0]).toEqual([3073.1, 0.022]);
  });
});

describeKeepAlive(dydx, {});
