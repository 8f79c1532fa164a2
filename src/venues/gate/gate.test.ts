import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import { callFor, contextOf, describeSamples, loadSample, requestFor } from '../../../test/venues/samples.ts';
import type { BookUpdate } from '../../domain/book.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { gate } from './index.ts';

function contract(name: string, changes: object = {}) {
  return {
    name,
    type: 'direct',
    quanto_multiplier: '0.01',
    funding_rate: '-0.0001',
    funding_rate_indicative: '-0.0001',
    funding_interval: 14_400,
    funding_next_apply: 1_790_006_400,
    mark_price: '4000.5',
    index_price: '4001',
    position_size: 30_000,
    in_delisting: false,
    is_pre_market: false,
    status: 'trading',
    contract_type: '',
    // The same on every row: no fee.
    taker_fee_rate: '0.00075',
    ...changes,
  };
}

const CONTRACTS = [
  contract('ETH_USDT'),
  contract('PEPE_USDT', { quanto_multiplier: '10000000', mark_price: '0.00001', position_size: '12.5' }),
  contract('TSLA_USDT', { contract_type: 'stocks', funding_interval: 28_800 }),
  contract('XAU_USDT', { contract_type: 'metals' }),
  contract('SPX_USDT', { contract_type: 'indices' }),
  contract('XBR_USDT', { contract_type: 'commodities' }),
  contract('EUR_USDT', { contract_type: 'forex' }),
  contract('OPENAI_USDT', { contract_type: 'stocks', is_pre_market: true }),
  contract('币安人生_USDT', { status: undefined, contract_type: undefined }),
  contract('NEW_USDT', { status: 'prelaunch' }),
  contract('END_USDT', { in_delisting: true }),
  contract('GONE_USDT', { status: 'delisted' }),
  contract('LAST_USDT', { status: 'delisting' }),
  contract('HALT_USDT', { status: 'circuit_breaker' }),
  contract('ODD_USDT', { status: 'new state' }),
  contract('BTC_USD', { type: 'inverse', quanto_multiplier: '0' }),
  contract('TYPE_USDT', { type: 'inverse' }),
  contract('NIL_USDT', { quanto_multiplier: '0' }),
  contract('BTC_USD1'),
  contract('BTC_USDT_20261225'),
  contract('SIZE_USDT', { quanto_multiplier: '-1' }),
  7,
];

const url = '/api/v4/futures/usdt';
const LISTED = decodeCall(gate, `${url}/contracts`, CONTRACTS).instruments;

