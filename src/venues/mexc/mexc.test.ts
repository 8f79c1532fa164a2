import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { secondWaysOf } from '../second-way.ts';
import { mexc } from './index.ts';

const ok = (data: unknown) => ({ success: true, code: 0, data });

function contract(symbol: string, changes: object = {}) {
  const [baseCoin, quoteCoin] = symbol.split('_');
  return {
    symbol,
    baseCoin,
    quoteCoin,
    settleCoin: quoteCoin,
    contractSize: 0.01,
    state: 0,
    futureType: 1,
    type: 1,
    takerFeeRate: 0.0002,
    apiAllowed: true,
    ...changes,
  };
}

const DETAIL = ok([
  contract('ETH_USDT'),
  contract('BTC_USDC', { apiAllowed: false }),
  contract('PEPE_USDT', { contractSize: 10_000_000 }),
  contract('1000BONK_USDT', { contractSize: 10 }),
  contract('NVDA_USDT', { type: 2 }),
  contract('OLD_USDT', { futureType: undefined, type: undefined }),
  contract('BTC_USD', { settleCoin: 'BTC', contractSize: 100 }),
  contract('BTC_USD1'),
  contract('ETH_USDT_20261225', { futureType: 2 }),
  contract('SOL_USDT_20261225', { futureType: undefined }),
  contract('ODD_USDT', { settleCoin: 'XYZ' }),
  contract('END_USDT', { state: 1 }),
  contract('GONE_USDT', { state: 2 }),
  contract('KIND_USDT', { futureType: 3 }),
  contract('OFF_USDT', { state: 3 }),
  contract('HALT_USDT', { state: 4 }),
  contract('ELSE_USDT', { state: 9 }),
  contract('SIZE_USDT', { contractSize: null }),
  [],
]);

const base = '/api/v1/contract';
const LISTED = decodeCall(mexc, `${base}/detail`, DETAIL).instruments;

describe('mexc contracts', () => {
  it('lists live linear perpetuals, also those closed to the API', () => {
    expect(
      LISTED.map((i) => [i.symbol, i.ticker, i.multiplier, i.contractSize, i.settle, i.assetClass]),
    ).toEqual([
      ['ETH_USDT', 'ETH', 1, 0.01, 'USDT', undefined],
      ['BTC_USDC', 'BTC', 1, 0.01, 'USDC', undefined],
      ['PEPE_USDT', 'PEPE', 1, 10_000_000, 'USDT', undefined],
      ['1000BONK_USDT', 'BONK', 1000, 10, 'USDT', undefined],
      ['NVDA_USDT', 'NVDA', 1, 0.01, 'USDT', 'equity'],
      ['OLD_USDT', 'OLD', 1, 0.01, 'USDT', undefined],
    ]);
  });

  it('rejects every other row with a reason', () => {
    const decoded = decodeCall(mexc, `${base}/detail/country`, DETAIL);
    const detailOf = (name: string) => decoded.rejects.find(({ symbol }) => symbol === name)?.detail;
    expect([detailOf('KIND_USDT'), detailOf('ELSE_USDT')]).toEqual(['futureType', 'state']);
    expect(['1000BONK_USDT', 'BTC_USD'].map(mexc.baseOf)).toEqual(['1000BONK', undefined]);
    expect(reasons(decoded)).toEqual([
      ['BTC_USD', 'inverse'],
      ['BTC_USD1', 'foreign_quote'],
      ['ETH_USDT_20261225', 'dated'],
      ['SOL_USDT_20261225', 'dated'],
      ['ODD_USDT', 'quanto'],
      ['END_USDT', 'delisted'],
      ['GONE_USDT', 'delisted'],
      ['KIND_USDT', 'out_of_range'],
      ['OFF_USDT', 'delisted'],
      ['HALT_USDT', 'not_trading'],
      ['ELSE_USDT', 'out_of_range'],
      ['SIZE_USDT', 'missing_field'],
      [null, 'missing_field'],
    ]);
  });
});

