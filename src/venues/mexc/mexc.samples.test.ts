import { expect, it } from 'vitest';
import { reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { mexc } from './index.ts';

describeSamples(mexc, (samples) => {
  const contracts = (): readonly Instrument[] => decodeFile(mexc, 'contract-detail.json').instruments;
  const withDoge = (): readonly Instrument[] =>
    contracts().flatMap((one) =>
      one.symbol === 'ETH_USDT' ? [one, { ...one, symbol: 'DOGE_USDT', contractSize: 100 }] : [one],
    );

  it('has a call for every recording', () => {
    const without = samples.filter(({ url, method }) => callFor(mexc, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual([]);
  });

  it('reads recorded contracts and a pushed one', () => {
    expect(contracts().map(({ symbol, contractSize }) => [symbol, contractSize])).toEqual([
      ['BTC_USDT', 0.0001],
      ['ETH_USDT', 0.001],
    ]);
    expect(decodeFile(mexc, 'ws-contract-CLO-2025-10.jsonl').instruments).toMatchObject([
      { symbol: 'CLO_USDT', contractSize: 10 },
    ]);
  });

  it('reads the recorded funding row of 2026 as stated, and older rows without prices', () => {
    expect(decodeFile(mexc, 'funding-rate-row-2026-09.json').quotes).toEqual([
      {
        symbol: 'BTC_USDT',
        fundingRate: 0.000067,
        fundingIntervalHours: 8,
        nextFundingTime: 1789459200000,
        markPrice: 77240.4,
        indexPrice: 77271.6,
        venueTime: 1789455551670,
      },
    ]);
    const old = decodeFile(mexc, 'funding-rate-all.json');
    expect(old.quotes.map(({ symbol, fundingRate, markPrice }) => [symbol, fundingRate, markPrice])).toEqual([
      ['BTC_USDT', -0.000489, undefined],
      ['ETH_USDT', -0.000489, undefined],
    ]);
    expect(old.rejects).toEqual([]);
  });

  it('reads recorded tickers, rates and books', () => {
    expect(decodeFile(mexc, 'ticker-all.json', contracts()).quotes).toMatchObject([
      {
        markPrice: 31199.5,
        indexPrice: 31016.3,
        openInterestRaw: 55102960,
        openInterestBase: expect.closeTo(5510.296, 6),
        volume24hBase: expect.closeTo(4014.6908, 6),
        volume24hUsd: 124905007.4428,
      },
    ]);
    expect(decodeFile(mexc, 'ws-ticker-BTC-2024-11.jsonl', contracts()).quotes).toMatchObject([
      {
        fundingRate: 0.0001,
        openInterestBase: expect.closeTo(9547.9623, 6),
        bestBid: 76376.2,
        bestAsk: 76376.3,
      },
    ]);
    expect(decodeFile(mexc, 'funding-rate-history.json').funding).toEqual([
      { symbol: 'BTC_USDT', time: 1609804800000, rate: 0.000266 },
      { symbol: 'BTC_USDT', time: 1609776000000, rate: 0.00029 },
    ]);
    const [book] = decodeFile(mexc, 'depth-BTC_USDT-2022.json', contracts()).books;
    expect(book?.bids[0]).toEqual([29675.5, expect.closeTo(5.9944, 9)]);
    expect(book?.sequence).toBe(5216820883);
  });

  it('publishes no empty book of a contract that stopped trading', () => {
    const decoded = decodeFile(mexc, 'depth-delisted-2026-09.json');
    expect([decoded.books, reasons(decoded)]).toEqual([[], [['ALIGN_USDT', 'not_trading']]]);
    expect(reasons(decodeFile(mexc, 'errors.jsonl'))).toEqual(Array(2).fill([null, 'error_body']));
  });

  it('reads recorded frames: merged and single increments, prices', () => {
    const merged = decodeFile(mexc, 'ws-depth-merged-2026-09.jsonl', withDoge());
    expect(merged.books).toMatchObject([
      { symbol: 'DOGE_USDT', kind: 'delta', firstSequence: 8752807948, sequence: 8752808003 },
    ]);
    expect(merged.books[0]?.asks[0]).toEqual([0.0801, 286_800]);
    expect(reasons(merged)).toEqual([
      ['SKHYNIXSTOCK_USDT', 'not_listed'],
      [null, 'error_body'],
    ]);
    const single = decodeFile(mexc, 'ws-depth-unmerged-2026-09.jsonl', contracts()).books;
    expect(single.map(({ firstSequence, sequence }) => [firstSequence, sequence])).toEqual([
      [37723308980, 37723308980],
      [37723308981, 37723308981],
    ]);
    expect(decodeFile(mexc, 'ws-anchor-2026-09.jsonl').quotes).toEqual([
      { symbol: 'BTC_USDT', indexPrice: 76027.1, venueTime: 1789498540911 },
      { symbol: 'BTC_USDT', markPrice: 75986, venueTime: 1789498540821 },
      { symbol: 'BTC_USDT', fundingRate: 0.000081, nextFundingTime: 1789516800000, venueTime: 1789498561049 },
    ]);
  });

  it('survives every field of every recording broken', () => {
    const context = contextOf(withDoge());
    const problems = samples.flatMap((sample) => {
      const call = callFor(mexc, sample.url, sample.method);
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
