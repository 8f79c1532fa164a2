import { expect, it } from 'vitest';
import { reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { kucoin } from './index.ts';

/** Recordings of calls that carry no metric: candles of the last price, a basket, a token, a status. */
const WITHOUT_CALL = [
  'kline-XBTUSDTM.json',
  'index-query-KXBTUSDT.json',
  'bullet-public.json',
  'status.json',
];

describeSamples(kucoin, (samples) => {
  const contracts = (): readonly Instrument[] => {
    const { instruments } = decodeFile(kucoin, 'contracts-active-2025-03.json');
    return instruments.flatMap((btc) => [
      btc,
      { ...btc, symbol: 'ETHUSDTM', ticker: 'ETH', contractSize: 0.01 },
    ]);
  };

  it('has a call for every recording that carries metrics, contracts, rates or books', () => {
    const without = samples.filter(({ url, method }) => callFor(kucoin, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('reads recorded contracts of 2022 and 2025', () => {
    const recent = decodeFile(kucoin, 'contracts-active-2025-03.json');
    expect(recent.instruments).toMatchObject([{ symbol: 'XBTUSDTM', ticker: 'BTC', contractSize: 0.001 }]);
    expect(recent.quotes).toEqual([
      {
        symbol: 'XBTUSDTM',
        fundingRate: 0.000052,
        fundingIntervalHours: 8,
        markPrice: 86378.69,
        indexPrice: 86382.64,
        openInterestRaw: 6748176,
        openInterestBase: 6748.176,
        openInterestUsd: 6748.176 * 86378.69,
        volume24hRaw: 12069.225,
        volume24hBase: 12069.225,
        volume24hUsd: 1034643198.3265533,
      },
    ]);
    const old = decodeFile(kucoin, 'contracts-active-2022-06.json');
    expect(old.quotes).toMatchObject([
      { fundingRate: -0.000013, openInterestBase: 9876.432, markPrice: 29538.28 },
    ]);
    expect(reasons(old)).toEqual([['XBTUSDM', 'inverse']]);
  });

  it('reads recorded answers about one contract', () => {
    expect(decodeFile(kucoin, 'mark-price-XBTUSDTM.json').quotes).toEqual([
      { symbol: 'XBTUSDTM', markPrice: 67687.08, indexPrice: 67683.58, venueTime: 1729254307000 },
    ]);
    expect(decodeFile(kucoin, 'funding-rate-current-2025-05.json').quotes).toEqual([
      { symbol: 'XBTUSDTM', fundingRate: 0.000061, fundingIntervalHours: 8, nextFundingTime: 1748491200000 },
    ]);
    expect(decodeFile(kucoin, 'ua-funding-rate-2025-06.json').quotes).toEqual([
      { symbol: 'XBTUSDTM', fundingRate: 0.00003, nextFundingTime: 1750406400000 },
    ]);
    expect(decodeFile(kucoin, 'ua-v2-funding-rate-2026-09.json').quotes).toEqual([
      { symbol: 'XBTUSDTM', fundingRate: -0.000004, fundingIntervalHours: 8, nextFundingTime: 1789315200000 },
    ]);
    expect(reasons(decodeFile(kucoin, 'level2-snapshot-XBTUSDM.json'))).toEqual([['XBTUSDM', 'inverse']]);
    expect(reasons(decodeFile(kucoin, 'errors.jsonl'))).toEqual(Array(5).fill([null, 'error_body']));
  });

  it('reads recorded history and open interest', () => {
    const { funding, rejects } = decodeFile(kucoin, 'funding-rates-history-2023-12.json');
    expect([funding.length, rejects]).toEqual([30, []]);
    expect(funding[0]).toEqual({ symbol: 'XBTUSDTM', time: 1702296000000, rate: 0.00021 });
    expect(decodeFile(kucoin, 'ua-open-interest-2026-03.json', contracts()).quotes).toEqual([
      { symbol: 'ETHUSDTM', openInterestRaw: 8053960, openInterestBase: 80539.6 },
    ]);
    // The recorded request does not name its contract.
    expect(reasons(decodeFile(kucoin, 'ua-open-interest-history.json', contracts()))).toEqual([
      ['…', 'foreign_quote'],
    ]);
  });

  it('reads recorded frames of the classic socket', () => {
    expect(decodeFile(kucoin, 'ws-level2-XBTUSDTM-2024-11.jsonl', contracts()).books).toMatchObject([
      { symbol: 'XBTUSDTM', kind: 'delta', asks: [[90631.2, 0.002]], bids: [], sequence: 1709400450243 },
    ]);
    expect(decodeFile(kucoin, 'ws-level2Depth50-XBTUSDTM-2024-11.jsonl', contracts()).books).toMatchObject([
      {
        kind: 'snapshot',
        bids: [
          [89778.6, 1.534],
          [89778.2, 0.054],
        ],
        asks: [
          [89778.7, 0.854],
          [89779.2, 0.004],
        ],
      },
    ]);
    expect(decodeFile(kucoin, 'ws-instrument-XBTUSDTM-2024-11.jsonl').quotes).toEqual([
      { symbol: 'XBTUSDTM', markPrice: 90445.02, indexPrice: 90445.02, venueTime: 1731899129000 },
    ]);
    expect(decodeFile(kucoin, 'ws-snapshot24h-XBTUSDTM-2024-11.jsonl').quotes).toMatchObject([
      { symbol: 'XBTUSDTM', volume24hBase: 5834.46 },
    ]);
    expect(decodeFile(kucoin, 'ws-announcement-funding.jsonl').funding).toEqual([
      { symbol: 'XBTUSDTM', time: 1551770400000, rate: -0.002966 },
    ]);
  });

  it('reads recorded frames of the unified socket', () => {
    const { books, quotes, rejects } = decodeFile(kucoin, 'ws-uta-2026-09.jsonl', contracts());
    expect(books).toMatchObject([
      {
        symbol: 'ETHUSDTM',
        kind: 'snapshot',
        asks: [
          [2749.69, 0.96],
          [2749.7, 1.02],
        ],
        sequence: 1736604716203,
      },
      { symbol: 'XBTUSDTM', kind: 'delta', firstSequence: 1747821262584, sequence: 1747821262585 },
    ]);
    expect(quotes).toMatchObject([
      { markPrice: 86201.79, indexPrice: 86248.81, openInterestRaw: 11481754, openInterestBase: 11481.754 },
      { fundingRate: -0.000076, nextFundingTime: 1790121600000, fundingIntervalHours: 8 },
    ]);
    expect(rejects).toMatchObject([{ reason: 'error_body', detail: 'invalid request data' }]);
  });

  it('survives every field of every recording broken', () => {
    const context = contextOf(contracts());
    const problems = samples.flatMap((sample) => {
      const call = callFor(kucoin, sample.url, sample.method);
      if (call === undefined) return [];
      const asked = { ...context, request: requestFor(sample.url, sample.method) };
      return sample.payloads.flatMap((payload) => {
        const test = { name: sample.file, payload, decode: call.decode, context: asked };
        return mutate(test, { limit: 250 }).problems;
      });
    });
    expect(problems).toEqual([]);
  });
});
