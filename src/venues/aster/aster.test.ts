import { describe, expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { describeFapiRobustness } from '../../../test/venues/fapi-checks.ts';
import * as fapi from '../../../test/venues/fapi-fixture.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { callFor, contextOf, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asPrice } from '../../domain/units.ts';
import { decideIdentity } from '../../market/decide-identity.ts';
import { createRegistry } from '../../market/registry/lookup.ts';
import { aster } from './index.ts';

describe('aster instruments', () => {
  const decode = callFor(aster, '/fapi/v3/exchangeInfo', 'GET')?.decode;
  const INFO = decode?.(
    fapi.exchangeInfo([
      { symbol: 'BTCUSDT', base: 'BTC' },
      { symbol: 'ASTERUSD1', base: 'ASTER', quote: 'USD1' },
      { symbol: 'ETHUSDC', base: 'ETH', quote: 'USDC' },
      { symbol: 'BTCUSDF', base: 'BTC', quote: 'USDF' },
      { symbol: 'BTCETH', base: 'BTC', quote: 'ETH' },
      { symbol: 'SPOTUSDT', base: 'SPOT', type: '' },
    ]),
    contextOf(),
  );

  it('lists perpetuals in dollar currencies and names the venue', () => {
    expect(INFO?.instruments.map(({ venue, symbol, quote }) => [venue, symbol, quote])).toEqual([
      ['aster', 'BTCUSDT', 'USDT'],
      ['aster', 'ASTERUSD1', 'USD1'],
      ['aster', 'ETHUSDC', 'USDC'],
      ['aster', 'BTCUSDF', 'USDF'],
    ]);
    expect(['ASTERUSD1', 'BTCUSDF', 'BTCETH'].map((symbol) => aster.baseOf(symbol))).toEqual([
      'ASTER',
      'BTC',
      undefined,
    ]);
    expect(INFO?.rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['BTCETH', 'foreign_quote'],
      ['SPOTUSDT', 'spot'],
    ]);
  });

  it('answers to both versions of the API and has no open-interest history', () => {
    expect(callFor(aster, '/fapi/v1/premiumIndex')?.name).toBe('premiumIndex');
    expect(callFor(aster, 'https://fapi.asterdex.com/fapi/v3/premiumIndex')?.name).toBe('premiumIndex');
    expect(callFor(aster, '/futures/data/openInterestHist?symbol=BTCUSDT')).toBeUndefined();
  });

  it('sends fewer than three requests a second for 300 contracts', () => {
    const instruments = Array.from({ length: 300 }, (_, i) => ({
      ...(INFO?.instruments[0] ?? fail()),
      symbol: `A${i}USDT`,
    }));
    const perSecond = aster.polls
      .map(({ everyMs, requests }) => (requests({ instruments, now: 0 as never }).length * 1000) / everyMs)
      .reduce((sum, rate) => sum + rate, 0);
    expect(perSecond).toBeLessThan(1.5);
  });
});

/** Decodes a list with one row. */
function listed(row: Parameters<typeof fapi.exchangeInfo>[0][number]): Instrument {
  const info = callFor(aster, '/fapi/v3/exchangeInfo', 'GET')?.decode(fapi.exchangeInfo([row]), contextOf());
  return info?.instruments[0] ?? fail();
}

const row = (base: string, tags: readonly string[], symbolType?: number | string, quote = 'USDT') => ({
  symbol: base + quote,
  base,
  quote,
  tags,
  ...(symbolType === undefined ? {} : { symbolType }),
});

