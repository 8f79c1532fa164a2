import { describe, expect, it } from 'vitest';
import type { FeedState } from '../feed/ports.ts';
import { stopper } from './stopper.ts';

/** A service whose parts note that they end; answers are under way until `finish` is called. */
function running(kind: FeedState['kind'], faulty: readonly string[] = []) {
  const ended: string[] = [];
  const note = (what: string) => async (): Promise<void> => {
    ended.push(what);
    if (faulty.includes(what)) throw new Error(`${what} is broken`);
  };
  let finish = (): void => {};
  const drained = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const parts = {
    api: { close: () => drained.then(note('api')) },
    payments: { stop: note('payments') },
    collector: { stop: note('collector') },
    history: { rest: note('sampling'), stop: note('history') },
    store: { close: note('store') },
    feed: { state: () => ({ kind, held: [] }), close: note('feed') },
    load: { stop: () => {} },
    timers: [],
  };
  return { ended, finish, stop: stopper(parts as unknown as Parameters<typeof stopper>[0]) };
}

describe('the end of a service', () => {
  it('long answers under way: sampling uses the time of the collector', async () => {
    const { ended, finish, stop } = running('embedded');
    const stopped = stop();
    expect(ended).toEqual(['collector', 'sampling']);
    finish();
    await stopped;
    expect(ended.slice(2)).toEqual(['api', 'payments', 'history', 'feed', 'store']);
  });

  it.each(['api', 'payments', 'collector', 'sampling', 'history', 'feed', 'store'])(
    '%s cannot end: all others do, and it is named at the end',
    async (part) => {
      const { ended, finish, stop } = running('embedded', [part]);
      finish();
      await expect(stop()).rejects.toThrow(`not ended: ${part} is broken`);
      expect(ended).toHaveLength(7);
    },
  );

  it('asked twice: all end once', async () => {
    const { ended, finish, stop } = running('embedded');
    finish();
    await Promise.all([stop(), stop()]);
    await stop();
    expect(ended).toHaveLength(7);
  });

  it('leaves sampling to the last where other processes fill the table', async () => {
    const { ended, finish, stop } = running('nats');
    finish();
    await stop();
    expect(ended).toEqual(['collector', 'api', 'payments', 'history', 'feed', 'store']);
  });
});
