import { describe, expect, it } from 'vitest';
import { agrees, scanOf } from '../../../test/books/scanner-cases.ts';
import { reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { describeFapiRobustness } from '../../../test/venues/fapi-checks.ts';
import * as fapi from '../../../test/venues/fapi-fixture.ts';
import { mutate } from '../../../test/venues/mutate.ts';
import { replay } from '../../../test/venues/replay.ts';
import {
  callFor,
  contextOf,
  describeSamples,
  instrumentsFrom,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import type { BookUpdate } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { binance } from './index.ts';

function decode(url: string, payload: unknown, listed = contextOf([])): Decoded {
  const call = callFor(binance, url, url.startsWith('/') ? 'GET' : undefined);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...listed, request: { method: 'GET', path: url } });
}

const INFO = decode('/fapi/v1/exchangeInfo', fapi.EXCHANGE_INFO);
const LISTED = contextOf(INFO.instruments);

describe('binance instruments', () => {
  it('lists trading perpetuals in USDT and USDC, TradFi ones included', () => {
    expect(INFO.instruments.map(({ symbol }) => symbol)).toEqual([
      'BTCUSDT',
      'BTCUSDC',
      '1000PEPEUSDT',
      '1000XUSDT',
      '1INCHUSDT',
      'TSLAUSDT',
      'SAMSUNGUSDT',
      'XAGUSDT',
      'USDBRLUSDT',
      'NEWUSDT',
      'BTCDOMUSDT',
    ]);
    expect(INFO.instruments.map(({ assetClass }) => assetClass)).toEqual([
      'crypto',
      'crypto',
      'crypto',
      'crypto',
      'crypto',
      'equity',
      'equity',
      'commodity',
      'fx',
      'prelaunch',
      'index',
    ]);
  });

  it.each([
    ['TRADIFI_PERPETUAL', 'BOND', 'unknown'],
    ['TRADIFI_PERPETUAL', 'COIN', 'unknown'],
    ['TRADIFI_PERPETUAL', null, 'unknown'],
    ['TRADIFI_PERPETUAL', 'CN_EQUITY', 'equity'],
    ['PERPETUAL', 'BOND', undefined],
    ['PERPETUAL', null, undefined],
  ])('a %s on %s states %s', (type, underlying, assetClass) => {
    const info = fapi.exchangeInfo([{ symbol: 'NEWUSDT', base: 'NEW', type, underlying }]);
    const [instrument] = decode('/fapi/v1/exchangeInfo', info).instruments;
    expect(instrument?.symbol).toBe('NEWUSDT');
    expect(instrument?.assetClass).toBe(assetClass);
  });

  it('reads multipliers from the table of names, not from digits', () => {
    const multipliers = INFO.instruments.map(({ ticker, multiplier }) => [ticker, multiplier]);
    expect(multipliers.slice(2, 5)).toEqual([
      ['PEPE', 1000],
      ['X', 1000],
      ['1INCH', 1],
    ]);
  });

  it.each([
    [{ status: 'PRE_SETTLE' }, 'delisted'],
    [{ status: 'DELIVERING' }, 'delisted'],
    [{ status: 'DELIVERED' }, 'delisted'],
    [{ status: 'PRE_DELIVERING' }, 'delisted'],
    [{ status: 'CLOSE' }, 'delisted'],
    [{ type: 'OTHER_PERPETUAL' }, 'not_trading'],
    [{ type: '' }, 'spot'],
    [{ quote: 'USD', margin: 'BTC' }, 'inverse'],
  ])('a row of %j is %s', (changes, reason) => {
    const info = fapi.exchangeInfo([{ symbol: 'BTCUSDT', base: 'BTC', ...changes }]);
    expect(decode('/fapi/v1/exchangeInfo', info).rejects).toEqual([{ symbol: 'BTCUSDT', reason }]);
  });

  it('rejects every other row with a reason', () => {
    expect(INFO.rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['BTCUSDT_261225', 'dated'],
      ['OLDUSDT', 'delisted'],
      ['SOONUSDT', 'prelisting'],
      ['HALTUSDT', 'not_trading'],
      ['ETHBTC', 'foreign_quote'],
      ['ODDUSDT', 'quanto'],
    ]);
  });
});

