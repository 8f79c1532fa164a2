import { describe, expect, it } from 'vitest';
import { agrees, scanOf } from '../../../test/books/scanner-cases.ts';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, requestFor } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { bitget } from './index.ts';

const ok = (data: unknown) => ({ code: '00000', msg: 'success', requestTime: 1_790_000_000_000, data });

function contract(symbol: string, changes: object = {}) {
  return {
    symbol,
    baseCoin: symbol.replace(/USDT$|PERP$/, ''),
    quoteCoin: 'USDT',
    takerFeeRate: '0.0006',
    supportMarginCoins: ['USDT'],
    sizeMultiplier: '0.001',
    symbolType: 'perpetual',
    symbolStatus: 'normal',
    fundInterval: '8',
    isRwa: 'NO',
    ...changes,
  };
}

const CONTRACTS = ok([
  contract('BTCUSDT'),
  contract('1000BONKUSDT', { fundInterval: '4' }),
  contract('BTCPERP', { quoteCoin: 'USDC' }),
  contract('TSLAUSDT', { isRwa: 'YES', takerFeeRate: '0.000065' }),
  contract('NEWUSDT', { symbolStatus: 'listed' }),
  contract('SHUTUSDT', { symbolStatus: 'maintain' }),
  contract('GONEUSDT', { symbolStatus: 'off' }),
  contract('ODDUSDT', { symbolStatus: 'dreaming' }),
  contract('ENTRYUSDT', { symbolStatus: 'limit_open' }),
  contract('EXITUSDT', { symbolStatus: 'limit_close' }),
  contract('OWNUSDT', { symbolStatus: 'restrictedAPI' }),
  contract('BTCUSD', { baseCoin: 'BTC', quoteCoin: 'USD', supportMarginCoins: ['BTC', 'USDC'] }),
  contract('BTCUSDZ26', { quoteCoin: 'USD', symbolType: 'delivery' }),
  contract('SBTCSUSDT', { quoteCoin: 'SUSDT' }),
  'no row',
]);

const LISTED = decodeCall(
  bitget,
  '/api/v2/mix/market/contracts?productType=USDT-FUTURES',
  CONTRACTS,
).instruments;

function ticker(symbol: string, changes: object = {}) {
  return {
    symbol,
    lastPr: '0.02',
    askPr: '0.0201',
    bidPr: '0.0199',
    ts: '1790000000123',
    baseVolume: '5000',
    quoteVolume: '100',
    usdtVolume: '100',
    indexPrice: '0.0202',
    fundingRate: '-0.000171',
    holdingAmount: '70000',
    deliveryStartTime: null,
    deliveryTime: null,
    deliveryStatus: '',
    markPrice: '0.02',
    ...changes,
  };
}