describe('gate contracts', () => {
  it('lists trading contracts with size, interval and class, no own fee', () => {
    expect(
      LISTED.map((i) => [i.symbol, i.contractSize, i.fundingIntervalHours, i.assetClass, i.takerFeeBps]),
    ).toEqual([
      ['ETH_USDT', 0.01, 4, 'crypto', undefined],
      ['PEPE_USDT', 10_000_000, 4, 'crypto', undefined],
      ['TSLA_USDT', 0.01, 8, 'equity', undefined],
      ['XAU_USDT', 0.01, 4, 'commodity', undefined],
      ['SPX_USDT', 0.01, 4, 'index', undefined],
      ['XBR_USDT', 0.01, 4, 'commodity', undefined],
      ['EUR_USDT', 0.01, 4, 'fx', undefined],
      ['OPENAI_USDT', 0.01, 4, 'prelaunch', undefined],
      ['币安人生_USDT', 0.01, 4, undefined, undefined],
    ]);
    expect(LISTED[0]).toMatchObject({ venue: 'gate', base: 'ETH', quote: 'USDT', settle: 'USDT' });
  });

  it('rejects every other row with a reason', () => {
    const decoded = decodeCall(gate, `${url}/contracts`, CONTRACTS);
    expect(decoded.rejects).toContainEqual({ symbol: 'ODD_USDT', reason: 'malformed', detail: 'status' });
    expect(reasons(decoded)).toEqual([
      ['NEW_USDT', 'prelisting'],
      ['END_USDT', 'delisted'],
      ['GONE_USDT', 'delisted'],
      ['LAST_USDT', 'delisted'],
      ['HALT_USDT', 'not_trading'],
      ['ODD_USDT', 'malformed'],
      ['BTC_USD', 'inverse'],
      ['TYPE_USDT', 'inverse'],
      ['NIL_USDT', 'inverse'],
      ['BTC_USD1', 'foreign_quote'],
      ['BTC_USDT_20261225', 'dated'],
      ['SIZE_USDT', 'out_of_range'],
      [null, 'malformed'],
    ]);
  });

  it('a prelisted contract: states its start, and is listed after it', () => {
    const launch = 1_790_000_000;
    const early = [
      contract('NEW_USDT', { status: 'prelaunch', launch_time: launch }),
      contract('SOON_USDT', { launch_time: launch }),
    ];
    const at = (seconds: number) => decodeCall(gate, `${url}/contracts`, early, [], asMs(seconds * 1000));
    const detail = 'launch 2026-09-21T14:13:20.000Z';
    expect(at(launch - 1).rejects).toEqual([
      { symbol: 'NEW_USDT', reason: 'prelisting', detail },
      { symbol: 'SOON_USDT', reason: 'prelisting', detail },
    ]);
    expect(at(launch - 1).quotes).toEqual([]);
    expect(at(launch + 1).instruments.map(({ symbol }) => symbol)).toEqual(['SOON_USDT']);
  });

  it('the venue already states the settlement after: the next one is found', () => {
    const next = 1_790_006_400_000;
    const at = (ms: number, row: object) =>
      decodeCall(gate, `${url}/contracts`, [contract('ETH_USDT', row)], [], asMs(ms)).quotes[0];
    const early = { funding_next_apply: (next + 4 * HOUR_MS) / 1000 };
    expect(at(next - 2000, early)?.nextFundingTime).toBe(next);
    expect(at(next + 1, early)?.nextFundingTime).toBe(next + 4 * HOUR_MS);
    expect(at(next - 4 * HOUR_MS, {})?.nextFundingTime).toBe(next);
    // Not one interval too far: no settlement that can be told from it.
    expect(at(next - 8 * HOUR_MS - 1, early)?.nextFundingTime).toBe(next + 4 * HOUR_MS);
    const frame = { contract: 'ETH_USDT', funding_next_apply: early.funding_next_apply, mark_price: '5' };
    const push = { channel: 'futures.tickers', event: 'update', result: [frame] };
    const pushed = decodeCall(gate, 'futures.tickers', push, LISTED, asMs(next - 2000));
    expect(pushed.quotes[0]?.nextFundingTime).toBe(next);
  });

  it('the metrics of the row itself: contracts x size, number or text', () => {
    const { quotes } = decodeCall(gate, `${url}/contracts`, CONTRACTS);
    expect(quotes[0]).toEqual({
      symbol: 'ETH_USDT',
      fundingRate: -0.0001,
      fundingIntervalHours: 4,
      nextFundingTime: 1_790_006_400_000,
      markPrice: 4000.5,
      indexPrice: 4001,
      openInterestRaw: 30_000,
      openInterestBase: 300,
      openInterestUsd: 300 * 4000.5,
    });
    expect(quotes[1]).toMatchObject({ openInterestRaw: 12.5, openInterestBase: 125_000_000 });
  });

  it('MBABYDOGE: a million BABYDOGE, prices divided, sizes multiplied', () => {
    const row = contract('MBABYDOGE_USDT', { quanto_multiplier: '100', mark_price: '0.0003824' });
    const { instruments, quotes } = decodeCall(gate, `${url}/contracts`, [row]);
    expect(instruments).toMatchObject([{ base: 'MBABYDOGE', ticker: 'BABYDOGE', multiplier: 1_000_000 }]);
    expect(quotes[0]?.markPrice).toBeCloseTo(3.824e-10, 20);
    expect(quotes[0]?.openInterestBase).toBe(30_000 * 100 * 1_000_000);
  });

  it('leaves the index unknown before a market opens', () => {
    const premarket = decodeCall(
      gate,
      `${url}/contracts/OPENAI_USDT`,
      contract('OPENAI_USDT', { is_pre_market: true }),
    ).quotes[0];
    expect(premarket).toHaveProperty('markPrice');
    expect(premarket).not.toHaveProperty('indexPrice');
    const row = { contract: 'OPENAI_USDT', mark_price: '9', index_price: '9' };
    expect(decodeCall(gate, `${url}/tickers`, [row], LISTED).quotes).toEqual([
      { symbol: 'OPENAI_USDT', markPrice: 9 },
    ]);
  });
});