describe('binance quotes', () => {
  it('mark, index, the coming rate and its time: per single unit', () => {
    const { quotes } = decode('/fapi/v1/premiumIndex', fapi.PREMIUM_INDEX, LISTED);
    expect(quotes.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'BTCUSDC', '1000PEPEUSDT']);
    expect(quotes[0]).toEqual({
      symbol: 'BTCUSDT',
      fundingRate: -0.00003,
      nextFundingTime: 1_790_006_400_000,
      markPrice: 64000.1,
      indexPrice: 64010,
      venueTime: 1_790_000_001_000,
    });
    expect(quotes[2]?.markPrice).toBeCloseTo(0.000012, 12);
  });

  it('dated, delisted and out-of-scope rows: left out, with or without list', () => {
    expect(reasons(decode('/fapi/v1/premiumIndex', fapi.PREMIUM_INDEX, LISTED))).toEqual([
      ['BTCUSDT_261225', 'dated'],
      ['OLDUSDT', 'not_listed'],
      ['ETHBTC', 'foreign_quote'],
    ]);
    expect(reasons(decode('/fapi/v3/premiumIndex', fapi.PREMIUM_INDEX))).toEqual([
      ['BTCUSDT_261225', 'dated'],
      ['OLDUSDT', 'delisted'],
      ['ETHBTC', 'foreign_quote'],
    ]);
    const others = ['BTCUSD_PERP', 'BTC-261225-60000-C', 'BTC_USDT'].map((symbol) => fapi.premiumRow(symbol));
    const ended = fapi.premiumRow('BTCUSDT', { nextFundingTime: '0' });
    expect(reasons(decode('/fapi/v1/premiumIndex', [...others, ended]))).toEqual([
      ['BTCUSD_PERP', 'inverse'],
      ['BTC-261225-60000-C', 'option'],
      ['BTC_USDT', 'not_listed'],
      ['BTCUSDT', 'delisted'],
    ]);
  });

  it('reports each unreadable field of a row and keeps the others', () => {
    const row = fapi.premiumRow('BTCUSDT', { markPrice: '-1', lastFundingRate: null, indexPrice: 'n/a' });
    const decoded = decode('/fapi/v1/premiumIndex?symbol=BTCUSDT', row);
    expect(decoded.quotes).toEqual([
      { symbol: 'BTCUSDT', nextFundingTime: 1_790_006_400_000, venueTime: 1_790_000_001_000 },
    ]);
    expect(decoded.rejects).toEqual([
      { symbol: 'BTCUSDT', reason: 'missing_field', detail: 'fundingRate' },
      { symbol: 'BTCUSDT', reason: 'out_of_range', detail: 'markPrice' },
      { symbol: 'BTCUSDT', reason: 'malformed', detail: 'indexPrice' },
    ]);
  });

  it('intervals: none for contracts that the table lacks', () => {
    const { quotes } = decode('/fapi/v1/fundingInfo', fapi.FUNDING_INFO, LISTED);
    expect(quotes).toEqual([
      { symbol: 'BTCUSDT', fundingIntervalHours: 8, fundingCap: 0.02, fundingFloor: -0.02 },
      { symbol: '1000PEPEUSDT', fundingIntervalHours: 4 },
      { symbol: 'BTCUSDC', fundingIntervalHours: 1 },
    ]);
  });

  it('reads volume: own number, base units, quote currency; zero is data', () => {
    const { quotes } = decode('/fapi/v1/ticker/24hr', fapi.TICKER_24H);
    expect(quotes).toEqual([
      { symbol: 'BTCUSDT', volume24hRaw: 1500.25, volume24hBase: 1500.25, volume24hUsd: 96016150 },
      { symbol: '1000PEPEUSDT', volume24hRaw: 2e6, volume24hBase: 2e9, volume24hUsd: 24000 },
      { symbol: 'DEADUSDT', volume24hRaw: 0, volume24hBase: 0, volume24hUsd: 0 },
    ]);
  });

  it('reads best bid and ask; an empty side is no price and no fault', () => {
    const { quotes, rejects } = decode('/fapi/v1/ticker/bookTicker', fapi.BOOK_TICKER);
    expect(quotes[0]).toEqual({ symbol: 'BTCUSDT', bestBid: 64000, bestAsk: 64000.1 });
    expect(quotes[1]?.bestBid).toBeCloseTo(0.0000119, 12);
    expect(quotes[2]).toEqual({ symbol: 'THINUSDT', bestAsk: 2.5 });
    expect(rejects).toEqual([]);
  });

  it('open interest of one symbol: in blocks and units, USD by the mark', () => {
    const { quotes } = decode('/fapi/v1/openInterest?symbol=1000PEPEUSDT', fapi.OPEN_INTEREST);
    expect(quotes).toEqual([
      { symbol: '1000PEPEUSDT', openInterestRaw: 5000.5, openInterestBase: 5_000_500 },
    ]);
  });

  it('turns an error body into one reject', () => {
    const decoded = decode('/fapi/v1/openInterest?symbol=NO', { code: -1121, msg: 'Invalid symbol.' });
    expect(decoded.rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '-1121 Invalid symbol.' },
    ]);
  });
});

