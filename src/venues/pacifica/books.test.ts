import { expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { pacifica } from './index.ts';

function rigOf() {
  if (pacifica.books === undefined) throw new Error('no books');
  const rig = new BookRig(pacifica.books);
  rig.follow('SOL');
  return rig;
}

const text = (t: number, bid: string, ask: string): string =>
  JSON.stringify({
    channel: 'book',
    data: { l: [[{ a: '3', n: 1, p: bid }], [{ a: '4', n: 2, p: ask }]], s: 'SOL', t, li: t - 1e12 },
  });

it('asks for the book of each contract', () => {
  const stream = pacifica.books?.stream;
  expect(stream?.topicOf(contract('pacifica', 'kBONK'))).toBe('kBONK');
  expect(stream?.subscribe(['kBONK'], 1).map((frame) => JSON.parse(frame))).toEqual([
    { method: 'subscribe', params: { source: 'book', symbol: 'kBONK', agg_level: 1 } },
  ]);
});

it('twenty subscriptions of a channel a connection, room for all', () => {
  const { topicsPerConnection = 0, maxConnections = 0 } = pacifica.books?.stream ?? {};
  expect(topicsPerConnection).toBe(20);
  // 76 perpetuals on 2026-09-13.
  expect(topicsPerConnection * maxConnections).toBeGreaterThanOrEqual(76);
});

it('takes each frame for the snapshot, and none that is older', () => {
  const rig = rigOf();
  rig.push(text(1_790_000_000_000, '149.9', '150.1'));
  rig.push(text(1_790_000_000_500, '149.8', '150'));
  rig.push(text(1_790_000_000_250, '149.7', '150.2'));
  expect(rig.levels('SOL')).toEqual({ bids: [[149.8, 3]], asks: [[150, 4]] });
});

it('serves no crossed book', () => {
  const rig = rigOf();
  rig.push(text(1_790_000_000_000, '150.2', '150.1'));
  expect(rig.quote('SOL')).toBeUndefined();
  rig.push(text(1_790_000_000_500, '150', '150.1'));
  expect(rig.quote('SOL')).toBeDefined();
});

describeKeepAlive(pacifica, { ping: { method: 'ping' } });
