import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../../../test/api/example-api.ts';
import { EXAMPLE_NOW } from '../../../test/api/example-market.ts';
import { examplePorts } from '../../../test/api/example-ports.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from '../../../test/cli/operator-server.ts';
import type { SeriesBucket } from '../../domain/series.ts';
import { asMs } from '../../domain/units.ts';
import { stored } from '../../history/store.ts';
import type { HistoryQueries, HistoryView } from '../../products/define-product.ts';
import { bucket } from '../../products/series-fixture.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import { UdfAdapter } from './adapter-fixture.ts';
import { udfHandler } from './handler.ts';

/** Three days of hours, of which the second is not known; the interval of the funding changes in the third. */
const TODAY = Math.floor(EXAMPLE_NOW / DAY_MS) * DAY_MS;
const FIRST = TODAY - 2 * DAY_MS;
const HOURS: readonly SeriesBucket[] = Array.from({ length: 48 + 22 }, (_, hour) => hour)
  .filter((hour) => hour < 24 || hour >= 48)
  .map((hour) => ({
    ...bucket({
      start: asMs(FIRST + hour * HOUR_MS),
      means: {
        mark: { samples: 60, mean: 100 + ((hour * 7) % 24) },
        rate: { samples: 60, mean: 0.0001 },
        interestUsd: { samples: 60, mean: 1e9 + hour },
      },
    }),
    intervalHours: hour === 50 ? undefined : hour < 50 ? 8 : 4,
  }));

const knownHours: Pick<HistoryQueries, 'buckets' | 'knownRange'> = {
  buckets: async ({ venues, from, to }, _parts, stepMs) => {
    expect([venues, stepMs]).toEqual([['binance'], HOUR_MS]);
    return stored(HOURS.filter(({ start }) => start >= from && start < to));
  },
  knownRange: async ({ to = Number.POSITIVE_INFINITY }) => {
    const before = HOURS.filter(({ start }) => start < to);
    const [first] = before;
    const last = before.at(-1);
    return stored(first && last && { from: first.start, to: last.lastAt });
  },
};

let example: ExampleApi;
let operator: OperatorServer;
let adapter: UdfAdapter;
const faults: unknown[] = [];

beforeAll(async () => {
  // No other question of history is asked.
  const history = { reader: knownHours, version: 1 } as unknown as HistoryView;
  example = createExampleApi({
    mode: 'off',
    over: ({ market, clock }) => {
      const health = { outages: () => [] } as never;
      const ports = { market, clock, health, books: {} as never, history, readPort: examplePorts() };
      return { operatorHandlers: [udfHandler(ports, (fault) => faults.push(fault))] };
    },
  });
  operator = await startOperatorServer({ allowsActions: false, answer: example.api.answerOperator });
  adapter = new UdfAdapter(`http://127.0.0.1:${operator.port}/udf`, { authorization: `Bearer ${TOKEN}` });
});
afterAll(async () => {
  await operator.close();
  await example.api.close();
});

const seconds = (ms: number): number => ms / SECOND_MS;
const markAt = (hour: number): number => 100 + ((hour * 7) % 24);
const bars = (name: string, resolution: string, from: number, to: number, countBack?: number) =>
  adapter.getBars(name, resolution, { from: seconds(from), to: seconds(to), countBack });