describe('binance history', () => {
  it('keys settled rates by the second and keeps the mark where it is stated', () => {
    const { funding } = decode('/fapi/v1/fundingRate?symbol=BTCUSDT&limit=1000', fapi.FUNDING_HISTORY);
    expect(funding).toEqual([
      { symbol: 'BTCUSDT', time: 1_789_948_800_000, rate: 0.0001, markPrice: 63900.5 },
      { symbol: 'BTCUSDT', time: 1_789_977_600_000, rate: -0.00002 },
    ]);
  });

  it('open-interest history and mark klines: the open at the open time', () => {
    const interest = decode(
      '/futures/data/openInterestHist?symbol=BTCUSDT&period=1h',
      fapi.OPEN_INTEREST_HISTORY,
    );
    expect(interest.history).toEqual([
      {
        symbol: 'BTCUSDT',
        time: 1_789_992_000_000,
        openInterestBase: 90000.5,
        openInterestUsd: 5760041000.25,
      },
    ]);
    const marks = decode('/fapi/v1/markPriceKlines?symbol=BTCUSDT&interval=1h', fapi.MARK_KLINES);
    expect(marks.history).toEqual([{ symbol: 'BTCUSDT', time: 1_789_992_000_000, markPrice: 64000.1 }]);
  });

  it('reads the turnover of candles of trades', () => {
    const open = 1_789_992_000_000;
    const close = 1_789_995_599_999;
    const candle = [open, '64000', '64100', '63900', '64050', '2.5', close, '160100', 9, '1', '64010', '0'];
    expect(decode('/fapi/v1/klines?symbol=BTCUSDT&interval=1h', [candle]).history).toEqual([
      { symbol: 'BTCUSDT', time: open, hourUsd: 160_100 },
    ]);
  });

  it('needs the request for answers that do not name their symbol', () => {
    const klines = callFor(binance, '/fapi/v1/markPriceKlines');
    expect(klines?.decode(fapi.MARK_KLINES, contextOf()).rejects).toEqual([
      { symbol: null, reason: 'missing_field', detail: 'symbol of the request' },
    ]);
  });
});