describe('gate tickers', () => {
  const row = {
    contract: 'ETH_USDT',
    mark_price: '4000',
    index_price: '4001',
    funding_rate: '0.0001',
    total_size: '20000',
    volume_24h: '50050',
    volume_24h_base: '501',
    volume_24h_quote: '2002001',
    highest_bid: '3999.9',
    lowest_ask: '4000.1',
  };

  it('reads open interest and volume in coins once the size is known', () => {
    expect(decodeCall(gate, `${url}/tickers`, [row], LISTED).quotes).toEqual([
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
        volume24hUsd: 2_002_001,
        bestBid: 3999.9,
        bestAsk: 4000.1,
      },
    ]);
    const bare = decodeCall(gate, `${url}/tickers`, row).quotes[0];
    expect(bare).toMatchObject({ openInterestRaw: 20_000, volume24hBase: 501 });
    expect(bare).not.toHaveProperty('openInterestBase');
  });

  it('traded contracts before truncated coins; 0 is no price', () => {
    const poor = { ...row, volume_24h_base: 'nan', highest_bid: '0', lowest_ask: '' };
    const { quotes, rejects } = decodeCall(gate, `${url}/tickers`, [poor], LISTED);
    expect(quotes[0]?.volume24hBase).toBeCloseTo(500.5, 9);
    const few = { ...row, volume_24h: '99', volume_24h_base: '0' };
    expect(decodeCall(gate, `${url}/tickers`, [few], LISTED).quotes[0]?.volume24hBase).toBeCloseTo(0.99, 9);
    const uncounted = { ...row, volume_24h: undefined };
    expect(decodeCall(gate, `${url}/tickers`, [uncounted], LISTED).quotes[0]?.volume24hBase).toBe(501);
    expect(quotes[0]).not.toHaveProperty('bestBid');
    expect(rejects).toEqual([]);
  });

  it('polls open interest from one call only', () => {
    const polled = gate.polls.filter(({ kind }) => kind === 'quotes').map(({ call }) => call.decode);
    const context = contextOf(LISTED);
    const stated = polled.flatMap((decode) => [
      ...decode([row], context).quotes.map((quote) => quote.openInterestRaw),
      ...decode([CONTRACTS[0]], context).quotes.map((quote) => quote.openInterestRaw),
    ]);
    expect(stated.filter((raw) => raw !== undefined)).toEqual([30_000]);
    const volumes = polled.flatMap((decode) =>
      decode([row], context).quotes.map((quote) => quote.volume24hRaw),
    );
    expect(volumes).toEqual([50_050]);
  });

  it('leaves out what is not listed', () => {
    const rows = ['ELSE_USDT', 'BTC_USD', 'BTC_USD1'].map((name) => ({ ...row, contract: name }));
    expect(reasons(decodeCall(gate, `${url}/tickers`, rows, LISTED))).toEqual([
      ['ELSE_USDT', 'not_listed'],
      ['BTC_USD', 'inverse'],
      ['BTC_USD1', 'foreign_quote'],
    ]);
  });
});

