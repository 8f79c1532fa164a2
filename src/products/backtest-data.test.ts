import { describe, expect, it } from 'vitest';
import { asBps, asMs, asPrice, asUsd } from '../domain/units.ts';
import { expectPublic } from './asset-fixture.ts';
import { seriesOf } from './backtest-data.ts';
import { at, bucket, payment, window } from './series-fixture.ts';

describe('backtest data', () => {
  const asked = {
    venue: 'binance',
    ticker: 'BTC',
    canonicalId: 'crypto:BTC',
    window,
    includeFunding: true,
    includeOrderbook: false,
  };

  it('states completeness in minutes', () => {
    const backfilled = bucket({
      start: at(1),
      sampled: 0,
      backfilled: 1,
      backfilledHours: 1,
      means: { mark: { samples: 1, mean: 100, minutes: 60 } },
    });
    const half = { rate: { samples: 20, mean: 1, minutes: 20 }, mark: { samples: 30, mean: 1, minutes: 30 } };
    const { body } = seriesOf(asked, [bucket({ sampled: 30, means: half }), backfilled], []);
    // 30 sampled minutes and an hour that was reported, of four hours; of the rates 20 minutes.
    expect(body.metadata).toMatchObject({
      completeness: { price: 37.5, funding: 8.33 },
      completeness_pct: 8.33,
      samples_count: 31,
      data_sources: ['sampled', 'backfilled'],
    });
    expect(body.data.map(({ completeness_pct }) => completeness_pct)).toEqual([33.33, 0]);
    const young = { ...asked, window: { ...window, to: at(1), knownTo: asMs(at(0) + 30.5 * 60_000) } };
    const { metadata } = seriesOf(young, [bucket({ sampled: 30, means: half })], []).body;
    expect(metadata.completeness).toEqual({ price: 100, funding: 66.66 });
  });

  it('does not count a bucket as complete before any of it was known', () => {
    const early = { ...asked, window: { ...window, knownTo: asMs(at(0) - 60_000) } };
    const { data, metadata } = seriesOf(early, [bucket({ sampled: 30 })], []).body;
    expect(data.map(({ completeness_pct }) => completeness_pct)).toEqual([0]);
    expect(metadata).toMatchObject({ completeness: { price: 0, funding: 0 }, completeness_pct: 0 });
  });

  it('is complete only where no column has a gap', () => {
    const book = {
      bestBid: asPrice(99),
      bestAsk: asPrice(101),
      bidDepthUsd: asUsd(1),
      askDepthUsd: asUsd(1),
      slippage1kBps: asBps(1),
      slippage5kBps: asBps(1),
      slippage10kBps: undefined,
    };
    const four = [0, 1, 2, 3].map((hour) => bucket({ start: at(hour), book }));
    const { body } = seriesOf({ ...asked, includeOrderbook: true }, four, []);
    expect(body.metadata.completeness).toEqual({ funding: 100, price: 100, book: 0 });
    expect(body.metadata.completeness_pct).toBe(0);
    expect(body.data[0]).toMatchObject({ best_bid: 99, slippage_10k_bps: null, book_reason: 'too_thin' });
  });

  it('has a payment in the bucket of its payment time only', () => {
    const backfilled = { sampled: 0, backfilled: 1, means: { mark: { samples: 1, mean: 100, minutes: 60 } } };
    const { body } = seriesOf(
      asked,
      [0, 1].map((hour) => bucket({ start: at(hour), ...backfilled })),
      [payment({ start: at(1) }), payment({ start: at(2), payments: 2 })],
    );
    const expected = [
      {
        origin: 'backfilled',
        sources: ['backfilled'],
        settled_funding_rate: null,
        settled_payments: 0,
        funding_rate: null,
        funding_samples: 0,
        funding_source: null,
      },
      {
        origin: 'backfilled',
        sources: ['settled', 'backfilled'],
        settled_funding_rate: -0.0002,
        funding_rate: -0.0002,
        funding_samples: 1,
        funding_source: 'settled',
      },
      {
        origin: 'settled',
        sources: ['settled'],
        perp_price: null,
        settled_payments: 2,
        funding_rate: -0.0002,
        funding_samples: 2,
        funding_source: 'settled',
        completeness_pct: 0,
      },
    ];
    expect(body.data).toMatchObject(expected);
    // Two of four hours have a rate: those in which something was paid.
    expect(body.metadata.completeness).toMatchObject({ funding: 50 });
  });

  it('rates seen beside a payment: the rates as shown come first', () => {
    const { data } = seriesOf(asked, [bucket()], [payment()]).body;
    expect(data).toMatchObject([
      { funding_rate: 0.0001, funding_samples: 60, funding_source: 'sampled', settled_funding_rate: -0.0002 },
    ]);
  });

  it('the interval is that of funding_rate, whatever it is of', () => {
    const unrated = { mark: { samples: 60, mean: 100 } };
    const rows = [
      bucket({ intervalHours: 8, intervalChanged: false }),
      bucket({ start: at(1), means: unrated }),
      bucket({ start: at(2), means: unrated }),
      bucket({ start: at(3), intervalChanged: true }),
    ];
    const hours = { intervalHours: 1, intervalChanged: false };
    const paid = [payment(hours), payment({ start: at(1), payments: 2, ...hours })];
    const { data } = seriesOf(asked, rows, paid).body;
    expect(data).toMatchObject([
      { funding_interval_hours: 8, rate_8h: 0.0001, settled_sum: -0.0002 },
      { funding_interval_hours: 1, rate_8h: -0.0016, settled_sum: -0.0004 },
      { funding_interval_hours: null, rate_8h: null, interval_reason: 'no_rate', settled_sum: null },
      { funding_interval_hours: null, rate_8h: null, interval_reason: 'interval_changed' },
    ]);
  });

  it('says why there is no book', () => {
    const backfilled = bucket({ sampled: 0, backfilled: 1 });
    const rows = [backfilled, bucket({ start: at(1) })];
    const { data } = seriesOf({ ...asked, includeOrderbook: true }, rows, []).body;
    expect(data.map(({ book_reason }) => book_reason)).toEqual(['not_sampled', 'not_followed']);
  });

  it('has the fields that were asked for and no others', () => {
    const plain = seriesOf({ ...asked, includeFunding: false }, [bucket()], []).body.data[0];
    expect(plain).toEqual({
      ts: '2026-11-20T00:00:00.000Z',
      venue_symbol: 'BTCUSDT',
      perp_price: 100,
      origin: 'sampled',
      sources: ['sampled'],
      partial: false,
      completeness_pct: 100,
    });
    const full = seriesOf({ ...asked, includeOrderbook: true }, [bucket()], []).body.data[0];
    expect(full).toMatchObject({
      funding_rate: 0.0001,
      funding_samples: 60,
      best_bid: null,
      spread_bps: null,
    });
    expectPublic(full);
  });
});
