import { expect, it } from 'vitest';
import { ManualTime, settled } from '../../test/collect/manual-time.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { HistoryFollower } from './history-follower.ts';
import { type StoreResult, stored } from './store.ts';

it('once stopped: reads no more, and resolves when work has ended', async () => {
  const time = new ManualTime();
  const read: string[] = [];
  let answer = (): void => {};
  const done = (what: string) => async (): Promise<StoreResult<void>> => {
    read.push(what);
    return stored(undefined);
  };
  const follower = new HistoryFollower({
    newest: {
      find: () => {
        read.push('newest');
        return new Promise((resolve) => {
          answer = () => resolve(stored(undefined));
        });
      },
    },
    rollUps: { refresh: done('roll-ups'), redo: done('late'), leave: () => void read.push('hours') },
    reading: {
      refresh: done('reading'),
      follow: async () => void read.push('reading'),
      stillSplit: async () => stored([]),
    },
    timer: time.timer,
    onChange: () => void read.push('change'),
  });
  follower.resume();
  await time.advance(MINUTE_MS);
  let hasStopped = false;
  const stopped = follower.stop().then(() => {
    hasStopped = true;
  });
  await settled();
  expect([read, hasStopped]).toEqual([['newest'], false]);
  answer();
  await stopped;
  expect(read).toEqual(['newest']);
  follower.resume();
  await time.advance(MINUTE_MS);
  answer();
  await settled();
  expect(read).toEqual(['newest', 'newest', 'roll-ups', 'reading', 'hours', 'change']);
  await follower.stop();
});