describe('gate history and books', () => {
  it('puts settlements on the minute', () => {
    const rows = [
      { t: 1_790_006_402, r: '0.0003' },
      { t: 'x', r: '0' },
    ];
    const asked = `${url}/funding_rate?contract=ETH_USDT&limit=2`;
    const decoded = decodeCall(gate, asked, rows, LISTED);
    for (const { funding } of [decoded, decodeCall(gate, asked, rows[0], LISTED)])
      expect(funding).toEqual([{ symbol: 'ETH_USDT', time: 1_790_006_400_000, rate: 0.0003 }]);
    expect(decoded.rejects).toEqual([{ symbol: 'ETH_USDT', reason: 'malformed', detail: 'time' }]);
    expect(reasons(decodeCall(gate, `${url}/funding_rate?contract=BTC_USD`, rows))).toEqual([
      ['BTC_USD', 'inverse'],
    ]);
    expect(reasons(decodeCall(gate, `${url}/funding_rate`, rows))).toEqual([[null, 'missing_field']]);
  });

  it('reads open interest statistics', () => {
    const stats = {
      time: 1_790_000_000,
      mark_price: 4000,
      open_interest: '20000',
      open_interest_usd: 800_001,
    };
    const asked = `${url}/contract_stats?contract=ETH_USDT`;
    for (const rows of [[stats], stats])
      expect(decodeCall(gate, asked, rows, LISTED).history).toEqual([
        {
          symbol: 'ETH_USDT',
          time: 1_790_000_000_000,
          openInterestBase: 200,
          openInterestUsd: 800_001,
          markPrice: 4000,
        },
      ]);
    expect(decodeCall(gate, asked, [stats]).history[0]).not.toHaveProperty('openInterestBase');
  });

  it('requests no more than the 180 days of history that the venue has', () => {
    for (const { reachMs } of gate.backfill ?? []) expect(reachMs).toBeLessThan(180 * 24 * HOUR_MS);
  });

  it('reads candles of mark and index only', () => {
    const candle = { t: 1_790_000_000, o: '1.5', h: '2', l: '1', c: '1.8' };
    const of = (name: string, rows: unknown = [candle]) =>
      decodeCall(gate, `${url}/candlesticks?contract=${name}&interval=1h`, rows, LISTED);
    expect(of('mark_ETH_USDT').history).toEqual([
      { symbol: 'ETH_USDT', time: 1_790_000_000_000, markPrice: 1.5 },
    ]);
    expect(of('index_ETH_USDT', candle).history).toMatchObject([{ indexPrice: 1.5 }]);
    expect(callFor(gate, `${url}/candlesticks?contract=ETH_USDT`)).toBeUndefined();
  });

  it('reads the REST book, stamped when the answer was made', () => {
    const book = {
      id: 77,
      current: 1_790_000_000.5,
      update: 1_789_999_000.1,
      asks: [{ p: '4000.1', s: 5 }],
      bids: [{ p: '3999.9', s: '2.5' }],
    };
    const asked = `${url}/order_book?contract=ETH_USDT&with_id=true`;
    expect(decodeCall(gate, asked, book, LISTED).books).toEqual([
      {
        symbol: 'ETH_USDT',
        kind: 'snapshot',
        bids: [[3999.9, 0.025]],
        asks: [[4000.1, 0.05]],
        sequence: 77,
        venueTime: 1_790_000_000_500,
      },
    ]);
    const unknown = decodeCall(gate, asked, book);
    expect(unknown.books[0]?.bids).toEqual([[3999.9, 2.5]]);
    expect(reasons(unknown)).toEqual([['ETH_USDT', 'unknown_unit']]);
    const broken = { ...book, bids: [{ p: '1' }] };
    expect(reasons(decodeCall(gate, asked, broken, LISTED))).toEqual([['ETH_USDT', 'malformed']]);
  });

  it('turns error bodies into rejects', () => {
    expect(
      decodeCall(gate, `${url}/order_book?contract=NOPE_USDT`, { label: 'CONTRACT_NOT_FOUND' }).rejects,
    ).toEqual([{ symbol: null, reason: 'error_body', detail: 'CONTRACT_NOT_FOUND' }]);
    expect(decodeCall(gate, `${url}/contracts`, { label: 'TOO_BIG', message: 'limit 300' }).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: 'TOO_BIG limit 300' },
    ]);
  });
});