describe('mexc contracts before their launch and before their market', () => {
  const launch = 1_790_000_000_000;
  const list = (changes: object, at?: number) =>
    decodeCall(
      mexc,
      `${base}/detail`,
      ok([contract('NEW_USDT', changes)]),
      [],
      at === undefined ? undefined : asMs(at),
    );

  it('an enabled contract before its opening: announced, then listed', () => {
    const early = list({ openingTime: launch }, launch - 1);
    expect([early.instruments, early.rejects]).toEqual([
      [],
      [{ symbol: 'NEW_USDT', reason: 'prelisting', detail: 'launch 2026-09-21T14:13:20.000Z' }],
    ]);
    expect(list({ openingTime: launch }, launch).instruments).toHaveLength(1);
    expect(list({ openingTime: launch }).instruments).toHaveLength(1);
  });

  it.each([0, null, undefined])('an opening of %j says nothing', (openingTime) => {
    expect(list({ openingTime }, launch).instruments).toHaveLength(1);
    expect(reasons(list({ openingTime, state: 4 }, launch))).toEqual([['NEW_USDT', 'not_trading']]);
  });

  it.each([
    [true, 'prelaunch'],
    [false, undefined],
    [undefined, undefined],
    [null, undefined],
  ])('a pre-market of %j is the class %j', (preMarket, assetClass) => {
    expect(list({ preMarket }).instruments[0]?.assetClass).toBe(assetClass);
    expect(list({ preMarket, type: 2 }).instruments[0]?.assetClass).toBe(assetClass ?? 'equity');
  });

  it('has no index before the market, in no call', () => {
    const listed = list({ preMarket: true }).instruments;
    const row = { symbol: 'NEW_USDT', collectCycle: 8, fundingRate: 0, nextSettleTime: launch, lastPrice: 5 };
    const prices = { idxPrice: 5, indexPrice: 5, fairPrice: 6, price: 5 };
    const pushed = {
      channel: 'push.index.price',
      symbol: 'NEW_USDT',
      ts: launch,
      data: { ...row, ...prices },
    };
    for (const call of ['funding_rate', 'ticker']) {
      const { quotes, rejects } = decodeCall(mexc, `${base}/${call}`, ok([{ ...row, ...prices }]), listed);
      expect([quotes[0]?.markPrice, rejects], call).toEqual([6, []]);
      expect(quotes[0], call).not.toHaveProperty('indexPrice');
    }
    const alone: readonly (readonly [string, unknown])[] = [
      [`${base}/index_price/NEW_USDT`, ok({ ...row, ...prices })],
      ['sub.index.price', pushed],
    ];
    for (const [named, payload] of alone) {
      const decoded = decodeCall(mexc, named, payload, listed);
      expect([decoded.quotes, reasons(decoded)], named).toEqual([[], [['NEW_USDT', 'placeholder']]]);
    }
  });
});