describe('binance books and frames', () => {
  it('reads a REST book in single units', () => {
    const { books } = decode('/fapi/v1/depth?symbol=1000PEPEUSDT&limit=1000', fapi.DEPTH);
    expect(books).toHaveLength(1);
    expect(books[0]).toMatchObject({
      symbol: '1000PEPEUSDT',
      kind: 'snapshot',
      sequence: 1_027_024,
      venueTime: 1_790_000_000_000,
    });
    expect(books[0]?.bids[0]?.[0]).toBeCloseTo(0.000012, 12);
    expect(books[0]?.bids[0]?.[1]).toBe(10_000);
  });

  it('drops a book with one unreadable level whole', () => {
    const bad = { ...fapi.DEPTH, asks: [['0.013']] };
    const decoded = decode('/fapi/v1/depth?symbol=BTCUSDT', bad);
    expect(decoded.books).toEqual([]);
    expect(decoded.rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'malformed', detail: 'asks' }]);
  });

  it('reads a diff bare or wrapped, and a partial book as a whole one', () => {
    const bare = decode('btcusdt@depth@100ms', fapi.DEPTH_EVENT).books[0];
    expect(bare).toEqual({
      symbol: 'BTCUSDT',
      kind: 'delta',
      bids: [
        [64000, 0],
        [63999.5, 10],
      ],
      asks: [[64000.6, 100]],
      sequence: 160,
      firstSequence: 157,
      previousSequence: 149,
      venueTime: 1_790_000_000_100,
    });
    const wrapped = decode('wss://fstream.binance.com/stream?streams=btcusdt@depth@100ms', {
      stream: 'btcusdt@depth@100ms',
      data: fapi.DEPTH_EVENT,
    });
    expect(wrapped.books).toEqual([bare]);
    const partial = decode('/stream', { stream: 'btcusdt@depth20@500ms', data: fapi.DEPTH_EVENT });
    expect(partial.books[0]?.kind).toBe('snapshot');
  });

  it.each(['', '@100ms', '@500ms'])('a diff is scanned as it is decoded, bare or of @depth%s', (every) => {
    const wrapped = { stream: `btcusdt@depth${every}`, data: fapi.DEPTH_EVENT };
    for (const frame of [fapi.DEPTH_EVENT, wrapped])
      expect(agrees(binance, scanOf(binance), JSON.stringify(frame))).toBe(true);
  });

  it('reads mark and ticker events; Q is the last trade, q the quote volume', () => {
    expect(decode('!markPrice@arr@1s', [fapi.MARK_EVENT]).quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        fundingRate: 0.00038167,
        nextFundingTime: 1_790_006_400_000,
        markPrice: 64000.1,
        indexPrice: 64010,
        venueTime: 1_790_000_000_000,
      },
    ]);
    for (const e of ['24hrTicker', '24hrMiniTicker'])
      expect(decode('!ticker@arr', [{ ...fapi.TICKER_EVENT, e }]).quotes).toEqual([
        { symbol: '1000PEPEUSDT', volume24hRaw: 10000, volume24hBase: 1e7, volume24hUsd: 118.5 },
      ]);
    const touch = { e: 'bookTicker', s: 'BTCUSDT', b: '64000', B: '1.5', a: '64000.1', A: '2' };
    for (const stream of ['btcusdt@bookTicker', '!bookTicker'])
      expect(decode(stream, touch).quotes).toEqual([{ symbol: 'BTCUSDT', bestBid: 64000, bestAsk: 64000.1 }]);
  });

  it('a mark event of a dated future: rejected; acknowledgements pass', () => {
    const dated = { ...fapi.MARK_EVENT, s: 'BTCUSDT_261225', r: '', T: 0 };
    expect(decode('!markPrice@arr', [dated]).rejects).toEqual([
      { symbol: 'BTCUSDT_261225', reason: 'dated' },
    ]);
    for (const frame of [
      { result: null, id: 1 },
      ...['aggTrade', 'trade', 'kline', 'continuous_kline', 'markPrice_kline'].map((e) => ({
        e,
        s: 'BTCUSDT',
      })),
      ...['forceOrder', 'contractInfo', 'assetIndexUpdate', 'compositeIndex'].map((e) => ({ e })),
    ]) {
      expect(decode('/ws', frame)).toEqual(emptyDecoded());
    }
    for (const [frame, reason, detail] of [
      [{ error: { code: 2, msg: 'Invalid request' }, id: 1 }, 'error_body', '2 Invalid request'],
      [{ e: 'other', s: 'BTCUSDT' }, 'unexpected_shape', 'event other'],
      [{ s: 'BTCUSDT' }, 'unexpected_shape', 'no event'],
    ] as const)
      expect(decode('/ws', frame).rejects).toMatchObject([{ reason, detail }]);
  });
});

describe('binance plan', () => {
  const minute = (everyMs: number, weight: number, requests: number) =>
    (60_000 / everyMs) * weight * requests;

  it('fits every poll of 740 contracts into half of the weight', () => {
    const instruments = Array.from({ length: 740 }, (_, i) => ({
      ...(INFO.instruments[0] ?? fail()),
      symbol: `A${i}USDT`,
    }));
    const used = binance.polls
      .filter(({ pool }) => pool === undefined)
      .map(({ everyMs, weight, requests }) =>
        minute(everyMs, weight, requests({ instruments, now: 0 as never }).length),
      )
      .reduce((sum, weight) => sum + weight, 0);
    expect(used).toBeGreaterThan(500);
    expect(used).toBeLessThan(1200);
  });

  it('open interest: one symbol at a time, spread out, most traded first', () => {
    const poll = binance.polls.find(({ spread }) => spread === true);
    const requests = poll?.requests({ instruments: INFO.instruments, now: 0 as never }) ?? [];
    expect(requests[0]).toEqual({
      method: 'GET',
      path: '/fapi/v1/openInterest?symbol=BTCUSDT',
      symbol: 'BTCUSDT',
    });
    expect(requests).toHaveLength(INFO.instruments.length);
    expect(poll?.everyMs).toBeLessThanOrEqual(90_000);
  });

  it('reads the base of a symbol', () => {
    expect(binance.baseOf('1000PEPEUSDT')).toBe('1000PEPE');
    expect(binance.baseOf('BTCUSDC')).toBe('BTC');
    expect(binance.baseOf('BTCUSDT_261225')).toBeUndefined();
    expect(binance.baseOf('ETHBTC')).toBeUndefined();
  });
});