describe('gate frames', () => {
  const frame = (channel: string, result: unknown, event = 'update') => ({
    time: 1,
    time_ms: 1,
    channel,
    event,
    result,
  });

  it('reads tickers in a list, alone, or in a list of lists', () => {
    const row = {
      contract: 'ETH_USDT',
      mark_price: '5',
      funding_interval: 28_800,
      funding_next_apply: 1_790_006_400,
    };
    for (const result of [[row], row, [[row]]]) {
      expect(decodeCall(gate, 'futures.tickers', frame('futures.tickers', result)).quotes).toEqual([
        { symbol: 'ETH_USDT', fundingIntervalHours: 8, nextFundingTime: 1_790_006_400_000, markPrice: 5 },
      ]);
    }
  });

  it('a push without read fields: no row and no fault; an answer: one', () => {
    const row = { contract: 'ETH_USDT', last: '4000', change_percentage: '0.6' };
    const push = (push: object) =>
      decodeCall(gate, 'futures.tickers', frame('futures.tickers', [push]), LISTED);
    expect(push(row)).toEqual(emptyDecoded());
    expect(push({ ...row, mark_price: 'x' }).rejects).toEqual([
      { symbol: 'ETH_USDT', reason: 'malformed', detail: 'markPrice' },
    ]);
    const noMetric = { symbol: 'ETH_USDT', reason: 'missing_field', detail: 'no metric' };
    expect(decodeCall(gate, `${url}/tickers`, [row], LISTED).rejects).toEqual([noMetric]);
    const stats = frame('futures.contract_stats', { contract: 'ETH_USDT', time: 1 });
    expect(decodeCall(gate, 'futures.contract_stats', stats, LISTED).rejects).toEqual([noMetric]);
  });

  it('chains increments, empty ones included, and replaces the book on full', () => {
    const full = { t: 1, full: true, s: 'ob.ETH_USDT.50', u: 10, b: [['3999', '100']], a: [['4000', '50']] };
    const empty = { t: 1_790_000_000_000, s: 'ob.ETH_USDT.50', U: 11, u: 14 };
    const change = { ...empty, U: 15, u: 15, a: [['4000', '0']] };
    const books = [full, empty, change].flatMap(
      (result) => decodeCall(gate, 'futures.obu', frame('futures.obu', result), LISTED).books,
    );
    expect(books).toEqual([
      { symbol: 'ETH_USDT', kind: 'snapshot', bids: [[3999, 1]], asks: [[4000, 0.5]], sequence: 10 },
      {
        symbol: 'ETH_USDT',
        kind: 'delta',
        bids: [],
        asks: [],
        sequence: 14,
        firstSequence: 11,
        venueTime: 1_790_000_000_000,
      },
      {
        symbol: 'ETH_USDT',
        kind: 'delta',
        bids: [],
        asks: [[4000, 0]],
        sequence: 15,
        firstSequence: 15,
        venueTime: 1_790_000_000_000,
      },
    ]);
  });

  it.each(['true', 1, { unexpected: [1] }])('a book that is full by %j is a reject', (full) => {
    const result = { t: 1_790_000_000_000, full, s: 'ob.ETH_USDT.50', U: 11, u: 14, b: [['3999', '100']] };
    const { books, rejects } = decodeCall(gate, 'futures.obu', frame('futures.obu', result), LISTED);
    expect(books).toEqual([]);
    expect(rejects).toEqual([{ symbol: 'ETH_USDT', reason: 'malformed', detail: 'full' }]);
  });

  it('increments with object levels: a side left out is unchanged', () => {
    const change = { t: 1_790_000_000_020, s: 'ETH_USDT', U: 21, u: 23, b: [{ p: '3999', s: 100 }] };
    const asks = { ...change, b: null, a: [{ p: '4000', s: '0' }] };
    const book = { symbol: 'ETH_USDT', kind: 'delta', firstSequence: 21, sequence: 23 };
    const books = [change, asks].flatMap(
      (row) =>
        decodeCall(gate, 'futures.order_book_update', frame('futures.order_book_update', row), LISTED).books,
    );
    expect(books).toEqual([
      { ...book, bids: [[3999, 1]], asks: [], venueTime: 1_790_000_000_020 },
      { ...book, bids: [], asks: [[4000, 0]], venueTime: 1_790_000_000_020 },
    ]);
  });

  it('reads best prices, statistics and snapshots', () => {
    const top = { t: 1_790_000_000_010, u: 3, s: 'ETH_USDT', b: '3999', B: 7, a: '4001', A: 8 };
    expect(decodeCall(gate, 'futures.book_ticker', frame('futures.book_ticker', top)).quotes).toEqual([
      { symbol: 'ETH_USDT', bestBid: 3999, bestAsk: 4001, venueTime: 1_790_000_000_010 },
    ]);
    const stats = {
      time: 1,
      contract: 'ETH_USDT',
      mark_price: 4000,
      open_interest: '200',
      open_interest_usd: 8000,
    };
    expect(
      decodeCall(gate, 'futures.contract_stats', frame('futures.contract_stats', stats), LISTED).quotes,
    ).toEqual([
      {
        symbol: 'ETH_USDT',
        openInterestRaw: 200,
        openInterestBase: 2,
        openInterestUsd: 8000,
        markPrice: 4000,
      },
    ]);
    const whole = { t: 1, id: 9, contract: 'ETH_USDT', asks: [{ p: '2', s: 100 }], bids: [] };
    expect(
      decodeCall(gate, 'futures.order_book', frame('futures.order_book', whole, 'all'), LISTED).books,
    ).toMatchObject([{ kind: 'snapshot', asks: [[2, 1]], sequence: 9 }]);
    expect(
      reasons(
        decodeCall(
          gate,
          'futures.order_book',
          frame('futures.order_book', [{ p: '2', s: 1, c: 'ETH_USDT' }]),
        ),
      ),
    ).toEqual([[null, 'unexpected_shape']]);
  });

  it('ignores acknowledgements and rejects refusals', () => {
    const ack = frame('futures.obu', { status: 'success' }, 'subscribe');
    for (const event of ['subscribe', 'unsubscribe'])
      expect(decodeCall(gate, 'futures.obu', { ...ack, event }).rejects).toEqual([]);
    expect(decodeCall(gate, 'futures.obu', {}).rejects).toMatchObject([{ detail: 'no channel' }]);
    expect(decodeCall(gate, 'futures.obu', frame('futures.pong', null, '')).rejects).toEqual([]);
    const refused = { ...ack, error: { code: 2, message: 'Alert sub ob.X.50' }, result: { status: 'fail' } };
    expect(decodeCall(gate, 'futures.obu', refused).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '2 Alert sub ob.X.50' },
    ]);
  });
});

