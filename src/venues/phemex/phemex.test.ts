import { describe, expect, it } from 'vitest';
import { decodeCall, decoderOf, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, loadSample } from '../../../test/venues/samples.ts';
import { phemex } from './index.ts';

const none = contextOf();
const decode = decoderOf(phemex);
const decodeFrame = (frame: unknown, context = none) => decode('orderbook_p.subscribe', frame, context);
const decodeProducts = (payload: unknown) => decode('/public/products', payload);
const FUNDING_PAGE = '/contract-biz/public/real-funding-rates?pageSize=200';

const PEPE = {
  perpProductSubType: 'Normal',
  symbol: 'u1000PEPEUSDT',
  code: 41_541,
  type: 'PerpetualV2',
  indexSymbol: '.u1000PEPEUSDT',
  contractUnderlyingAssets: '1000 PEPE',
  baseCurrency: '1000 PEPE',
  settleCurrency: 'USDT',
  quoteCurrency: 'USDT',
  fundingInterval: 14_400,
  status: 'Listed',
};
const MANA = {
  ...PEPE,
  symbol: 'MANAUSDT',
  baseCurrency: 'MANA',
  indexSymbol: '.MANAUSDT',
  fundingInterval: 28_800,
};
const PRODUCTS = {
  code: 0,
  msg: '',
  data: {
    products: [
      { symbol: 'BTCUSD', type: 'Perpetual', settleCurrency: 'BTC', quoteCurrency: 'USD', status: 'Listed' },
      {
        symbol: 'XTZUSD',
        type: 'Perpetual',
        settleCurrency: 'USD',
        quoteCurrency: 'USD',
        status: 'Delisted',
      },
      { symbol: 'sBTCUSDT', type: 'Spot', quoteCurrency: 'USDT', status: 'Listed' },
    ],
    perpProductsV2: [
      PEPE,
      MANA,
      { ...PEPE, symbol: 'TSLAUSDT', baseCurrency: 'TSLA', perpProductSubType: 'TradFi' },
      { ...PEPE, symbol: 'OPENAIUSDT', baseCurrency: 'OPENAI', perpProductSubType: 'PreMarket' },
      { ...PEPE, symbol: 'LSKUSDT', baseCurrency: 'LSK', status: 'Delisted' },
      { ...MANA, symbol: 'HALTUSDT', status: 'Suspended' },
      { ...MANA, symbol: 'MANAEUR', settleCurrency: 'EUR', quoteCurrency: 'EUR' },
      { ...MANA, symbol: 'MIXUSDT', settleCurrency: 'BTC' },
      { ...MANA, symbol: 'OLDUSDT', type: 'Perpetual' },
      { ...MANA, symbol: 'ODDUSDT', type: null },
    ],
    perpProductsPilot: [{ ...MANA, symbol: 'PILOTUSDT', status: 'Delisted' }],
  },
};
const LISTED = decodeProducts(PRODUCTS).instruments;
const TICKER = {
  symbol: 'u1000PEPEUSDT',
  markRp: '0.01',
  indexRp: '0.0102',
  bidRp: '0.0099',
  askRp: '0.0101',
  fundingRateRr: '-0.00012',
  openInterestRv: '5000',
  volumeRq: '70000',
  turnoverRv: '701.5',
  timestamp: 1_790_133_513_660_305_000,
};
const FUNDING = {
  symbol: 'u1000PEPEUSDT',
  fundingInterval: 14_400,
  nextfundingTime: 1_790_150_400_000,
  fundingRate: '0.00001369',
};

