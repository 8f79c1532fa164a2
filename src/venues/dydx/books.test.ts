import { simDydx } from '@perpmeter/sim/venues/dydx';
import { describe, expect, it } from 'vitest';
import { type BookRig, rigOf } from '../../../test/books/book-rig.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { world } from '../../../test/venues/simulated-reads.ts';
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

  it('a cross: hides the older level, and restores it afterwards', () => {
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

const CHANNEL = { connection_id: 'c', channel: 'v4_orderbook' };
const connected = JSON.stringify({ type: 'connected', connection_id: 'c', message_id: 0 });
const whole = (message_id: number, id: string) =>
  JSON.stringify({
    type: 'subscribed',
    ...CHANNEL,
    message_id,
    id,
    contents: { bids: [{ price: '99', size: '1' }], asks: [{ price: '101', size: '1' }] },
  });
const change = (message_id: number, id: string, size: string) =>
  JSON.stringify({
    type: 'channel_batch_data',
    ...CHANNEL,
    message_id,
    id,
    version: '1.0.0',
    contents: [{ bids: [['99', size]] }],
  });
const failure = (message_id: number) =>
  JSON.stringify({ type: 'error', connection_id: 'c', message_id, message: 'Internal error' });

/** Size of the best bid; undefined where the book is not served. */
const best = (rig: BookRig, symbol: string) => rig.levels(symbol)?.bids[0]?.[1];

describe('several dYdX books on a connection', () => {
  const begun = (...frames: string[]) => {
    const rig = rigOf(dydx, 'A-USD', 'B-USD', 'C-USD');
    for (const frame of [connected, ...frames]) rig.push(frame);
    return rig;
  };

  it('a subscription answered late: begins its book and breaks none', () => {
    const rig = begun(whole(1, 'A-USD'), change(4, 'A-USD', '2'), whole(2, 'B-USD'));
    rig.push(change(5, 'B-USD', '3'));
    rig.push(whole(3, 'C-USD'));
    rig.push(change(6, 'C-USD', '4'));
    expect(['A-USD', 'B-USD', 'C-USD'].map((symbol) => best(rig, symbol))).toEqual([2, 3, 4]);
    expect(rig.books.stats().breaks.gap).toBe(0);
  });

  it('a subscription that is refused fills its number', () => {
    const rig = begun(whole(1, 'A-USD'), change(4, 'A-USD', '2'), failure(2), whole(3, 'C-USD'));
    rig.push(failure(4));
    rig.push(change(5, 'A-USD', '5'));
    expect(best(rig, 'A-USD')).toBe(5);
    expect(rig.books.stats().breaks.gap).toBe(0);
    rig.push(change(7, 'A-USD', '6'));
    expect(rig.levels('A-USD')).toBeUndefined();
  });

  it('a number that no open subscription can have is a loss at once', () => {
    const rig = begun(whole(1, 'A-USD'), whole(2, 'B-USD'), whole(3, 'C-USD'));
    rig.push(change(5, 'A-USD', '2'));
    expect(['A-USD', 'B-USD', 'C-USD'].map((symbol) => best(rig, symbol))).toEqual(Array(3).fill(undefined));
  });

  it('a loss beside open subscriptions shows with the first number too many', () => {
    const rig = begun(whole(1, 'A-USD'), change(5, 'A-USD', '2'));
    expect(rig.levels('A-USD')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(3);
  });

  it('a snapshot behind later changes: not taken, and asked for again', () => {
    const rig = begun(change(3, 'A-USD', '7'), whole(2, 'A-USD'));
    expect(rig.levels('A-USD')).toBeUndefined();
    rig.pass(1000);
    expect(rig.renewed).toEqual(['A-USD']);
    rig.push(whole(5, 'A-USD'));
    rig.push(change(6, 'A-USD', '8'));
    expect(best(rig, 'A-USD')).toBe(8);
    expect(rig.books.stats().breaks).toMatchObject({ gap: 0, old_seed: 1 });
  });

  it('is kept by the simulated venue, whose answers come behind other books', () => {
    const contracts = world.contracts(simDydx.listing).filter(({ status }) => status === 'live');
    const symbols = contracts.slice(0, 3).map(({ symbol }) => symbol);
    const rig = rigOf(dydx, ...symbols);
    const ids: number[] = [];
    const send = (frame: string | Buffer) => {
      ids.push((JSON.parse(String(frame)) as { message_id: number }).message_id);
      rig.push(String(frame));
    };
    const session = simDydx.socket?.({ path: '/v4/ws', send, close: () => {} }, world);
    const start = rig.time.now;
    session?.onTick(start);
    for (const frame of dydx.books?.stream?.subscribe(symbols, 1) ?? []) session?.onMessage(frame);
    for (let i = 1; i <= 8; i++) session?.onTick(start + i * 1000);
    expect(ids.some((id, i) => id < (ids[i - 1] ?? 0))).toBe(true);
    expect(symbols.map((symbol) => rig.levels(symbol) !== undefined)).toEqual([true, true, true]);
    expect(rig.books.stats().breaks.gap).toBe(0);
  });
});

it('dYdX books that move are held against REST every two minutes', async () => {
  const rig = rigOf(dydx, 'A-USD');
  rig.push(connected);
  rig.push(whole(1, 'A-USD'));
  for (let second = 1; second <= 130; second++) {
    rig.pass(1000);
    rig.push(change(1 + second, 'A-USD', String(second)));
  }
  const level = (price: string) => [{ price, size: '1' }];
  await rig.ask().answer({ bids: level('90'), asks: level('91') });
  expect(rig.books.stats().breaks.different).toBe(1);
  expect(rig.renewed).toEqual(['A-USD']);
});

describeKeepAlive(dydx, {});