describe('gate calls', () => {
  it('exact sizes are requested: others are rounded for fractions', () => {
    expect(gate.headers).toEqual({ 'x-gate-size-decimal': '1' });
  });

  it.each([
    ['https://api.gateio.ws/api/v4/futures/usdt/contracts', 'contracts'],
    ['https://fx-api.gateio.ws/api/v4/futures/usdt/contracts/BTC_USDT', 'contracts'],
    ['/futures/usdt/tickers?contract=BTC_USDT', 'tickers'],
    ['order_book?contract=BTC_USDT', 'order_book'],
    ['wss://fx-ws.gateio.ws/v4/ws/usdt', 'futures socket'],
    ['{"time":1,"channel":"futures.obu","event":"subscribe","payload":["ob.BTC_USDT.50"]}', 'futures socket'],
  ])('%s is %s', (named, call) => expect(callFor(gate, named)?.name).toBe(call));

  it('never throws and never reads data from unrelated bodies', () => {
    expect(nonsenseProblems(gate)).toEqual([]);
    expect(nonsenseProblems(gate, contextOf(LISTED))).toEqual([]);
  });

  it('survives every field broken', () => {
    const decode = callFor(gate, `${url}/contracts`)?.decode;
    if (decode === undefined) throw new Error('no call');
    expect(mutate({ name: 'contracts', payload: CONTRACTS, decode }).problems).toEqual([]);
  });
});