describe('bitget instruments', () => {
  it('a contract listed before its launch: left out, then listed', () => {
    const launch = 1_790_000_000_000;
    const early = ok([
      contract('NEWUSDT', { symbolStatus: 'listed', launchTime: String(launch) }),
      contract('SOONUSDT', { launchTime: String(launch) }),
      contract('OLDUSDT', { launchTime: '' }),
    ]);
    const at = (ms: number) => decodeCall(bitget, '/api/v2/mix/market/contracts', early, [], asMs(ms));
    const detail = 'launch 2026-09-21T14:13:20.000Z';
    expect(at(launch - 1).rejects).toEqual([
      { symbol: 'NEWUSDT', reason: 'prelisting', detail },
      { symbol: 'SOONUSDT', reason: 'prelisting', detail },
    ]);
    expect(at(launch).instruments.map(({ symbol }) => symbol)).toEqual(['SOONUSDT', 'OLDUSDT']);
  });

  it('lists open linear perpetuals; the size step is no contract size', () => {
    expect(LISTED.map((i) => [i.symbol, i.ticker, i.multiplier, i.contractSize, i.settle])).toEqual([
      ['BTCUSDT', 'BTC', 1, 1, 'USDT'],
      ['1000BONKUSDT', 'BONK', 1000, 1, 'USDT'],
      ['BTCPERP', 'BTC', 1, 1, 'USDC'],
      ['TSLAUSDT', 'TSLA', 1, 1, 'USDT'],
    ]);
    expect(LISTED.map((i) => [i.fundingIntervalHours, i.assetClass, i.takerFeeBps])).toEqual([
      [8, 'crypto', undefined],
      [4, 'crypto', undefined],
      [8, 'crypto', undefined],
      // YES covers stocks, indices, metals and announced coins: which of them is not said.
      [8, undefined, 0.65],
    ]);
    const one = decodeCall(bitget, '/api/v2/mix/market/contracts?symbol=BTCUSDT', ok(contract('BTCUSDT')));
    expect(one.instruments).toEqual([LISTED[0]]);
    expect(LISTED[0]).toMatchObject({ venue: 'bitget', base: 'BTC', quote: 'USDT' });
  });

  it('reads a million CHEEMS in one unit, and any other power of ten by rule', () => {
    const rows = ok([contract('1MCHEEMSUSDT'), contract('1MLNFOOUSDT')]);
    expect(decodeCall(bitget, '/api/v2/mix/market/contracts', rows).instruments).toMatchObject([
      { base: '1MCHEEMS', ticker: 'CHEEMS', multiplier: 1_000_000, contractSize: 1 },
      { base: '1MLNFOO', ticker: 'FOO', multiplier: 1_000_000, nameReading: 'ruled_multiplier' },
    ]);
  });

  it('rejects every other row with a reason', () => {
    expect(reasons(decodeCall(bitget, '/api/v2/mix/market/contracts', CONTRACTS))).toEqual([
      ['NEWUSDT', 'prelisting'],
      ['SHUTUSDT', 'not_trading'],
      ['GONEUSDT', 'delisted'],
      ['ODDUSDT', 'malformed'],
      ['ENTRYUSDT', 'not_trading'],
      ['EXITUSDT', 'not_trading'],
      ['OWNUSDT', 'not_trading'],
      ['BTCUSD', 'inverse'],
      ['BTCUSDZ26', 'dated'],
      ['SBTCSUSDT', 'foreign_quote'],
      [null, 'malformed'],
    ]);
  });

  it('the list of the unified account: stock, and no other real class', () => {
    const row = {
      ...contract('TSLAUSDT', { isRwa: 'YES' }),
      symbolType: 'stock',
      type: 'perpetual',
      status: 'online',
    };
    const closed = { ...row, symbol: 'OLDUSDT', status: 'offline' };
    const others = [
      { ...row, ...contract('XAUUSDT', { isRwa: 'YES', symbolType: 'metal' }) },
      { ...row, ...contract('BTCUSDT', { symbolType: 'crypto' }) },
    ];
    const decoded = decodeCall(
      bitget,
      '/api/v3/market/instruments?category=USDT-FUTURES',
      ok([row, closed, ...others]),
    );
    expect(decoded.instruments.map(({ symbol, assetClass }) => [symbol, assetClass])).toEqual([
      ['TSLAUSDT', 'equity'],
      ['XAUUSDT', undefined],
      ['BTCUSDT', 'crypto'],
    ]);
    expect(reasons(decoded)).toEqual([['OLDUSDT', 'delisted']]);
  });
});