describe('aster asset classes', () => {
  it.each([
    ['AAPL', ['STOCK'], 1, 'equity'],
    ['NVDA', ['STOCK', 'Semiconductor'], 1, 'equity'],
    ['MU', ['Semiconductor'], 1, 'equity'],
    ['EWT', ['ETF'], 1, 'etf'],
    ['XAU', ['Commodities'], 1, 'commodity'],
    ['OPENAI', ['pre-launch', 'STOCK'], 1, 'prelaunch'],
    ['POLYMARKET', ['pre-launch', 'STOCK', 'AOS2', 'USD1-RWA'], 0, 'prelaunch'],
    ['SNDK', ['STOCK', 'AOS2', 'USD1-RWA'], 1, 'equity'],
    ['BNC', ['USD1-RWA'], 1, 'unknown'],
    ['COPPER', ['Metals'], 1, 'unknown'],
    ['BTC', ['Top'], 0, 'crypto'],
    ['1000PEPE', ['Meme'], '0', 'crypto'],
    ['RTX', [], 0, 'crypto'],
  ])('%s of tags %j and symbolType %s is %s', (base, tags, symbolType, assetClass) => {
    expect(listed(row(base, tags, symbolType)).assetClass).toBe(assetClass);
  });

  it.each(['symbolType', 'underlyingType', 'underlyingSubType'])(
    'an object as %s: a fault, and the fee that follows from it too',
    (name) => {
      const payload = fapi.exchangeInfo([row('AAPL', ['STOCK'], 1)]);
      Reflect.set((payload as { symbols: readonly object[] }).symbols[0] ?? {}, name, { odd: 1 });
      const decoded = callFor(aster, '/fapi/v3/exchangeInfo', 'GET')?.decode(payload, contextOf());
      expect(decoded?.instruments[0]).not.toHaveProperty('assetClass');
      expect(decoded?.rejects.map(({ reason }) => reason)).toEqual(['malformed', 'malformed']);
    },
  );

  it('COIN alone: states nothing; beside another type: no coin', () => {
    expect(listed(row('NEW', [])).assetClass).toBeUndefined();
    expect(listed(row('NEW', ['Rates'], 0)).assetClass).toBeUndefined();
    expect(listed(row('NEW', [], 2)).assetClass).toBeUndefined();
    expect(listed({ ...row('NEW', [], 0), underlying: null }).assetClass).toBeUndefined();
    expect(listed({ ...row('NEW', [], 0), underlying: 'EQUITY' }).assetClass).toBe('equity');
    expect(listed({ ...row('NEW', [], 0), underlying: 'METAL' }).assetClass).toBe('unknown');
  });

  it('tells stocks, funds and indices from the coins of their names', () => {
    const registry = createRegistry();
    const idOf = (instrument: Instrument, mark?: number) => {
      const decision = decideIdentity(registry, instrument, mark === undefined ? mark : asPrice(mark));
      return decision === 'needs_price' ? decision : decision.canonicalId;
    };
    expect(idOf(listed(row('AAPL', ['STOCK'], 1)))).toBe('equity:AAPL');
    expect(idOf(listed(row('EWT', ['ETF'], 1)))).toBe('etf:EWT');
    expect(idOf(listed(row('RTX', [], 0)))).toBe('crypto:RTX');
    expect(idOf(listed(row('RTX', ['STOCK'], 1, 'USD1')))).toBe('equity:RTX');
    expect(idOf(listed(row('SPX', ['ETF'], 1)), 6800)).toBe('index:SPX');
    expect(idOf(listed(row('SPX', ['Indices'], 1)), 6800)).toBe('index:SPX');
    // COIN alone leaves it to the price.
    expect(idOf(listed(row('SPX', [])))).toBe('needs_price');
    expect(idOf(listed(row('SPX', [])), 6800)).toBe('index:SPX');
    expect(idOf(listed(row('SPX', [])), 1.05)).toBe('crypto:SPX6900');
    expect(idOf(listed(row('SPX', ['Meme'], 0)))).toBe('crypto:SPX6900');
    expect(idOf(listed(row('PAXG', ['Commodities'], 1)))).toBe('crypto:PAXG');
    expect(idOf(listed(row('BTCDOM', [], 0)))).toBe('index:BTCDOM');
    expect(idOf(listed(row('NEWCOIN', [], 0)))).toBe('crypto:NEWCOIN');
    expect(idOf(listed(row('OPENAI', ['pre-launch', 'STOCK'], 1)))).toBe('prelaunch:OPENAI');
  });
});