/** Recordings of calls that carry no metric: candles of the last price, and a basket. */
const WITHOUT_CALL = ['candlesticks.json', 'index-constituents-old.json'];

interface Stated {
  readonly snapshotId: number;
  readonly firstAppliedUu: readonly [number, number];
  readonly lastU: number;
  readonly bboAfterUpdate: readonly {
    readonly u: number;
    readonly bid: string;
    readonly bidSize: number;
    readonly ask: string;
    readonly askSize: number;
  }[];
}

function readStated(file: string): Stated {
  const { expected } = loadSample('gate', file);
  if (!isWire(expected)) throw new Error(`${file} states nothing`);
  return expected as unknown as Stated;
}

/** The increments that follow a snapshot, each checked to begin where the one before ended. */
function chain(snapshot: BookUpdate, deltas: readonly BookUpdate[]): BookUpdate[] {
  let last = snapshot.sequence ?? 0;
  const applied: BookUpdate[] = [];
  for (const delta of deltas) {
    const { sequence = 0, firstSequence = 0 } = delta;
    if (sequence <= last) continue;
    expect(firstSequence, `after ${last}`).toBe(last + 1);
    applied.push(delta);
    last = sequence;
  }
  return applied;
}

it('a rate of an unlisted contract: read, until a list is known', () => {
  const url = '/api/v4/futures/usdt/funding_rate?contract=OLDCOIN';
  const rows = [{ t: 1_790_006_401, r: '0.0001' }];
  expect(decodeCall(gate, url, rows).funding).toMatchObject([
    { symbol: 'OLDCOIN', time: 1_790_006_400_000, rate: 0.0001 },
  ]);
  expect(decodeCall(gate, url, rows, LISTED).funding).toEqual([]);
});