describe('mexc metrics', () => {
  it('reads rate, interval, settlement, mark and index of the funding call', () => {
    const row = {
      symbol: '1000BONK_USDT',
      fundingRate: -0.0002,
      maxFundingRate: 0.0018,
      collectCycle: 24,
      nextSettleTime: 1_790_006_400_000,
      timestamp: 1_790_000_000_010,
      idxPrice: 0.02,
      fairPrice: 0.021,
    };
    expect(decodeCall(mexc, `${base}/funding_rate`, ok([row]), LISTED).quotes).toEqual([
      {
        symbol: '1000BONK_USDT',
        fundingRate: -0.0002,
        fundingIntervalHours: 24,
        fundingCap: 0.0018,
        nextFundingTime: 1_790_006_400_000,
        markPrice: 0.021 / 1000,
        indexPrice: 0.02 / 1000,
        venueTime: 1_790_000_000_010,
      },
    ]);
    expect(decodeCall(mexc, `${base}/funding_rate/1000BONK_USDT`, ok(row)).quotes).toHaveLength(1);
  });

  const ticker = {
    symbol: 'ETH_USDT',
    lastPrice: 4000,
    bid1: 3999.9,
    ask1: 4000.1,
    volume24: 50_050,
    amount24: 2_002_000,
    holdVol: 20_000,
    indexPrice: 4001,
    fairPrice: 4000,
    fundingRate: 0.0001,
    timestamp: 1_790_000_000_000,
  };

  it('the ticker: contracts x size, without the stamp of the last trade', () => {
    expect(decodeCall(mexc, `${base}/ticker`, ok([ticker]), LISTED).quotes).toEqual([
      {
        symbol: 'ETH_USDT',
        fundingRate: 0.0001,
        markPrice: 4000,
        indexPrice: 4001,
        openInterestRaw: 20_000,
        openInterestBase: 200,
        openInterestUsd: 800_000,
        volume24hRaw: 50_050,
        volume24hBase: 500.5,
        volume24hUsd: 2_002_000,
        bestBid: 3999.9,
        bestAsk: 4000.1,
      },
    ]);
    const bare = decodeCall(mexc, `${base}/ticker?symbol=ETH_USDT`, ok(ticker)).quotes[0];
    expect(bare).toMatchObject({ openInterestRaw: 20_000, volume24hRaw: 50_050 });
    expect(bare).not.toHaveProperty('openInterestBase');
    expect(bare).not.toHaveProperty('volume24hBase');
  });

  it('polls mark, index and rate from the funding call alone', () => {
    const poll = mexc.polls.find(({ call }) => call.name.startsWith('ticker'));
    const [quote] = poll?.call.decode(ok([ticker]), contextOf(LISTED)).quotes ?? [];
    expect(Object.keys(quote ?? {})).toEqual([
      'symbol',
      'openInterestRaw',
      'openInterestBase',
      'volume24hRaw',
      'volume24hBase',
      'volume24hUsd',
      'bestBid',
      'bestAsk',
    ]);
  });

  it('leaves out coins without a market, other quotes and unlisted rows', () => {
    const rows = [
      { ...ticker, symbol: 'ETH_USDT', lastPrice: 0 },
      { ...ticker, symbol: 'MX_USDT' },
      { ...ticker, symbol: 'BTC_USD' },
      { ...ticker, symbol: 'BTC_USD1' },
    ];
    expect(reasons(decodeCall(mexc, `${base}/ticker`, ok(rows), LISTED))).toEqual([
      ['ETH_USDT', 'placeholder'],
      ['MX_USDT', 'not_listed'],
      ['BTC_USD', 'inverse'],
      ['BTC_USD1', 'foreign_quote'],
    ]);
  });

  it('error bodies with HTTP 200: one reject, under either text key', () => {
    for (const body of [
      { success: false, code: 1001, message: 'Contract does not exist' },
      { success: false, code: '1001', msg: 'Contract does not exist' },
    ]) {
      expect(decodeCall(mexc, `${base}/ticker`, body).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: '1001 Contract does not exist' },
      ]);
    }
    expect(
      decodeCall(mexc, `${base}/ticker`, { success: true, code: '0', data: [ticker] }).quotes,
    ).toHaveLength(1);
  });

  it('reads index and fair price of one contract', () => {
    expect(
      decodeCall(mexc, `${base}/index_price/ETH_USDT`, ok({ symbol: 'ETH_USDT', indexPrice: 5 })).quotes,
    ).toEqual([{ symbol: 'ETH_USDT', indexPrice: 5 }]);
    expect(
      decodeCall(mexc, `${base}/fair_price/ETH_USDT`, ok({ symbol: 'ETH_USDT', fairPrice: 6 })).quotes,
    ).toEqual([{ symbol: 'ETH_USDT', markPrice: 6 }]);
  });
});

describe('mexc settled funding', () => {
  const settled = (more: object) =>
    decodeCall(
      mexc,
      `${base}/funding_rate/history?symbol=ETH_USDT`,
      ok({ resultList: [{ symbol: 'ETH_USDT', fundingRate: 3e-4, settleTime: 1_790_006_400_000, ...more }] }),
    );
  const point = { symbol: 'ETH_USDT', time: 1_790_006_400_000, rate: 0.0003 };

  it('states the interval of each payment, which older rows lack', () => {
    expect(settled({ collectCycle: 4 }).funding).toEqual([{ ...point, intervalHours: 4 }]);
    for (const collectCycle of [undefined, null, 0]) {
      const { funding, rejects } = settled({ collectCycle });
      expect([funding, rejects]).toEqual([[point], []]);
    }
  });

  const [one] = LISTED;
  const to = asMs(1_790_006_400_000);

  it('is back-filled by pages of a thousand', () => {
    const payments = mexc.backfill?.find(({ kind }) => kind === 'funding');
    if (one === undefined || payments === undefined) throw new Error('no payments');
    expect(payments).toMatchObject({ points: 1000, pages: 20 });
    expect([1, 2].map((page) => payments.request(one, asMs(to - HOUR_MS), to, page).path)).toEqual([
      `${base}/funding_rate/history?symbol=ETH_USDT&page_num=1&page_size=1000`,
      `${base}/funding_rate/history?symbol=ETH_USDT&page_num=2&page_size=1000`,
    ]);
  });

  it('is looked at by the second reader for the newest fifty alone', () => {
    const paths = secondWaysOf(mexc).map(({ request }) => one && request(one, to).path);
    expect(paths.filter((path) => path?.includes('/history'))).toEqual([
      `${base}/funding_rate/history?symbol=ETH_USDT&page_num=1&page_size=50`,
    ]);
  });
});

