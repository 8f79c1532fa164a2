import { gate, kucoinfutures, mexc } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { type SimServer, startSimServer } from '../../src/sim/server.ts';
import { simGate } from '../../src/sim/venues/gate.ts';
import { simKucoin } from '../../src/sim/venues/kucoin.ts';
import { simMexc } from '../../src/sim/venues/mexc.ts';
import { gate as gateAdapter } from '../../src/venues/gate/index.ts';
import { ready, withoutSpot } from './contract-peers.ts';
import { OPTIONS } from './peers.ts';

/** Mistakes of ccxt 4.5.84 that our decoders do not share. When one of these fails, ccxt has mended it. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
let server: SimServer;

beforeAll(async () => {
  const venues = [simGate, simKucoin, simMexc].map((sim) => ({
    ...sim,
    limit: { ...sim.limit, weight: 1e9 },
  }));
  server = await startSimServer({ world: createWorld(1), venues, clock: { now: () => asMs(AT) }, tickMs: 0 });
});

afterAll(() => server.close());

describe('ccxt', () => {
  it('takes a dated MEXC contract for the perpetual of its coin', async () => {
    const exchange = await ready(withoutSpot(new mexc(OPTIONS)), `${server.url}/mexc`);
    expect(exchange.market('BTC/USDT:USDT').id).toBe('BTC_USDT_20261225');
  });

  it('calls the past start of a KuCoin funding interval the next funding time', async () => {
    const exchange = await ready(new kucoinfutures(OPTIONS), `${server.url}/kucoin`);
    const rate = (await exchange.fetchFundingRates())['BTC/USDT:USDT'];
    expect(Number(rate?.nextFundingTimestamp)).toBeLessThan(AT);
    expect(Number(rate?.fundingTimestamp)).toBeGreaterThan(AT);
  });

  it('calls KuCoin lots an amount, without the size of a lot', async () => {
    const exchange = await ready(new kucoinfutures(OPTIONS), `${server.url}/kucoin`);
    const interest = (await exchange.fetchOpenInterests())['BTC/USDT:USDT'];
    const { contractSize, info } = exchange.market('BTC/USDT:USDT');
    expect(contractSize).toBe(0.001);
    expect(interest?.openInterestAmount).toBe(Number(info.openInterest));
  });

  it('has the fee of Gate as a constant of its own, which agrees', async () => {
    const options = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };
    const exchange = await ready(new gate({ ...OPTIONS, options }), `${server.url}/gate`);
    const market = exchange.market('BTC/USDT:USDT');
    expect(Number(market.info.taker_fee_rate)).toBe(0.00075);
    expect(Number(market.taker) * 10_000).toBe(gateAdapter.takerFeeBps);
  });
});
