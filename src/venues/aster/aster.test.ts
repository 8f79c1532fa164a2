import { describe, expect, it } from 'vitest';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { describeFapiRobustness } from '../../../test/venues/fapi-checks.ts';
import * as fapi from '../../../test/venues/fapi-fixture.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { callFor, contextOf, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
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
      { symbol: 'INJUSDT', fundingIntervalHours: 8 },
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

  it('takes the base from the list, not from the symbol, where the documentation mixes them up', () => {
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
