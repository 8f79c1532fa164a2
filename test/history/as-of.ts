import { beforeAll, expect, it } from 'vitest';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { recordCorrections } from '../../src/modules/corrections/correction-log.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, requestOf } from '../api/example-api.ts';
import { exampleRow } from '../api/example-market.ts';
import { getRaw } from '../api/raw-http.ts';
import {
  ASKED_AFTER_MS,
  at,
  BACKFILLED,
  BACKFILLED_AT,
  CONTRACTS,
  CORRECTIONS,
  DAYS,
  MOMENTS,
  payments,
  START,
  Week,
} from './as-of-week.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'funding-historical': ['ticker=BTC', 'ticker=ETH&aggr=4h&basis=both', 'ticker=BTC&aggr=1d&basis=settled'],
  'backtest-data': [
    'ticker=BTC&venue=binance&from=2026-10-04&to=2026-10-20&include_orderbook=true',
    'ticker=BTC&venue=okx&from=2026-10-05&to=2026-10-09&granularity=4h&format=csv',
    'ticker=BTC&venue=binance&from=2026-10-05&to=2026-10-12&format=parquet',
  ],
  'backtest-pair': [
    'ticker=BTC&short=bybit&long=binance&from=2026-10-04&to=2026-10-20&enter_bps=0.5&assumed_slippage_bps=1',
  ],
  'perp-funding-flips': ['ticker=BTC&hours=48'],
  'perp-oi-history': ['ticker=BTC&venue=binance&aggr=1d'],
  'perp-volume-history': ['ticker=BTC&venue=okx'],
  'perp-oi-delta': ['ticker=BTC&venue=binance&lookback_hours=48', 'ticker=ETH&venue=okx'],
  'perp-volume-anomalies': ['min_z=1', 'min_z=0&ticker=BTC', 'min_z=0&venue=okx'],
  'perp-funding-stats': ['ticker=BTC', 'ticker=ETH&venue=okx'],
  'perp-funding-forecast': ['ticker=BTC&days=30', 'ticker=ETH&venue=okx&latest=2'],
  'perp-spread-stats': ['ticker=BTC', 'ticker=BTC&short=okx&long=bybit'],
  'perp-funding-heatmap': ['step=1h', 'step=1d&venue=okx', 'step=1d&limit=1'],
};
/** Answers over hours of spot, whose store keeps no time at which a row was recorded. */
const OF_NOW_ALONE = ['spot-history', 'backtest-carry'];
const STORED = ROUTES.filter(({ dependsOn, access }) => access === 'paid' && /history$/.test(dependsOn));
const REQUESTS = STORED.filter(({ id }) => !OF_NOW_ALONE.includes(id)).flatMap((route) =>
  (QUESTIONS[route.id] ?? [requestOf(route)]).map((query) => `${route.path}?${query}`),
);

interface Reply {
  readonly status: number;
  readonly body: string;
  /** Headers that are about the answer, the mark of one of the past left out. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** That mark. */
  readonly answeredAsOf: unknown;
}

/** Of the connection, not of the answer. */
const TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'ratelimit', 'ratelimit-policy']);

