import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { edited, replay } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines, readPayload } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { deribit } from './index.ts';

describeRecorded('samples', 'recorded Deribit books', () => {
  const option = 'BTC-24SEP21-8000-P';
  const chain = readLines('samples', 'deribit/ws-book-option-chain.jsonl');

  it('a snapshot and 30 changes chain, and end as the plainest book does', () => {
    const { rig, plain, breaks } = replay(deribit, option, chain);
    expect(chain).toHaveLength(31);
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(option)).toEqual(plain.levels());
    expect(rig.levels(option)?.asks.length).toBeGreaterThan(10);
  });

  it('any missing frame: found, and the topic is subscribed to again', () => {
    for (let skip = 1; skip < chain.length - 1; skip++) {
      const { rig, breaks } = replay(deribit, option, chain, skip);
      expect(breaks.gap, `without frame ${skip}`).toBe(1);
      expect(rig.levels(option)).toBeUndefined();
      expect(rig.renewed).toEqual([`book.${option}.100ms`]);
    }
  });

  it('a perpetual: a snapshot applies, a foreign change does not', () => {
    const [ack = '', snapshot = '', later = ''] = readLines('samples', 'deribit/ws-book-linear-frames.jsonl');
    const symbol = 'NVDA_USDC-PERPETUAL';
    const rig = rigOf(deribit, symbol);
    rig.push(ack);
    rig.push(snapshot);
    expect(rig.levels(symbol)?.bids[0]).toEqual([228.51, 0.22]);
    rig.push(later);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([`book.${symbol}.100ms`]);
  });

  it('a perpetual: the same change is taken where it follows', () => {
    const [, snapshot = '', later = ''] = readLines('samples', 'deribit/ws-book-linear-frames.jsonl');
    const symbol = 'NVDA_USDC-PERPETUAL';
    const rig = rigOf(deribit, symbol);
    rig.push(snapshot);
    rig.push(edited(later, '"prev_change_id":193809644396', '"prev_change_id":193809616666'));
    expect(rig.levels(symbol)?.asks.at(-1)).toEqual([228.58, 91.89]);
  });

  it('the REST book carries the same kind of number', () => {
    const payload = readPayload('samples', 'deribit/order-book.json') as { result: { change_id: number } };
    const { decode } = deribit.books?.rest?.call ?? {};
    // The recorded contract is inverse; the format is the same under the name of a linear one.
    const linear = JSON.parse(JSON.stringify(payload).replaceAll('BTC-PERPETUAL', 'BTC_USDC-PERPETUAL'));
    const [book] = decode?.(linear, { instruments: new Map() }).books ?? [];
    expect(book).toMatchObject({ kind: 'snapshot', sequence: payload.result.change_id });
    expect(book?.bids).toHaveLength(20);
  });
});

describeKeepAlive(deribit, {
  ping: { jsonrpc: '2.0', id: 0, method: 'public/test', params: {} },
  pong: [
    { jsonrpc: '2.0', method: 'heartbeat', params: { type: 'test_request' } },
    { jsonrpc: '2.0', id: 0, method: 'public/test', params: {} },
  ],
});