describe('the feed of the charting library', () => {
  it('its configuration: what the adapter starts with', async () => {
    expect(await adapter.onReady()).toMatchObject({
      supports_search: true,
      supports_group_request: false,
      supports_time: true,
      supported_resolutions: ['60', '240', '1D'],
    });
    expect(await adapter.serverTime()).toBe(Math.floor(EXAMPLE_NOW / 1000));
  });

  it('a search: the most traded contracts first, by venue and kind', async () => {
    const found = await adapter.searchSymbols('btc', '', '');
    expect(found[0]).toMatchObject({ ticker: 'BINANCE:BTCUSDT', exchange: 'BINANCE', type: 'price' });
    const [rate] = await adapter.searchSymbols('BTC', 'BINANCE', 'funding');
    expect(rate).toMatchObject({ symbol: 'BTCUSDT.FUNDING', ticker: 'BINANCE:BTCUSDT.FUNDING' });
    expect(await adapter.searchSymbols('no such thing', '', '')).toEqual([]);
  });

  it.each([
    ['BINANCE:BTCUSDT', 'ohlc', ['240', '1D'], 100],
    ['btcusdt', 'ohlc', ['240', '1D'], 100],
    ['BINANCE:BTCUSDT.MARK', 'c', ['60', '240', '1D'], 100],
    ['BINANCE:BTCUSDT.FUNDING', 'c', ['60', '240', '1D'], 1_000_000],
    ['BINANCE:BTCUSDT.OI', 'c', ['60', '240', '1D'], 1],
  ])('%s: resolved, with what can be drawn', async (name, plots, resolutions, pricescale) => {
    expect(await adapter.resolveSymbol(name)).toMatchObject({
      exchange: 'BINANCE',
      session: '24x7',
      timezone: 'Etc/UTC',
      visible_plots_set: plots,
      supported_resolutions: resolutions,
      pricescale,
    });
  });

  it('a day: a candle of its hourly means', async () => {
    const { bars: candles } = await bars('BINANCE:BTCUSDT', '1D', FIRST, FIRST + DAY_MS);
    const marks = Array.from({ length: 24 }, (_, hour) => markAt(hour));
    expect(candles).toEqual([
      {
        time: FIRST,
        open: marks[0],
        high: Math.max(...marks),
        low: Math.min(...marks),
        close: marks[23],
      },
    ]);
  });

  it('an hour: a mean as a line, and no candle', async () => {
    const line = await bars('BINANCE:BTCUSDT.MARK', '60', FIRST, FIRST + 2 * HOUR_MS);
    expect(line.bars.map(({ time, close }) => [time, close])).toEqual([
      [FIRST, markAt(0)],
      [FIRST + HOUR_MS, markAt(1)],
    ]);
    await expect(bars('BINANCE:BTCUSDT', '60', FIRST, FIRST + DAY_MS)).rejects.toMatch(/resolution 60/);
  });

  it('funding: percent per eight hours, none where the interval changed', async () => {
    const { bars: rates } = await bars('BINANCE:BTCUSDT.FUNDING', '60', TODAY, TODAY + 4 * HOUR_MS);
    expect(rates.map(({ time }) => (time - TODAY) / HOUR_MS)).toEqual([0, 1, 3]);
    expect(rates.map(({ close }) => Number(close.toFixed(9)))).toEqual([0.01, 0.01, 0.02]);
  });

  it('countback: as many bars before the end as there are, over a gap', async () => {
    const to = TODAY + 2 * HOUR_MS;
    const { bars: line, meta } = await bars('BINANCE:BTCUSDT.OI', '60', TODAY, to, 5);
    expect(line.map(({ time }) => (time - FIRST) / HOUR_MS)).toEqual([21, 22, 23, 48, 49]);
    expect(meta).toEqual({ noData: false });
    const more = await bars('BINANCE:BTCUSDT.OI', '60', TODAY, to, 300);
    expect(more.bars).toHaveLength(26);
    const before = await bars('BINANCE:BTCUSDT.OI', '60', FIRST - DAY_MS, FIRST, 300);
    expect(before).toEqual({ bars: [], meta: { noData: true } });
  });

  it('a gap without countback: the time of the bar before it, in ms', async () => {
    const gap = FIRST + DAY_MS;
    const { bars: none, meta } = await bars('BINANCE:BTCUSDT.MARK', '60', gap, gap + 5 * HOUR_MS);
    expect(none).toEqual([]);
    expect(meta).toEqual({ noData: true, nextTime: gap - HOUR_MS });
  });

  it('the running day: its candle until now, and none after it', async () => {
    const { bars: candles } = await bars('BINANCE:BTCUSDT', '1D', TODAY, TODAY + 9 * DAY_MS);
    expect(candles).toMatchObject([{ time: TODAY, open: markAt(48), close: markAt(69) }]);
  });

  it.each([
    ['an unknown symbol', 'history?symbol=NASDAQ:AAPL&resolution=1D&from=1&to=2', 404],
    ['a minute', 'history?symbol=BINANCE:BTCUSDT.MARK&resolution=1&from=1&to=2', 400],
    ['no time', 'history?symbol=BINANCE:BTCUSDT&resolution=1D&from=x&to=2', 400],
    ['no count', 'history?symbol=BINANCE:BTCUSDT&resolution=1D&from=1&to=2&countback=all', 400],
    ['a symbol that is none', 'symbols?symbol=', 404],
  ])('%s: an error that both the library and others read', async (_, path, status) => {
    const response = await adapter.fetch(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ s: 'error', errmsg: expect.stringMatching(/\w/) });
  });

  it('without the token: the refusal of the port', async () => {
    const stranger = new UdfAdapter(`http://127.0.0.1:${operator.port}/udf`, {});
    expect((await stranger.fetch('config')).status).toBe(401);
    expect((await adapter.fetch('marks')).status).toBe(404);
    expect(faults).toEqual([]);
  });
});
