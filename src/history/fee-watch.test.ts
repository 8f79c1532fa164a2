import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import { FeeWatch } from './fee-watch.ts';
import type { OnEnd } from './write-queue.ts';

it('fees without room or refused: offered again; written ones never', () => {
  const ends: OnEnd[] = [];
  let hasRoom = false;
  const watch = new FeeWatch((_batch, onEnd) => hasRoom && ends.push(onEnd) > 0);
  const observe = (): number => {
    watch.observe([{ venue: 'gate', symbol: 'BTC_USDT', takerBps: 5 }], asMs(1000));
    return ends.length;
  };
  expect(observe()).toBe(0);
  hasRoom = true;
  expect([observe(), observe()]).toEqual([1, 1]);
  ends[0]?.(false);
  expect(observe()).toBe(2);
  ends[1]?.(true);
  expect(observe()).toBe(2);
});
