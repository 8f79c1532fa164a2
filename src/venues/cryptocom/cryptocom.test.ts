import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { frames } from './books.ts';
import { cryptocom } from './index.ts';
import { decodeInstruments } from './wire.ts';

const none = contextOf();

const PERP = {
  symbol: 'BTCUSD-PERP',
  inst_type: 'PERPETUAL_SWAP',
  base_ccy: 'BTC',
  quote_ccy: 'USD',
  tradable: true,
  // A stray date on a perpetual means nothing.
  expiry_timestamp_ms: 1_692_950_400_000,
  underlying_symbol: 'BTCUSD-INDEX',
  contract_size: '1',
  product_type: 'DIGITAL_CURRENCIES',
};
const ROWS = [
  PERP,
  {
    ...PERP,
    symbol: 'NVDAUSD-PERP',
    base_ccy: 'NVDA',
    product_type: 'EQUITY',
    underlying_symbol: 'NVDAX-INDEX',
  },
  { ...PERP, symbol: 'NEWUSD-PERP', base_ccy: 'NEW', tradable: false },
  { ...PERP, symbol: 'EUREUR-PERP', quote_ccy: 'EUR' },
  { ...PERP, symbol: 'BTCUSD-261225', inst_type: 'FUTURE' },
  { ...PERP, symbol: 'BTCUSD-230630-CW30000', inst_type: 'WARRANT' },
  { ...PERP, symbol: 'BTC_USD', inst_type: 'CCY_PAIR' },
  { ...PERP, symbol: 'ODDUSD-PERP', inst_type: 'SPREAD' },
];
const INSTRUMENTS = { id: 1, method: 'public/get-instruments', code: 0, result: { data: ROWS } };
const LISTED = decodeInstruments(INSTRUMENTS, contextOf()).instruments;
const known = contextOf(LISTED);

const TICKER = { i: 'BTCUSD-PERP', a: '5', b: '4.9', k: null, v: '10', vv: '50', oi: '7', c: '0.0395', t: 1 };
const push = (channel: string, instrument_name: string, row: object, id: unknown = -1) => ({
  id,
  method: 'subscribe',
  code: 0,
  result: { instrument_name, subscription: `${channel}.${instrument_name}`, channel, data: [row] },
});
const valuation = (type: string, data: object[], more = '&count=1') =>
  decodeCall(
    cryptocom,
    `/exchange/v1/public/get-valuations?instrument_name=BTCUSD-PERP&valuation_type=${type}${more}`,
    { id: -1, method: 'public/get-valuations', code: 0, result: { data, instrument_name: 'BTCUSD-PERP' } },
    LISTED,
  );

describe('cryptocom contracts', () => {
  it('lists tradable perpetuals, with any expiry and the stated class', () => {
    expect(LISTED).toMatchObject([
      {
        symbol: 'BTCUSD-PERP',
        ticker: 'BTC',
        assetClass: 'crypto',
        indexId: 'BTCUSD-INDEX',
        contractSize: 1,
      },
      { symbol: 'NVDAUSD-PERP', assetClass: 'equity', indexId: 'NVDAX-INDEX', fundingIntervalHours: 1 },
    ]);
    expect(reasons(decodeInstruments(INSTRUMENTS, contextOf()))).toEqual([
      ['NEWUSD-PERP', 'not_trading'],
      ['EUREUR-PERP', 'foreign_quote'],
      ['BTCUSD-261225', 'dated'],
      ['BTCUSD-230630-CW30000', 'option'],
      ['BTC_USD', 'spot'],
      ['ODDUSD-PERP', 'not_listed'],
    ]);
  });

  it.each([
    ['EQUITY_IND', 'index'],
    ['COMMODITIES', 'commodity'],
    ['PRE_IPO', 'prelaunch'],
    ['CURRENCIES', 'fx'],
    ['BONDS', undefined],
  ])('a product of type %s is of class %s', (product_type, assetClass) => {
    const [contract] = decodeInstruments({ ...PERP, product_type }, none).instruments;
    expect(contract?.assetClass).toBe(assetClass);
  });

  it('names the base by its field, else by the symbol', () => {
    const { base_ccy: _, ...unnamed } = PERP;
    const named = { venue: 'cryptocom', base: 'BTC', quote: 'USD', settle: 'USD', multiplier: 1 };
    expect(decodeInstruments(unnamed, none).instruments).toMatchObject([named]);
    const other = { ...PERP, base_ccy: 'XBT' };
    expect(decodeInstruments(other, none).instruments).toMatchObject([{ base: 'XBT' }]);
  });

  it('uses a contract size other than 1', () => {
    const [thousand] = decodeInstruments({ ...PERP, contract_size: '1000' }, contextOf()).instruments;
    if (thousand === undefined) throw new Error('not listed');
    const [quote] = decodeCall(cryptocom, 'public/get-tickers', [TICKER], [thousand]).quotes;
    expect(quote).toMatchObject({
      openInterestRaw: 7,
      openInterestBase: 7000,
      volume24hBase: 10_000,
      bestBid: 4.9,
    });
  });

  it('no size of a contract, absent or null: one base unit', () => {
    const { contract_size: _, ...without } = PERP;
    for (const row of [without, { ...PERP, contract_size: null }]) {
      const decoded = decodeInstruments(row, contextOf());
      expect(decoded.instruments).toEqual([LISTED[0]]);
      expect(decoded.rejects).toEqual([]);
    }
  });

  it.each([
    ['', 'missing_field'],
    ['many', 'malformed'],
    ['0', 'out_of_range'],
  ])('leaves out a contract whose stated size is "%s"', (contract_size, reason) => {
    const decoded = decodeInstruments({ ...PERP, contract_size }, contextOf());
    expect([decoded.instruments, reasons(decoded)]).toEqual([[], [['BTCUSD-PERP', reason]]]);
  });
});