describe('phemex contracts', () => {
  it('lists hedged contracts, with the multiplier of the base name', () => {
    expect(LISTED).toMatchObject([
      {
        symbol: 'u1000PEPEUSDT',
        base: '1000PEPE',
        ticker: 'PEPE',
        multiplier: 1000,
        fundingIntervalHours: 4,
        assetClass: 'crypto',
      },
      { symbol: 'MANAUSDT', ticker: 'MANA', multiplier: 1, fundingIntervalHours: 8 },
      { symbol: 'TSLAUSDT', ticker: 'TSLA' },
      { symbol: 'OPENAIUSDT', assetClass: 'prelaunch' },
    ]);
    expect(LISTED[2]).toHaveProperty('assetClass', 'unknown');
    expect(reasons(decodeProducts(PRODUCTS))).toEqual([
      ['LSKUSDT', 'delisted'],
      ['HALTUSDT', 'not_trading'],
      ['MANAEUR', 'foreign_quote'],
      ['MIXUSDT', 'foreign_quote'],
      ['OLDUSDT', 'foreign_quote'],
      ['ODDUSDT', 'missing_field'],
      ['BTCUSD', 'inverse'],
      ['XTZUSD', 'delisted'],
      ['sBTCUSDT', 'spot'],
      ['PILOTUSDT', 'delisted'],
    ]);
  });

  it('all of a contract; a missing base: by the underlying', () => {
    const mana = { venue: 'phemex', symbol: 'MANAUSDT', base: 'MANA', ticker: 'MANA', multiplier: 1 };
    const rest = { quote: 'USDT', settle: 'USDT', contractSize: 1, fundingIntervalHours: 8 };
    const contract = { ...mana, ...rest, assetClass: 'crypto', indexId: '.MANAUSDT' };
    expect(LISTED[1]).toEqual(contract);
    const { baseCurrency: _, ...unnamed } = { ...MANA, contractUnderlyingAssets: 'MANA' };
    expect(decodeProducts(unnamed).instruments).toEqual([contract]);
    const usdc = { ...MANA, symbol: 'MANAUSDC', settleCurrency: 'USDC', quoteCurrency: 'USDC' };
    expect(decodeProducts(usdc).instruments).toMatchObject([{ quote: 'USDC', settle: 'USDC' }]);
  });

  it.each(['perpProductsV2', 'perpProductsPilot'])(
    'a %s that is no list is a reject, the others go on',
    (name) => {
      const decoded = decodeProducts({ ...PRODUCTS, data: { ...PRODUCTS.data, [name]: {} } });
      expect(reasons(decoded)).toContainEqual(['sBTCUSDT', 'spot']);
      expect(decoded.rejects).toContainEqual({ symbol: null, reason: 'unexpected_shape', detail: name });
    },
  );

  it('reads an unknown multiplier from the list', () => {
    const row = { ...PEPE, symbol: 'u10000NEWUSDT', baseCurrency: '10000 NEW' };
    expect(decodeProducts(row).instruments).toMatchObject([
      { base: '10000NEW', ticker: 'NEW', multiplier: 10_000 },
    ]);
  });

  it.each([
    ['BTCUSDT', 'BTC'],
    ['u1000SHIBUSDT', '1000SHIB'],
    ['BTCUSDC', 'BTC'],
    ['UNIUSDT', 'UNI'],
    ['sBTCUSDT', undefined],
    ['cETHUSD', undefined],
  ])('%s spells %s', (symbol, base) => expect(phemex.baseOf(symbol)).toBe(base));
});

