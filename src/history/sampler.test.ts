import { describe, expect, it } from 'vitest';
import { ManualTime } from '../../test/collect/manual-time.ts';
import { asBps, asMs, asPrice, asUsd } from '../domain/units.ts';
import type { BookQuote } from '../market/books/book-view.ts';
import type { MarketRow } from '../market/view.ts';
import type { Batch } from './batch.ts';
import type { SampledBook } from './sample.ts';
import { sampledBook } from './sampled-book.ts';
import { Sampler, sampleOf } from './sampler.ts';

const ROWS = 1000;

function rowOf(i: number, fresh = true): MarketRow {
  const ticker = `A${i}`;
  return {
    venue: 'v',
    sourceId: 1,
    symbol: `${ticker}-P`,
    ticker,
    canonicalId: ticker,
    assetClass: 'crypto',
    multiplier: 1,
    quote: 'USDT',
    updatedAt: asMs(0),
    comparable: true,
    fresh,
    rateFresh: false,
    version: i,
  };
}

function rig(rows: () => Iterable<MarketRow>, encoding: () => void = () => {}, isShed?: () => boolean) {
  const { time, batches } = { time: new ManualTime(), batches: [] as Batch[] };
  const offer = (batch: Batch): boolean => batches.push(batch) > 0;
  const contractAt = (): undefined => {
    encoding();
  };
  const { clock, timer } = time;
  return { time, batches, sampler: new Sampler({ rows, contractAt, offer, clock, timer, isShed }) };
}

const quote: BookQuote = {
  venue: 'v',
  symbol: 'A0-P',
  source: 'rest',
  confirmedAt: asMs(0),
  ageMs: 1000,
  isFresh: true,
  bestBid: 99,
  bestAsk: 101,
  bidSize: 1,
  askSize: 1,
  spreadBps: 200,
  maxFillableUsd: 2000,
  bidDepthUsd: 2000,
  askDepthUsd: 3000,
  slippage1kBps: 100,
  slippage5kBps: undefined,
  slippage10kBps: undefined,
};

describe('the book of a sample', () => {
  const ticker: MarketRow = { ...rowOf(0), bestBid: asPrice(98), bestAsk: asPrice(102) };
  const sampled = (book: SampledBook | undefined) => sampleOf(ticker, asMs(0), asMs(0), book);

  it('provides touch, depth and slippage in place of the ticker’s touch', () => {
    const { bestBid, bestAsk, depth } = sampled(sampledBook(quote));
    expect([bestBid, bestAsk]).toEqual([99, 101]);
    expect(depth).toMatchObject({
      bidDepthUsd: asUsd(2000),
      askDepthUsd: asUsd(3000),
      slippage1kBps: asBps(100),
      slippage5kBps: undefined,
    });
  });

  it('is omitted where it is stale or unknown', () => {
    for (const book of [sampledBook({ ...quote, isFresh: false }), sampledBook(undefined)]) {
      const { bestBid, bestAsk, depth } = sampled(book);
      expect([bestBid, bestAsk, depth]).toEqual([undefined, undefined, undefined]);
    }
  });
});