function fail(): never {
  throw new Error('no instrument');
}

describeFapiRobustness(binance);

/** Recordings of calls that carry no metric: other endpoints, acknowledgements, errors. */
const WITHOUT_CALL = ['constituents-btcusdt.json', 'error-invalid-symbol.json'];

/** The venue's rule: drop u < snapshot, begin where U <= id <= u or pu == id, then pu is the last u. */
function chain(snapshot: BookUpdate, deltas: readonly BookUpdate[]) {
  const id = snapshot.sequence ?? Number.NaN;
  const kept = deltas.filter((delta) => (delta.sequence ?? 0) >= id);
  const first = kept[0];
  const starts =
    first !== undefined &&
    (((first.firstSequence ?? 0) <= id && id <= (first.sequence ?? 0)) || first.previousSequence === id);
  const gaps = kept.filter((delta, i) => i > 0 && delta.previousSequence !== kept[i - 1]?.sequence);
  return { kept, dropped: deltas.length - kept.length, starts, gaps: gaps.length };
}

interface Expected {
  readonly derived_by_replay: {
    readonly applied: number;
    readonly dropped: number;
    readonly lastUpdateId: number;
    readonly bids: readonly (readonly [string, string])[];
    readonly asks: readonly (readonly [string, string])[];
  };
}

const numbers = (levels: readonly (readonly [string, string])[]) =>
  levels.map(([price, size]) => [Number(price), Number(size)]);