describe('bitget metrics', () => {
  it('reads every metric of a ticker and takes blocks of 1000 apart', () => {
    const { quotes, rejects } = decodeCall(
      bitget,
      '/api/v2/mix/market/tickers?productType=USDT-FUTURES',
      ok([ticker('1000BONKUSDT')]),
      LISTED,
    );
    expect(rejects).toEqual([]);
    expect(quotes).toEqual([
      {
        symbol: '1000BONKUSDT',
        fundingRate: -0.000171,
        markPrice: 0.00002,
        indexPrice: 0.0202 / 1000,
        openInterestRaw: 70_000,
        openInterestBase: 70_000_000,
        openInterestUsd: expect.closeTo(1400, 9),
        volume24hRaw: 5000,
        volume24hBase: 5_000_000,
        volume24hUsd: 100,
        bestBid: 0.0199 / 1000,
        bestAsk: 0.0201 / 1000,
        venueTime: 1_790_000_000_123,
      },
    ]);
  });

  it('the unified account: the same under its names, stamped by the row', () => {
    const row = {
      category: 'USDT-FUTURES',
      symbol: '1000BONKUSDT',
      ts: '1790000000123',
      deliveryTime: '',
      ask1Price: '0.0201',
      bid1Price: '0.0199',
      volume24h: '5000',
      turnover24h: '101',
      indexPrice: '0.0202',
      markPrice: '0.02',
      fundingRate: '-0.000171',
      openInterest: '70000',
      nextFundingTime: '1790006400000',
    };
    const spot = ['SPOT', 'MARGIN'].map((category) => ({ ...row, category, symbol: 'BTCUSDT' }));
    const decoded = decodeCall(bitget, '/api/v3/market/tickers', ok([row, ...spot]), LISTED);
    expect(decoded.quotes).toEqual([
      {
        symbol: '1000BONKUSDT',
        fundingRate: -0.000171,
        nextFundingTime: 1_790_006_400_000,
        markPrice: 0.00002,
        indexPrice: 0.0202 / 1000,
        openInterestRaw: 70_000,
        openInterestBase: 70_000_000,
        openInterestUsd: expect.closeTo(1400, 9),
        volume24hRaw: 5000,
        volume24hBase: 5_000_000,
        volume24hUsd: 101,
        bestBid: 0.0199 / 1000,
        bestAsk: 0.0201 / 1000,
        venueTime: 1_790_000_000_123,
      },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTCUSDT', 'spot'],
      ['BTCUSDT', 'spot'],
    ]);
  });

  it('open interest of both generations, the settlement of one contract', () => {
    const interest = (url: string, data: object) => decodeCall(bitget, url, ok(data), LISTED).quotes;
    const read = [{ symbol: '1000BONKUSDT', openInterestRaw: 70_000, openInterestBase: 70_000_000 }];
    const ts = '1790000000123';
    const classic = { openInterestList: [{ symbol: '1000BONKUSDT', size: '70000' }], ts };
    expect(interest('/api/v2/mix/market/open-interest', classic)).toEqual(read);
    const unified = { list: [{ symbol: '1000BONKUSDT', openInterest: '70000' }], ts };
    expect(interest('/api/v3/market/open-interest', unified)).toEqual(read);
    const settlement = { symbol: 'BTCUSDT', nextFundingTime: '1790006400000', ratePeriod: '4' };
    for (const data of [settlement, [settlement]])
      expect(interest('/api/v2/mix/market/funding-time', data)).toEqual([
        { symbol: 'BTCUSDT', fundingIntervalHours: 4, nextFundingTime: 1_790_006_400_000 },
      ]);
  });

  it.each([
    '/api/v2/mix/market/contracts',
    '/api/v2/mix/market/tickers',
    '/api/v2/mix/market/history-mark-candles?symbol=BTCUSDT',
    '/api/v3/market/instruments',
    '/api/v3/market/tickers',
  ])('%s whose data is an object with a list has another form than expected', (url) => {
    expect(decodeCall(bitget, url, ok({ list: [] }), LISTED).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'no rows' },
    ]);
  });

  it('leaves out dated, inverse and unlisted rows', () => {
    const rows = [
      ticker('BTCUSDZ26', { fundingRate: '0' }),
      ticker('ETHUSD_231229'),
      ticker('BTCUSD'),
      ticker('BTCUSD_CM'),
      ticker('BTCUSDT', { deliveryTime: '1774598400000' }),
      ticker('ELSEUSDT'),
      ticker('BTCEUR'),
    ];
    expect(reasons(decodeCall(bitget, '/api/v2/mix/market/tickers', ok(rows), LISTED))).toEqual([
      ['BTCUSDZ26', 'dated'],
      ['ETHUSD_231229', 'dated'],
      ['BTCUSD', 'inverse'],
      ['BTCUSD_CM', 'inverse'],
      ['BTCUSDT', 'dated'],
      ['ELSEUSDT', 'not_listed'],
      ['BTCEUR', 'foreign_quote'],
    ]);
  });

  it('reads interval and settlement; rows without a cap are no market', () => {
    const row = (symbol: string, changes: object = {}) => ({
      symbol,
      fundingRate: '0.0001',
      fundingRateInterval: '4',
      nextUpdate: '1790006400000',
      minFundingRate: '-0.003',
      maxFundingRate: '0.003',
      ...changes,
    });
    const decoded = decodeCall(
      bitget,
      '/api/v2/mix/market/current-fund-rate?productType=USDT-FUTURES',
      ok([row('BTCUSDT'), row('BGTESTMEUSDT', { maxFundingRate: null, nextUpdate: '0' })]),
    );
    expect(decoded.quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.0001,
        fundingIntervalHours: 4,
        nextFundingTime: 1_790_006_400_000,
        fundingCap: 0.003,
        fundingFloor: -0.003,
      },
    ]);
    expect(reasons(decoded)).toEqual([['BGTESTMEUSDT', 'placeholder']]);
  });

  it('rejects a missing or unreadable field by name', () => {
    const broken = ticker('BTCUSDT', { markPrice: 'n/a', fundingRate: '7', indexPrice: undefined });
    const { quotes, rejects } = decodeCall(bitget, '/api/v2/mix/market/tickers', ok([broken]));
    expect(quotes[0]).not.toHaveProperty('markPrice');
    expect(quotes[0]).not.toHaveProperty('openInterestUsd');
    expect(rejects).toEqual([
      { symbol: 'BTCUSDT', reason: 'out_of_range', detail: 'fundingRate' },
      { symbol: 'BTCUSDT', reason: 'malformed', detail: 'markPrice' },
      { symbol: 'BTCUSDT', reason: 'missing_field', detail: 'indexPrice' },
    ]);
  });

  it('turns an error body into one reject', () => {
    const body = { code: '40034', msg: 'Parameter NOPEUSDT does not exist', requestTime: 1, data: null };
    expect(decodeCall(bitget, '/api/v2/mix/market/merge-depth?symbol=NOPEUSDT', body).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '40034 Parameter NOPEUSDT does not exist' },
    ]);
  });
});