describe('phemex metrics', () => {
  const url = '/md/v3/ticker/24hr/all';

  it('reads prices per coin and amounts in coins, whatever the suffix', () => {
    const expected = {
      symbol: 'u1000PEPEUSDT',
      fundingRate: -0.00012,
      markPrice: 0.00001,
      indexPrice: 0.0000102,
      bestBid: 0.0000099,
      bestAsk: 0.0000101,
      openInterestBase: 5_000_000,
      openInterestRaw: 5000,
      volume24hBase: 70_000_000,
      volume24hRaw: 70_000,
      volume24hUsd: 701.5,
    };
    // In the envelope, bare, alone, and with v2 names.
    const { markRp, indexRp, ...rest } = TICKER;
    const v2 = { ...rest, markPriceRp: markRp, indexPriceRp: indexRp };
    const found = [{ error: null, id: 0, result: [TICKER] }, [TICKER], TICKER, { result: v2 }];
    for (const payload of found) {
      const { quotes, rejects } = decodeCall(phemex, url, payload, LISTED);
      expect(quotes).toHaveLength(1);
      for (const [field, value] of Object.entries(expected)) {
        const got = quotes[0]?.[field as keyof typeof expected];
        if (typeof value === 'number') expect(got, field).toBeCloseTo(value, 12);
        else expect(got).toBe(value);
      }
      expect(rejects).toEqual([]);
    }
  });

  it.each([
    [url, { markRp: null }, ['markPrice', 'indexPrice']],
    [url, { markPriceRp: null }, ['markPrice', 'indexPrice']],
    [FUNDING_PAGE, {}, ['fundingRate', 'fundingIntervalHours', 'nextFundingTime']],
  ])('%s says what a row with %j alone lacks', (named, row, lacks) => {
    const { rejects } = decodeCall(phemex, named, [{ symbol: 'MANAUSDT', ...row }], LISTED);
    expect(rejects.map(({ reason, detail }) => [reason, detail])).toEqual(
      lacks.map((field) => ['missing_field', field]),
    );
  });

  it('ignores the time of a row, which is its last change', () => {
    expect(decodeCall(phemex, url, [TICKER]).quotes[0]).not.toHaveProperty('venueTime');
  });

  it('restricts to listed contracts with a reason', () => {
    const rows = ['LSKUSDT', 'BTCUSD', 'sBTCUSDT'].map((symbol) => ({ ...TICKER, symbol }));
    expect(reasons(decodeCall(phemex, url, rows, LISTED))).toEqual([
      ['LSKUSDT', 'not_listed'],
      ['BTCUSD', 'inverse'],
      ['sBTCUSDT', 'spot'],
    ]);
  });

  it('rate, interval in seconds and settlement: paged or bare', () => {
    const expected = [
      {
        symbol: 'u1000PEPEUSDT',
        fundingRate: 0.00001369,
        fundingIntervalHours: 4,
        nextFundingTime: 1_790_150_400_000,
      },
    ];
    const paged = { code: 0, msg: 'OK', data: { total: 1, rows: [FUNDING] } };
    for (const payload of [paged, [FUNDING], FUNDING]) {
      expect(decodeCall(phemex, FUNDING_PAGE, payload, LISTED).quotes).toEqual(expected);
    }
  });

  it('requests the next page while the total exceeds the rows', () => {
    const page = (rows: number, total: number) => ({
      code: 0,
      data: { total, rows: Array(rows).fill(FUNDING) },
    });
    const next = (payload: unknown, path: string) =>
      phemex.polls[1]?.nextPage?.(payload, { method: 'GET', path })?.path;
    expect(next(page(200, 480), FUNDING_PAGE)).toBe(`${FUNDING_PAGE}&pageNum=2`);
    expect(next(page(200, 480), `${FUNDING_PAGE}&pageNum=2`)).toBe(`${FUNDING_PAGE}&pageNum=3`);
    expect(next(page(80, 480), `${FUNDING_PAGE}&pageNum=3`)).toBeUndefined();
    expect(next(page(134, 134), FUNDING_PAGE)).toBeUndefined();
    expect(next(page(0, 480), FUNDING_PAGE)).toBeUndefined();
    expect(next({ code: 30_018, data: null }, FUNDING_PAGE)).toBeUndefined();
  });

  it('errors of both families, and lists without a row', () => {
    const rejectsOf = (payload: unknown) => decodeCall(phemex, url, payload).rejects;
    expect(rejectsOf({ error: { code: 6001, message: 'invalid argument' }, id: null, result: null })).toEqual(
      [{ symbol: null, reason: 'error_body', detail: '6001 invalid argument' }],
    );
    expect(rejectsOf({ code: 30_018, msg: 'phemex.data.size.uplimt', data: null })).toMatchObject([
      { reason: 'error_body', detail: '30018 phemex.data.size.uplimt' },
    ]);
    for (const empty of [{ error: null, id: 0, result: [] }, { result: null }, { data: null }])
      expect(rejectsOf(empty)).toMatchObject([{ reason: 'unexpected_shape' }]);
    const empty = decodeCall(phemex, FUNDING_PAGE, {
      code: 0,
      msg: 'OK',
      data: { total: 0, rows: [] },
    });
    expect(reasons(empty)).toEqual([[null, 'unexpected_shape']]);
  });
});