describeSamples(binance, (samples) => {
  it('every recording with metrics, contracts, rates or books: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(binance, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(WITHOUT_CALL);
  });

  it('lists 33 of the 44 recorded contracts', () => {
    const { instruments, rejects } = decodeFile(binance, 'exchange-info.json');
    expect(instruments).toHaveLength(33);
    expect(instruments.find(({ symbol }) => symbol === '1000000MOGUSDT')).toMatchObject({
      base: '1000000MOG',
      ticker: 'MOG',
      multiplier: 1_000_000,
    });
    const left = (why: string) => rejects.filter(({ reason }) => reason === why).map(({ symbol }) => symbol);
    expect(left('dated')).toEqual(['BTCUSDT_250926', 'ETHUSDT_250926', 'BTCUSDT_251226', 'ETHUSDT_251226']);
    expect(left('delisted')).toEqual(['DEFIUSDT', 'OMGUSDT', 'WAVESUSDT', 'MKRUSDT']);
    expect(left('prelisting')).toEqual(['BTCSTUSDT', 'ZKCUSDT']);
    expect(left('foreign_quote')).toEqual(['ETHBTC']);
  });

  it('reads the recorded marks, per single unit', () => {
    const { quotes, rejects } = decodeFile(binance, 'premium-index-all.json');
    expect(quotes).toHaveLength(50);
    expect(quotes.find(({ symbol }) => symbol === 'XMRUSDT')).toEqual({
      symbol: 'XMRUSDT',
      markPrice: 159.57,
      indexPrice: 159.33,
      fundingRate: 0.00125932,
      nextFundingTime: 1_732_723_200_000,
      venueTime: 1_732_715_655_000,
    });
    const mog = quotes.find(({ symbol }) => symbol === '1000000MOGUSDT');
    expect(mog?.markPrice).toBeCloseTo(2.4304e-6, 15);
    expect(rejects.map(({ symbol, reason }) => [symbol, reason])).toEqual([
      ['ETHUSDT_250328', 'dated'],
      ['BTCUSDT_250328', 'dated'],
      ['ETHUSDT_241227', 'dated'],
      ['ETHBTC', 'foreign_quote'],
    ]);
  });

  it('keeps to the listed contracts where the list is known', () => {
    const listed = instrumentsFrom(binance, 'exchange-info.json');
    const { quotes, rejects } = decodeFile(binance, 'premium-index-all.json', listed);
    expect(quotes.every(({ symbol }) => listed.some((contract) => contract.symbol === symbol))).toBe(true);
    expect(quotes.length + rejects.length).toBe(54);
    expect(new Set(rejects.map(({ reason }) => reason))).toEqual(
      new Set(['dated', 'not_listed', 'foreign_quote']),
    );
  });

  it('reads the single-symbol answers', () => {
    expect(decodeFile(binance, 'premium-index-btcusdt.json').quotes).toMatchObject([
      { markPrice: 114873.4, indexPrice: 114915.30608696, fundingRate: 0.00008425 },
    ]);
    expect(decodeFile(binance, 'open-interest-btcusdt.json').quotes).toEqual([
      { symbol: 'BTCUSDT', openInterestRaw: 88579.321, openInterestBase: 88579.321 },
    ]);
    expect(decodeFile(binance, 'ticker-24hr-btcusdt.json').quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        volume24hRaw: 105892.131,
        volume24hBase: 105892.131,
        volume24hUsd: 12228077298.74,
      },
    ]);
    const info = decodeFile(binance, 'funding-info.json').quotes;
    expect(info.slice(0, 2)).toEqual([
      { symbol: 'GTCUSDT', fundingIntervalHours: 8, fundingCap: 0.03, fundingFloor: -0.03 },
      { symbol: 'LPTUSDT', fundingIntervalHours: 4, fundingCap: 0.02, fundingFloor: -0.02 },
    ]);
  });

  it('reads the recorded history', () => {
    const { funding } = decodeFile(binance, 'funding-rate-history-btcusdt.json');
    expect(funding).toHaveLength(30);
    // Recorded as 1755072000002: the jitter is rounded away.
    expect(funding[0]).toEqual({
      symbol: 'BTCUSDT',
      time: 1_755_072_000_000,
      rate: 0.0001,
      markPrice: 119546.71040942,
    });
    expect(decodeFile(binance, 'open-interest-hist-btcusdt.json').history[0]).toEqual({
      symbol: 'BTCUSDT',
      time: 1_757_577_600_000,
      openInterestBase: 93448.918,
      openInterestUsd: 10656925173.187464,
    });
    const marks = decodeFile(binance, 'mark-price-klines-btcusdt.json').history;
    expect(marks.slice(0, 2)).toEqual([
      { symbol: 'BTCUSDT', time: 1_757_577_600_000, markPrice: 114040 },
      { symbol: 'BTCUSDT', time: 1_757_581_200_000, markPrice: 114006.02757609 },
    ]);
  });

  it('reads the mark streams as their sources state them', () => {
    const arr = decodeFile(binance, 'ws-mark-price-arr.jsonl').quotes;
    expect(
      arr.map(({ fundingRate, nextFundingTime, venueTime }) => [fundingRate, nextFundingTime, venueTime]),
    ).toEqual([
      [0.00058959, 1617321600000, 1617309024002],
      [0.00059142, 1617321600000, 1617309024002],
    ]);
    expect(decodeFile(binance, 'ws-mark-price.jsonl').quotes[0]?.markPrice).toBe(95209.55336957);
  });

  it.each(['sushiusdt', 'ctkusdt'])('replays the recorded book of %s without a gap', (symbol) => {
    const [snapshot] = decodeFile(binance, `depth-${symbol}.json`).books;
    const deltas = decodeFile(binance, `ws-depth-${symbol}.jsonl`).books;
    const { derived_by_replay: expected } = loadSample('binance', `ws-depth-${symbol}.jsonl`)
      .expected as Expected;
    if (snapshot === undefined) throw new Error('no snapshot');
    const { kept, dropped, starts, gaps } = chain(snapshot, deltas);
    expect({ applied: kept.length, dropped, starts, gaps }).toEqual({
      applied: expected.applied,
      dropped: expected.dropped,
      starts: true,
      gaps: 0,
    });
    expect(kept.at(-1)?.sequence).toBe(expected.lastUpdateId);
    const book = replay([snapshot, ...kept]);
    expect(book.bids.slice(0, 3)).toEqual(numbers(expected.bids));
    expect(book.asks.slice(0, 3)).toEqual(numbers(expected.asks));
  });

  it('survives mutations of every recording', () => {
    for (const { file, url, method, payloads } of samples) {
      const call = callFor(binance, url, method);
      if (call === undefined) continue;
      const context = contextOf([], requestFor(url));
      const { problems } = mutate(
        { name: file, payload: payloads[0], decode: call.decode, context },
        { limit: 300 },
      );
      expect(problems).toEqual([]);
    }
  });
});