describe('cryptocom metrics', () => {
  it('reads open interest, volume and a nullable side from one bulk call', () => {
    for (const payload of [
      { code: 0, result: { data: [TICKER] } },
      { code: '0', result: { data: [TICKER] } },
      TICKER,
    ]) {
      expect(decodeCall(cryptocom, '/public/get-tickers', payload, LISTED).quotes).toEqual([
        {
          symbol: 'BTCUSD-PERP',
          bestBid: 4.9,
          openInterestBase: 7,
          openInterestRaw: 7,
          volume24hBase: 10,
          volume24hRaw: 10,
          volume24hUsd: 50,
        },
      ]);
    }
    const asked = decodeCall(cryptocom, '/public/get-tickers', { ...TICKER, b: null, k: '5.1' }, LISTED);
    expect(asked.quotes).toMatchObject([{ bestAsk: 5.1, volume24hUsd: 50 }]);
    expect(asked.quotes[0]).not.toHaveProperty('bestBid');
    const option = decodeCall(cryptocom, '/public/get-tickers', [{ ...TICKER, i: 'BTCUSD-230630-CW30000' }]);
    expect(reasons(option)).toEqual([['BTCUSD-230630-CW30000', 'option']]);
    const rows = ['BTC_USD', 'BTCUSD-261225', 'ETHUSD-PERP'].map((i) => ({ ...TICKER, i }));
    expect(reasons(decodeCall(cryptocom, '/public/get-tickers', rows, LISTED))).toEqual([
      ['BTC_USD', 'spot'],
      ['BTCUSD-261225', 'dated'],
      ['ETHUSD-PERP', 'not_listed'],
    ]);
  });

  it('an index by its own name; the rate of this hour, paid at its end', () => {
    const quotes = [
      push('mark', 'BTCUSD-PERP', { v: '86176.3', t: 1_790_114_562_000 }, 3),
      push('index', 'NVDAX-INDEX', { v: '186.5', t: 1_790_114_562_000 }),
      push('funding', 'BTCUSD-PERP', { v: '-0.000004992', t: 1_790_114_525_000 }),
    ].flatMap((frame) => frames.decode(frame, known).quotes);
    expect(quotes).toEqual([
      { symbol: 'BTCUSD-PERP', markPrice: 86_176.3, venueTime: 1_790_114_562_000 },
      { symbol: 'NVDAUSD-PERP', indexPrice: 186.5 },
      {
        symbol: 'BTCUSD-PERP',
        fundingRate: -0.000004992,
        fundingIntervalHours: 1,
        nextFundingTime: 1_790_118_000_000,
      },
    ]);
  });

  it('without a list: an index names its perpetual; empty pushes are faults', () => {
    const index = push('index', 'BTCUSD-INDEX', { v: '186.5', t: 1_790_114_562_000 });
    expect(frames.decode(index, none).quotes).toEqual([{ symbol: 'BTCUSD-PERP', indexPrice: 186.5 }]);
    const lacks = ['mark', 'index', 'funding'].map(
      (channel) => frames.decode(push(channel, 'BTCUSD-PERP', {}), none).rejects[0]?.detail,
    );
    expect(lacks).toEqual(['markPrice', 'indexPrice', 'fundingRate']);
  });

  it('frames without a channel: acknowledged silently; a refusal rejects', () => {
    const detailsOf = (frame: object) => frames.decode(frame, none).rejects.map(({ detail }) => detail);
    expect(detailsOf({ id: 1, method: 'subscribe', code: 0 })).toEqual([]);
    expect(detailsOf({ id: 1, code: 0 })).toEqual(['no channel']);
    expect(detailsOf({ id: 1, code: 40_003, msg: 'Unknown symbol' })).toEqual(['40003 Unknown symbol']);
  });

  it.each(['channel', 'data'])('a push whose %s is unreadable is a reject', (field) => {
    const { result, ...frame } = push('mark', 'BTCUSD-PERP', { v: '5', t: 1_790_114_562_000 });
    const damaged = [{ unexpected: [1] }, 7, { ...result, [field]: { unexpected: [1] } }];
    for (const one of damaged) {
      const rejects = [{ symbol: null, reason: 'unexpected_shape', detail: 'no channel' }];
      expect(frames.decode({ ...frame, result: one }, none)).toMatchObject({ quotes: [], rejects });
    }
  });

  it('an unreadable stamp of the rate: a reject; receipt dates the next', () => {
    const received = { ...known, receivedAt: asMs(1_790_118_001_000) };
    const damaged = push('funding', 'BTCUSD-PERP', { v: '0.00001', t: 'Infinity' });
    const { quotes, rejects } = frames.decode(damaged, received);
    expect(quotes).toMatchObject([{ fundingRate: 0.00001, nextFundingTime: 1_790_121_600_000 }]);
    expect(rejects).toEqual([{ symbol: 'BTCUSD-PERP', reason: 'malformed', detail: 't' }]);
  });

  it('a timestamp of the hour before: the next settlement follows receipt', () => {
    const frame = push('funding', 'BTCUSD-PERP', { v: '0.00001', t: 1_790_117_945_000 });
    const received = { ...known, receivedAt: asMs(1_790_118_001_000) };
    expect(frames.decode(frame, received).quotes[0]?.nextFundingTime).toBe(1_790_121_600_000);
  });

  it('ignores the estimate of the window after this one', () => {
    const frame = push('estimatedfunding', 'BTCUSD-PERP', { v: '0.5', t: 1_790_114_559_000 });
    expect([frames.decode(frame, known).quotes, reasons(frames.decode(frame, known))]).toEqual([
      [],
      [[null, 'unexpected_shape']],
    ]);
    const rest = valuation('estimated_funding_rate', [{ v: '0.5', t: 1_790_114_559_000 }]);
    expect([rest.quotes, reasons(rest)]).toEqual([[], [[null, 'unknown_unit']]]);
  });
});