describe('aster taker fees', () => {
  it.each([
    ['a coin in USDT', row('BTC', ['Top'], 0), undefined],
    ['a coin in USD1', row('BTC', ['Top'], 0, 'USD1'), 0.5],
    ['a stock', row('AAPL', ['STOCK'], 1), 1.25],
    ['a fund', row('SPY', ['ETF'], 1), 1.25],
    ['a metal', row('XAU', ['Commodities'], 1), 1.25],
    ['a stock in USD1', row('SNDK', ['STOCK', 'USD1-RWA'], 1, 'USD1'), 1.25],
    ['what is no coin by a type of its own', { ...row('COPPER', [], 0), underlying: 'METAL' }, undefined],
    ['what is no coin', row('COPPER', ['Metals'], 1), 1.25],
    ['a coin of Group B', row('RTX', [], 0), 10],
    ['a stock that Group B lists as well', row('SKHYNIX', ['STOCK'], 1), 10],
    ['the same stock in USD1', row('SKHYNIX', ['STOCK', 'USD1-RWA'], 1, 'USD1'), 1.25],
    ['what is not launched', row('OPENAI', ['pre-launch', 'STOCK'], 1), undefined],
    ['a contract in USD1 of which only COIN is stated', row('NEW', [], undefined, 'USD1'), undefined],
  ])('%s', (_, given, bps) => {
    expect(listed(given).takerFeeBps).toBe(bps);
  });
});

function fail(): never {
  throw new Error('no instrument');
}

describeFapiRobustness(aster);

describeSamples(aster, () => {
  it('keeps order-book perpetuals and leaves out the oracle-priced product', () => {
    const decoded = decodeFile(aster, 'premium-index-all.json');
    expect(decoded.quotes).toEqual([
      {
        symbol: 'INJUSDT',
        fundingRate: 0.0001,
        nextFundingTime: 1_758_787_200_000,
        markPrice: 12.24330596,
        indexPrice: 12.24397502,
        venueTime: 1_758_764_335_000,
      },
    ]);
    expect(decoded.rejects.map(({ symbol }) => symbol)).toEqual(['GNSUSD', 'EGL1USD']);
    expect(decodeFile(aster, 'funding-info.json').quotes).toEqual([
      { symbol: 'INJUSDT', fundingIntervalHours: 8, fundingCap: 0.03, fundingFloor: -0.03 },
    ]);
  });

  it('reads open interest, volume and a settled rate', () => {
    expect(decodeFile(aster, 'open-interest-btcusdt.json').quotes).toEqual([
      { symbol: 'BTCUSDT', openInterestRaw: 6196.323, openInterestBase: 6196.323 },
    ]);
    expect(decodeFile(aster, 'ticker-24hr-all.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        volume24hRaw: 8753.286,
        volume24hBase: 8753.286,
        volume24hUsd: 923607368.61,
      },
    ]);
    expect(decodeFile(aster, 'funding-rate-history.json').funding).toEqual([
      { symbol: 'BTCUSDT', time: 1_747_209_600_000, rate: 0.0001 },
    ]);
  });

  it('the base: from the list, not from the symbol', () => {
    expect(instrumentsFrom(aster, 'exchange-info-doc.json')).toMatchObject([
      { venue: 'aster', symbol: 'DOGEUSDT', base: 'BLZ', quote: 'USDT', settle: 'USDT' },
    ]);
  });

  it('reads the frames', () => {
    expect(decodeFile(aster, 'ws-mark-price-btcusdt.jsonl').quotes).toMatchObject([
      { symbol: 'BTCUSDT', markPrice: 116809.6, indexPrice: 116836.93534884, fundingRate: 0.0001 },
    ]);
    expect(decodeFile(aster, 'ws-depth-btcusdt.jsonl').books).toMatchObject([
      {
        kind: 'delta',
        sequence: 156391349814,
        previousSequence: 156391348236,
        bids: [[114988.3, 0.147]],
        asks: [[114988.4, 1.06]],
      },
    ]);
    expect(decodeFile(aster, 'ws-ticker-cakeusdt.jsonl').quotes).toEqual([
      { symbol: 'CAKEUSDT', volume24hRaw: 15775, volume24hBase: 15775, volume24hUsd: 40714.46 },
    ]);
  });
});

describeKeepAlive(aster, {});
