import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { decodeSample, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { completeQuote } from '../../domain/complete.ts';
import { asPrice } from '../../domain/units.ts';
import { hibachi } from './index.ts';

const decode = decoderOf(hibachi);
const RATES = '/market/data/funding-rates?symbol=BTC%2FUSDT-P';
const settled = (...hours: number[]) => ({
  data: hours.map((h) => ({ fundingTimestamp: 1_753_488_000 + h * 3600, fundingRate: '0.0001' })),
});

describe('hibachi', () => {
  it('lists live USDT contracts with the fee of the answer', () => {
    const row = { symbol: 'BTC/USDT-P', settlementSymbol: 'USDT', status: 'LIVE' };
    const futureContracts = [
      row,
      { ...row, symbol: 'OLD/USDT-P', status: 'CLOSED' },
      { ...row, symbol: 'X/USD-P' },
    ];
    const decoded = decode('/market/exchange-info', {
      feeConfig: { tradeTakerFeeRate: '0.00045' },
      futureContracts,
    });
    expect(decoded.instruments).toMatchObject([
      { symbol: 'BTC/USDT-P', ticker: 'BTC', quote: 'USDT', settle: 'USDT', takerFeeBps: 4.5 },
    ]);
    expect(decoded.instruments[0]).not.toHaveProperty('fundingIntervalHours');
    expect(decoded.rejects.map((r) => r.reason)).toEqual(['not_trading', 'foreign_quote']);
  });

  it('the interval: the spacing of settlements, unknown with one', () => {
    expect(decode(RATES, settled(16, 8, 0)).quotes).toEqual([
      { symbol: 'BTC/USDT-P', fundingIntervalHours: 8 },
    ]);
    expect(decode(RATES, settled(16, 8, 0)).funding.map((p) => p.intervalHours)).toEqual([undefined, 8, 8]);
    expect(decode(RATES, settled(0)).quotes).toEqual([]);
    expect(decode(RATES, settled(0, 1.5)).quotes).toEqual([]);
  });

  it('a skipped settlement: no longer interval, unless it lasts', () => {
    const interval = (...hours: number[]) => decode(RATES, settled(...hours)).quotes[0]?.fundingIntervalHours;
    expect(interval(0, 1, 2, 4)).toBe(1);
    expect(interval(0, 1, 2, 4, 5)).toBe(1);
    expect(interval(0, 8, 16, 20)).toBe(4);
    expect(interval(0, 1, 2, 10, 18, 26)).toBe(8);
    const points = decode(RATES, settled(0, 1, 2, 4)).funding;
    expect(points.map((point) => point.intervalHours)).toEqual([undefined, 1, 1, 1]);
    const hours = (...at: number[]) =>
      decode(RATES, settled(...at)).funding.map((point) => point.intervalHours);
    expect(hours(0, 1, 3, 4, 5)).toEqual([undefined, 1, 1, 1, 1]);
    expect(hours(0, 1, 2, 10, 18, 26, 34)).toEqual([undefined, 1, 1, 8, 8, 8, 8]);
    expect(hours(0, 8, 16, 17, 18)).toEqual([undefined, 8, 8, 1, 1]);
  });

  it('reads the running rate of a frame', () => {
    const estimate = { estimatedFundingRate: '-0.000301', nextFundingTimestamp: 1_740_902_400 };
    const frame = {
      symbol: 'ETH/USDT-P',
      topic: 'funding_rate_estimation',
      data: { fundingRateEstimation: estimate },
    };
    expect(decode('funding_rate_estimation', frame).quotes).toEqual([
      { symbol: 'ETH/USDT-P', fundingRate: -0.000301, nextFundingTime: 1_740_902_400_000 },
    ]);
    expect(decode('funding_rate_estimation', { ...frame, data: {} }).quotes).toEqual([]);
  });

  it.each([{}, 0.0001, 'soon'])(
    'an estimate of %j is a reject, the prices beside it are read',
    (estimate) => {
      const prices = { symbol: 'ETH/USDT-P', markPrice: '3514.28', fundingRateEstimation: estimate };
      expect(decode('/market/data/prices', prices)).toMatchObject({
        quotes: [{ symbol: 'ETH/USDT-P', markPrice: 3514.28 }],
        rejects: [{ symbol: 'ETH/USDT-P', reason: 'malformed', detail: 'fundingRate' }],
      });
    },
  );

  it.each([{}, 7, '0.00045'])(
    'a feeConfig of %j is a reject, the contracts beside it are read',
    (feeConfig) => {
      const futureContracts = [{ symbol: 'BTC/USDT-P', settlementSymbol: 'USDT', status: 'LIVE' }];
      const { instruments, rejects } = decode('/market/exchange-info', { feeConfig, futureContracts });
      expect(instruments).toHaveLength(1);
      expect(rejects).toEqual([{ symbol: null, reason: 'unexpected_shape', detail: 'feeConfig' }]);
    },
  );

  it('volume: USDT; base units by the mark of another call', () => {
    const [volume] = decode('/market/data/stats', { symbol: 'BTC/USDT-P', volume24h: '1485054.567' }).quotes;
    expect(volume).toEqual({
      symbol: 'BTC/USDT-P',
      volume24hRaw: 1_485_054.567,
      volume24hUsd: 1_485_054.567,
    });
    const full = completeQuote({ symbol: 'BTC/USDT-P', ...volume, markPrice: asPrice(100_000) });
    expect(full.volume24hBase).toBeCloseTo(14.85054567, 10);
  });

  it('states until when a contract is closed, where known', () => {
    const row = { symbol: 'XAUT/USDT-P', settlementSymbol: 'USDT', status: 'CLOSED' };
    const futureContracts = [{ ...row, marketOpenTimestamp: '1790550000.5' }, row, { ...row, status: null }];
    expect(decode('/market/exchange-info', { futureContracts }).rejects).toEqual([
      { symbol: 'XAUT/USDT-P', reason: 'not_trading', detail: 'CLOSED, opens 2026-09-27T23:00:00.500Z' },
      { symbol: 'XAUT/USDT-P', reason: 'not_trading', detail: 'CLOSED' },
      { symbol: 'XAUT/USDT-P', reason: 'not_trading', detail: 'status' },
    ]);
  });

  it('an error body is a reject', () => {
    const body = { errorCode: 4, message: 'Invalid input: Invalid symbol', status: 'failed' };
    expect(decode('/market/data/prices', body).rejects).toMatchObject([
      { reason: 'error_body', detail: '4 Invalid input: Invalid symbol' },
    ]);
  });

  it('reads the running rate, prices and open interest of one contract', () => {
    const prices = {
      symbol: 'ETH/USDT-P',
      markPrice: '3514.28',
      spotPrice: '3514.71',
      tradePrice: '3512.4',
      bidPrice: '3513.5',
      askPrice: '3514.6',
      fundingRateEstimation: { estimatedFundingRate: '0.000001', nextFundingTimestamp: 1_712_707_200 },
    };
    expect(decode('/market/data/prices', prices).quotes).toEqual([
      {
        symbol: 'ETH/USDT-P',
        fundingRate: 0.000001,
        nextFundingTime: 1_712_707_200_000,
        markPrice: 3514.28,
        indexPrice: 3514.71,
        bestBid: 3513.5,
        bestAsk: 3514.6,
      },
    ]);
    const interest = '/market/data/open-interest?symbol=ETH%2FUSDT-P';
    expect(decode(interest, { totalQuantity: '2.33' }).quotes).toEqual([
      { symbol: 'ETH/USDT-P', openInterestRaw: 2.33, openInterestBase: 2.33 },
    ]);
  });

  it('snapshots by REST and frame; a change to 0 deletes', () => {
    const level = (price: string, quantity: string) => ({ price, quantity });
    const side = (...levels: readonly object[]) => ({ levels });
    const book = { bid: side(level('99', '1.5')), ask: side(level('101', '2')) };
    const whole = { symbol: 'ETH/USDT-P', kind: 'snapshot', bids: [[99, 1.5]], asks: [[101, 2]] };
    expect(decode('/market/data/orderbook?symbol=ETH%2FUSDT-P', book).books).toMatchObject([whole]);
    const frame = { symbol: 'ETH/USDT-P', topic: 'orderbook', timestamp_ms: 1_712_707_200_123 };
    expect(decode('orderbook', { ...frame, messageType: 'Snapshot', data: book }).books).toMatchObject([
      { ...whole, venueTime: 1_712_707_200_123 },
    ]);
    const change = { bid: side(level('99', '0')), ask: side() };
    expect(decode('orderbook', { ...frame, messageType: 'Update', data: change }).books).toMatchObject([
      { kind: 'delta', bids: [[99, 0]], asks: [] },
    ]);
  });

  it('an error on the socket: only that error; another topic is named', () => {
    const rejects = (frame: object) => decode('orderbook', frame).rejects;
    expect(rejects({ errorCode: 4, message: 'Invalid symbol', status: 'failed' })).toMatchObject([
      { reason: 'error_body' },
    ]);
    expect(rejects({ topic: 'trades', symbol: 'BTC/USDT-P' })).toMatchObject([
      { reason: 'unexpected_shape', detail: 'topic' },
    ]);
  });

  describeSamples(hibachi, () => {
    it('prices, open interest, statistics, settled rates, book', () => {
      const [prices] = decodeSample(hibachi, loadSample('hibachi', 'prices.json'));
      expect(prices?.quotes).toEqual([
        {
          symbol: 'ETH/USDT-P',
          fundingRate: 0.000001,
          nextFundingTime: 1_712_707_200_000,
          markPrice: 3514.288858,
          indexPrice: 3514.715,
          bestBid: 3513.596112,
          bestAsk: 3514.650296,
        },
      ]);
      const [interest] = decodeSample(hibachi, loadSample('hibachi', 'open-interest.json'));
      expect(interest?.quotes).toMatchObject([{ symbol: 'ETH/USDT-P', openInterestBase: 2.3299770166 }]);
      const [stats] = decodeSample(hibachi, loadSample('hibachi', 'stats.json'));
      expect(stats?.quotes).toEqual([
        { symbol: 'ETH/USDT-P', volume24hRaw: 23_554.858590416, volume24hUsd: 23_554.858590416 },
      ]);
      const [rates] = decodeSample(hibachi, loadSample('hibachi', 'funding-rates.json'));
      expect(rates?.funding).toEqual([{ symbol: 'BTC/USDT-P', time: 1_753_488_000_000, rate: 0.000137 }]);
      const [book] = decodeSample(hibachi, loadSample('hibachi', 'orderbook.json'));
      expect(book?.books[0]?.asks[0]).toEqual([3511.93, 0.284772482]);
      const [info] = decodeSample(hibachi, loadSample('hibachi', 'exchange-info.json'));
      expect(info?.instruments).toMatchObject([{ symbol: 'ETH/USDT-P', takerFeeBps: 4.5 }]);
      const frames = decodeSample(hibachi, loadSample('hibachi', 'ws-orderbook-shape.jsonl')).flatMap(
        (d) => d.books,
      );
      expect(frames.map((b) => [b.kind, b.bids])).toEqual([
        ['snapshot', [[67_432.1, 1.234]]],
        ['delta', [[67_432.1, 0]]],
      ]);
    });
  });
});
