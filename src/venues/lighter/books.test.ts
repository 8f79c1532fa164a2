import { expect, it } from 'vitest';
import { contract, rigOf } from '../../../test/books/book-rig.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { lighter } from './index.ts';

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

it('both streams: within the messages that an address may send', () => {
  const books = lighter.books?.stream;
  const rates = [...(lighter.streams ?? []), ...(books === undefined ? [] : [books])].map(
    ({ framesPerSecond, keepAlive }) => 60 * framesPerSecond + 60_000 / (keepAlive?.everyMs ?? 60_000),
  );
  expect(rates).toHaveLength(2);
  expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeLessThan(200);
});

describeKeepAlive(lighter, { ping: { type: 'ping' }, pong: [{ type: 'ping' }, { type: 'pong' }] });
