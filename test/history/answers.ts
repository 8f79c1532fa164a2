import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire, type Wire } from '../../src/domain/read.ts';
import type { Measure, SeriesBucket } from '../../src/domain/series.ts';
import { asMs } from '../../src/domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import type { ExampleApi } from '../api/example-api.ts';
import { getRaw, json, type RawResponse } from '../api/raw-http.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import {
  type Asked,
  asked,
  byVenue,
  close,
  count,
  iso,
  listingOf,
  log,
  minutesOf,
  NOW,
  RUNS,
  rows,
  seriesIn,
  serveLog,
  windowOf,
  wires,
} from './answers-rig.ts';
import { describeEngines } from './engines.ts';
import { referenceBaselines, referenceBuckets, referenceInterest } from './reference.ts';
import { referenceSettled } from './reference-payments.ts';

describeEngines('historical answers', (engine) => {
  let example: ExampleApi;
  let base = '';

  beforeAll(async () => {
    example = await serveLog(await engine.open('answers'));
    base = await example.start();
  });
  afterAll(async () => {
    await example.api.close();
  });

  const ask = (
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
  ): Promise<RawResponse> => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return getRaw(base, `${path}?${new URLSearchParams(pairs)}`);
  };
  const body = (response: RawResponse): Wire => {
    const read = json(response);
    return isWire(read) ? read : {};
  };
  const queryOf = ({ canonicalId, aggr, from, to, asOf }: Asked) => ({
    ticker: canonicalId,
    aggr,
    from: iso(from),
    to: iso(to),
    as_of: asOf === undefined ? undefined : iso(asOf),
  });

  /** Checks the status of an empty window, or hands the answer on; true where there is one. */
  function hasAnswer(response: RawResponse, route: Asked, found: number): boolean {
    const { from, to } = windowOf(route);
    if (from >= to) expect(response.status).toBe(400);
    else if (found === 0) {
      expect(response.status).toBe(404);
      expect(String(body(response).detail)).toMatch(/known is 20\d\d-|none is known/);
    } else expect(response.status).toBe(200);
    return from < to && found > 0;
  }

  it('of funding are the means of what was sampled, and of what was paid', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom('sampled', 'settled', undefined), async (asked, basis) => {
        const { step, ...window } = windowOf(asked);
        const scope = { canonicalId: asked.canonicalId, ...window, asOf: asked.asOf };
        const buckets =
          basis === 'settled' ? [] : referenceBuckets(log.samples, scope, ['rate', 'mark'], step);
        const all = referenceSettled(log.settlements, scope, step);
        const payments = basis === 'sampled' ? [] : all;
        const isOurs = seriesIn(scope, buckets, payments);
        const sums = new Map(all.map((b) => [listingOf(b, b.start), b]));
        const paid = payments
          .filter(isOurs)
          .sort(byVenue)
          .map((b) => ({
            venue: b.venue,
            symbol: b.symbol,
            start: b.start,
            listedAt: b.listedAt,
            rate: b.meanRate,
            price: b.meanMark,
            samples: b.payments,
            hours: b.intervalHours,
            basis: 'settled',
            origin: 'settled',
          }));
        const shown = buckets
          .filter(isOurs)
          .sort(byVenue)
          .flatMap((b) =>
            b.means.rate === undefined
              ? []
              : [
                  {
                    venue: b.venue,
                    symbol: b.symbol,
                    start: b.start,
                    listedAt: b.listedAt,
                    rate: b.means.rate.mean,
                    price: b.means.mark?.mean,
                    basis: 'sampled',
                    samples: b.means.rate.samples,
                    hours: b.intervalHours,
                    origin: b.backfilled > 0 ? 'backfilled' : 'sampled',
                  },
                ],
          );
        const seen = new Set(shown.map(({ venue, start }) => `${venue} ${start}`));
        const alone = paid.filter(({ venue, start }) => !seen.has(`${venue} ${start}`));
        const both = [...shown, ...alone].sort(byVenue);
        const expected = basis === 'settled' ? paid : basis === 'sampled' ? shown : both;
        const response = await ask('/v1/funding/historical', { ...queryOf(asked), basis });
        if (!hasAnswer(response, asked, expected.length)) return;
        answered += 1;
        const got = wires(body(response).buckets);
        expect(got.map((b) => [b.venue, b.venue_symbol, b.bucket_start, b.samples])).toEqual(
          expected.map((b) => [b.venue, b.symbol, iso(b.start), b.samples]),
        );
        const knownTo = asked.asOf ?? NOW;
        expect(got.map((b) => [b.basis, b.origin, b.partial])).toEqual(
          expected.map((b) => [b.basis, b.origin, b.start + step > knownTo]),
        );
        got.forEach((b, i) => {
          close(b.avg_funding_rate, expected[i]?.rate, 'rate');
          close(b.avg_price, expected[i]?.price, 'price');
          const { rate = Number.NaN, hours } = expected[i] ?? {};
          close(b.funding_interval_hours, hours, 'interval');
          close(b.rate_8h, hours && (rate / hours) * 8, 'rate of eight hours');
          expect(b.interval_reason === null).toBe(hours !== undefined);
          const sum = expected[i] && sums.get(listingOf(expected[i], expected[i].start));
          close(b.settled_sum, sum?.rateSum, 'sum');
          expect(b.settled_payments).toBe(sum?.payments ?? 0);
        });
      }),
      { numRuns: RUNS, seed: 21 + PROPERTY_RUNS.seed },
    );
    expect(answered).toBeGreaterThan(RUNS / 4);
  });

  it('of open interest and volume are their means on one venue', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(asked, fc.boolean(), async (asked, volume) => {
        const { step, ...window } = windowOf(asked);
        const scope = { canonicalId: asked.canonicalId, venues: [asked.venue], ...window, asOf: asked.asOf };
        const measures = volume ? (['volumeUsd'] as const) : (['interest', 'interestUsd'] as const);
        const buckets = referenceBuckets(log.samples, scope, measures, step);
        const expected = buckets
          .filter(seriesIn(scope, buckets, []))
          .filter(({ means }) => means[measures[0]] !== undefined)
          .sort(byVenue);
        const path = volume ? '/v1/perp/volume-history' : '/v1/perp/oi-history';
        const response = await ask(path, { ...queryOf(asked), venue: asked.venue });
        if (!hasAnswer(response, asked, expected.length)) return;
        answered += 1;
        const got = wires(body(response).buckets);
        expect(got.map((b) => b.bucket_start)).toEqual(expected.map(({ start }) => iso(start)));
        got.forEach((b, i) => {
          const means = expected[i]?.means;
          close(b.value, means?.[measures[0]]?.mean, path);
          if (!volume) close(b.value_usd, means?.interestUsd?.mean, path);
        });
      }),
      { numRuns: RUNS, seed: 22 + PROPERTY_RUNS.seed },
    );
    expect(answered).toBeGreaterThan(RUNS / 5);
  });

  it('of a backtest are its buckets, with what is missing counted', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(asked, async (asked) => {
        const { step, ...window } = windowOf(asked);
        const scope = { canonicalId: asked.canonicalId, venues: [asked.venue], ...window, asOf: asked.asOf };
        const sampled = referenceBuckets(log.samples, scope, ['rate', 'mark'], step);
        const payments = referenceSettled(log.settlements, scope, step);
        const isOurs = seriesIn(scope, sampled, payments);
        const paid = new Map(payments.map((b) => [listingOf(b, b.start), b]));
        const seen = new Set(sampled.filter(isOurs).map((b) => listingOf(b, b.start)));
        const alone = payments
          .filter((b) => isOurs(b) && !seen.has(listingOf(b, b.start)))
          .map(
            ({ venue, symbol, listedAt, start, lastAt }): SeriesBucket => ({
              venue,
              symbol,
              listedAt,
              start,
              lastAt,
              sampled: 0,
              backfilled: 0,
              backfilledHours: 0,
              means: {},
              book: undefined,
              lastRate: undefined,
              lastIntervalHours: undefined,
            }),
          );
        const expected = [...sampled.filter(isOurs), ...alone].sort(byVenue);
        const { aggr: granularity, ...query } = queryOf(asked);
        const more = { granularity, venue: asked.venue, include_orderbook: 'true' };
        const response = await ask('/v1/backtest/data', { ...query, ...more });
        if (!hasAnswer(response, asked, expected.length)) return;
        answered += 1;
        const read = body(response);
        const got = wires(read.data);
        expect(got.map(({ ts }) => ts)).toEqual(expected.map(({ start }) => iso(start)));
        got.forEach((row, i) => {
          const b = expected[i];
          const settled = b && paid.get(listingOf(b, b.start))?.meanRate;
          close(row.funding_rate, b?.means.rate?.mean ?? settled, 'rate');
          close(row.perp_price, b?.means.mark?.mean, 'price');
          close(row.best_bid, b?.book?.bestBid, 'bid');
          const ofBucket = b && paid.get(listingOf(b, b.start));
          close(row.settled_funding_rate, ofBucket?.meanRate, 'paid');
          close(row.settled_sum, ofBucket?.rateSum, 'sum');
          const { intervalHours: hours } = (b?.means.rate === undefined ? ofBucket : b) ?? {};
          close(row.funding_interval_hours, hours, 'interval');
          const rate = b?.means.rate?.mean ?? settled;
          close(row.rate_8h, hours && rate && (rate / hours) * 8, 'rate of eight hours');
        });
        const knownTo = asked.asOf ?? NOW;
        const passed = (start: number): number =>
          start > knownTo ? 0 : Math.max(1, Math.floor((Math.min(start + step, knownTo) - start) / 60_000));
        let minutes = 0;
        for (let start: number = window.from; start < window.to; start += step) minutes += passed(start);
        const share = (covered: (b: (typeof expected)[number]) => number): number =>
          (100 * expected.reduce((sum, b) => sum + Math.min(passed(b.start), covered(b)), 0)) / minutes;
        const covers = (measure: Measure) => {
          const known = minutesOf(scope, measure, step);
          return share((b) => {
            const key = listingOf(b, b.start);
            // A payment stands for the bucket in which it was made, where no rate was seen.
            const isPaid = measure === 'rate' && b.means.rate === undefined && paid.has(key);
            return isPaid ? Number.POSITIVE_INFINITY : (known.get(key) ?? 0);
          });
        };
        const metadata = isWire(read.metadata) ? read.metadata : {};
        const completeness = isWire(metadata.completeness) ? metadata.completeness : {};
        expect(Number(completeness.funding)).toBeCloseTo(covers('rate'), 1);
        expect(Number(completeness.price)).toBeCloseTo(covers('mark'), 1);
        expect(metadata.completeness_pct).toBe(Math.min(...Object.values(completeness).map(Number)));
        const columns = [['funding_rate'], ['perp_price'], ['best_bid', 'slippage_10k_bps']];
        for (const [i, column] of ['funding', 'price', 'book'].entries()) {
          const hasGap = got.some((row) => columns[i]?.some((name) => row[name] === null));
          if (hasGap) expect(Number(completeness[column])).toBeLessThan(100);
        }
        expect(metadata.samples_count).toBe(expected.reduce((sum, b) => sum + count(b), 0));
      }),
      { numRuns: RUNS, seed: 23 + PROPERTY_RUNS.seed },
    );
    expect(answered).toBeGreaterThan(RUNS / 5);
  });

  it('of flips are the changes of sign from hour to hour', async () => {
    for (const canonicalId of log.assets) {
      for (const hours of [24, 168]) {
        const from = asMs((Math.floor(NOW / HOUR_MS) - hours) * HOUR_MS);
        const to = asMs((Math.floor(NOW / HOUR_MS) + 1) * HOUR_MS);
        const scope = { canonicalId, from: asMs(from - DAY_MS), to, asOf: undefined };
        const expected: string[] = [];
        const before = new Map<string, number>();
        let isKnown = false;
        const buckets = referenceBuckets(log.samples, scope, ['rate'], HOUR_MS);
        const payments = referenceSettled(log.settlements, scope, HOUR_MS);
        const isOurs = seriesIn(scope, buckets, payments);
        const seen = buckets
          .filter((b) => isOurs(b) && b.lastRate !== undefined)
          .map((b) => ({ ...b, rate: b.lastRate }));
        const seenHours = new Set(seen.map((b) => listingOf(b, b.start)));
        const paid = payments
          .filter((b) => isOurs(b) && !seenHours.has(listingOf(b, b.start)))
          .map((b) => ({ ...b, rate: b.meanRate }));
        for (const b of [...seen, ...paid].sort((x, y) => x.start - y.start)) {
          const { rate } = b;
          if (rate !== undefined && b.start >= from) isKnown = true;
          if (rate === undefined || rate === 0) continue;
          const key = `${b.venue} ${b.symbol} ${b.listedAt}`;
          const last = before.get(key);
          if (last !== undefined && Math.sign(last) !== Math.sign(rate) && b.start >= from) {
            expected.push(`${b.venue} ${iso(b.start)}`);
          }
          before.set(key, rate);
        }
        const response = await ask('/v1/perp/funding-flips', { ticker: canonicalId, hours });
        if (!isKnown) expect(response.status).toBe(404);
        else {
          const got = wires(body(response).flips).map((flip) => `${flip.venue} ${flip.hour}`);
          expect(got.sort()).toEqual(expected.sort());
        }
      }
    }
  });

  it('changes of open interest and unusual volumes: one past', async () => {
    for (const canonicalId of log.assets) {
      for (const venue of log.venues) {
        for (const hours of [1, 30, 168]) {
          const at = asMs(NOW - hours * HOUR_MS);
          const known = referenceInterest(log.samples, canonicalId, venue, at, 5 * 60_000);
          const row = rows.find((row) => row.venue === venue && row.canonicalId === canonicalId);
          const past = [...known].find(([key]) => key.split('|')[1] === row?.symbol)?.[1];
          const response = await ask('/v1/perp/oi-delta', {
            ticker: canonicalId,
            venue,
            lookback_hours: hours,
          });
          expect(response.status).toBe(past === undefined ? 404 : 200);
          if (past === undefined) continue;
          const read = body(response);
          close(read.past_oi, past.value, 'past');
          expect(read.past_ts).toBe(iso(past.at));
          close(read.delta_pct, ((Number(row?.openInterestBase) - past.value) / past.value) * 100, 'delta');
        }
      }
    }
    const to = asMs(Math.floor(log.to / HOUR_MS) * HOUR_MS);
    const usual = referenceBaselines(log.samples, log.assets, asMs(to - 7 * DAY_MS), to, 48);
    const expected = rows.flatMap(({ venue, canonicalId, symbol, volume24hUsd }) => {
      const own = usual
        .filter((b) => b.venue === venue && b.canonicalId === canonicalId && b.symbol === symbol)
        .at(-1);
      if (own === undefined || own.mad === 0 || volume24hUsd === undefined) return [];
      const z = (volume24hUsd - own.median) / (1.4826 * own.mad);
      return Math.abs(z) >= 1 ? [[`${venue} ${canonicalId}`, z] as const] : [];
    });
    const got = wires(body(await ask('/v1/perp/volume-anomalies', { min_z: 1, limit: 100 })).anomalies);
    expect(got.map((row) => `${row.venue} ${row.canonical_id}`).sort()).toEqual(
      expected.map(([key]) => key).sort(),
    );
    const scores = new Map(expected);
    for (const one of got) close(one.z_score, scores.get(`${one.venue} ${one.canonical_id}`), 'z');
  });
});