describe('cryptocom valuations', () => {
  const early = { v: '10', t: 1_790_114_500_000 };
  const late = { v: '11', t: 1_790_114_560_000 };

  it('one row is the current value, several are history', () => {
    expect(valuation('mark_price', [late]).quotes).toEqual([
      { symbol: 'BTCUSD-PERP', markPrice: 11, venueTime: late.t },
    ]);
    expect(valuation('index_price', [late]).quotes).toEqual([{ symbol: 'BTCUSD-PERP', indexPrice: 11 }]);
    const past = valuation('mark_price', [late, early], '&count=2');
    expect([past.quotes, past.history]).toEqual([
      [],
      [
        { symbol: 'BTCUSD-PERP', time: late.t, markPrice: 11 },
        { symbol: 'BTCUSD-PERP', time: early.t, markPrice: 10 },
      ],
    ]);
    expect(valuation('index_price', [early], '&start_ts=1').history).toMatchObject([{ indexPrice: 10 }]);
    expect(valuation('index_price', [early], '&end_ts=1').history).toMatchObject([{ indexPrice: 10 }]);
  });

  it('several current rates: the newest; settled ones are history', () => {
    const rates = [
      { v: '0.1', t: early.t },
      { v: '0.2', t: late.t },
    ];
    expect(valuation('funding_rate', rates, '').quotes).toMatchObject([{ fundingRate: 0.2 }]);
    const settled = [{ v: '0.0001', t: 1_790_118_000_004 }];
    expect(valuation('funding_hist', settled).funding).toEqual([
      { symbol: 'BTCUSD-PERP', time: 1_790_118_000_000, rate: 0.0001, intervalHours: 1 },
    ]);
  });

  it('a rate without a readable time is no newer than one with', () => {
    const rates = ['no row', { v: '0.2', t: late.t }, { v: '0.1', t: 'soon' }];
    expect(valuation('funding_rate', rates as object[], '').quotes).toMatchObject([{ fundingRate: 0.2 }]);
  });

  it('values without a request are rejected', () => {
    const { quotes, rejects } = decodeCall(cryptocom, '/public/get-valuations', {
      code: 0,
      result: { data: [late] },
    });
    expect([quotes, rejects]).toEqual([
      [],
      [{ symbol: null, reason: 'unknown_unit', detail: 'valuation_type not known' }],
    ]);
    expect(reasons(valuation('mark_price', []))).toEqual([[null, 'unexpected_shape']]);
  });
});