describeEngines(
  'as_of, over a week with late payments, a late back-fill and corrections',
  (engine) => {
    const then = new Map<string, Reply>();
    let ask: (request: string) => Promise<Reply>;
    let later: () => Promise<void>;
    const asOf = (request: string, moment: UnixMs): string =>
      `${request}&as_of=${new Date(moment + ASKED_AFTER_MS).toISOString()}`;

    beforeAll(async () => {
      const week = new Week(await engine.open('as_of'));
      const { clock } = week.time;
      const example = createExampleApi({
        mode: 'off',
        clock,
        market: week.market,
        history: { reader: week.rig.reader, version: 1 },
      });
      const base = await example.start();
      ask = async (request) => {
        const reply = await getRaw(base, request);
        const { 'x-answered-as-of': answeredAsOf, ...headers } = Object.fromEntries(
          [...reply.headers].filter(([name]) => !TRANSPORT.has(name)),
        );
        return { status: reply.status, body: reply.body.toString('latin1'), headers, answeredAsOf };
      };
      valueIn(await week.rig.rollUps.refresh());
      const reported = [...payments()].sort((a, b) => a.recordedAt - b.recordedAt);
      const samples = [...hoursOf(START, at(DAYS)), ...MOMENTS].sort((a, b) => a - b);
      for (const minute of samples) {
        await week.sample(minute);
        if (!MOMENTS.includes(minute)) continue;
        const known = reported.findIndex(({ recordedAt }) => recordedAt > minute);
        await loadSettlements(week.store, reported.splice(0, known < 0 ? reported.length : known));
        if (minute > BACKFILLED_AT && minute < asMs(BACKFILLED_AT + DAY_MS)) {
          await loadSamples(
            week.store,
            BACKFILLED.map((value) => ({ value, recordedAt: BACKFILLED_AT })),
          );
          week.rig.rollUps.written(at(0), at(2));
        }
        if (minute > at(5, 2) && minute < at(6)) {
          valueIn(await recordCorrections(week.store, CORRECTIONS));
          valueIn(await week.rig.watch.refresh());
        }
        await week.settle();
        await week.to(asMs(minute + ASKED_AFTER_MS));
        for (const request of REQUESTS) then.set(asOf(request, minute), await ask(request));
      }
      later = async () => {
        await week.to(at(DAYS + 2));
        await week.settle();
        week.market.replace(CONTRACTS.map((row) => exampleRow({ ...row, venue: row.venue, mark: 1 })));
      };
    });

    it('is taken by every history route but those over spot', () => {
      const without = STORED.filter(({ query }) => !('as_of' in query.properties));
      expect(without.map(({ id }) => id).sort()).toEqual([...OF_NOW_ALONE].sort());
    });

    it('is answered by every history route, with another body at every moment', () => {
      expect([...then.values()].map(({ status }) => status)).toEqual([...then].map(() => 200));
      for (const request of REQUESTS) {
        const bodies = MOMENTS.map((moment) => then.get(asOf(request, moment))?.body);
        expect(new Set(bodies).size, request).toBeGreaterThan(1);
      }
    });

    it('as of a moment: byte for byte as then, but for the header', async () => {
      await later();
      for (const [request, given] of then) {
        expect(given.answeredAsOf, request).toBeUndefined();
        const answeredAsOf = new URLSearchParams(request.split('?')[1]).get('as_of');
        expect([request, await ask(request)]).toEqual([request, { ...given, answeredAsOf }]);
      }
    });

    it('differs from the answer without as_of, which is corrected', async () => {
      const window = 'from=2026-10-05&to=2026-10-07&aggr=1d';
      for (const request of [
        `/v1/perp/oi-history?ticker=BTC&venue=binance&${window}`,
        `/v1/perp/volume-history?ticker=BTC&venue=okx&${window}`,
        `/v1/funding/historical?ticker=BTC&basis=settled&${window.replace('10-07', '10-08')}`,
      ]) {
        const now = await ask(request);
        const before = await ask(asOf(request, MOMENTS[1] ?? START));
        expect([now.status, before.status]).toEqual([200, 200]);
        expect(now.body).not.toBe(before.body);
      }
    });

    it('is 404 before the first sample, and 400 after now', async () => {
      for (const path of [
        'perp/oi-delta?ticker=BTC&venue=binance',
        'perp/funding-stats?ticker=BTC',
        'perp/funding-heatmap?step=1d',
      ]) {
        const given = await ask(`/v1/${path}&as_of=2026-10-01T00:00:00Z`);
        expect([given.status, JSON.parse(given.body)]).toMatchObject([404, { code: 'no_data' }]);
      }
      const future = await ask('/v1/perp/oi-delta?ticker=BTC&venue=binance&as_of=2026-10-20T00:00:00Z');
      expect([future.status, JSON.parse(future.body)]).toMatchObject([400, { code: 'invalid_parameter' }]);
      const unknown = await ask('/v1/perp/oi-delta?ticker=NOSUCH&venue=binance&as_of=2026-10-08T00:00:00Z');
      expect(unknown.status).toBe(404);
    });
  },
  { later: ['cluster'] },
);

function* hoursOf(from: UnixMs, to: UnixMs): Generator<UnixMs> {
  for (let time = from; time < to; time = asMs(time + HOUR_MS)) yield time;
}