describe('phemex history', () => {
  it('settled rates by the name of the rate, four hours as well', () => {
    const row = {
      symbol: '.MANAUSDTFR8H',
      fundingRate: '0.0002',
      fundingTime: 1_790_136_000_007,
      intervalSeconds: 14_400,
    };
    const rows = [row, { ...row, symbol: '.BTCFR8H' }, { ...row, symbol: '.LSKUSDTFR8H' }];
    const url = '/api-data/public/data/funding-rate-history?symbol=.MANAUSDTFR8H';
    const decoded = decodeCall(phemex, url, { code: 0, msg: 'OK', data: { rows } }, LISTED);
    expect(decoded.funding).toEqual([
      { symbol: 'MANAUSDT', time: 1_790_136_000_000, rate: 0.0002, intervalHours: 4 },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTC', 'inverse'],
      ['LSKUSDT', 'not_listed'],
    ]);
    expect(decodeCall(phemex, url, row, LISTED).funding).toEqual(decoded.funding);
    // A window without a settlement is no fault.
    expect(decodeCall(phemex, url, { code: 0, msg: 'OK', data: { rows: [] } }).rejects).toEqual([]);
  });
});

describe('phemex frames', () => {
  it('ticks: the list tells an index that begins with M from a mark', () => {
    const tick = (symbol: string, last = '2') => ({ tick_p: { last, symbol, timestamp: 1 } });
    const known = contextOf(LISTED);
    expect(decodeFrame(tick('.MANAUSDT'), known).quotes).toEqual([{ symbol: 'MANAUSDT', indexPrice: 2 }]);
    expect(decodeFrame(tick('.MMANAUSDT'), known).quotes).toEqual([{ symbol: 'MANAUSDT', markPrice: 2 }]);
    expect(decodeFrame(tick('.Mu1000PEPEUSDT'), known).quotes).toEqual([
      { symbol: 'u1000PEPEUSDT', markPrice: 0.002 },
    ]);
    expect(decodeFrame(tick('.MANAUSDTFR', '-0.0001'), known).quotes).toMatchObject([
      { fundingRate: -0.0001 },
    ]);
    expect(reasons(decodeFrame(tick('.BTCUSDT'), known))).toEqual([['.BTCUSDT', 'not_listed']]);
    const renamed = decodeProducts({ ...MANA, indexSymbol: '.OWNINDEX' }).instruments;
    expect(decodeFrame(tick('.OWNINDEX'), contextOf(renamed)).quotes).toEqual([
      { symbol: 'MANAUSDT', indexPrice: 2 },
    ]);
    expect(decodeFrame(tick('.BTCUSDT'), none).quotes).toEqual([{ symbol: 'BTCUSDT', indexPrice: 2 }]);
    expect(reasons(decodeFrame(tick('.MEUSDT'), none))).toEqual([['.MEUSDT', 'unknown_unit']]);
  });

  it('without a list a tick with enough behind its M is a mark', () => {
    const tick = { tick_p: { last: '2', symbol: '.MBTCUSDT', timestamp: 1 } };
    expect(decodeFrame(tick, none).quotes).toEqual([{ symbol: 'BTCUSDT', markPrice: 2 }]);
    const of = (symbol: string | null) => decodeFrame({ tick_p: { last: '0.0002', symbol } }, none);
    expect(of('.BTCUSDTFR').quotes).toEqual([{ symbol: 'BTCUSDT', fundingRate: 0.0002 }]);
    expect(reasons(of('BTCUSDT'))).toEqual([['BTCUSDT', 'not_listed']]);
    expect(of(null).rejects).toEqual([{ symbol: null, reason: 'missing_field', detail: 'symbol' }]);
  });

  it.each(['market24h_p', 'market24h', 'spot_market24h', 'data'])('a ticker under `%s`', (name) => {
    const { quotes, rejects } = decodeFrame({ [name]: { ...TICKER, symbol: 'MANAUSDT' } }, contextOf(LISTED));
    expect([quotes.map(({ markPrice }) => markPrice), rejects]).toEqual([[0.01], []]);
  });

  it('books: a snapshot or a change in coins, by socket and REST', () => {
    const orderbook_p = { asks: [['2001.5', '0.2']], bids: [['2000.5', '3']] };
    const message = {
      orderbook_p,
      depth: 0,
      sequence: 77,
      symbol: 'ETHUSDT',
      timestamp: 1_790_133_513_660_305_000,
    };
    const book = { symbol: 'ETHUSDT', bids: [[2000.5, 3]], asks: [[2001.5, 0.2]], sequence: 77 };
    const stamped = { ...book, venueTime: 1_790_133_513_660 };
    for (const [type, kind] of [
      ['snapshot', 'snapshot'],
      ['incremental', 'delta'],
    ])
      expect(decodeFrame({ ...message, type }, none).books).toEqual([{ ...stamped, kind }]);
    const answer = { error: null, id: 0, result: message };
    expect(decodeCall(phemex, '/md/v2/fullbook?symbol=ETHUSDT', answer).books).toEqual([
      { ...stamped, kind: 'snapshot' },
    ]);
  });

  it('the ticker of all contracts by the columns it names', () => {
    const fields = ['symbol', 'markRp', 'volumeRq', 'indexRp', 'turnoverRv', 'fundingRateRr', 'somethingNew'];
    const data = [['MANAUSDT', '0.3', '100', '0.31', '30', '0.0001', 'x'], ['BTCUSD'], 'torn'];
    const frame = { data, fields, method: 'perp_market24h_pack_p.update', timestamp: 1, type: 'incremental' };
    const decoded = decodeFrame(frame, contextOf(LISTED));
    expect(decoded.quotes).toEqual([
      {
        symbol: 'MANAUSDT',
        fundingRate: 0.0001,
        markPrice: 0.3,
        indexPrice: 0.31,
        volume24hBase: 100,
        volume24hRaw: 100,
        volume24hUsd: 30,
      },
    ]);
    expect(reasons(decoded)).toEqual([
      ['BTCUSD', 'inverse'],
      [null, 'malformed'],
    ]);
  });

  it('without columns: those of the frame before, else a fault', () => {
    const fields = ['symbol', 'markRp', 'indexRp'];
    const frame = { data: [['MANAUSDT', '0.3', '0.31']], method: 'perp_market24h_pack_p.update' };
    const context = contextOf(LISTED);
    const { columns } = decodeFrame({ ...frame, fields, type: 'snapshot' }, context);
    expect(columns).toEqual(fields);
    const increment = { ...frame, type: 'incremental', timestamp: 2 };
    const known = decodeFrame(increment, { ...context, columns: fields });
    expect(known.quotes).toEqual([{ symbol: 'MANAUSDT', markPrice: 0.3, indexPrice: 0.31 }]);
    expect(known.columns).toEqual(fields);
    expect(decodeFrame(increment, context).rejects).toEqual([
      { symbol: null, reason: 'missing_field', detail: 'fields, of this frame or one before' },
    ]);
    for (const torn of [
      { ...frame, fields: 7 },
      { fields, data: 7 },
    ])
      expect(decodeFrame(torn, context).rejects).toMatchObject([{ detail: 'fields and data' }]);
  });

  it('rejects books of the other product families', () => {
    const book = { asks: [[1_094_473_000, 5]], bids: [] as number[][] };
    const frame = (symbol: string) => ({
      book,
      depth: 30,
      sequence: 1,
      symbol,
      timestamp: 1_790_000_000_000_000_000,
      type: 'snapshot',
    });
    for (const [symbol, reason] of [
      ['BTCUSD', 'inverse'],
      ['cETHUSD', 'inverse'],
      ['sETHUSDT', 'spot'],
    ]) {
      expect(reasons(decodeFrame(frame(String(symbol)), none))).toEqual([[symbol, reason]]);
    }
    // Contracts of the old model are linear, but of a size that is nowhere stated any more.
    const bid = frame('XTZUSD');
    bid.book.bids = [[1_094_472_000, 4]];
    const old = decodeFrame(bid, none);
    expect(old.books).toMatchObject([{ bids: [[109_447.2, 4]], asks: [[109_447.3, 5]] }]);
    expect(reasons(old)).toEqual([['XTZUSD', 'unknown_unit']]);
    expect(reasons(decodeFrame(frame('XTZUSD'), contextOf(LISTED)))).toEqual([['XTZUSD', 'not_listed']]);
  });

  it('a book of the old model without levels, or a bad one: a reject', () => {
    const frame = (bids: unknown) => ({
      book: { asks: [], bids },
      depth: 30,
      sequence: 1,
      timestamp: 1_790_000_000_000_000_000,
      symbol: 'XTZUSD',
      type: 'snapshot',
    });
    for (const bids of [undefined, 7, [7], [['soon', 1]]]) {
      const { books, rejects } = decodeFrame(frame(bids), none);
      expect(books, `${bids}`).toEqual([]);
      expect(rejects.length, `${bids}`).toBeGreaterThan(0);
    }
  });

  it('rejects refusals and ignores acknowledgements and pongs', () => {
    expect(decodeFrame({ error: null, id: 1, result: { status: 'success' } }, none).rejects).toEqual([]);
    expect(decodeFrame({ error: null, id: 0, result: 'pong' }, none).rejects).toEqual([]);
    expect(decodeFrame({ id: 0 }, none).rejects).toMatchObject([{ detail: 'no channel' }]);
    const refused = { error: { code: 6015, message: 'subscription limit exceeded' }, id: 102, result: null };
    expect(decodeFrame(refused, none).rejects).toMatchObject([
      { detail: '6015 subscription limit exceeded' },
    ]);
  });
});