describe('a sample', () => {
  it('reads rows in small batches and yields in between', async () => {
    let read = 0;
    function* rows(): Generator<MarketRow> {
      for (let i = 0; i < ROWS; i++) {
        read++;
        yield rowOf(i);
      }
    }
    const { time, batches, sampler } = rig(rows);
    const done = sampler.sample(asMs(time.now));
    const seen: number[] = [];
    while (batches.length === 0) {
      seen.push(read);
      await time.advance(4);
    }
    await done;
    seen.push(read);
    const steps = seen.map((count, i) => count - (seen[i - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(batches.map(({ lines }) => lines.length)).toEqual([ROWS]);
  });

  it('encodes rows in small batches and yields in between', async () => {
    let encoded = 0;
    const { time, batches, sampler } = rig(
      () => Array.from({ length: ROWS }, (_, i) => rowOf(i)),
      () => {
        encoded++;
      },
    );
    const done = sampler.sample(asMs(time.now));
    const seen: number[] = [];
    while (batches.length === 0) {
      seen.push(encoded);
      await time.advance(2);
    }
    await done;
    seen.push(encoded);
    expect(encoded).toBe(ROWS);
    expect(Math.max(...seen.map((count, i) => count - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(20);
  });

  it('stamps each row with its read time, and leaves out stale values', async () => {
    const { time, batches, sampler } = rig(() =>
      Array.from({ length: 250 }, (_, i) => rowOf(i, i % 2 === 0)),
    );
    const from = time.now;
    const done = sampler.sample(asMs(from));
    while (batches.length === 0) await time.advance(2);
    await done;
    const [batch] = batches;
    const at = batch?.columns.indexOf('recorded_at') ?? -1;
    const times = batch?.lines.map((line) => line.split('\t')[at]);
    expect(times).toHaveLength(125);
    expect([times?.[0], times?.at(-1)].map(Number)).toEqual([from / 1000, (from + 8) / 1000]);
  });
});

const MINUTE_MS = 60_000;
const kinds = (batches: readonly Batch[]) => batches.map(({ table, from, to }) => [table, from, to]);

describe('samples, when the clock is set or the process paused', () => {
  /** Samples of the first two minutes; then another clock than that of the timers. */
  async function sampledTwice() {
    const { time, batches } = { time: new ManualTime(), batches: [] as Batch[] };
    let aheadMs = 0;
    const sampler = new Sampler({
      rows: () => [rowOf(1)],
      contractAt: () => undefined,
      offer: (batch) => batches.push(batch) > 0,
      clock: { now: () => asMs(time.now + aheadMs) },
      timer: time.timer,
    });
    const start = time.now;
    sampler.start();
    await time.advance(2 * MINUTE_MS + 1000);
    expect(batches.splice(0).map(({ table }) => table)).toEqual(['samples', 'samples']);
    const set = (ms: number): void => {
      aheadMs = ms;
    };
    return { time, batches, sampler, set, at: (minute: number): number => start + minute * MINUTE_MS };
  }

  it('a clock set back: no minute is sampled twice', async () => {
    const { time, batches, sampler, set, at } = await sampledTwice();
    set(-1.5 * MINUTE_MS);
    await time.advance(3 * MINUTE_MS);
    expect(kinds(batches)).toEqual([['samples', at(3), at(3)]]);
    await sampler.stop();
  });

  it('a clock set back by more than clocks differ: goes on at once', async () => {
    const { time, batches, sampler, set, at } = await sampledTwice();
    set(-60 * MINUTE_MS);
    await time.advance(2 * MINUTE_MS);
    expect(kinds(batches)).toEqual([['samples', at(-56), at(-56)]]);
    await sampler.stop();
  });

  it('have a gap of the minutes between where the clock was set ahead', async () => {
    const { time, batches, sampler, set, at } = await sampledTwice();
    set(3 * MINUTE_MS);
    await time.advance(2 * MINUTE_MS);
    expect(kinds(batches)).toEqual([
      ['gaps', at(3), at(6)],
      ['samples', at(6), at(6)],
      ['samples', at(7), at(7)],
    ]);
    expect(batches[0]?.lines[0]).toContain('not_running');
    await sampler.stop();
  });

  it('have a gap of the minutes in which the process was paused', async () => {
    const { time, batches, sampler, at } = await sampledTwice();
    time.jump(2.5 * MINUTE_MS);
    await time.advance(MINUTE_MS);
    expect(kinds(batches)).toEqual([
      ['gaps', at(3), at(4)],
      ['samples', at(4), at(4)],
      ['samples', at(5), at(5)],
    ]);
    await sampler.stop();
  });
});

describe('samples, when load is shed', () => {
  it('overload: every fifth minute, with a gap for the rest', async () => {
    let isShed = true;
    const { time, batches, sampler } = rig(
      () => [rowOf(1)],
      undefined,
      () => isShed,
    );
    const start = time.now;
    const at = (minute: number): number => start + minute * MINUTE_MS;
    sampler.start();
    await time.advance(5 * MINUTE_MS + 1000);
    expect(kinds(batches)).toEqual([
      ['gaps', at(1), at(5)],
      ['samples', at(5), at(5)],
    ]);
    expect(batches[0]?.lines[0]).toContain('overload');
    expect(sampler.skipped).toBe(4);
    await time.advance(2 * MINUTE_MS);
    isShed = false;
    await time.advance(2 * MINUTE_MS);
    expect(kinds(batches.slice(2))).toEqual([
      ['gaps', at(6), at(8)],
      ['samples', at(8), at(8)],
      ['samples', at(9), at(9)],
    ]);
    expect(sampler.skipped).toBe(6);
    await sampler.stop();
  });
});