describe('cryptocom books', () => {
  it('reads REST books, snapshots, deltas and empty deltas', () => {
    const sides = { bids: [['4.9', '2', '1']], asks: [['5.1', '3', '1']] };
    const whole = { symbol: 'BTCUSD-PERP', kind: 'snapshot', bids: [[4.9, 2]], asks: [[5.1, 3]] };
    const url = '/exchange/v1/public/get-book?instrument_name=BTCUSD-PERP&depth=10';
    const answer = { code: 0, result: { depth: 10, data: [{ ...sides, t: 1_790_114_273_395 }] } };
    expect(decodeCall(cryptocom, url, answer).books).toEqual([{ ...whole, venueTime: 1_790_114_273_395 }]);
    const bare = { ...sides, t: 1_790_114_273_395 };
    expect(decodeCall(cryptocom, url, bare).books).toHaveLength(1);
    const frame = push('book', 'BTCUSD-PERP', { ...sides, t: 1_790_114_273_395, u: 100, cs: 1 });
    expect(frames.decode(frame, none).books).toEqual([
      { ...whole, sequence: 100, venueTime: 1_790_114_273_395 },
    ]);
    const update = { asks: [], bids: [['4.9', '0', '0']] };
    const change = push('book.update', 'BTCUSD-PERP', {
      update,
      t: 1_790_114_273_400,
      u: 250,
      pu: 100,
      cs: 1,
    });
    expect(frames.decode(change, none).books).toMatchObject([
      { kind: 'delta', bids: [[4.9, 0]], asks: [], sequence: 250, previousSequence: 100 },
    ]);
  });
});

describe('cryptocom stream', () => {
  const [stream] = cryptocom.streams ?? [];
  if (stream === undefined) throw new Error('no stream');

  it('three channels a contract, on as few sockets as 400 channels allow', () => {
    const topics = stream.topics({ instruments: LISTED, now: asMs(0) });
    expect(topics).toEqual([
      'mark.BTCUSD-PERP',
      'funding.BTCUSD-PERP',
      'index.BTCUSD-INDEX',
      'mark.NVDAUSD-PERP',
      'funding.NVDAUSD-PERP',
      'index.NVDAX-INDEX',
    ]);
    expect(stream.topicsPerConnection).toBeLessThanOrEqual(400);
    expect(stream.topicsPerConnection % 3).toBe(0);
    // 396 contracts were listed in September 2026.
    expect(stream.topicsPerConnection * stream.maxConnections).toBeGreaterThanOrEqual(396 * 3);
    expect(JSON.parse(stream.subscribe(topics.slice(0, 2), 5)[0] ?? '')).toEqual({
      id: 5,
      method: 'subscribe',
      params: { channels: ['mark.BTCUSD-PERP', 'funding.BTCUSD-PERP'] },
    });
  });

  it('answers heartbeats with their own number', () => {
    const beat = { id: 1_790_114_291_578, method: 'public/heartbeat', code: 0 };
    expect(JSON.parse(stream.pong?.(beat) ?? '')).toEqual({
      id: beat.id,
      method: 'public/respond-heartbeat',
    });
    expect(stream.pong?.(push('mark', 'BTCUSD-PERP', {}))).toBeUndefined();
  });
});