describe('phemex calls', () => {
  it.each([
    ['https://api.phemex.com/md/v3/ticker/24hr?symbol=BTCUSDT', 'ticker/24hr'],
    ['/md/v2/ticker/24hr/all', 'ticker/24hr'],
    ['/md/ticker/24hr?symbol=BTCUSDT', 'ticker/24hr'],
    ['/md/ticker/24hr/all', 'ticker/24hr'],
    ['/public/products-plus', 'products'],
    ['/md/v2/orderbook?symbol=BTCUSDT', 'orderbook'],
    ['/md/orderbook?symbol=BTCUSDT', 'orderbook'],
    ['contract-biz/public/real-funding-rates', 'real-funding-rates'],
    ['/md/v2/fullbook?symbol=BTCUSDT', 'orderbook'],
    ['{"id":1,"method":"orderbook_p.subscribe","params":["BTCUSDT"]}', 'socket'],
    ['perp_market24h_pack_p.subscribe', 'socket'],
    ['wss://ws.phemex.com', 'socket'],
  ])('%s is %s', (named, call) => expect(callFor(phemex, named)?.name).toBe(call));

  it('leaves candles and spot alone', () => {
    expect(callFor(phemex, '/exchange/public/md/v2/kline/last?symbol=BTCUSDT')).toBeUndefined();
    expect(callFor(phemex, '/md/spot/ticker/24hr/all')).toBeUndefined();
  });

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(phemex)).toEqual([]);
    expect(nonsenseProblems(phemex, contextOf(LISTED))).toEqual([]);
  });

  it.each([
    ['/public/products', PRODUCTS],
    ['/md/v3/ticker/24hr', { error: null, id: 0, result: [TICKER] }],
    ['/contract-biz/public/real-funding-rates', { code: 0, msg: 'OK', data: { total: 1, rows: [FUNDING] } }],
  ])('survives every field of %s broken', (named, payload) => {
    const decode = callFor(phemex, named)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: named, payload, decode }).problems).toEqual([]);
  });
});