describe('bitget history', () => {
  it('reads settled rates of both generations', () => {
    const classic = [{ symbol: 'BTCUSDT', fundingRate: '0.0005', fundingTime: '1790000000400' }];
    const { funding } = decodeCall(
      bitget,
      '/api/v2/mix/market/history-fund-rate?symbol=BTCUSDT',
      ok(classic),
    );
    expect(funding).toEqual([{ symbol: 'BTCUSDT', time: 1_790_000_000_000, rate: 0.0005 }]);
    const unified = {
      resultList: [{ symbol: 'BTCUSDT', fundingRate: '-1', fundingRateTimestamp: '1790000000000' }],
    };
    expect(reasons(decodeCall(bitget, '/api/v3/market/history-fund-rate', ok(unified)))).toEqual([
      ['BTCUSDT', 'out_of_range'],
    ]);
  });

  it('reads the open of mark and index candles, whichever call serves them', () => {
    const rows = ok([['1790000000000', '26', '30', '20', '27', '1', '2'], ['x']]);
    for (const url of [
      '/api/v2/mix/market/history-mark-candles?symbol=1000BONKUSDT',
      '/api/v2/mix/market/candles?symbol=1000BONKUSDT&kLineType=mark&granularity=1H',
      '/api/v3/market/candles?category=USDT-FUTURES&symbol=1000BONKUSDT&type=MARK',
    ]) {
      const decoded = decodeCall(bitget, url, rows, LISTED);
      expect(decoded.history).toEqual([
        { symbol: '1000BONKUSDT', time: 1_790_000_000_000, markPrice: 0.026 },
      ]);
      expect(reasons(decoded)).toEqual([
        ['1000BONKUSDT', 'malformed'],
        ['1000BONKUSDT', 'missing_field'],
      ]);
    }
    expect(callFor(bitget, '/api/v2/mix/market/candles?symbol=BTCUSDT&granularity=1H')).toBeUndefined();
    for (const url of [
      '/api/v2/mix/market/history-index-candles?symbol=BTCUSDT',
      '/api/v2/mix/market/history-candles?symbol=BTCUSDT&kLineType=index',
      '/api/v3/market/history-candles?symbol=BTCUSDT&type=INDEX',
    ])
      expect(decodeCall(bitget, url, rows).history).toEqual([
        { symbol: 'BTCUSDT', time: 1_790_000_000_000, indexPrice: 26 },
      ]);
  });
});

