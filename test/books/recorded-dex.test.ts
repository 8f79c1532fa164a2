import { expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { dydx } from '../../src/venues/dydx/index.ts';
import { extended } from '../../src/venues/extended/index.ts';
import { lighter } from '../../src/venues/lighter/index.ts';
import { orderly } from '../../src/venues/orderly/index.ts';
import { paradex } from '../../src/venues/paradex/index.ts';
import { BookRig, contract } from './book-rig.ts';
import { describeRecorded, readLines } from './sessions.ts';

function rigOf({ books }: VenueAdapter, ...contracts: readonly (Instrument | string)[]): BookRig {
  if (books === undefined) throw new Error('no books');
  const rig = new BookRig(books);
  rig.follow(...contracts);
  return rig;
}

/** The frame with another text in it. */
function edited(frame: string | undefined, from: string, to: string): string {
  if (frame?.includes(from) !== true) throw new Error(`no ${from} in the frame`);
  return frame.replace(from, to);
}

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

  it('a delta is skipped where the snapshot contains it, and rejected where one between is missing', async () => {
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

describeRecorded('samples', 'recorded Lighter books', () => {
  const [whole = '', change = ''] = readLines('samples', 'lighter/ws-order-book.jsonl');
  const btc = contract('lighter', 'BTC', { altId: '1' });

  it('a change that begins at the nonce of the snapshot follows it', () => {
    const rig = rigOf(lighter, btc);
    rig.push(whole);
    expect(rig.levels('BTC')?.bids).toEqual([
      [75300.4, 0.00117],
      [75300.3, 0.0002],
      [75300.1, 0.0002],
    ]);
    rig.push(change);
    expect(rig.levels('BTC')?.bids[0]).toEqual([75300.6, 0.04881]);
    expect(rig.levels('BTC')?.asks[0]).toEqual([75300.7, 0.28364]);
    expect(rig.books.stats().breaks.gap).toBe(0);
  });

  it('a delta that starts elsewhere is rejected', () => {
    const rig = rigOf(lighter, btc);
    rig.push(whole);
    const { order_book } = JSON.parse(change) as { order_book: { begin_nonce: number } };
    const nonce = order_book.begin_nonce;
    rig.push(edited(change, `"begin_nonce":${nonce}`, `"begin_nonce":${nonce + 1}`));
    expect(rig.levels('BTC')).toBeUndefined();
    expect(rig.renewed).toEqual(['order_book/1']);
  });
});

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

describeRecorded('samples', 'recorded Paradex and Extended books', () => {
  it('Paradex: a frame is the book', () => {
    const rig = rigOf(paradex, 'BTC-USD-PERP');
    rig.push(readLines('samples', 'paradex/ws-frames.jsonl')[0] ?? '');
    expect(rig.levels('BTC-USD-PERP')).toEqual({ bids: [[67629.7, 0.992]], asks: [[69378.6, 3.137]] });
  });

  it('Extended: a change states the size that a level came to, and follows by count', () => {
    const [whole = '', change = ''] = readLines('samples', 'extended/ws-book.jsonl');
    const rig = rigOf(extended, 'BTC-USD');
    rig.push(whole);
    rig.push(change);
    expect(rig.levels('BTC-USD')).toEqual({
      bids: [
        [63720, 14.79329],
        [63717, 0.85928],
      ],
      asks: [[63721, 5.1]],
    });
    rig.push(edited(change, '"seq":2', '"seq":4'));
    expect(rig.levels('BTC-USD')).toBeUndefined();
  });
});