describeSamples(phemex, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(phemex, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['error-rest-code.json']);
  });

  it('recorded tickers of both versions and of the socket', () => {
    expect(decodeFile(phemex, 'ticker-v3.json').quotes).toMatchObject([
      {
        symbol: 'ETHUSDT',
        markPrice: 1905.733555189,
        indexPrice: 1906.275,
        bestBid: 1906,
        openInterestBase: 7115,
      },
    ]);
    expect(decodeFile(phemex, 'ticker-v2.json').quotes).toMatchObject([
      {
        markPrice: 1903.16,
        indexPrice: 1903.62867093,
        volume24hBase: 67_460.4,
        volume24hUsd: 127_962_734.6031,
      },
    ]);
    expect(decodeFile(phemex, 'ws-market24h-p.jsonl').quotes).toMatchObject([
      { symbol: 'BTCUSDC', fundingRate: -0.00000599, markPrice: 95_472.2, openInterestBase: 96.3639 },
    ]);
    expect(decodeFile(phemex, 'real-funding-rates.json').quotes).toMatchObject([
      { fundingRate: 0.00001369, fundingIntervalHours: 8, nextFundingTime: 1_742_457_600_000 },
    ]);
    expect(decodeFile(phemex, 'products.json').instruments).toMatchObject([
      { symbol: 'BTCUSDC', settle: 'USDC', fundingIntervalHours: 8, indexId: '.BTCUSDC' },
    ]);
  });

  it('recorded books and ticks of 2026', () => {
    const { books, quotes, rejects } = decodeFile(phemex, 'ws-book-2026.jsonl');
    expect(books.map(({ symbol, kind, sequence }) => [symbol, kind, sequence])).toEqual([
      ['ETHUSDT', 'snapshot', 68_604_886_383],
      ['BTCUSDT', 'delta', 68_604_886_406],
      ['BTCUSDT', 'delta', 68_604_886_692],
    ]);
    expect(books[0]?.venueTime).toBe(1_790_133_513_660);
    expect(quotes).toEqual([
      { symbol: 'BTCUSDT', markPrice: 86_513.6 },
      { symbol: 'BTCUSDT', indexPrice: 86_555.32311612 },
    ]);
    expect(rejects).toEqual([]);
    expect(decodeFile(phemex, 'orderbook.json').books).toMatchObject([
      {
        bids: [
          [20_672.4, 0.818],
          [20_672.2, 0.614],
        ],
        sequence: 77_770_771,
      },
    ]);
  });

  it('the recorded old session: sequences grow, the book never crosses', () => {
    const { books } = decodeFile(phemex, 'ws-book-legacy-xtzusd.jsonl');
    expect(books.length).toBe(loadSample('phemex', 'ws-book-legacy-xtzusd.jsonl').payloads.length);
    expect(books[0]?.kind).toBe('snapshot');
    for (const [i, book] of books.entries()) {
      if (i === 0) continue;
      expect(book.sequence).toBeGreaterThanOrEqual(books[i - 1]?.sequence ?? 0);
      const { bids, asks } = replay(books.slice(0, i + 1));
      expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
      // The server deletes what leaves its window of thirty levels.
      expect(Math.max(bids.length, asks.length)).toBeLessThanOrEqual(30);
    }
  });
});