describe('mexc history and books', () => {
  it('reads settled rates and columns of fair price candles', () => {
    const resultList = [{ symbol: 'ETH_USDT', fundingRate: 0.0003, settleTime: 1_790_006_400_000 }];
    expect(
      decodeCall(mexc, `${base}/funding_rate/history?symbol=ETH_USDT`, ok({ pageSize: 1, resultList }))
        .funding,
    ).toEqual([{ symbol: 'ETH_USDT', time: 1_790_006_400_000, rate: 0.0003 }]);
    const columns = { time: [1_790_000_000, 1_790_000_060], open: [4000, 4001], close: [1, 2] };
    expect(decodeCall(mexc, `${base}/kline/fair_price/ETH_USDT?interval=Min1`, ok(columns)).history).toEqual([
      { symbol: 'ETH_USDT', time: 1_790_000_000_000, markPrice: 4000 },
      { symbol: 'ETH_USDT', time: 1_790_000_060_000, markPrice: 4001 },
    ]);
    expect(decodeCall(mexc, `${base}/kline/index_price/ETH_USDT`, ok(columns)).history).toMatchObject([
      { indexPrice: 4000 },
      { indexPrice: 4001 },
    ]);
    expect(
      reasons(decodeCall(mexc, `${base}/kline/fair_price/ETH_USDT`, ok({ time: [1], open: [] }))),
    ).toEqual([[null, 'unexpected_shape']]);
  });

  it('reads the REST book, and the empty one of a delisted contract as none', () => {
    const book = {
      asks: [[4000.1, 50, 2]],
      bids: [['3.9999E+3', 100, 1]],
      version: 7,
      timestamp: 1_790_000_000_000,
    };
    expect(decodeCall(mexc, `${base}/depth/ETH_USDT?limit=5`, ok(book), LISTED).books).toEqual([
      {
        symbol: 'ETH_USDT',
        kind: 'snapshot',
        bids: [[3999.9, 1]],
        asks: [[4000.1, 0.5]],
        sequence: 7,
        venueTime: 1_790_000_000_000,
      },
    ]);
    const empty = decodeCall(mexc, `${base}/depth/ETH_USDT`, ok({ ...book, asks: [], bids: [] }), LISTED);
    expect([empty.books, reasons(empty)]).toEqual([[], [['ETH_USDT', 'not_trading']]]);
  });

  it('returns the last deltas oldest first', () => {
    const commit = (version: number) => ({
      cts: 1_790_000_000_000 + version,
      asks: [[4000, version, 1]],
      bids: [],
      version,
    });
    const { books } = decodeCall(
      mexc,
      `${base}/depth_commits/ETH_USDT/2`,
      ok([commit(9), commit(8)]),
      LISTED,
    );
    const stamps = books.map(({ kind, firstSequence, sequence, venueTime }) => [
      ...[kind, firstSequence, sequence],
      venueTime,
    ]);
    expect(stamps).toEqual([
      ['delta', 8, 8, 1_790_000_000_008],
      ['delta', 9, 9, 1_790_000_000_009],
    ]);
  });
});

