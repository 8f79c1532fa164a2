import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { bybit } from './index.ts';

describeRecorded('samples', 'recorded Bybit books', () => {
  it('a snapshot and the change that follows it', () => {
    const rig = rigOf(bybit, 'BTCUSDT');
    const [snapshot = '', change = ''] = readLines('samples', 'bybit/ws-orderbook-spot-roq.jsonl');
    rig.push(snapshot);
    rig.push(change);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([27579.99, 0.031244]);
    expect(rig.levels('BTCUSDT')?.bids).toHaveLength(50);
    rig.push(change.replace('"u":1323397', '"u":1323399'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['orderbook.1000.BTCUSDT']);
  });
});

describeKeepAlive(bybit, { ping: { op: 'ping' } });