describeSamples(gate, (samples) => {
  const contracts = (): readonly Instrument[] => decodeFile(gate, 'contracts-2023-05-24.json').instruments;
  /** The recorded list is a part and lacks OMG, whose size is 1 like that of the other two sessions' contracts. */
  const withOmg = (): readonly Instrument[] =>
    contracts().flatMap((contract) =>
      contract.symbol === 'PHB_USDT' ? [contract, { ...contract, symbol: 'OMG_USDT' }] : [contract],
    );

  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(gate, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('reads recorded contracts of 2023 and 2026, and sizes written as text', () => {
    const old = decodeFile(gate, 'contracts-2023-05-24.json');
    expect([old.instruments.length, old.quotes.length, old.rejects]).toEqual([30, 30, []]);
    expect(old.quotes[0]).toEqual({
      symbol: 'ETH_USDT',
      fundingRate: 0.0001,
      fundingIntervalHours: 8,
      nextFundingTime: 1684944000000,
      markPrice: 1815.33,
      indexPrice: 1815.24,
      openInterestRaw: 21977529,
      openInterestBase: 219775.29,
      openInterestUsd: 219775.29 * 1815.33,
    });
    expect(decodeFile(gate, 'contract-0G_USDT-2026-07.json').quotes).toMatchObject([
      {
        symbol: '0G_USDT',
        fundingRate: -0.003216,
        markPrice: 0.2048,
        indexPrice: 0.2077,
        openInterestBase: 783779,
      },
    ]);
    expect(decodeFile(gate, 'contracts-decimal-strings.json').quotes).toMatchObject([
      { symbol: 'LAB_USDT', openInterestRaw: 40177.8, openInterestBase: expect.closeTo(4_017_780, 6) },
    ]);
  });

  it('reads recorded tickers, rates and open interest', () => {
    expect(decodeFile(gate, 'tickers-doc-example.json').quotes).toMatchObject([
      {
        markPrice: 6534,
        indexPrice: 6531,
        openInterestRaw: 32323904,
        volume24hUsd: 184040233284,
        bestBid: 34089.7,
      },
    ]);
    expect(decodeFile(gate, 'funding-rate-history.json').funding).toMatchObject([
      { time: 1543968000000, rate: 0.000157 },
    ]);
    const [first] = decodeFile(gate, 'contract-stats-BTC_USDT-2022-06-04.json', contracts()).history;
    expect(first?.openInterestUsd).toBeCloseTo(2226295750.1279, 3);
    // 749773515 contracts of 0.0001 BTC at the mark of the row are the USD that it states.
    expect((first?.openInterestBase ?? 0) * (first?.markPrice ?? 0)).toBeCloseTo(2226295750.1279, 0);
    expect(decodeFile(gate, 'ws-tickers-2026-09.jsonl').quotes).toEqual([
      {
        symbol: 'BTC_USDT',
        fundingRate: 0.000072,
        fundingIntervalHours: 8,
        nextFundingTime: 1789459200000,
        markPrice: 77183.5,
        indexPrice: 77221.8,
      },
    ]);
    expect(decodeFile(gate, 'ws-contract-stats.jsonl').quotes).toMatchObject([
      { symbol: 'ETH_USDT', openInterestRaw: 22883730.5, openInterestUsd: 22883730 },
    ]);
    expect(reasons(decodeFile(gate, 'errors.jsonl'))).toEqual(Array(4).fill([null, 'error_body']));
  });

  it.each(['RDNT', 'PHB', 'OMG'])(
    'replays the recorded %s book to the best prices that the venue states',
    (base) => {
      const session = `ws-session-${base}_USDT.jsonl`;
      const stated = readStated(session);
      const [snapshot] = decodeFile(gate, `order-book-${base}_USDT.json`, withOmg()).books;
      const { books, quotes } = decodeFile(gate, session, withOmg());
      if (snapshot === undefined) throw new Error('no snapshot');
      expect(snapshot.sequence).toBe(stated.snapshotId);
      const applied = chain(snapshot, books);
      expect([applied[0]?.firstSequence, applied[0]?.sequence]).toEqual(stated.firstAppliedUu);
      expect(applied.at(-1)?.sequence).toBe(stated.lastU);
      for (const bbo of stated.bboAfterUpdate) {
        const until = applied.filter(({ sequence = 0 }) => sequence <= bbo.u);
        const book = replay([snapshot, ...until]);
        expect(book.bids[0]).toEqual([Number(bbo.bid), bbo.bidSize]);
        expect(book.asks[0]).toEqual([Number(bbo.ask), bbo.askSize]);
        expect(quotes).toContainEqual(
          expect.objectContaining({ bestBid: Number(bbo.bid), bestAsk: Number(bbo.ask) }),
        );
      }
    },
  );

  it('reads recorded increments of 2026: pairs, ids alone, a refusal', () => {
    const { books, rejects } = decodeFile(gate, 'ws-obu-2026-09.jsonl', contracts());
    expect(books.map(({ symbol, kind, sequence }) => [symbol, kind, sequence])).toEqual([
      ['ETH_USDT', 'snapshot', 108552472643],
      ['BTC_USDT', 'delta', 125033676003],
      ['BTC_USDT', 'delta', 125033676011],
    ]);
    expect(books[2]?.firstSequence).toBe((books[1]?.sequence ?? 0) + 1);
    expect(rejects.map(({ reason }) => reason)).toEqual(['error_body']);
    for (const file of ['ws-order-book-update-2026-09.jsonl', 'ws-order-book-update-decimal.jsonl']) {
      expect(decodeFile(gate, file, contracts()).books, file).toMatchObject([{ kind: 'delta' }]);
    }
  });

  it('survives every field of every recording broken', () => {
    const context = contextOf(contracts());
    const problems = samples.flatMap((sample) => {
      const call = callFor(gate, sample.url, sample.method);
      if (call === undefined) return [];
      const asked = { ...context, request: requestFor(sample.url, sample.method) };
      return sample.payloads.slice(0, 3).flatMap((payload) => {
        const test = { name: sample.file, payload, decode: call.decode, context: asked };
        return mutate(test, { limit: 250 }).problems;
      });
    });
    expect(problems).toEqual([]);
  });
});
