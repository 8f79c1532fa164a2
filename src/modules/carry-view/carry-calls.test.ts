import { describe, expect, it } from 'vitest';
import {
  assetPairsPath,
  backtestForm,
  chosenTerms,
  pairOf,
  pairPath,
  pastPath,
  scanPath,
} from './view/carry-calls.ts';
import { borrowLine, gapLine } from './view/gap-series.ts';
import { legsNamed, noPairText } from './view/named-legs.ts';

const SCAN = '/v1/perp/arbitrage/cash-carry?';
const chosen = (query: string): URLSearchParams => new URLSearchParams(query);

describe('the pair of chosen legs', () => {
  const pair = (spot_venue: string, spot_quote: string, perp_venue: string) => ({
    spot_venue,
    spot_quote,
    perp_venue,
  });
  const pairs = [
    pair('okx', 'USDT', 'bybit'),
    pair('okx', 'USDC', 'bybit'),
    pair('okx', 'USDC', 'binance'),
    pair('bybit', 'USDT', 'binance'),
  ];

  it.each([
    [{ spot: 'okx', perp: 'bybit' }, 'USDC', 1],
    [{ spot: 'okx', perp: 'bybit' }, null, 0],
    [{ spot: 'okx', perp: 'binance' }, 'USDT', 2],
    [{ spot: undefined, perp: 'binance' }, null, 2],
    [{ spot: 'bybit', perp: undefined }, 'EUR', 3],
  ])('%j in %s: the one of that market, else the best', (legs, quote, at) => {
    expect(pairOf(pairs, legs, quote)).toBe(pairs[at]);
  });

  it('legs that no pair has: none', () => {
    expect(pairOf(pairs, { spot: 'gate', perp: undefined }, null)).toBeUndefined();
  });
});

it.each([
  [
    { spot: 'okx', perp: 'bybit' },
    undefined,
    'There is no pair of BTC of a spot market on okx and a perpetual on bybit.',
  ],
  [{}, undefined, 'There is no pair of BTC of a spot market and a perpetual.'],
  [
    { spot: 'okx' },
    100,
    'None of the 100 best pairs of BTC is of a spot market on okx and a perpetual. Name the venues of both legs.',
  ],
])('no pair of %j among %s: said for what was looked through', (legs, best, text) => {
  expect(noPairText('BTC', { spot: undefined, perp: undefined, ...legs }, best)).toBe(text);
});

