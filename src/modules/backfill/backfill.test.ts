import { describe, expect, it } from 'vitest';
import { instrument, NOW, rig, toy, until } from '../../../test/history/backfill-rig.ts';
import { memoryProgress } from '../../../test/history/memory-progress.ts';
import { PRIORITY } from '../../collect/priority.ts';
import { failed } from '../../collect/transport-failure.ts';
import type { HistoryPoint } from '../../domain/quote.ts';
import { asMs, asUsd } from '../../domain/units.ts';
import type { HistoryRows } from '../../history/history-rows.ts';
import { rollingVolume } from '../../history/rolling-volume.ts';
import { makeRow } from '../../market/row-fixture.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { pastFill } from './backfill-state.ts';

describe('the back-fill', () => {
  it('priority assets first, then the most traded, all kinds together', async () => {
    const { backfill, asked, taken } = rig();
    backfill.start();
    expect(pastFill(backfill.state())).toMatchObject({ percent: 0, priorityPercent: 0 });
    await backfill.finished();
    expect(taken.map(({ samples }) => samples[0]?.symbol)).toEqual(['BTC', 'BBB', 'AAA']);
    expect(asked.filter((path) => path.includes('s=BTC'))).toHaveLength(4);
    const [btc] = taken;
    expect(btc?.settlements).toHaveLength(12);
    // Every hour of four days has a mark; what was paid at the end of an interval was not known in its hours.
    expect(btc?.samples.filter(({ markPrice }) => markPrice !== undefined)).toHaveLength(96);
    expect(btc?.samples.filter(({ fundingRate }) => fundingRate !== undefined)).toEqual([]);
    expect(btc?.samples.every(({ origin }) => origin === 'backfilled')).toBe(true);
    expect(backfill.state()).toMatchObject({
      contracts: 3,
      done: 3,
      priorityContracts: 1,
      priorityDone: 1,
      incomplete: [],
    });
    expect(pastFill(backfill.state())).toMatchObject({
      percent: 100,
      priorityPercent: 100,
      incomplete: [],
    });
  });

  it('takes nothing from before the listing that the venue states', async () => {
    const listedAt = asMs(NOW - 25 * HOUR_MS);
    const { backfill, taken } = rig({
      instruments: () => new Map([['AAA', { ...instrument('AAA'), listedAt }]]),
    });
    backfill.start();
    await backfill.finished();
    const times = taken.flatMap(({ samples, settlements }) =>
      [...samples, ...settlements].map(({ at }) => at),
    );
    expect(times.length).toBeGreaterThan(20);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(listedAt);
  });

  it('asks for nothing until two seconds after all venues are live', async () => {
    let areAllLive = false;
    const { backfill, asked, time } = rig({ areAllLive: () => areAllLive });
    backfill.start();
    await until(time, () => time.now >= NOW + 5000);
    areAllLive = true;
    const liveAt = time.now;
    await until(time, () => asked.length > 0);
    expect(time.now - liveAt).toBeGreaterThanOrEqual(2000);
    expect(time.now - liveAt).toBeLessThanOrEqual(2250);
    await backfill.finished();
    expect(backfill.state().done).toBe(3);
  });

  it('a venue that does not become live: begins without it', async () => {
    const { backfill, asked, time } = rig({ areAllLive: () => false });
    backfill.start();
    await until(time, () => asked.length > 0);
    expect(time.now - NOW).toBe(17_000);
    await backfill.finished();
    const stopped = rig({ areAllLive: () => false });
    stopped.backfill.start();
    await stopped.backfill.stop();
    await stopped.backfill.finished();
    expect(stopped.asked).toEqual([]);
  });

  it('priority assets queue with initial book snapshots, others behind', async () => {
    const turns = new Map<string, Set<number>>();
    const { backfill } = rig({
      send: async (_venue, { symbol = '' }, { priority }) => {
        turns.set(symbol, (turns.get(symbol) ?? new Set()).add(priority));
        return { ok: true, value: { payload: {}, receivedAt: NOW } };
      },
    });
    backfill.start();
    await backfill.finished();
    expect(Object.fromEntries([...turns].map(([symbol, all]) => [symbol, [...all]]))).toEqual({
      BTC: [PRIORITY.perContract],
      AAA: [PRIORITY.backfill],
      BBB: [PRIORITY.backfill],
    });
  });

  it('resumes after a restart with an hour of overlap', async () => {
    const progress = memoryProgress();
    const first = rig({ progress });
    first.backfill.start();
    await first.backfill.finished();
    const later = rig({ progress, clock: { now: () => asMs(NOW + 3 * HOUR_MS) } });
    later.backfill.start();
    await later.backfill.finished();
    const marks = later.taken[0]?.samples.filter(({ markPrice }) => markPrice !== undefined) ?? [];
    expect(marks.map(({ at }) => at)).toEqual([12, 13, 14, 15].map((h) => Date.UTC(2026, 10, 20, h)));
  });

  it('incomplete venues: reported, kept, and retried with growing pauses', async () => {
    const progress = memoryProgress();
    const asked: number[] = [];
    let isUp = false;
    const made = rig({
      progress,
      send: async (_venue, request) => {
        if (!request.path.startsWith('/mark')) return { ok: true, value: { payload: {}, receivedAt: NOW } };
        asked.push(made.time.now);
        return isUp ? { ok: true, value: { payload: {}, receivedAt: NOW } } : failed('status', 'HTTP 500');
      },
      contractsPerVenue: 1,
    });
    made.backfill.start();
    await until(made.time, () => asked.length >= 15);
    // Three tries a round.
    const rounds = asked.filter((_, i) => i % 3 === 0);
    const pauses = rounds.slice(1).map((at, i) => at - (rounds[i] ?? 0));
    expect(pauses.every((pause, i) => i === 0 || pause > (pauses[i - 1] ?? 0))).toBe(true);
    expect(made.backfill.state()).toMatchObject({ done: 0, incomplete: [{ venue: 'toy', contracts: 1 }] });
    expect(pastFill(made.backfill.state()).percent).toBe(0);
    expect(made.taken.map(({ settlements }) => settlements.length)).toEqual([12]);
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeUndefined();
    isUp = true;
    let isWhole = false;
    void made.backfill.finished().then(() => {
      isWhole = true;
    });
    await until(made.time, () => isWhole);
    expect(made.backfill.state()).toMatchObject({ done: 1, incomplete: [] });
    expect(made.taken[1]?.samples.length).toBeGreaterThan(90);
    const paidAgain = made.taken[1]?.settlements.filter(({ at }) => at < NOW - HOUR_MS);
    expect(paidAgain, 'payments that were written with the first answer').toEqual([]);
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeDefined();
  });

  it('a venue that fails or lists late: it completes all the same', async () => {
    const failing = { ...toy, id: 'failing' };
    const late = { ...toy, id: 'late' };
    const symbols = ['BTC', 'AAA'];
    const shown: MarketRow[] = [];
    const show = (venue: string, symbol: string): void => {
      const ids = { canonicalId: `crypto:${symbol}`, ticker: symbol };
      shown.push(makeRow({ venue, symbol, ...ids, volumeUsd: 1e6 }));
    };
    show('failing', 'AAA');
    let calls = 0;
    const { backfill, time, taken } = rig({
      venues: () => [failing, late],
      rows: () => shown,
      instruments: (venue) => new Map(symbols.map((symbol) => [symbol, { ...instrument(symbol), venue }])),
      send: async (venue) =>
        venue === 'failing' && ++calls < 40
          ? failed('timeout', 'no answer')
          : { ok: true, value: { payload: {}, receivedAt: NOW } },
    });
    backfill.start();
    await until(time, () => calls >= 6);
    expect(backfill.state().incomplete).toEqual([
      { venue: 'failing', contracts: 1 },
      { venue: 'late', contracts: undefined },
    ]);
    expect(pastFill(backfill.state()).percent).toBeLessThan(100);
    // Later than a service would have given up to wait for it.
    await until(time, () => time.now > NOW + 20 * 60_000);
    for (const venue of ['failing', 'late']) show(venue, 'BTC');
    await until(time, () => backfill.state().done === 3);
    expect(backfill.state()).toMatchObject({
      contracts: 3,
      priorityContracts: 2,
      priorityDone: 2,
      incomplete: [],
      waiting: 0,
    });
    const filled = taken.filter(({ samples }) => samples.length > 90);
    expect(filled.map(({ samples }) => `${samples[0]?.venue} ${samples[0]?.symbol}`).sort()).toEqual([
      'failing AAA',
      'failing BTC',
      'late BTC',
    ]);
    await backfill.stop();
  });

  it('leaves most of a venue’s rate limit to live data', async () => {
    const budget = { id: 'toy', pools: [{ name: 'default', limit: 10, perMs: 5_000 }] };
    const times: number[] = [];
    const slow = { ...toy, budget };
    const { backfill, time } = rig({
      venues: () => [slow],
      send: async () => {
        times.push(time.clock.now() - NOW);
        return { ok: true, value: { payload: {}, receivedAt: NOW } };
      },
    });
    backfill.start();
    const finished = backfill.finished();
    for (let i = 0; i < 400 && times.length < 12; i++) {
      await time.advance(100);
      await new Promise((next) => setImmediate(next));
    }
    await finished;
    // Half of ten in five seconds: five at once, then one a second.
    expect(times.filter((at) => at < 1000)).toHaveLength(5);
    expect(times.at(-1)).toBeGreaterThan(6_000);
  });

  it('waits while the write queue is full, and loses nothing', async () => {
    let room = false;
    const taken: HistoryRows[] = [];
    const { backfill, time } = rig({
      contractsPerVenue: 1,
      take: (values) => {
        if (room) taken.push(values);
        return room ? Promise.resolve(true) : undefined;
      },
    });
    backfill.start();
    const finished = backfill.finished();
    await someTurns();
    expect(taken).toHaveLength(0);
    room = true;
    await time.advance(1000);
    await finished;
    expect(taken).toHaveLength(1);
  });

  it('a contract: noted as filled once its rows are on the disk', async () => {
    const progress = memoryProgress();
    let write = (_isWritten: boolean): void => {};
    const take = () =>
      new Promise<boolean>((end) => {
        write = end;
      });
    const { backfill, asked } = rig({ contractsPerVenue: 1, progress, take });
    backfill.start();
    const finished = backfill.finished();
    await someTurns();
    expect(asked).toHaveLength(4);
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeUndefined();
    expect(backfill.state()).toMatchObject({ done: 0, points: 0 });
    write(true);
    await finished;
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBe(NOW);
    expect(backfill.state()).toMatchObject({ done: 1 });
  });

  it.each([
    ['its rows are taken', () => undefined],
    ['its rows are on the disk', () => new Promise<boolean>(() => {})],
  ])('notes nothing of a contract where it is stopped before %s', async (_, take) => {
    const progress = memoryProgress();
    const { backfill, asked } = rig({ contractsPerVenue: 1, progress, take });
    backfill.start();
    await someTurns();
    expect(asked).toHaveLength(4);
    await backfill.stop();
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeUndefined();
    expect(backfill.state()).toMatchObject({ done: 0, points: 0 });
  });

  it('asks again for a contract whose rows the store refused', async () => {
    const progress = memoryProgress();
    const answers = [false, true];
    const take = () => Promise.resolve(answers.shift() ?? true);
    const { backfill, asked, time } = rig({ contractsPerVenue: 1, progress, take });
    backfill.start();
    await someTurns();
    expect(backfill.state()).toMatchObject({ done: 0, incomplete: [{ venue: 'toy', contracts: 1 }] });
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeUndefined();
    await until(time, () => backfill.state().done === 1);
    expect(asked).toHaveLength(8);
    await backfill.stop();
    expect(progress.filledTo('toy', 'BTC', asMs(0))).toBeGreaterThan(NOW);
  });
});

async function someTurns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((next) => setImmediate(next));
}

describe('rolling volume', () => {
  it('is the sum of 24 whole hours, unknown where one is missing', () => {
    const hour = (i: number): HistoryPoint => ({
      symbol: 'X',
      time: asMs(NOW - (NOW % HOUR_MS) - i * HOUR_MS),
      hourUsd: asUsd(i + 1),
    });
    const all = Array.from({ length: 26 }, (_, i) => hour(i));
    const made = rollingVolume(all, NOW);
    // Hour 0 runs; hours 1..24 and 2..25 are whole.
    expect(made.map(({ volumeUsd }) => volumeUsd)).toEqual([
      Array.from({ length: 24 }, (_, i) => i + 2).reduce((a, b) => a + b),
      Array.from({ length: 24 }, (_, i) => i + 3).reduce((a, b) => a + b),
    ]);
    expect(
      rollingVolume(
        all.filter((_, i) => i !== 10),
        NOW,
      ),
    ).toEqual([]);
  });
});
