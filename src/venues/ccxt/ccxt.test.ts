import { describe, expect, it } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { callsOf } from '../adapter.ts';
import { ccxtAdapter } from './index.ts';
import type { CcxtCall } from './profile.ts';
import { listing, makeMarket, makeProfile } from './unified-fixture.ts';

const plan = { instruments: [...listing([makeMarket()]).instruments.values()], now: asMs(0) };

/** Paths that an exchange with these calls is asked, poll by poll. */
function asked(calls: Iterable<CcxtCall>): string[] {
  const offered = new Set(calls);
  const adapter = ccxtAdapter(makeProfile({ offers: (call) => offered.has(call) }));
  return adapter.polls.flatMap((poll) => poll.requests(plan).map(({ path }) => path));
}

describe('a venue behind ccxt', () => {
  it('is requested in bulk where the exchange has such calls', () => {
    const calls = ['fetchFundingRates', 'fetchFundingRate', 'fetchTickers', 'fetchOpenInterests'] as const;
    expect(asked(calls)).toEqual([
      '/loadMarkets',
      '/fetchFundingRates',
      '/fetchTickers',
      '/fetchOpenInterests',
    ]);
  });

  it('is requested per contract where it has only such calls', () => {
    const symbol = '?symbol=BTC%2FUSDT%3AUSDT';
    expect(asked(['fetchFundingRate', 'fetchTicker', 'fetchOpenInterest'])).toEqual([
      '/loadMarkets',
      `/fetchFundingRate${symbol}`,
      `/fetchTicker${symbol}`,
      `/fetchOpenInterest${symbol}`,
    ]);
  });

  it('is not requested for what it does not offer', () => {
    expect(asked([])).toEqual(['/loadMarkets']);
  });

  it('is requested per contract after a bulk call is refused', () => {
    const offered = new Set<CcxtCall>(['fetchFundingRates', 'fetchFundingRate']);
    const { polls } = ccxtAdapter(makeProfile({ offers: (call) => offered.has(call) }));
    const paths = () => polls.flatMap((poll) => poll.requests(plan).map(({ path }) => path.split('?')[0]));
    expect(paths()).toEqual(['/loadMarkets', '/fetchFundingRates']);
    offered.delete('fetchFundingRates');
    expect(paths()).toEqual(['/loadMarkets', '/fetchFundingRate']);
  });

  it('states its profile, with unknown fields undefined', () => {
    const adapter = ccxtAdapter(makeProfile({ id: 'bitfinex', displayName: 'Bitfinex', kind: 'dex' }));
    expect(adapter).toMatchObject({
      id: 'bitfinex',
      displayName: 'Bitfinex',
      kind: 'dex',
      source: 'ccxt',
      hasIndex: false,
      index: { family: 'unknown', evidence: 'unknown' },
    });
    expect(adapter).not.toHaveProperty('sourceId');
    expect(adapter).not.toHaveProperty('takerFeeBps');
  });

  it('has calls with distinct names', () => {
    const names = callsOf(ccxtAdapter(makeProfile())).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