describe('bitget frames', () => {
  const frame = (arg: object, data: object, action = 'snapshot') => ({
    action,
    arg,
    data: [data],
    ts: 1_790_000_000_005,
  });
  const classic = (channel: string, instId: string, instType = 'USDT-FUTURES') => ({
    instType,
    channel,
    instId,
  });

  it('chains book messages by pseq, whatever checksum they state', () => {
    const data = {
      asks: [['2', '5']],
      bids: [['1', '4']],
      checksum: 0,
      seq: 10,
      pseq: 0,
      ts: '1790000000000',
    };
    const [snapshot] = decodeCall(bitget, 'books', frame(classic('books', 'BTCUSDT'), data)).books;
    expect(snapshot).toEqual({
      symbol: 'BTCUSDT',
      kind: 'snapshot',
      bids: [[1, 4]],
      asks: [[2, 5]],
      sequence: 10,
      venueTime: 1_790_000_000_000,
    });
    const update = { ...data, bids: [], asks: [['2', '0']], checksum: -7, seq: 12, pseq: 10 };
    const [delta] = decodeCall(bitget, 'books', frame(classic('books', 'BTCUSDT'), update, 'update')).books;
    expect(delta).toMatchObject({ kind: 'delta', asks: [[2, 0]], sequence: 12, previousSequence: 10 });
    const [five] = decodeCall(bitget, 'books5', frame(classic('books5', 'BTCUSDT'), data, 'update')).books;
    expect(five?.kind).toBe('snapshot');
  });

  it.each([undefined, 'replace', { unexpected: [1] }])('a book under the action %j is a reject', (action) => {
    const row = { a: [['2', '5']], b: [['1', '4']], seq: 10, pseq: 9, ts: '1790000000000' };
    const arg = { instType: 'usdt-futures', topic: 'books', symbol: 'BTCUSDT' };
    const { books, rejects } = decodeCall(bitget, 'books', { ...frame(arg, row), action });
    expect(books).toEqual([]);
    expect(rejects).toMatchObject([{ symbol: 'BTCUSDT', detail: 'action' }]);
  });

  it('a stamp of the frame that cannot be read is a reject beside the ticker', () => {
    const row = { fundingRate: '0.0001', markPrice: '5', indexPrice: '6' };
    const arg = { instType: 'usdt-futures', topic: 'ticker', symbol: 'BTCUSDT' };
    const decoded = decodeCall(bitget, 'ticker', { ...frame(arg, row), ts: 'Infinity' });
    expect(decoded.quotes).toEqual([{ symbol: 'BTCUSDT', fundingRate: 0.0001, markPrice: 5, indexPrice: 6 }]);
    expect(decoded.rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'malformed', detail: 'venueTime' }]);
  });

  it('unified books, pushed and asked for, and the unnumbered merged one', () => {
    const levels = { a: [['2', '5']], b: [['1', '4']] };
    const row = { ...levels, seq: 10, pseq: 9, ts: '1790000000000' };
    const arg = { instType: 'usdt-futures', topic: 'books', symbol: 'BTCUSDT' };
    const book = { symbol: 'BTCUSDT', bids: [[1, 4]], asks: [[2, 5]], venueTime: 1_790_000_000_000 };
    const numbered = { ...book, sequence: 10, previousSequence: 9 };
    for (const [action, kind] of [
      ['snapshot', 'snapshot'],
      ['update', 'delta'],
    ])
      expect(decodeCall(bitget, 'books', frame(arg, row, action)).books).toEqual([{ ...numbered, kind }]);
    const whole = { ...book, kind: 'snapshot' };
    const asked = { ...levels, ts: '1790000000000' };
    expect(decodeCall(bitget, '/api/v3/market/orderbook?symbol=BTCUSDT', ok(asked)).books).toEqual([whole]);
    const merged = { asks: [[2, 5]], bids: [[1, 4]], scale: '0.1', ts: '1790000000000' };
    const url = '/api/v2/mix/market/merge-depth?symbol=BTCUSDT';
    expect(decodeCall(bitget, url, ok(merged)).books).toEqual([whole]);
  });

  it.each([
    ['snapshot', 'usdt-futures'],
    ['update', 'usdt-futures'],
    ['update', 'usdc-futures'],
  ])('the %s of a book of %s is scanned as it is decoded', (action, instType) => {
    const levels = { a: [['2', '5']], b: [['1', '4']] };
    const stamps = { seq: 10, pseq: 9, ts: '1790000000000' };
    const rows = [
      { ...levels, ...stamps, maxdepth: '1000' },
      { ...levels, ...stamps, maxDepth: '1000' },
      { ...levels, ...stamps },
      { ...levels, checksum: -431, ...stamps },
      { ...levels, checksum: 0, ...stamps },
    ];
    for (const row of rows) {
      const push = frame({ instType, topic: 'books', symbol: 'BTCUSDT' }, row, action);
      expect(agrees(bitget, scanOf(bitget), JSON.stringify(push))).toBe(true);
    }
  });

  it.each([{ maxdepth: 'all' }, { maxdepth: '' }, { maxdepth: '1000', more: 1 }, { depth: '1000' }])(
    'leaves a row that ends in %j to the decoder',
    (end) => {
      const row = { a: [], b: [['1', '4']], seq: 10, pseq: 9, ts: '1790000000000', ...end };
      const push = frame({ instType: 'usdt-futures', topic: 'books', symbol: 'BTCUSDT' }, row, 'update');
      expect(agrees(bitget, scanOf(bitget), JSON.stringify(push))).toBe(false);
      expect(decodeCall(bitget, 'books', push).books).toHaveLength(1);
    },
  );

  it.each([
    ['SP', 'spot'],
    ['coin-futures', 'inverse'],
    ['SUSDT-FUTURES', 'foreign_quote'],
    ['SUSDC-FUTURES', 'foreign_quote'],
    ['SCOIN-FUTURES', 'foreign_quote'],
  ])('a push of the product %s is %s', (instType, reason) => {
    const push = frame(classic('ticker', 'BTCUSDT', instType), ticker('x'));
    expect(reasons(decodeCall(bitget, 'ticker', push))).toEqual([['BTCUSDT', reason]]);
  });

  it('rejects a row of a push that is none', () => {
    const arg = { instType: 'usdt-futures', topic: 'ticker', symbol: 'BTCUSDT' };
    const push = { ...frame(arg, {}), data: ['no row', null] };
    const { quotes, rejects } = decodeCall(bitget, 'ticker', push, LISTED);
    const malformed = { symbol: 'BTCUSDT', reason: 'malformed', detail: 'row' };
    expect([quotes, rejects]).toEqual([[], [malformed, malformed]]);
  });

  it('reads the ticker of the unified socket, stamped by the frame', () => {
    const arg = { instType: 'usdt-futures', topic: 'ticker', symbol: '1000BONKUSDT' };
    const row = {
      markPrice: '0.02',
      indexPrice: '0.02',
      fundingRate: '0.0001',
      openInterest: '3',
      volume24h: '2',
    };
    const { quotes } = decodeCall(bitget, 'ticker', frame(arg, row), LISTED);
    expect(quotes).toMatchObject([
      { symbol: '1000BONKUSDT', markPrice: 0.00002, openInterestBase: 3000, venueTime: 1_790_000_000_005 },
    ]);
  });

  it('other products: left out; errors: reported; acknowledgements: silent', () => {
    const row = ticker('x');
    expect(
      reasons(decodeCall(bitget, 'ticker', frame(classic('ticker', 'BTCUSD', 'COIN-FUTURES'), row))),
    ).toEqual([['BTCUSD', 'inverse']]);
    expect(reasons(decodeCall(bitget, 'ticker', frame(classic('ticker', 'BTCUSDT', 'SPOT'), row)))).toEqual([
      ['BTCUSDT', 'spot'],
    ]);
    const error = { event: 'error', code: 30001, msg: "doesn't exist", op: 'subscribe' };
    expect(decodeCall(bitget, 'books', error).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: "30001 doesn't exist" },
    ]);
    expect(decodeCall(bitget, 'books', { code: 30_006, msg: 'too often' }).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '30006 too often' },
    ]);
    for (const [odd, detail] of [
      ['hello', 'no frame'],
      [{ action: 'update' }, 'arg or data'],
    ])
      expect(decodeCall(bitget, 'books', odd).rejects).toMatchObject([{ detail }]);
    for (const quiet of [
      'ping',
      'pong',
      { event: 'login', code: 0 },
      { event: 'subscribe', arg: classic('books', 'BTCUSDT') },
    ]) {
      expect(decodeCall(bitget, 'books', quiet).rejects).toEqual([]);
    }
    expect(reasons(decodeCall(bitget, 'books', frame(classic('trade', 'BTCUSDT'), {})))).toEqual([
      [null, 'unexpected_shape'],
    ]);
  });
});

