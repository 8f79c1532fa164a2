import type { SimContract } from '@perpmeter/sim/world';
import {
  backpack,
  cryptocom,
  deribit,
  dydx,
  gate,
  kucoinfutures,
  lighter,
  mexc,
  paradex,
  phemex,
  whitebit,
} from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { pointed } from './reading.ts';
import { AT, Simulation } from './simulation.ts';

/**
 * Mistakes of ccxt 4.5.84 that the table of agreement only names, in detail. When one of these fails, ccxt has
 * mended it.
 */

let sim: Simulation;

beforeAll(async () => {
  sim = await Simulation.start();
});

afterAll(() => sim.close());

describe('ccxt', () => {
  it('takes a dated MEXC contract for the perpetual of its coin', async () => {
    const made = Object.assign(new mexc(), { fetchSpotMarkets: async () => [] });
    const exchange = await pointed(made, sim.addressOf('mexc'));
    expect(exchange.market('BTC/USDT:USDT').id).toBe('BTC_USDT_20261225');
  });

  it('KuCoin: the past start of an interval is its next funding time', async () => {
    const exchange = await pointed(new kucoinfutures(), sim.addressOf('kucoin'));
    const rate = (await exchange.fetchFundingRates())['BTC/USDT:USDT'];
    expect(Number(rate?.nextFundingTimestamp)).toBeLessThan(AT);
    expect(Number(rate?.fundingTimestamp)).toBeGreaterThan(AT);
  });

  it('calls KuCoin lots an amount, without the size of a lot', async () => {
    const exchange = await pointed(new kucoinfutures(), sim.addressOf('kucoin'));
    const interest = (await exchange.fetchOpenInterests())['BTC/USDT:USDT'];
    const { contractSize, info } = exchange.market('BTC/USDT:USDT');
    expect(contractSize).toBe(0.001);
    expect(interest?.openInterestAmount).toBe(Number(info.openInterest));
  });

  it('has the fee of Gate as a constant of its own, which agrees', async () => {
    const options = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };
    const exchange = await pointed(new gate({ options }), sim.addressOf('gate'));
    const market = exchange.market('BTC/USDT:USDT');
    expect(Number(market.info.taker_fee_rate)).toBe(0.00075);
    expect(Number(market.taker) * 10_000).toBe(sim.pairing('gate').adapter.takerFeeBps);
  });

  it('Deribit: accrued over eight hours is its rate, undated', async () => {
    const exchange = await pointed(new deribit(), sim.addressOf('deribit'));
    const rate = await exchange.fetchFundingRate('BTC/USDC:USDC');
    const span = `start_timestamp=${AT - 8 * HOUR_MS}&end_timestamp=${AT}`;
    const path = `/public/get_funding_rate_value?instrument_name=BTC_USDC-PERPETUAL&${span}`;
    const [accrued] = sim.asked('deribit', { method: 'GET', path }).funding;
    expect(rate.fundingRate).toBe(accrued?.rate);
    expect(rate.fundingRate).not.toBe(sim.ours('deribit').quotes.get('BTC_USDC-PERPETUAL')?.fundingRate);
    expect(rate.fundingTimestamp).toBeUndefined();
  });

  it('Phemex: no settlement time or interval, no size of USDC ones', async () => {
    const exchange = await pointed(new phemex(), sim.addressOf('phemex'));
    const rate = await exchange.fetchFundingRate('BTC/USDT:USDT');
    expect([rate.fundingTimestamp, rate.nextFundingTimestamp, rate.interval]).toEqual(
      Array(3).fill(undefined),
    );
    expect(exchange.market('BTC/USDT:USDT').contractSize).toBe(1);
    expect(exchange.market('BTC/USDC:USDC').contractSize).not.toBe(1);
  });

  it("loses mark, index and interval of WhiteBIT's funding call", async () => {
    const exchange = await pointed(new whitebit(), sim.addressOf('whitebit'));
    const rate = await exchange.fetchFundingRate('BTC/USDT:USDT');
    expect([rate.markPrice, rate.indexPrice, rate.interval]).toEqual(Array(3).fill(undefined));
    expect(rate.info.mark_price).toBeDefined();
  });

  it('calls the estimate of the window after the next the rate of Crypto.com', async () => {
    const exchange = await pointed(new cryptocom(), sim.addressOf('cryptocom'));
    const { world } = sim;
    const { listing } = sim.pairing('cryptocom').sim;
    const { quotes } = sim.ours('cryptocom');
    const later = (simContract: SimContract) => world.fundingRate(simContract, AT + 4 * HOUR_MS);
    const moving = world
      .contracts(listing)
      .find(
        (contract) => Math.abs(later(contract) - Number(quotes.get(contract.symbol)?.fundingRate)) > 1e-6,
      );
    if (moving === undefined) throw new Error('no rate moves');
    const market = Object.values(exchange.markets ?? {}).find((listed) => listed?.id === moving.symbol);
    const { fundingRate } = await exchange.fetchFundingRate(String(market?.symbol));
    expect(fundingRate).toBeCloseTo(later(moving), 8);
  });

  it('Backpack: the running hour among settled rates, and no fee', async () => {
    const exchange = await pointed(new backpack(), sim.addressOf('backpack'));
    const history = await exchange.fetchFundingRateHistory('SOL/USDC:USDC', undefined, 24);
    expect(Number(history.at(-1)?.timestamp)).toBeGreaterThan(AT);
    const path = '/api/v1/fundingRates?symbol=SOL_USDC_PERP&limit=24';
    const { funding } = sim.asked('backpack', { method: 'GET', path });
    expect(funding.every(({ time }) => time <= AT)).toBe(true);
    expect(exchange.market('SOL/USDC:USDC').taker).toBeUndefined();
  });

  it('does not say that the REST rates of Lighter are of eight hours', async () => {
    const exchange = await pointed(new lighter(), sim.addressOf('lighter'));
    const rates = Object.values(await exchange.fetchFundingRates());
    const request = { method: 'GET', path: '/api/v1/funding-rates' } as const;
    const { quotes } = sim.asked('lighter', request);
    const hourly = new Map(quotes.map(({ symbol, fundingRate }) => [symbol, fundingRate]));
    expect(rates.length).toBe(sim.ours('lighter').instruments.size);
    for (const { info, interval, fundingRate } of rates) {
      const { symbol } = info as { symbol: string };
      expect(interval).toBeUndefined();
      expect(hourly.get(symbol)).toBeCloseTo(Number(fundingRate) / 8, 12);
      // The estimate on the socket and this list state the same rate.
      expect(sim.ours('lighter').quotes.get(symbol)?.fundingRate).toBeCloseTo(Number(fundingRate) / 8, 8);
    }
  });

  it('Paradex: the time of a summary, no time of a next payment', async () => {
    const exchange = await pointed(new paradex(), sim.addressOf('paradex'));
    const ticker = await exchange.fetchTicker('SOL/USD:USDC');
    expect(sim.ours('paradex').quotes.get('SOL-USD-PERP')?.venueTime).toBe(ticker.timestamp);
    const rate = await exchange.fetchFundingRate('SOL/USD:USDC');
    expect(rate.fundingTimestamp).toBeUndefined();
    const quotes = [...sim.ours('paradex').quotes.values()];
    expect(quotes.some(({ nextFundingTime }) => nextFundingTime !== undefined)).toBe(false);
  });

  it('takes seconds for milliseconds in the time of the dYdX server', async () => {
    const exchange = await pointed(new dydx(), sim.addressOf('dydx'));
    expect(exchange.has.fetchFundingRates).toBe(false);
    expect(await exchange.fetchTime()).toBe(Math.floor(AT / 1000));
  });
});
