import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { decodeSample, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { orderly } from './index.ts';

const decode = decoderOf(orderly);

const INFO = {
  success: true,
  timestamp: 1_786_022_130_191,
  data: {
    rows: [
      { symbol: 'PERP_1000PEPE_USDC', broker_id: null, funding_period: 4, status: 'ACTIVE' },
      { symbol: 'PERP_AAPL_USDC_mythos', broker_id: 'mythos', funding_period: 8, status: 'ACTIVE' },
      { symbol: 'PERP_OLD_USDC', broker_id: null, funding_period: 8, status: 'DELISTED' },
      { symbol: 'PERP_NEW_USDC', broker_id: null, status: 'ACTIVE' },
      { symbol: 'PERP_OWN_USDC', broker_id: 'mythos', funding_period: 8, status: 'ACTIVE' },
    ],
  },
};

describe('orderly', () => {
  it('lists shared active markets with their own interval', () => {
    const { instruments, rejects } = decode('/v1/public/info', INFO);
    expect(instruments.map((i) => [i.symbol, i.ticker, i.multiplier, i.fundingIntervalHours])).toEqual([
      ['PERP_1000PEPE_USDC', 'PEPE', 1000, 4],
      ['PERP_NEW_USDC', 'NEW', 1, undefined],
    ]);
    expect(instruments[0]).toMatchObject({ quote: 'USDC', settle: 'USDC', contractSize: 1 });
    expect(rejects.map((r) => [r.symbol, r.reason])).toEqual([
      ['PERP_AAPL_USDC_mythos', 'not_listed'],
      ['PERP_OLD_USDC', 'not_trading'],
      ['PERP_NEW_USDC', 'missing_field'],
      ['PERP_OWN_USDC', 'not_listed'],
    ]);
  });

  it('leaves out pairs of the spot market as such', () => {
    const rows = ['SPOT_ETH_USDC', 'PERP_ETH_EUR'].map((symbol) => ({ symbol, status: 'ACTIVE' }));
    expect(decode('/v1/public/info', { success: true, data: { rows } })).toMatchObject({
      instruments: [],
      rejects: [
        { symbol: 'SPOT_ETH_USDC', reason: 'spot' },
        { symbol: 'PERP_ETH_EUR', reason: 'not_listed' },
      ],
    });
  });

  it('divides prices and multiplies open interest of contracts of 1000 coins', () => {
    const row = { symbol: 'PERP_1000PEPE_USDC', mark_price: 0.012, open_interest: 5000, '24h_amount': 10 };
    const { quotes } = decode('/v1/public/futures', { success: true, data: { rows: [row] } });
    expect(quotes[0]?.markPrice).toBeCloseTo(0.000012, 12);
    expect(quotes[0]).toMatchObject({ openInterestRaw: 5000, openInterestBase: 5_000_000, volume24hUsd: 10 });
  });

  it('reads open interest "None" as unknown, with a reason', () => {
    const row = { symbol: 'PERP_BTC_USDC', mark_price: 1, open_interest: 'None' };
    const { quotes, rejects } = decode('/v1/public/futures', { success: true, data: { rows: [row] } });
    expect(quotes[0]).not.toHaveProperty('openInterestBase');
    expect(rejects).toMatchObject([{ symbol: 'PERP_BTC_USDC', reason: 'malformed' }]);
  });

  it.each([
    ['PERP_1000PEPE_USDC@bbo', (row: object) => row],
    ['bbos', (row: object) => [row]],
  ])('%s is the touch', (topic, wrap) => {
    const row = { symbol: 'PERP_1000PEPE_USDC', ask: 0.02, askSize: 5, bid: 0.01, bidSize: 4 };
    const { quotes, rejects } = decode('"topic"', { topic, ts: 1, data: wrap(row) });
    expect(quotes).toEqual([{ symbol: 'PERP_1000PEPE_USDC', bestBid: 0.00001, bestAsk: 0.00002 }]);
    expect(rejects).toEqual([]);
  });

  it.each([
    ['PERP_1000PEPE_USDC@ticker', (row: object) => row],
    ['tickers', (row: object) => [row]],
  ])('%s is the volume of the day', (topic, wrap) => {
    const row = {
      symbol: 'PERP_1000PEPE_USDC',
      open: 1,
      close: 2,
      high: 3,
      low: 1,
      volume: 5,
      amount: 10,
      count: 2,
    };
    const { quotes, rejects } = decode('"topic"', { topic, ts: 1, data: wrap(row) });
    expect(quotes).toEqual([
      { symbol: 'PERP_1000PEPE_USDC', volume24hBase: 5000, volume24hRaw: 10, volume24hUsd: 10 },
    ]);
    expect(rejects).toEqual([]);
  });

  it.each([
    ['PERP_1000PEPE_USDC@markprice', { price: 0.012 }, { markPrice: 0.000012 }],
    ['markprices', [{ price: 0.012 }], { markPrice: 0.000012 }],
    ['PERP_1000PEPE_USDC@openinterest', { openInterest: 5 }, { openInterestBase: 5000, openInterestRaw: 5 }],
  ])('%s is found by its name and read', (topic, data, values) => {
    const symbol = 'PERP_1000PEPE_USDC';
    const rows = Array.isArray(data) ? data.map((row) => ({ symbol, ...row })) : { symbol, ...data };
    expect(decode(topic, { topic, ts: 1, data: rows }).quotes).toEqual([{ symbol, ...values }]);
  });

  it.each([
    ['SPOT_ETH_USDC@indexprice', { symbol: 'SPOT_ETH_USDC', price: 1873.36 }],
    ['indexprices', [{ symbol: 'SPOT_ETH_USDC', price: 1873.36 }]],
  ])('%s is the index of the perpetual', (topic, data) => {
    const { quotes, rejects } = decode(topic, { topic, ts: 1, data });
    expect(quotes).toEqual([{ symbol: 'PERP_ETH_USDC', indexPrice: 1873.36 }]);
    expect(rejects).toEqual([]);
  });

  it('the time of a book: from the answer around it, by either name', () => {
    const data = { symbol: 'PERP_ETH_USDC', bids: [], asks: [{ price: 2, quantity: 3 }] };
    for (const stamp of [{ ts: 1_790_000_000_000 }, { timestamp: 1_790_000_000_000 }])
      expect(decode('/v1/public/query', { success: true, ...stamp, data }).books).toMatchObject([
        { sequence: 1_790_000_000_000, venueTime: 1_790_000_000_000 },
      ]);
  });

  it('rejects an unknown topic by name', () => {
    const frame = { topic: 'PERP_BTC_USDC@trade', ts: 1, data: { symbol: 'PERP_BTC_USDC', price: 1 } };
    expect(decode('"topic"', frame).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'topic PERP_BTC_USDC@trade' },
    ]);
    expect(decode('"topic"', { ts: 1 }).rejects).toMatchObject([{ detail: 'no topic' }]);
    const spot = { topic: 'SPOT_BTC_USDC@bbo', ts: 1, data: { symbol: 'SPOT_BTC_USDC', ask: 2, bid: 1 } };
    expect(decode('"topic"', spot).rejects).toEqual([{ symbol: 'SPOT_BTC_USDC', reason: 'spot' }]);
  });

  it('rejects an error body and ignores an acknowledgement', () => {
    expect(
      decode('/v1/public/futures', { success: false, code: -1003, message: 'slow down' }).rejects,
    ).toMatchObject([{ symbol: null, reason: 'error_body', detail: '-1003 slow down' }]);
    expect(decode('"topic"', { event: 'subscribe', success: true, ts: 1 }).rejects).toEqual([]);
  });

  it('reads the metrics of one market, whose row has no list around it', () => {
    const row = {
      symbol: 'PERP_ETH_USDC',
      mark_price: 2000,
      index_price: 2001,
      open_interest: 3,
      est_funding_rate: 0.0001,
      next_funding_time: 1_790_150_400_000,
      '24h_volume': 5,
      '24h_amount': 10_000,
    };
    const rate = { fundingRate: 0.0001, nextFundingTime: 1_790_150_400_000 };
    expect(decode('/v1/public/futures/PERP_ETH_USDC', { success: true, data: row }).quotes).toMatchObject([
      {
        ...rate,
        markPrice: 2000,
        indexPrice: 2001,
        openInterestBase: 3,
        volume24hBase: 5,
        volume24hUsd: 1e4,
      },
    ]);
    expect(decode('/v1/public/funding_rate/PERP_ETH_USDC', { success: true, data: row }).quotes).toEqual([
      { symbol: 'PERP_ETH_USDC', ...rate },
    ]);
  });

  it('a change of the book names the time of the one before', () => {
    const data = { symbol: 'PERP_ETH_USDC', prevTs: 1_790_000_000_000, asks: [[2, 0]], bids: [] };
    const frame = { topic: 'PERP_ETH_USDC@orderbookupdate', ts: 1_790_000_000_200, data };
    expect(decode('"topic"', frame).books).toMatchObject([
      { kind: 'delta', sequence: 1_790_000_000_200, previousSequence: 1_790_000_000_000, asks: [[2, 0]] },
    ]);
  });

  it('reads a book that was asked for on the socket, and a refusal of it', () => {
    const data = { symbol: 'PERP_ETH_USDC', ts: 1_790_000_000_000, asks: [[2, 3]], bids: [] };
    const answer = { id: '1', event: 'request', success: true, ts: 1_790_000_000_009, data };
    expect(decode('"topic"', answer).books).toMatchObject([
      { symbol: 'PERP_ETH_USDC', kind: 'snapshot', asks: [[2, 3]], sequence: 1_790_000_000_000 },
    ]);
    const level = (price: number, quantity: number) => ({ price, quantity });
    const rest = { symbol: 'PERP_ETH_USDC', bids: [level(1, 4)], asks: [level(2, 3)] };
    const stamped = { success: true, timestamp: 1_790_000_000_000, data: rest };
    const time = { sequence: 1_790_000_000_000, venueTime: 1_790_000_000_000 };
    expect(decode('/v1/public/query', stamped).books).toEqual([
      { symbol: 'PERP_ETH_USDC', kind: 'snapshot', bids: [[1, 4]], asks: [[2, 3]], ...time },
    ]);
    const refused = { id: '1', event: 'subscribe', success: false, errorMsg: 'invalid topic' };
    expect(decode('"topic"', refused).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: 'invalid topic' },
    ]);
  });

  it('reads marks and running rates of the socket, and rates paid', () => {
    const push = (topic: string, data: unknown) => decode('"topic"', { topic, ts: 1, data }).quotes;
    const mark = { symbol: 'PERP_1000PEPE_USDC', price: 0.02 };
    const quote = { symbol: 'PERP_1000PEPE_USDC', markPrice: 0.00002 };
    expect(push('PERP_1000PEPE_USDC@markprice', mark)).toEqual([quote]);
    expect(push('markprices', [mark])).toEqual([quote]);
    const rate = { symbol: 'PERP_ETH_USDC', fundingRate: 0.00018583, fundingTs: 1_790_150_400_000 };
    expect(push('PERP_ETH_USDC@estfundingrate', rate)).toEqual([
      { symbol: 'PERP_ETH_USDC', fundingRate: 0.00018583, nextFundingTime: 1_790_150_400_000 },
    ]);
    const rows = [
      { symbol: 'PERP_ETH_USDC', funding_rate: 0.0001, funding_rate_timestamp: 1_684_224_000_000 },
    ];
    const history = '/v1/public/funding_rate_history?symbol=PERP_ETH_USDC';
    expect(decode(history, { success: true, data: { rows } }).funding).toEqual([
      { symbol: 'PERP_ETH_USDC', time: 1_684_224_000_000, rate: 0.0001 },
    ]);
  });

  describeSamples(orderly, () => {
    it('futures come out as the source states them', () => {
      const decoded = decodeSample(orderly, loadSample('orderly', 'futures.json'))[0];
      expect(decoded?.quotes).toEqual([
        {
          symbol: 'PERP_BTC_USDC',
          fundingRate: 0.0001,
          nextFundingTime: 1_786_032_000_000,
          markPrice: 64_171,
          indexPrice: 64_185.4,
          openInterestRaw: 110.64612,
          openInterestBase: 110.64612,
          openInterestUsd: 110.64612 * 64_171,
          volume24hBase: 102.2817,
          volume24hUsd: 6_595_662.199482,
          volume24hRaw: 6_595_662.199482,
        },
      ]);
    });

    it('one info row on its own, funding rates and history', () => {
      expect(decodeSample(orderly, loadSample('orderly', 'info-row-btc.json'))[0]?.instruments).toMatchObject(
        [{ symbol: 'PERP_BTC_USDC', ticker: 'BTC', fundingIntervalHours: 8 }],
      );
      const rates = decodeSample(orderly, loadSample('orderly', 'funding-rates-docs.json'))[0];
      expect(rates?.quotes.map((q) => q.fundingRate)).toEqual([0, 0.02651942]);
      const history = decodeSample(orderly, loadSample('orderly', 'funding-rate-history.json'))[0];
      expect(history?.funding).toEqual([{ symbol: 'PERP_ETH_USDC', time: 1_684_224_000_000, rate: 0.0001 }]);
    });

    it('books: the change follows the snapshot by prevTs', () => {
      const books = decodeSample(orderly, loadSample('orderly', 'ws-book-eth.jsonl')).flatMap((d) => d.books);
      expect(books.map((b) => [b.kind, b.sequence, b.previousSequence])).toEqual([
        ['snapshot', 1_790_132_428_187, undefined],
        ['delta', 1_790_132_430_586, 1_790_132_428_187],
        ['snapshot', 1_790_132_430_586, undefined],
      ]);
    });

    it('socket ticks', () => {
      const quotes = decodeSample(orderly, loadSample('orderly', 'ws-anchors.jsonl')).flatMap(
        (d) => d.quotes,
      );
      expect(quotes).toEqual([
        { symbol: 'PERP_WOO_USDC', markPrice: 0.01292 },
        { symbol: 'PERP_SEI_USDC', markPrice: 0.06171 },
        { symbol: 'PERP_ETH_USDC', fundingRate: 0.00018583, nextFundingTime: 1_790_150_400_000 },
      ]);
    });
  });
});
