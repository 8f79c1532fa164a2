import { describe, expect, it } from 'vitest';
import { makeRow } from '../../src/market/row-fixture.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { settled } from '../collect/manual-time.ts';
import { Recorders } from './recorders.ts';

const minutes = (count: number): number => count * MINUTE_MS;

describe('recorders of venues that come and go', () => {
  it('note the gap of a venue that began under a holder before', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const second = await recorders.start();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.give(first);
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'down');
    recorders.market = [binance];
    await recorders.advance(minutes(3));
    first.kill();
    recorders.give(second);
    await recorders.advance(minutes(1));
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    await recorders.advance(minutes(1));
    expect(recorders.gaps()).toEqual([{ venue: 'okx', from: 1.5, to: 5.5, reason: 'venue_down' }]);
    await recorders.stop();
  });

  it('note the gap of a venue where the next holder has it live all along', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.give(first);
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'stale');
    recorders.market = [binance];
    await recorders.advance(minutes(1));
    recorders.give(undefined);
    await recorders.advance(SECOND_MS);
    expect(first.history.state().part).toBe('standby');
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    recorders.give(await recorders.start());
    await recorders.advance(minutes(1.5));
    expect(recorders.gaps()).toEqual([
      {
        venue: 'okx',
        from: 1.5,
        to: expect.toSatisfy((to) => to >= 2.5 && to < 2.6),
        reason: 'venue_stale',
      },
    ]);
    await recorders.stop();
  });

  it('a killed one with an open gap: the next notes it', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.give(first);
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'stale');
    recorders.market = [binance];
    await recorders.advance(minutes(1.4));
    first.kill();
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    recorders.give(await recorders.start());
    await recorders.advance(minutes(1.5));
    expect(recorders.gaps()).toEqual([
      {
        venue: 'okx',
        from: 1.5,
        to: expect.toSatisfy((to) => to >= 2.9 && to < 3),
        reason: 'recorder_failover',
      },
    ]);
    await recorders.stop();
  });

  it('a killed one had the venue, the next has it: no gap', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.give(first);
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'stale');
    recorders.market = [binance];
    await recorders.advance(minutes(1.4));
    first.kill();
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    const second = await recorders.start();
    // Longer than a stand-by remembers what it has seen.
    await recorders.advance(minutes(1.5));
    recorders.give(second);
    await recorders.advance(minutes(3));
    const noted = recorders.gaps();
    expect(noted.map(({ venue }) => venue).toSorted()).toEqual(['*', 'okx']);
    second.kill();
    recorders.give(await recorders.start());
    await recorders.advance(minutes(1.5));
    expect(recorders.gaps()).toEqual(noted);
    await recorders.stop();
  });

  it('the one before had the venue: a gap from the first minute', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.give(first);
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    const second = await recorders.start();
    await recorders.advance(minutes(1));
    first.kill();
    recorders.say('okx', 'stale');
    recorders.market = [binance];
    // Longer than a stand-by remembers what it has seen.
    await recorders.advance(minutes(1.3));
    recorders.give(second);
    await recorders.advance(minutes(1.5));
    second.kill();
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    recorders.give(await recorders.start());
    await recorders.advance(minutes(1.5));
    expect(recorders.gaps()).toEqual([
      { venue: '*', from: 3, to: 4, reason: 'recorder_failover' },
      {
        venue: 'okx',
        from: expect.toSatisfy((from) => from > 3.7 && from <= 4),
        to: expect.toSatisfy((to) => to >= 5.3 && to < 5.4),
        reason: 'recorder_failover',
      },
    ]);
    await recorders.stop();
  });

  it('a single one killed and started: the gap of the venue', async () => {
    const recorders = new Recorders();
    const first = await recorders.start(0, true);
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance, okx];
    recorders.say('okx', 'live');
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'down');
    recorders.market = [binance];
    await recorders.advance(minutes(1.4));
    first.kill();
    await recorders.start(0, true);
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    await recorders.advance(minutes(1));
    expect(recorders.gaps()).toEqual([
      {
        venue: 'okx',
        from: 1.5,
        to: expect.toSatisfy((to) => to >= 4.4 && to < 4.5),
        reason: 'venue_down',
      },
    ]);
    await recorders.stop();
  });

  it('minutes of a start until a venue is live: only if it was before', async () => {
    const recorders = new Recorders();
    const binance = makeRow({ venue: 'binance' });
    const okx = makeRow({ venue: 'okx' });
    recorders.market = [binance];
    recorders.say('okx', 'stale');
    const first = await recorders.start(0, true);
    await recorders.advance(minutes(1.5));
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    await recorders.advance(minutes(1));
    expect(recorders.gaps()).toEqual([]);
    first.kill();
    recorders.market = [binance];
    recorders.say('okx', 'stale');
    await recorders.start(0, true);
    await recorders.advance(minutes(2));
    expect(recorders.gaps()).toEqual([]);
    recorders.say('okx', 'live');
    recorders.market = [binance, okx];
    await recorders.advance(minutes(1));
    expect(recorders.gaps()).toEqual([
      {
        venue: 'okx',
        from: 3,
        to: expect.toSatisfy((to) => to >= 4.5 && to < 4.6),
        reason: 'venue_stale',
      },
    ]);
    await recorders.stop();
  });

  it('a live venue without a fresh row in a minute: noted', async () => {
    const recorders = new Recorders();
    recorders.say('okx', 'live');
    recorders.give(await recorders.start());
    const fresh = makeRow({ venue: 'okx' });
    for (const row of [fresh, { ...fresh, fresh: false }, fresh]) {
      recorders.market = [row];
      await recorders.advance(minutes(1));
    }
    await settled();
    expect(recorders.sampled()).toEqual([1, 3]);
    expect(recorders.gaps()).toEqual([{ venue: 'okx', from: 2, to: 3, reason: 'no_fresh_row' }]);
    await recorders.stop();
  });
});