describe('mexc frames', () => {
  const push = (channel: string, data: unknown) => ({
    symbol: 'ETH_USDT',
    data,
    channel,
    ts: 1_790_000_000_001,
  });

  it('chains merged and single increments, with version, without, or alone', () => {
    const levels = { asks: [[4000, 0, 0]], bids: [[0.0801, 100, 1]] };
    const spans = [{ begin: 5, end: 7, version: 7 }, { begin: 8, end: 8 }, { version: 9 }].flatMap(
      (sequences) =>
        decodeCall(mexc, 'sub.depth', push('push.depth', { ...levels, ...sequences }), LISTED).books,
    );
    expect(spans.map(({ firstSequence, sequence, asks }) => [firstSequence, sequence, asks[0]])).toEqual([
      [5, 7, [4000, 0]],
      [8, 8, [4000, 0]],
      [9, 9, [4000, 0]],
    ]);
    const full = push('push.depth.full', { ...levels, version: 3, cts: 1_790_000_000_000 });
    expect(decodeCall(mexc, 'sub.depth.full', full, LISTED).books).toMatchObject([
      { kind: 'snapshot', sequence: 3, venueTime: 1_790_000_000_000 },
    ]);
  });

  it('an increment alone whose version cannot be read is a reject', () => {
    const change = push('push.depth', { asks: [[4000, 0, 0]], bids: [], version: {} });
    const decoded = decodeCall(mexc, 'sub.depth', change, LISTED);
    expect([decoded.books, reasons(decoded)]).toEqual([[], [['ETH_USDT', 'malformed']]]);
  });

  it('reads all tickers, contract changes and prices', () => {
    const row = { symbol: 'ETH_USDT', lastPrice: 1, fairPrice: 2, indexPrice: 3, volume24: 4, amount24: 5 };
    expect(decodeCall(mexc, 'sub.tickers', { channel: 'push.tickers', data: [row], ts: 1 }).quotes).toEqual([
      { symbol: 'ETH_USDT', markPrice: 2, indexPrice: 3, volume24hRaw: 4, volume24hUsd: 5 },
    ]);
    expect(
      decodeCall(mexc, 'sub.contract', push('push.contract', contract('NEW_USDT'))).instruments,
    ).toMatchObject([{ symbol: 'NEW_USDT' }]);
    const price = push('push.fair.price', { symbol: 'ETH_USDT', price: 4000 });
    expect(decodeCall(mexc, 'sub.fair.price', price).quotes).toEqual([
      { symbol: 'ETH_USDT', markPrice: 4000, venueTime: 1_790_000_000_001 },
    ]);
    const index = push('push.index.price', { symbol: 'ETH_USDT', price: 4001 });
    expect(decodeCall(mexc, 'sub.index.price', index).quotes).toEqual([
      { symbol: 'ETH_USDT', indexPrice: 4001, venueTime: 1_790_000_000_001 },
    ]);
    const rate = { symbol: 'ETH_USDT', rate: -0.0001, nextSettleTime: 1_790_006_400_000 };
    expect(decodeCall(mexc, 'sub.funding.rate', push('push.funding.rate', rate)).quotes).toEqual([
      {
        symbol: 'ETH_USDT',
        fundingRate: -0.0001,
        nextFundingTime: 1_790_006_400_000,
        venueTime: 1_790_000_000_001,
      },
    ]);
  });

  it('ignores control frames and rejects errors', () => {
    for (const channel of ['rs.sub.depth', 'pong']) {
      expect(decodeCall(mexc, 'sub.depth', { channel, data: 'success', ts: 1 }).rejects).toEqual([]);
    }
    const error = { channel: 'rs.error', data: 'Contract [NOPE_USDT] not exists', ts: 1 };
    expect(decodeCall(mexc, 'sub.depth', error).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: 'Contract [NOPE_USDT] not exists' },
    ]);
    expect(reasons(decodeCall(mexc, 'sub.depth', push('push.deal', [])))).toEqual([
      [null, 'unexpected_shape'],
    ]);
  });
});

describe('mexc calls', () => {
  it.each([
    ['https://contract.mexc.com/api/v1/contract/funding_rate', 'funding_rate'],
    ['https://api.mexc.com/api/v1/contract/funding_rate/BTC_USDT', 'funding_rate of one contract'],
    ['/api/v1/contract/funding_rate/history?symbol=BTC_USDT', 'funding_rate/history'],
    ['/api/v1/contract/detail?symbol=BTC_USDT', 'detail'],
    ['/api/v1/contract/ticker', 'ticker'],
    ['wss://contract.mexc.com/edge', 'public socket'],
    ['{"method":"sub.depth.full","param":{"symbol":"BTC_USDT","limit":20}}', 'public socket'],
  ])('%s is %s', (named, call) => expect(callFor(mexc, named)?.name).toBe(call));

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(mexc)).toEqual([]);
    expect(nonsenseProblems(mexc, contextOf(LISTED))).toEqual([]);
  });

  it('survives every field broken', () => {
    const decode = callFor(mexc, `${base}/detail`)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: 'detail', payload: DETAIL, decode }).problems).toEqual([]);
  });
});

describeSamples(mexc, (samples) => {
  const contracts = (): readonly Instrument[] => decodeFile(mexc, 'contract-detail.json').instruments;
  const withDoge = (): readonly Instrument[] =>
    contracts().flatMap((contract) =>
      contract.symbol === 'ETH_USDT'
        ? [contract, { ...contract, symbol: 'DOGE_USDT', contractSize: 100 }]
        : [contract],
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

  it('the recorded row of 2026: as published; older ones lack prices', () => {
    expect(decodeFile(mexc, 'funding-rate-row-2026-09.json').quotes).toEqual([
      {
        symbol: 'BTC_USDT',
        fundingRate: 0.000067,
        fundingIntervalHours: 8,
        fundingCap: 0.0018,
        fundingFloor: -0.0018,
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