describe('bitget calls', () => {
  it.each([
    ['https://api.bitget.com/api/v2/mix/market/tickers?productType=USDT-FUTURES', 'tickers'],
    ['api/v2/mix/market/ticker', 'tickers'],
    ['/api/v2/mix/market/contracts', 'contracts'],
    ['/api/v3/market/current-fund-rate?category=USDT-FUTURES', 'current-fund-rate'],
    ['/api/v3/market/orderbook?symbol=BTCUSDT', 'v3 orderbook'],
    ['/api/v2/mix/market/merge-depth?symbol=BTCUSDT', 'merge-depth'],
    ['/api/v3/market/tickers?category=USDT-FUTURES', 'v3 tickers'],
    ['/api/v3/market/candles?symbol=BTCUSDT&type=mark', 'candles of the mark price'],
    ['wss://ws.bitget.com/v2/ws/public books15', 'public socket'],
    [
      '{"op":"subscribe","args":[{"instType":"usdt-futures","topic":"ticker","symbol":"BTCUSDT"}]}',
      'public socket',
    ],
  ])('%s is %s', (named, call) => expect(callFor(bitget, named)?.name).toBe(call));

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(bitget)).toEqual([]);
    expect(nonsenseProblems(bitget, contextOf(LISTED))).toEqual([]);
  });

  it('survives every field broken', () => {
    const call = callFor(bitget, '/api/v2/mix/market/contracts');
    if (call === undefined) throw new Error('no call');
    expect(mutate({ name: 'contracts', payload: CONTRACTS, decode: call.decode }).problems).toEqual([]);
  });
});