describe('calls of carry', () => {
  it('nothing chosen: a floor of open interest, else the defaults', () => {
    expect(scanPath(chosen(''))).toBe(`${SCAN}min_open_interest_usd=1000000&limit=100`);
    expect(scanPath(chosen('min_oi=0&hold=7&direction=both'))).toBe(`${SCAN}limit=100`);
  });

  it('all filters: in the call', () => {
    const query =
      'assets=BTC,ETH&venues=okx,bybit&exclude=mexc&direction=short_spot&size=50000&min_oi=20m&hold=30&fees=OKX: 2,&spot_fees=bybit:8';
    expect(scanPath(chosen(query))).toBe(
      `${SCAN}symbol=BTC,ETH&venues=okx,bybit&exclude=mexc&direction=short_spot&notional_usd=50000&min_open_interest_usd=20000000&holding_days=30&fees=okx:2&spot_fees=bybit:8&limit=100`,
    );
    expect(assetPairsPath('ticker=BTC', chosen(query))).toBe(
      '/v1/perp/cash-carry?ticker=BTC&venues=okx,bybit&exclude=mexc&direction=short_spot&notional_usd=50000&holding_days=30&fees=okx:2&spot_fees=bybit:8&limit=100',
    );
    expect(chosenTerms(chosen(query))).toEqual({
      hold: '30',
      fees: 'OKX: 2,',
      spot_fees: 'bybit:8',
      size: '50000',
    });
  });

  it('what cannot be read: not in the call', () => {
    expect(scanPath(chosen('fees=okx&size=much&hold=8&direction=up&min_oi=x'))).toBe(`${SCAN}limit=100`);
  });

  it('a pair: held to both venues where both are named', () => {
    const long = { direction: 'long_spot', spot: 'okx', perp: 'okx' } as const;
    const path = '/v1/perp/cash-carry?ticker=BTC';
    const terms = 'direction=long_spot&notional_usd=5000&limit=100';
    expect(pairPath('ticker=BTC', long, '5000', chosen(''))).toBe(`${path}&venues=okx&${terms}`);
    expect(pairPath('ticker=BTC', { ...long, perp: 'bybit' }, '5000', chosen(''))).toBe(
      `${path}&venues=okx,bybit&${terms}`,
    );
    expect(pairPath('ticker=BTC', { ...long, spot: undefined }, '5000', chosen(''))).toBe(`${path}&${terms}`);
  });

  it('the form of a back-test: size, and fees of both legs', () => {
    const pair = { spot_venue: 'okx', spot_quote: 'USDT', perp_venue: 'bybit', direction: 'long_spot' };
    const at = Date.parse('2026-11-30T09:00:00Z');
    const terms = chosen('fees=Bybit: 2,&spot_fees=okx:8&size=50000');
    const priced = { ...pair, entry_slippage_bps: 3 };
    expect(backtestForm('BTC', priced, '50000', terms, at)).toEqual({
      route: 'backtest-carry',
      'p.ticker': 'BTC',
      'p.spot': 'okx',
      'p.perp': 'bybit',
      'p.direction': 'long_spot',
      'p.size_usd': '50000',
      'p.fees': 'bybit:2',
      'p.spot_fee_bps': 8,
      'p.assumed_slippage_bps': '1.50',
      'p.from': '2026-10-31T00:00:00Z',
      'p.to': '2026-11-30T00:00:00Z',
    });
    const small = backtestForm('BTC', priced, '10000', chosen(''), at);
    expect([small['p.assumed_slippage_bps'], small['p.fees'], small['p.spot_fee_bps']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('the past: thirty days from a midnight, the same all day', () => {
    const market = { spot: 'okx', perp: 'bybit', quote: 'USDT' };
    const at = Date.parse('2026-11-30T09:00:00Z');
    expect(pastPath('ticker=BTC', market, at)).toBe(
      '/v1/spot/history?ticker=BTC&venue=okx&perp_venue=bybit&quote=USDT&from=2026-11-01T00:00:00Z',
    );
    expect(pastPath('ticker=BTC', market, at + 14 * 3_600_000)).toBe(pastPath('ticker=BTC', market, at));
  });
});

describe('legs of a pair with spot', () => {
  it.each([
    ['okx', 'spot:bybit', { direction: 'long_spot', spot: 'bybit', perp: 'okx' }],
    ['spot:okx', 'okx', { direction: 'short_spot', spot: 'okx', perp: 'okx' }],
    ['okx', 'spot', { direction: 'long_spot', spot: undefined, perp: 'okx' }],
    ['', 'spot', { direction: 'long_spot', spot: undefined, perp: undefined }],
    ['spot', 'spot:okx', undefined],
  ])('%s short, %s long: %o', (short, long, legs) => {
    expect(legsNamed(short, long)).toEqual(legs);
  });
});

describe('lines of the past', () => {
  const hour = (at: number, gap: number | null, borrow: number | null) =>
    ({
      hour_start: new Date(at * 3_600_000).toISOString(),
      gap_bps: gap,
      borrow_hourly: borrow,
    }) as Parameters<typeof gapLine>[0]['hours'][number];
  const past = (...hours: ReturnType<typeof hour>[]) => ({ hours });

  it('an hour that is missing: a gap of the line', () => {
    const line = gapLine(past(hour(1, 2, null), hour(2, null, null), hour(4, -1, null)));
    expect(line.times.map((time) => time / 3600)).toEqual([1, 2, 3, 4]);
    expect(line.values).toEqual([2, null, null, -1]);
  });

  it('a borrow rate: percent a year', () => {
    const { values } = borrowLine(past(hour(1, null, 1e-6), hour(2, null, null)));
    expect(values).toEqual([expect.closeTo(0.876, 9), null]);
  });

  it('no hour: no line', () => {
    expect(gapLine(past()).times).toEqual([]);
  });
});