describe('cryptocom calls', () => {
  it.each([
    ['https://api.crypto.com/exchange/v1/public/get-tickers?instrument_name=BTCUSD-PERP', 'get-tickers'],
    ['public/get-instruments', 'get-instruments'],
    ['get-book?instrument_name=BTCUSD-PERP', 'get-book'],
    ['/exchange/v1/public/get-valuations?valuation_type=mark_price', 'get-valuations'],
    ['mark.BTCUSD-PERP', 'market socket'],
    ['wss://stream.crypto.com/exchange/v1/market', 'market socket'],
    ['{"id":1,"method":"subscribe","params":{"channels":["book.BTCUSD-PERP.50"]}}', 'market socket'],
  ])('%s is %s', (named, call) => expect(callFor(cryptocom, named)?.name).toBe(call));

  it('rejects refusals and the page of an unknown path', () => {
    const rejects = (payload: unknown) => decodeCall(cryptocom, 'public/get-tickers', payload).rejects;
    expect(rejects({ code: 42_901, message: 'TOO_MANY_REQUESTS' })).toEqual([
      { symbol: null, reason: 'error_body', detail: '42901 TOO_MANY_REQUESTS' },
    ]);
    const page = {
      timestamp: '2026-09-22T21:43:19.938+00:00',
      status: 404,
      error: 'Not Found',
      path: '/v1/x',
    };
    expect(rejects(page)).toMatchObject([{ reason: 'error_body', detail: '404 Not Found' }]);
    expect(rejects({ code: 0, result: { data: [] } })).toMatchObject([{ reason: 'unexpected_shape' }]);
  });

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(cryptocom)).toEqual([]);
    expect(nonsenseProblems(cryptocom, known)).toEqual([]);
  });

  it.each([
    ['/public/get-instruments', INSTRUMENTS],
    ['/public/get-tickers', { code: 0, result: { data: [TICKER] } }],
    ['funding.BTCUSD-PERP', push('funding', 'BTCUSD-PERP', { v: '-0.000004992', t: 1_790_114_525_000 })],
  ])('survives every field of %s broken', (named, payload) => {
    const decode = callFor(cryptocom, named)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: named, payload, decode, context: known }).problems).toEqual([]);
  });
});

describeSamples(cryptocom, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(cryptocom, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-rest-404.json']);
  });

  it('recorded lists and values', () => {
    expect(decodeFile(cryptocom, 'instruments.json').instruments).toMatchObject([
      { symbol: 'RUNEUSD-PERP', ticker: 'RUNE', indexId: 'RUNEUSD-INDEX' },
    ]);
    expect(decodeFile(cryptocom, 'tickers.json').quotes).toMatchObject([
      { openInterestBase: 12_345.12, volume24hBase: 879.5024, volume24hUsd: 26_370_000.12, bestAsk: 51_180 },
    ]);
    expect(decodeFile(cryptocom, 'valuations-funding.json').quotes).toEqual([
      {
        symbol: 'BTCUSD-PERP',
        fundingRate: -0.000001884,
        fundingIntervalHours: 1,
        nextFundingTime: 1_687_896_000_000,
      },
    ]);
    expect(decodeFile(cryptocom, 'valuations-index-price.json').quotes).toEqual([
      { symbol: 'BTCUSD-PERP', indexPrice: 50_776.73 },
    ]);
  });

  it('recorded frames', () => {
    const values = decodeFile(cryptocom, 'ws-mark-index-funding.jsonl').quotes;
    expect(Object.assign({}, ...values)).toMatchObject({
      symbol: 'BTCUSD-PERP',
      markPrice: 86_176.3,
      indexPrice: 86_178.17,
      fundingRate: -0.000004992,
      nextFundingTime: 1_790_118_000_000,
    });
    expect(decodeFile(cryptocom, 'ws-ticker-ethusd-perp.jsonl').quotes).toMatchObject([
      { openInterestBase: 161_646.3614, volume24hUsd: 3_058_704_939.17, bestBid: 2335.1, bestAsk: 2335.16 },
    ]);
    const { books, rejects } = decodeFile(cryptocom, 'ws-book-ethusd-perp.jsonl');
    expect(books.map(({ kind, sequence, previousSequence }) => [kind, sequence, previousSequence])).toEqual([
      ['snapshot', 375_554_806_244_928, undefined],
      ['delta', 375_554_807_336_512, 375_554_807_297_984],
      ['delta', 369_501_268_112_000, 369_501_268_112_000],
    ]);
    expect(rejects).toEqual([]);
    expect(reasons(decodeFile(cryptocom, 'ws-errors.jsonl'))).toEqual(Array(2).fill([null, 'error_body']));
    expect(decodeFile(cryptocom, 'ws-heartbeat.jsonl').rejects).toEqual([]);
  });
});
