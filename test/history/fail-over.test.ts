import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import { asHours, asRate } from '../../src/domain/units.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/runtime/duration.ts';
import { settled } from '../collect/manual-time.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { type Recorder, Recorders } from './recorders.ts';

const minutes = (count: number): number => count * MINUTE_MS;

describe('recorders with one lease', () => {
  it('each minute between two single recorders: noted', async () => {
    const recorders = new Recorders();
    const first = await recorders.start(0, true);
    await recorders.advance(minutes(2.5));
    const ended = first.history.stop();
    await recorders.advance(SECOND_MS);
    await ended;
    await recorders.advance(minutes(0.2));
    const second = await recorders.start(0, true);
    await recorders.advance(minutes(0.7));
    expect(recorders.gaps()).toEqual([]);
    const endedToo = second.history.stop();
    await recorders.advance(minutes(1));
    await endedToo;
    await recorders.start(0, true);
    await recorders.advance(minutes(1));
    // The fourth minute passed while nobody was there.
    expect(recorders.sampled()).toEqual([1, 2, 3, 5]);
    expect(recorders.gaps()).toEqual([
      { venue: '*', from: 3, to: expect.toSatisfy((to) => to > 4 && to < 5), reason: 'not_running' },
    ]);
    await recorders.stop();
  });

  it('a single one with its clock set back: no minute twice', async () => {
    const recorders = new Recorders();
    const first = await recorders.start(0, true);
    await recorders.advance(minutes(3.5));
    const ended = first.history.stop();
    await recorders.advance(SECOND_MS);
    await ended;
    await recorders.start(-minutes(2), true);
    await recorders.advance(minutes(3.5));
    expect(recorders.sampled()).toEqual([1, 2, 3, 4, 5]);
    expect(recorders.gaps()).toEqual([]);
    await recorders.stop();
  });

  it('another process samples the same minutes: told meanwhile', async () => {
    const recorders = new Recorders();
    const [writer] = [await recorders.start(), await recorders.start()];
    recorders.give(writer);
    await recorders.advance(minutes(6));
    expect(recorders.warnings).toEqual([]);
    recorders.twice = 9;
    await recorders.advance(minutes(5));
    // The stand-by takes no sample, and says nothing.
    expect(recorders.warnings).toEqual([
      expect.stringMatching(/"samples":9.*another process writes this history/),
    ]);
    recorders.twice = 0;
    await recorders.advance(minutes(10));
    expect(recorders.warnings).toHaveLength(1);
    await recorders.stop();
  });

  it('take over: a gap with its reason, and no minute twice', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const second = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(2.5));
    expect([first, second].map(({ history }) => history.state().part)).toEqual(['writer', 'standby']);
    first.kill();
    await recorders.advance(minutes(1));
    recorders.give(second);
    await recorders.advance(minutes(2));
    expect(second.history.state().part).toBe('writer');
    expect(recorders.sampled()).toEqual([1, 2, 4, 5]);
    expect(recorders.gaps()).toEqual([{ venue: '*', from: 3, to: 4, reason: 'recorder_failover' }]);
    expect(recorders.tokens()).toEqual([...new Set(recorders.tokens())]);
    await recorders.stop();
  });

  it('note no gap where the next one has the next minute', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const second = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(1.5));
    recorders.give(second);
    await recorders.advance(minutes(2));
    expect(recorders.sampled()).toEqual([1, 2, 3]);
    expect(recorders.gaps()).toEqual([]);
    expect(first.history.state().part).toBe('standby');
    await recorders.stop();
  });

  it('take no sample where one wakes up after its lease', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const second = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(1.5));
    first.pause();
    await recorders.advance(minutes(1));
    recorders.give(second);
    await recorders.advance(minutes(1));
    first.resume();
    await recorders.advance(minutes(1));
    expect(recorders.sampled()).toEqual([1, 3, 4]);
    expect(recorders.gaps()).toEqual([{ venue: '*', from: 2, to: 3, reason: 'recorder_failover' }]);
    expect(first.history.state().part).toBe('standby');
    await recorders.stop();
  });

  it('leave a minute out in which the lease is not certain, and note it', async () => {
    const recorders = new Recorders();
    // It looks at its lease 300 ms after each full second.
    await recorders.advance(300);
    const first = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(2) - 700);
    recorders.isCertain = false;
    await recorders.advance(500);
    recorders.isCertain = true;
    await recorders.advance(minutes(1));
    expect(first.history.state().part).toBe('writer');
    expect(recorders.sampled()).toEqual([1, 3]);
    expect(recorders.gaps()).toEqual([{ venue: '*', from: 2, to: 3, reason: 'recorder_failover' }]);
    await recorders.stop();
  });

  it('a lost lease: late rows are written, their hour rolled up again', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    const second = await recorders.start();
    recorders.give(first);
    recorders.accepts = false;
    await recorders.advance(minutes(1.5));
    recorders.give(second);
    const hour = recorders.time.now - minutes(1.5);
    recorders.rolledTo = hour + HOUR_MS;
    await recorders.advance(SECOND_MS);
    const byFirst = () => recorders.rollUps.filter(({ by }) => by === first).map(({ from }) => from);
    expect(recorders.sampled()).toEqual([]);
    recorders.accepts = true;
    await recorders.advance(minutes(1.4));
    expect(recorders.sampled()).toEqual([1, 2]);
    expect(first.history.state().part).toBe('standby');
    expect(byFirst()).toEqual([hour]);
    await recorders.advance(minutes(2));
    expect(byFirst()).toEqual([hour]);
    await recorders.stop();
  });

  it('take nothing over once they have stopped', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    await first.history.stop();
    recorders.give(first);
    await recorders.advance(minutes(2));
    expect(first.history.state().part).toBe('standby');
    expect(recorders.sampled()).toEqual([]);
  });

  it('a minute of the one before, its clock ahead: left to it', async () => {
    const recorders = new Recorders();
    const first = await recorders.start(2000);
    const second = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(1) - 1000);
    recorders.give(second);
    await recorders.advance(minutes(1));
    expect(recorders.sampled()).toEqual([1]);
    await recorders.advance(minutes(1));
    expect(recorders.sampled()).toEqual([1, 2]);
    expect(recorders.gaps()).toEqual([]);
    await recorders.stop();
  });

  it('minutes missed without a next one: nobody ran', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    recorders.give(first);
    await recorders.advance(minutes(1.5));
    first.kill();
    await recorders.advance(minutes(2));
    const second = await recorders.start();
    recorders.give(second);
    await recorders.advance(minutes(1));
    expect(recorders.sampled()).toEqual([1, 4]);
    expect(recorders.gaps()).toEqual([{ venue: '*', from: 2, to: 4, reason: 'not_running' }]);
    await recorders.stop();
  });

  it('give the lease back where the store does not answer at the take-over', async () => {
    const recorders = new Recorders();
    const first = await recorders.start();
    recorders.answers = false;
    recorders.give(first);
    await recorders.advance(5 * SECOND_MS);
    expect(recorders.declined).toBe(1);
    expect(first.history.state().part).toBe('standby');
    recorders.answers = true;
    recorders.give(first);
    await recorders.advance(minutes(1));
    expect(recorders.sampled()).toEqual([1]);
    await recorders.stop();
  });

  it('a stand-by: writes the last minute, once it takes over', async () => {
    const recorders = new Recorders();
    const second = await recorders.start();
    const tell = (rate: number): void => {
      const point = { symbol: 'BTCUSDT', time: recorders.time.clock.now() };
      const funding = [{ ...point, rate: asRate(rate), intervalHours: asHours(8) }];
      second.history.sink.take('binance', { ...emptyDecoded(), funding }, recorders.time.clock.now());
    };
    tell(1e-4);
    await recorders.advance(minutes(2));
    tell(2e-4);
    await settled();
    expect(recorders.rows('settlements')).toEqual([]);
    recorders.give(second);
    await recorders.advance(SECOND_MS);
    const rates = recorders.rows('settlements').map((row) => Number(row.rate));
    expect(rates).toEqual([2e-4]);
    tell(3e-4);
    await recorders.advance(SECOND_MS);
    expect(recorders.rows('settlements')).toHaveLength(2);
    await recorders.stop();
  });

  it('every minute: once or in a gap, with any holder or sleep', async () => {
    const step = fc.record({
      ms: fc.integer({ min: 200, max: 150_000 }),
      who: fc.nat(2),
      what: fc.constantFrom('give', 'give', 'free', 'pause', 'resume', 'doubt'),
    });
    const clock = fc.tuple(fc.nat(2000), fc.nat(999));
    const clocks = fc.tuple(clock, clock, clock);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), clocks, async (steps, ahead) => {
        const recorders = new Recorders();
        const all: Recorder[] = [];
        for (const [aheadMs, laterMs] of ahead) {
          // When each looks at its lease is another part of the second.
          await recorders.advance(laterMs);
          all.push(await recorders.start(aheadMs));
        }
        for (const { ms, who, what } of steps) {
          const one = all[who];
          if (what === 'give') recorders.give(one);
          else if (what === 'free') recorders.give(undefined);
          else if (what === 'doubt') recorders.isCertain = !recorders.isCertain;
          else one?.[what]();
          await recorders.advance(ms);
        }
        recorders.isCertain = true;
        for (const one of all) one.resume();
        recorders.give(all[0]);
        await recorders.advance(minutes(2));
        const sampled = recorders.sampled();
        expect(sampled).toEqual([...new Set(sampled)]);
        const [first = 0] = sampled;
        const last = sampled.at(-1) ?? 0;
        const isNoted = (minute: number): boolean =>
          recorders.gaps().some(({ from, to }) => from <= minute && minute < to);
        const missing = Array.from({ length: last - first }, (_, i) => first + i).filter(
          (minute) => !sampled.includes(minute),
        );
        expect(missing.filter((minute) => !isNoted(minute))).toEqual([]);
        expect(sampled.filter(isNoted)).toEqual([]);
        await recorders.stop();
      }),
      { numRuns: 60 * PROPERTY_RUNS.times, seed: 31 + PROPERTY_RUNS.seed },
    );
  });
});