describeSamples(bitget, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(bitget, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-40017.json']);
  });

  it('reads recorded tickers of both generations', () => {
    expect(decodeFile(bitget, 'ticker-btcusdt.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: -0.000014,
        markPrice: 104824.2,
        indexPrice: 104881.953125,
        openInterestRaw: 7452.6421,
        openInterestBase: 7452.6421,
        openInterestUsd: 7452.6421 * 104824.2,
        volume24hRaw: 79089.5675,
        volume24hBase: 79089.5675,
        volume24hUsd: 8274870921.80485,
        bestBid: 104823.5,
        bestAsk: 104823.8,
        venueTime: 1750332210370,
      },
    ]);
    expect(decodeFile(bitget, 'v3-tickers.json').quotes).toMatchObject([
      { markPrice: 90216.4, fundingRate: 0.000047, openInterestBase: 27606.0718, volume24hBase: 50772.839 },
    ]);
    expect(reasons(decodeFile(bitget, 'tickers-coin-doc.json'))).toEqual([
      ['BTCUSD', 'inverse'],
      ['ETHUSD_231229', 'dated'],
    ]);
  });

  it('reads recorded contracts, funding, open interest and history', () => {
    for (const file of ['contract-row.json', 'contracts-doc.json', 'v3-instruments.json']) {
      expect(decodeFile(bitget, file).instruments, file).toMatchObject([
        { symbol: 'BTCUSDT', ticker: 'BTC', contractSize: 1, fundingIntervalHours: 8 },
      ]);
    }
    expect(decodeFile(bitget, 'current-fund-rate.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: -0.000024,
        fundingIntervalHours: 8,
        nextFundingTime: 1761667200000,
        fundingCap: 0.003,
        fundingFloor: -0.003,
      },
    ]);
    expect(decodeFile(bitget, 'funding-time.json').quotes).toEqual([
      { symbol: 'BTCUSDT', nextFundingTime: 1745424000000, fundingIntervalHours: 8 },
    ]);
    expect(decodeFile(bitget, 'open-interest.json').quotes).toMatchObject([{ openInterestBase: 52234.134 }]);
    expect(decodeFile(bitget, 'history-fund-rate.json').funding).toEqual([
      { symbol: 'BTCUSDT', time: 1695776400000, rate: 0.0005 },
      { symbol: 'BTCUSDT', time: 1695715200000, rate: 0.000013 },
    ]);
    expect(decodeFile(bitget, 'merge-depth-doc.json').books).toMatchObject([
      {
        symbol: 'BTCUSDT',
        bids: [
          [26346.5, 0.16],
          [26346, 0.32],
        ],
        asks: [
          [26347.5, 0.25],
          [26348, 0.16],
        ],
      },
    ]);
  });

  it('mark candles: read once the request names the contract', () => {
    expect(reasons(decodeFile(bitget, 'history-mark-candles.json'))).toEqual([[null, 'missing_field']]);
    const payload = samples.find(({ file }) => file === 'history-mark-candles.json')?.payloads[0];
    const named = '/api/v2/mix/market/history-mark-candles?symbol=BTCUSDT';
    expect(decodeCall(bitget, named, payload).history).toEqual([
      { symbol: 'BTCUSDT', time: 1695835800000, markPrice: 26210.5 },
      { symbol: 'BTCUSDT', time: 1695836100000, markPrice: 26194.5 },
    ]);
  });

  it('replays the recorded book session to the stated best levels', () => {
    const { books, rejects } = decodeFile(bitget, 'ws-books-v1-dashusdt.jsonl');
    expect([books.length, rejects]).toEqual([60, []]);
    const book = replay(books);
    expect(book.bids.slice(0, 3)).toEqual([
      [113.49, 35.65],
      [113.48, 46.64],
      [113.46, 44.71],
    ]);
    expect(book.asks.slice(0, 3)).toEqual([
      [113.55, 1.82],
      [113.56, 4.6],
      [113.57, 3.25],
    ]);
  });

  it('reads the recorded frames of v2 and v3 as their source normalised them', () => {
    const classic = decodeFile(bitget, 'ws-v2-mixed-a.jsonl');
    expect(classic.books[1]).toMatchObject({
      symbol: 'ADAUSDT',
      kind: 'snapshot',
      bids: [[0.3553, 112096]],
      asks: [[0.3555, 10230]],
      venueTime: Date.parse('2024-10-31T00:00:59.988Z'),
    });
    expect(classic.quotes).toMatchObject([
      {
        symbol: 'STORJUSDT',
        openInterestBase: 8572031.1,
        fundingRate: 0.0001,
        nextFundingTime: Date.parse('2024-10-31T08:00:00.000Z'),
        indexPrice: 0.47080586,
        markPrice: 0.4705,
        venueTime: Date.parse('2024-10-31T00:00:23.155Z'),
      },
    ]);
    const unified = decodeFile(bitget, 'ws-v3-books-ticker.jsonl');
    expect(unified.books).toMatchObject([
      {
        kind: 'snapshot',
        bids: [
          [76742.8, 2.8986],
          [76742.7, 0.0001],
        ],
        sequence: 483814309734,
      },
      {
        kind: 'delta',
        bids: [
          [76598.9, 0.0783],
          [76596.4, 0],
        ],
        previousSequence: 483415077719,
      },
    ]);
    expect(unified.quotes).toMatchObject([
      {
        openInterestBase: 29539.3825,
        fundingRate: -0.00003,
        nextFundingTime: Date.parse('2026-04-28T08:00:00.000Z'),
        markPrice: 76631.3,
        venueTime: Date.parse('2026-04-28T06:48:00.084Z'),
      },
    ]);
  });

  it('survives every field of every recording broken', () => {
    const problems = samples.flatMap((sample) => {
      const call = callFor(bitget, sample.url, sample.method);
      if (call === undefined) return [];
      const context = contextOf([], requestFor(sample.url, sample.method));
      return sample.payloads
        .slice(0, 3)
        .flatMap(
          (payload) =>
            mutate({ name: sample.file, payload, decode: call.decode, context }, { limit: 250 }).problems,
        );
    });
    expect(problems).toEqual([]);
  });
});
