import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../../test/venues/decode-call.ts';
import { decodeSample, describeSamples, loadSample, requestFor } from '../../../test/venues/samples.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { grvt } from './index.ts';

const decode = decoderOf(grvt);

describe('grvt', () => {
  it('lists active perpetuals; integers come as text or numbers', () => {
    const row = { kind: 'PERPETUAL', quote: 'USDT' };
    const decoded = decode('/full/v1/all_instruments', {
      result: [
        { ...row, instrument: 'KPEPE_USDT_Perp', funding_interval_hours: '8' },
        { ...row, instrument: 'SOL_USDT_Perp', funding_interval_hours: 4, status: 'ACTIVE' },
        { ...row, instrument: 'IP_USDT_Perp', funding_interval_hours: 8, status: 'DELISTED' },
        { ...row, instrument: 'BTC_USDT_Fut_25Dec26', kind: 'FUTURE' },
        { ...row, instrument: 'BTC_USDT_Call_25Dec26_100000', kind: 'CALL' },
        { ...row, instrument: 'NEW_USDT_Perp' },
      ],
    });
    expect(decoded.instruments.map((i) => [i.ticker, i.multiplier, i.fundingIntervalHours])).toEqual([
      ['PEPE', 1000, 8],
      ['SOL', 1, 4],
      ['NEW', 1, undefined],
    ]);
    expect(decoded.instruments[0]).toMatchObject({ quote: 'USDT', settle: 'USDT', contractSize: 1 });
    expect(decoded.rejects.map((r) => r.reason)).toEqual(['not_trading', 'dated', 'option', 'missing_field']);
    expect(decoded.rejects.at(-1)).toMatchObject({ detail: 'funding_interval_hours' });
  });

  it.each([
    [undefined, { reason: 'missing_field', detail: 'kind' }],
    ['SWAP', { reason: 'malformed', detail: 'kind' }],
    ['FUTURE', { reason: 'dated' }],
    ['PUT', { reason: 'option' }],
  ])('a row named as a perpetual of kind %s is left out with the reason', (kind, why) => {
    const result = [{ instrument: 'SOL_USDT_Perp', kind, funding_interval_hours: 8 }];
    expect(decode('/full/v1/all_instruments', { result })).toMatchObject({
      instruments: [],
      rejects: [{ symbol: 'SOL_USDT_Perp', ...why }],
    });
  });

  it('a one-sided volume is not read, and an empty side is unknown', () => {
    const row = {
      instrument: 'BTC_USDT_Perp',
      mark_price: '5',
      buy_volume_24h_b: '1',
      best_bid_price: '0.0',
    };
    expect(decode('/full/v1/ticker', { result: row }).quotes).toEqual([
      { symbol: 'BTC_USDT_Perp', markPrice: 5 },
    ]);
  });

  it('candles of trades are not marks', () => {
    const rows = {
      result: [{ instrument: 'BTC_USDT_Perp', open_time: '1767288240000000000', open: '10', close: '11' }],
    };
    const asked = (type: string) => ({
      request: requestFor('/full/v1/kline', 'POST', JSON.stringify({ type })),
    });
    expect(decode('/full/v1/kline', rows, asked('TRADE'))).toMatchObject({
      history: [],
      rejects: [{ reason: 'unknown_unit', detail: 'candles of trades' }],
    });
    expect(decode('/full/v1/kline', rows, asked('INDEX')).history).toEqual([
      { symbol: 'BTC_USDT_Perp', indexPrice: 10, time: 1_767_288_240_000 },
    ]);
    expect(decode('/full/v1/kline', rows, asked('MARK')).history).toMatchObject([
      { markPrice: 10, time: 1_767_288_240_000 },
    ]);
  });

  it('a first message of 1 after 0 is a delta, only 0/0 is a snapshot', () => {
    const frame = { stream: 'v1.book.d', feed: { instrument: 'BTC_USDT_Perp', bids: [], asks: [] } };
    const kind = (sequence_number: string, prev_sequence_number: string) =>
      decode('v1.book.d', { ...frame, sequence_number, prev_sequence_number }).books[0]?.kind;
    expect([kind('0', '0'), kind('1', '0')]).toEqual(['snapshot', 'delta']);
    const change = { ...frame, sequence_number: '37', prev_sequence_number: '36' };
    const book = { symbol: 'BTC_USDT_Perp', bids: [], asks: [], sequence: 37 };
    expect(decode('v1.book.d', change).books).toEqual([{ ...book, kind: 'delta', previousSequence: 36 }]);
    // Every message of the stream of snapshots is whole.
    const whole = { ...change, stream: 'v1.book.s' };
    expect(decode('v1.book.s', whole).books).toEqual([{ ...book, kind: 'snapshot' }]);
    const feed = { ...frame.feed, event_time: '1767288240123000000' };
    const stamped = { ...frame, feed, sequence_number: '0', prev_sequence_number: '0' };
    expect(decode('v1.book.d', stamped).books[0]?.venueTime).toBe(1_767_288_240_123);
  });

  it('a ticker: percent of an interval, both halves, nanoseconds', () => {
    const row = {
      instrument: 'KPEPE_USDT_Perp',
      event_time: '1767288240500000000',
      funding_interval_hours: 4,
      funding_rate: '0.0125',
      next_funding_time: '1767297600000000000',
      open_interest: '300',
      mark_price: '0.012',
      index_price: '0.0121',
      best_bid_price: '0.0119',
      best_ask_price: '0.0122',
      buy_volume_24h_b: '4',
      sell_volume_24h_b: '3',
      buy_volume_24h_q: '40',
      sell_volume_24h_q: '30',
    };
    const quote = {
      symbol: 'KPEPE_USDT_Perp',
      fundingRate: 0.000125,
      fundingIntervalHours: 4,
      nextFundingTime: 1_767_297_600_000,
      markPrice: 0.000012,
      indexPrice: expect.closeTo(0.0000121, 12),
      bestBid: expect.closeTo(0.0000119, 12),
      bestAsk: expect.closeTo(0.0000122, 12),
      openInterestRaw: 300,
      openInterestBase: 300_000,
      venueTime: 1_767_288_240_500,
      volume24hBase: 7000,
      volume24hRaw: 70,
      volume24hUsd: 70,
    };
    expect(decode('/full/v1/ticker', { result: row }).quotes).toMatchObject([quote]);
    expect(decode('v1.ticker.s', { stream: 'v1.ticker.s', feed: row }).quotes).toMatchObject([quote]);
  });

  it('reads settled rates, and the REST book', () => {
    const paid = {
      instrument: 'BTC_USDT_Perp',
      funding_time: '1767297600000000000',
      funding_rate: '-0.0034',
    };
    const result = [{ ...paid, funding_interval_hours: 4, mark_price: '99.5' }, paid];
    const { funding } = decode('/full/v1/funding', { result });
    const settled = { symbol: 'BTC_USDT_Perp', time: 1_767_297_600_000, rate: -0.000034 };
    expect(funding).toEqual([{ ...settled, intervalHours: 4, markPrice: 99.5 }, settled]);
    const level = (price: string, size: string) => ({ price, size, num_orders: 2 });
    const book = { instrument: 'BTC_USDT_Perp', bids: [level('99', '1.5')], asks: [level('101', '2')] };
    expect(decode('/full/v1/book', { result: book }).books).toMatchObject([
      { kind: 'snapshot', bids: [[99, 1.5]], asks: [[101, 2]] },
    ]);
  });

  it.each(['0', 0])('a settled rate with an interval of %j: the 8 h one in force', (hours) => {
    const row = {
      instrument: 'BTC_USDT_Perp',
      funding_time: '1760494260000000000',
      funding_rate: '-0.0034',
      funding_rate_8_h_avg: '-0.0038',
      funding_interval_hours: hours,
      mark_price: '112721.5',
    };
    expect(decode('/full/v1/funding', { result: [row] })).toMatchObject({
      funding: [
        {
          symbol: 'BTC_USDT_Perp',
          time: 1_760_494_260_000,
          rate: -0.000034,
          intervalHours: 8,
          markPrice: 112_721.5,
          observed: true,
        },
      ],
      rejects: [],
    });
  });

  it.each(['', null, 'x', -1, 25])(
    'a settled rate with an interval of %j is a payment of unknown interval',
    (hours) => {
      const row = {
        instrument: 'BTC_USDT_Perp',
        funding_time: '1760494260000000000',
        funding_rate: '-0.0034',
        funding_interval_hours: hours,
      };
      const { funding } = decode('/full/v1/funding', { result: [row] });
      expect(funding).toEqual([{ symbol: 'BTC_USDT_Perp', time: 1_760_494_260_000, rate: -0.000034 }]);
    },
  );

  it.each(['v1.ticker.d', 'v1.mini.d'])(
    'a change of %s without a field that is read is no row and no fault',
    (stream) => {
      const feed = { event_time: '1767198266500017753', instrument: 'BTC_USDT_Perp', best_ask_size: '5.708' };
      const change = { stream, feed, sequence_number: '1061718', prev_sequence_number: '1061717' };
      expect(decode('v1.mini', change)).toEqual(emptyDecoded());
      const priced = { ...change, feed: { ...feed, index_price: '87820.5' } };
      expect(decode('v1.mini', priced).quotes).toMatchObject([
        { symbol: 'BTC_USDT_Perp', indexPrice: 87_820.5 },
      ]);
      const broken = { ...change, feed: { ...feed, index_price: 'x' } };
      expect(decode('v1.mini', broken).rejects).toMatchObject([
        { reason: 'malformed', detail: 'indexPrice' },
      ]);
    },
  );

  it.each([
    [
      'the first frame of v1.mini.d',
      { stream: 'v1.mini.d', sequence_number: '0', prev_sequence_number: '0' },
    ],
    ['a frame of v1.mini.s', { stream: 'v1.mini.s', sequence_number: '5', prev_sequence_number: '4' }],
  ])('%s, which is whole, without a field that is read is a fault', (_, frame) => {
    const feed = { event_time: '1767198266500017753', instrument: 'BTC_USDT_Perp', best_ask_size: '5.708' };
    expect(decode('v1.mini', { ...frame, feed }).rejects).toEqual([
      { symbol: 'BTC_USDT_Perp', reason: 'missing_field', detail: 'no metric' },
    ]);
  });

  it('errors and streams that are no text: rejected; acks: ignored', () => {
    const error = { code: 3000, message: 'The requested data is out of range', status: 400 };
    const rejected = [{ symbol: null, reason: 'error_body', detail: `3000 ${error.message}` }];
    expect(decode('/full/v1/funding', error).rejects).toEqual(rejected);
    expect(decode('v1.book.d', { jsonrpc: '2.0', error, id: 1 }).rejects).toEqual(rejected);
    const result = { stream: 'v1.book.d', subs: ['BTC_USDT_Perp@100'], unsubs: [] };
    expect(decode('v1.book.d', { jsonrpc: '2.0', result, id: 1, method: 'subscribe' }).rejects).toEqual([]);
    const nameless = { stream: {}, feed: { instrument: 'BTC_USDT_Perp', mark_price: '1' } };
    expect(decode('v1.book.d', nameless).rejects).toMatchObject([{ detail: 'no stream' }]);
    expect(decode('v1.book.d', { id: 1 }).rejects).toMatchObject([{ detail: 'no stream' }]);
  });

  describeSamples(grvt, () => {
    it('ticker: percent becomes a fraction, volume is both halves', () => {
      const [decoded] = decodeSample(grvt, loadSample('grvt', 'ticker.json'));
      expect(decoded?.quotes[0]).toMatchObject({
        symbol: 'BTC_USDT_Perp',
        fundingRate: 0.000037,
        nextFundingTime: 1_764_777_600_000,
        markPrice: 92_697.300078773,
        indexPrice: 92_727.818122278,
        openInterestBase: 1523.218935908,
        venueTime: 1_764_774_730_025,
      });
      expect(decoded?.quotes[0]?.volume24hBase).toBeCloseTo(5801.745, 6);
      expect(decoded?.quotes[0]?.volume24hUsd).toBeCloseTo(535_125_950.8717, 3);
      const [stream] = decodeSample(grvt, loadSample('grvt', 'ws-ticker-s.jsonl'));
      expect(stream?.quotes[0]).toMatchObject({ fundingRate: 0.0001, fundingIntervalHours: 8 });
    });

    it('instruments of both ages and settled funding', () => {
      expect(decodeSample(grvt, loadSample('grvt', 'all-instruments.json'))[0]?.instruments).toMatchObject([
        { symbol: 'AAVE_USDT_Perp', fundingIntervalHours: 8 },
      ]);
      expect(decodeSample(grvt, loadSample('grvt', 'instrument-nvda.json'))[0]?.instruments).toMatchObject([
        { symbol: 'NVDA_USDT_Perp', ticker: 'NVDA', fundingIntervalHours: 8 },
      ]);
      const [funding] = decodeSample(grvt, loadSample('grvt', 'funding.json'));
      expect(funding?.funding).toMatchObject([
        { rate: -0.000034, time: 1_760_494_260_000, intervalHours: 8, observed: true },
      ]);
    });

    it('books and errors', () => {
      const books = decodeSample(grvt, loadSample('grvt', 'ws-book-d.jsonl')).flatMap((d) => d.books);
      expect(books.map((b) => [b.kind, b.sequence, b.previousSequence, b.bids.length])).toEqual([
        ['snapshot', 0, undefined, 2],
        ['delta', 36_481, 36_480, 2],
        ['delta', 36_490, 36_489, 0],
      ]);
      const acks = decodeSample(grvt, loadSample('grvt', 'ws-acks-errors.jsonl')).map(
        (d) => d.rejects[0]?.reason,
      );
      expect(acks).toEqual([undefined, undefined, 'error_body', 'error_body', 'error_body']);
      const [rest] = decodeSample(grvt, loadSample('grvt', 'book.json'));
      expect(rest?.books).toMatchObject([{ bids: [[92_336, 0.005]], asks: [[92_336.1, 5.711]] }]);
    });
  });
});
