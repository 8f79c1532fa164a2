import { describe, expect, it } from 'vitest';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import {
  callFor,
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext, VenueAdapter } from '../adapter.ts';
import { adapterOf } from '../registry.ts';
import { adapterFor, hyperliquid, hyperliquidDex } from './index.ts';

const xyz = hyperliquidDex('xyz');
const AT = asMs(Date.UTC(2026, 8, 20, 7, 12, 30));

/** Runs the call that `url` names on a payload. */
function decode(
  adapter: VenueAdapter,
  url: string,
  payload: unknown,
  context: Partial<DecodeContext> = {},
): Decoded {
  const call = callFor(adapter, url);
  if (call === undefined) throw new Error(`no call for ${url}`);
  return call.decode(payload, { ...contextOf([], requestFor(url, 'POST')), ...context });
}

const listed = (list: readonly Instrument[]) => ({ instruments: contextOf(list).instruments });

function assetContext(mark: number, more: Record<string, unknown> = {}) {
  return {
    funding: '0.0000125',
    openInterest: '200.5',
    prevDayPx: '1.0',
    dayNtlVlm: '12345.5',
    premium: '0.0001',
    oraclePx: String(mark * 0.999),
    markPx: String(mark),
    midPx: String(mark),
    impactPxs: [String(mark), String(mark)],
    dayBaseVlm: '99.5',
    ...more,
  };
}

const DEAD = assetContext(3, {
  funding: '0.0',
  openInterest: '0.0',
  dayNtlVlm: '0.0',
  premium: null,
  midPx: null,
  impactPxs: null,
  dayBaseVlm: '0.0',
});

const META = {
  universe: [
    { name: 'BTC', szDecimals: 5, maxLeverage: 40 },
    { name: 'MATIC', szDecimals: 1, maxLeverage: 20, isDelisted: true },
    { name: 'kPEPE', szDecimals: 0, maxLeverage: 10 },
  ],
};
const CONTEXTS = [assetContext(80_000), DEAD, assetContext(0.004)];
const BULK = [META, CONTEXTS];

describe('hyperliquid bulk metrics', () => {
  const decoded = decode(hyperliquid, '/info {"type":"metaAndAssetCtxs"}', BULK, { receivedAt: AT });

  it('joins universe and contexts by position, including delisted entries', () => {
    expect(decoded.quotes.map((q) => [q.symbol, q.markPrice])).toEqual([
      ['BTC', 80_000],
      ['kPEPE', 0.000004],
    ]);
    expect(decoded.rejects).toEqual([{ symbol: 'MATIC', reason: 'delisted' }]);
    expect(decoded.instruments.map((i) => [i.symbol, i.altId])).toEqual([
      ['BTC', '0'],
      ['kPEPE', '2'],
    ]);
  });

  it('thousands of tokens: converted; open interest: halved in base only', () => {
    const pepe = decoded.quotes[1];
    expect(pepe).toMatchObject({
      openInterestRaw: 200.5,
      openInterestBase: 100_250,
      volume24hUsd: 12_345.5,
      volume24hBase: 99_500,
    });
    expect(pepe?.openInterestUsd).toBeCloseTo(100.25 * 0.004, 12);
    expect(decoded.instruments[1]).toMatchObject({ base: 'kPEPE', ticker: 'PEPE', multiplier: 1000 });
  });

  it('the next full hour after receipt: the settlement, else unknown', () => {
    expect(decoded.quotes[0]?.nextFundingTime).toBe(Date.UTC(2026, 8, 20, 8));
    const without = decode(hyperliquid, '/info {"type":"metaAndAssetCtxs"}', BULK);
    expect(without.quotes[0]).not.toHaveProperty('nextFundingTime');
    expect(without.quotes[0]?.fundingIntervalHours).toBe(1);
  });

  it('names the venue, and has no own fee on the main dex', () => {
    const scaled = { universe: [{ name: 'BTC', deployerFeeScale: '1.0', growthMode: 'enabled' }] };
    const { instruments } = decode(hyperliquid, '/info {"type":"meta"}', scaled);
    expect(instruments).toMatchObject([{ venue: 'hyperliquid', symbol: 'BTC', quote: 'USDC' }]);
    expect(instruments[0]).not.toHaveProperty('takerFeeBps');
  });

  it('rejects the payload when the two lists differ in length', () => {
    const short = decode(hyperliquid, '/info {"type":"metaAndAssetCtxs"}', [META, CONTEXTS.slice(1)]);
    expect(short.quotes).toEqual([]);
    expect(short.rejects.at(-1)).toMatchObject({ reason: 'position_mismatch' });
  });

  it('restricts to listed contracts and rejects the others with a reason', () => {
    const [btc] = decoded.instruments;
    if (btc === undefined) throw new Error('no BTC');
    const some = decode(hyperliquid, '/info {"type":"metaAndAssetCtxs"}', BULK, listed([btc]));
    expect(some.quotes.map((q) => q.symbol)).toEqual(['BTC']);
    expect(some.rejects).toContainEqual({ symbol: 'kPEPE', reason: 'not_listed' });
  });

  it('keeps the readable fields of a row and names the unreadable one', () => {
    const broken = [META, [assetContext(80_000, { markPx: 'n/a', oraclePx: null }), DEAD, 5]];
    const { quotes, rejects } = decode(hyperliquid, '/info {"type":"metaAndAssetCtxs"}', broken);
    expect(quotes).toHaveLength(1);
    expect(quotes[0]).not.toHaveProperty('markPrice');
    expect(quotes[0]).not.toHaveProperty('openInterestUsd');
    expect(rejects).toEqual([
      { symbol: 'MATIC', reason: 'delisted' },
      { symbol: 'BTC', reason: 'malformed', detail: 'markPrice' },
      { symbol: 'BTC', reason: 'missing_field', detail: 'indexPrice' },
      { symbol: 'kPEPE', reason: 'malformed', detail: 'row' },
    ]);
  });
});

describe('allDexsAssetCtxs, which has no coin names', () => {
  const url = '{"type":"allDexsAssetCtxs"}';
  const instruments = decode(hyperliquid, '/info {"type":"meta"}', META).instruments;
  const frame = (main: readonly unknown[]) => ({
    channel: 'allDexsAssetCtxs',
    data: {
      ctxs: [
        ['', main],
        ['xyz', [assetContext(222)]],
      ],
    },
  });

  it('joins by the position of listed contracts; another dex: one reject', () => {
    const decoded = decode(hyperliquid, url, frame(CONTEXTS), listed(instruments));
    expect(decoded.quotes.map((q) => [q.symbol, q.markPrice])).toEqual([
      ['BTC', 80_000],
      ['kPEPE', 0.000004],
    ]);
    expect(decoded.rejects).toEqual([
      { symbol: null, reason: 'delisted', detail: 'position 1' },
      { symbol: null, reason: 'not_listed', detail: 'dex xyz: 1 rows' },
    ]);
  });

  it('takes a contract with a mid for live before it has traded', () => {
    const fresh = assetContext(80_000, { openInterest: '0.0', dayNtlVlm: '0.0' });
    const { quotes } = decode(hyperliquid, url, frame([fresh, DEAD, CONTEXTS[2]]), listed(instruments));
    expect(quotes).toMatchObject([{ symbol: 'BTC', openInterestRaw: 0 }, { symbol: 'kPEPE' }]);
  });

  it.each([
    ['a row is missing', [CONTEXTS[0], CONTEXTS[2]]],
    ['rows are swapped with a delisted one', [DEAD, CONTEXTS[0], CONTEXTS[2]]],
    ['a contract was added', [...CONTEXTS, assetContext(7)]],
    ['a delisted row trades', [CONTEXTS[0], assetContext(5), CONTEXTS[2]]],
    ['there are no rows', []],
  ])('never assigns a row to the wrong coin: %s', (_, rows) => {
    const decoded = decode(hyperliquid, url, frame(rows), listed(instruments));
    expect(decoded.quotes).toEqual([]);
    const mismatches = decoded.rejects.filter((reject) => reject.reason === 'position_mismatch');
    expect(mismatches).toHaveLength(Math.max(1, rows.length));
  });

  it('rejects each row without a universe', () => {
    const decoded = decode(hyperliquid, url, frame(CONTEXTS));
    expect(decoded.quotes).toEqual([]);
    expect(decoded.rejects).toEqual([
      ...[0, 1, 2].map((position) => ({
        symbol: null,
        reason: 'position_mismatch',
        detail: `main[${position}]: universe unknown`,
      })),
      { symbol: null, reason: 'not_listed', detail: 'dex xyz: 1 rows' },
    ]);
    expect(decode(xyz, url, frame(CONTEXTS)).rejects).toMatchObject([
      { reason: 'not_listed', detail: 'dex (main): 3 rows' },
      { reason: 'position_mismatch' },
    ]);
  });

  it('a block that is no pair: rejected; one without contracts: empty', () => {
    const ctxs = { channel: 'allDexsAssetCtxs', data: { ctxs: [['xyz'], [7, []], 'xyz', ['', []]] } };
    expect(decode(hyperliquid, url, ctxs).rejects).toEqual(
      Array(3).fill({ symbol: null, reason: 'malformed', detail: 'ctxs[].dex' }),
    );
  });
});

describe('other answers and frames', () => {
  it.each([
    ['null', null],
    ['text', 'Failed to deserialize the JSON body into the target type'],
    ['an error frame', { channel: 'error', data: 'Already subscribed' }],
    ['an answer to nobody', { channel: 'post', data: { id: 7, response: { type: 'info', payload: null } } }],
  ])('%s is an error body', (_, payload) => {
    for (const url of ['/info {"type":"metaAndAssetCtxs"}', '/info {"type":"l2Book","coin":"X"}', '/info']) {
      expect(decode(hyperliquid, url, payload).rejects).toMatchObject([
        { symbol: null, reason: 'error_body' },
      ]);
    }
  });

  it.each([
    ['null', '/info {"type":"meta"}', null],
    ['universe', '/info {"type":"meta"}', {}],
    ['no metas', '/info {"type":"allPerpMetas"}', {}],
    ['[meta, contexts]', '/info {"type":"metaAndAssetCtxs"}', []],
    ['no book', '/info {"type":"l2Book"}', []],
    ['ctxs', 'allDexsAssetCtxs', { channel: 'allDexsAssetCtxs', data: {} }],
    ['channel', 'bbo', { channel: 7 }],
    ['error', 'bbo', { channel: 'error' }],
    ['post', 'bbo', { channel: 'post', data: { response: { payload: {} } } }],
    ['post', 'bbo', { channel: 'post', data: {} }],
    ['post', 'bbo', { channel: 'post' }],
    ['Too many', '/info {"type":"spotMeta"}', 'Too many'],
    ['Too many', '/info {"type":"spotMeta"}', { channel: 'error', data: 'Too many' }],
  ])('what cannot be read is one reject that says: %s', (detail, url, payload) => {
    expect(decode(hyperliquid, url, payload).rejects).toMatchObject([{ symbol: null, detail }]);
  });

  it('a list of metas says which of them has no names', () => {
    const { rejects } = decode(hyperliquid, '/info {"type":"allPerpMetas"}', [META, { universe: [{}] }]);
    expect(rejects.at(-1)).toEqual({ symbol: null, reason: 'malformed', detail: '[1].universe' });
  });

  it('reads the metrics that a push names the coin of', () => {
    const push = (coin: string) => {
      const ctx = assetContext(0.004, { oraclePx: '0.005', funding: '-0.0002' });
      const frame = { channel: 'activeAssetCtx', data: { coin, ctx } };
      return decode(hyperliquid, 'activeAssetCtx', frame, { receivedAt: AT });
    };
    expect(push('kPEPE').quotes).toEqual([
      {
        symbol: 'kPEPE',
        fundingRate: -0.0002,
        fundingIntervalHours: 1,
        nextFundingTime: Date.UTC(2026, 8, 20, 8),
        markPrice: 0.004 / 1000,
        indexPrice: 0.005 / 1000,
        openInterestRaw: 200.5,
        openInterestBase: 100_250,
        openInterestUsd: expect.closeTo(0.401, 9),
        volume24hRaw: 12_345.5,
        volume24hBase: 99_500,
        volume24hUsd: 12_345.5,
      },
    ]);
    expect(push('xyz:NVDA').rejects).toEqual([{ symbol: 'xyz:NVDA', reason: 'not_listed' }]);
    const empty = { channel: 'activeAssetCtx', data: { coin: 'BTC', ctx: null } };
    expect(decode(hyperliquid, 'activeAssetCtx', empty).rejects).toMatchObject([{ detail: 'row' }]);
  });

  const level = { px: '2', sz: '3', n: 1 };
  const BOOK = { coin: 'BTC', time: 1_790_232_236_546, levels: [[level], [level]] };
  const PAID = [{ coin: 'BTC', fundingRate: '0.0000125', premium: '0', time: 1_790_000_000_000 }];

  /** Answers at `/info` without a type are distinguished by their shape. */
  it.each([
    ['the universe', META, { instruments: [{ symbol: 'BTC' }, { symbol: 'kPEPE' }] }],
    ['the universe with its metrics', BULK, { quotes: [{ markPrice: 80_000 }, { symbol: 'kPEPE' }] }],
    ['the universes of all dexes', [META], { instruments: [{ symbol: 'BTC' }, { symbol: 'kPEPE' }] }],
    ['a book', BOOK, { books: [{ symbol: 'BTC', bids: [[2, 3]] }] }],
    ['settled rates', PAID, { funding: [{ symbol: 'BTC', rate: 0.0000125 }] }],
    ['the state of the exchange', { specialStatuses: null, time: 1 }, { rejects: [] }],
    ['an object of no known kind', { hello: 1 }, { rejects: [{ detail: 'no known answer' }] }],
    ['a list of no known kind', [{ hello: 1 }], { rejects: [{ detail: 'no known answer' }] }],
  ])('%s, by its shape', (_, payload, expected) => {
    expect(decode(hyperliquid, '/info', payload)).toMatchObject(expected);
  });

  it('an answer over the socket: by its type; an unknown one is named', () => {
    const post = (type: string, data: unknown) =>
      decode(hyperliquid, '/info', { channel: 'post', data: { response: { payload: { type, data } } } });
    expect(post('l2Book', BOOK).books).toMatchObject([{ symbol: 'BTC' }]);
    for (const type of ['candleSnapshot', 'perpDexs', 'spotMeta']) expect(post(type, []).rejects).toEqual([]);
    for (const channel of ['pong', 'subscriptionResponse'])
      expect(decode(hyperliquid, '/info', { channel }).rejects).toEqual([]);
    expect(post('userFills', []).rejects).toMatchObject([
      { reason: 'unexpected_shape', detail: 'type userFills' },
    ]);
  });

  it('a book of thousands of tokens: in tokens; a missing level rejects', () => {
    const book = {
      coin: 'kPEPE',
      time: 1_790_232_236_546,
      levels: [[{ px: '0.004411', sz: '2058.0', n: 5 }], [{ px: '0.004413', sz: '58.0', n: 15 }]],
    };
    const [read] = decode(hyperliquid, 'l2Book', { channel: 'l2Book', data: book }).books;
    expect(read).toMatchObject({ symbol: 'kPEPE', kind: 'snapshot', venueTime: 1_790_232_236_546 });
    expect(read?.bids[0]?.[0]).toBeCloseTo(0.000004411, 12);
    expect(read?.bids[0]?.[1]).toBe(2_058_000);
    expect(read?.asks).toEqual([[expect.closeTo(0.000004413, 12), 58_000]]);
    const holed = { ...book, levels: [[{ px: 'x', sz: '1' }], []] };
    expect(decode(hyperliquid, 'l2Book', holed)).toMatchObject({
      books: [],
      rejects: [{ symbol: 'kPEPE', reason: 'malformed' }],
    });
  });

  it('reads best prices; an empty side is no fault', () => {
    const data = { coin: 'BTC', time: 1_790_232_237_145, bbo: [{ px: '84143.0', sz: '1', n: 1 }, null] };
    expect(decode(hyperliquid, 'bbo', { channel: 'bbo', data })).toMatchObject({
      quotes: [{ symbol: 'BTC', bestBid: 84_143 }],
      rejects: [],
    });
    const ask = { ...data, bbo: [null, { px: '84144.0', sz: '1', n: 1 }] };
    expect(decode(hyperliquid, 'bbo', { channel: 'bbo', data: ask }).quotes).toEqual([
      { symbol: 'BTC', bestAsk: 84_144 },
    ]);
  });

  it.each([{}, '84143.0', 7])('a side of the touch of %j is a fault', (side) => {
    const data = { coin: 'BTC', time: 1_790_232_237_145, bbo: [side, { px: '84144.0' }] };
    expect(decode(hyperliquid, 'bbo', { channel: 'bbo', data })).toMatchObject({
      quotes: [{ symbol: 'BTC', bestAsk: 84_144 }],
      rejects: [{ symbol: 'BTC', detail: 'bestBid' }],
    });
  });

  it('a row of 2023: its interval by the row before, its time in seconds', () => {
    const rows = [0, 8, 16, 24].map((h) => ({
      coin: 'BTC',
      fundingRate: '-0.0006',
      premium: '0',
      time: 1_683_849_600_048 + h * 3_600_000,
    }));
    const { funding } = decode(hyperliquid, '/info {"type":"fundingHistory","coin":"BTC"}', rows);
    expect(funding.map((p) => p.intervalHours)).toEqual([8, 8, 8, 8]);
    expect(funding[0]).toMatchObject({ time: 1_683_849_600_000, rate: -0.0006 });
    const turn = [0, 8, 16, 17, 18].map((h) => ({ ...rows[0], time: 1_683_849_600_048 + h * 3_600_000 }));
    const over = (part: object[]) =>
      decode(hyperliquid, '/info {"type":"fundingHistory"}', part).funding.map((p) => p.intervalHours);
    expect(over(turn)).toEqual([8, 8, 8, 1, 1]);
    // The row before the last of eight hours is not shown here: its interval is not known.
    expect(over(turn.slice(2))).toEqual([undefined, 1, 1]);
    const one = decode(hyperliquid, '/info {"type":"fundingHistory"}', rows.slice(0, 1)).funding[0];
    expect(one).not.toHaveProperty('intervalHours');
    const recent = [{ coin: 'BTC', fundingRate: '0.0000125', time: 1_790_000_000_070 }];
    expect(decode(hyperliquid, '/info {"type":"fundingHistory"}', recent).funding[0]?.intervalHours).toBe(1);
  });

  it('from 2024 on: an interval of an hour, also behind missing rows', () => {
    const intervals = (begin: number) =>
      decode(
        hyperliquid,
        '/info {"type":"fundingHistory","coin":"BTC"}',
        [0, 1, 5].map((h) => ({
          coin: 'BTC',
          fundingRate: '0.0000125',
          premium: '0',
          time: begin + 70 + h * 3_600_000,
        })),
      ).funding.map(({ intervalHours }) => intervalHours);
    expect(intervals(Date.UTC(2026, 8, 21, 14))).toEqual([1, 1, 1]);
    expect(intervals(Date.UTC(2024, 0, 1))).toEqual([1, 1, 1]);
    expect(intervals(Date.UTC(2023, 11, 31))).toEqual([undefined, 1, 4]);
  });
});

describe('builder-deployed dexes', () => {
  const meta = {
    collateralToken: 0,
    universe: [
      { name: 'xyz:NVDA', growthMode: 'enabled', deployerFeeScale: '1.0' },
      { name: 'xyz:GOLD', deployerFeeScale: '1.0' },
      { name: 'xyz:EUR', deployerFeeScale: '0.5' },
      { name: 'xyz:OLD' },
    ],
  };

  it('keeps the prefix in the symbol, not in the ticker; fee by contract', () => {
    const { instruments } = decode(xyz, '/info {"type":"meta","dex":"xyz"}', meta);
    expect(instruments.map((i) => [i.symbol, i.ticker, i.takerFeeBps])).toEqual([
      ['xyz:NVDA', 'NVDA', 0.9],
      ['xyz:GOLD', 'GOLD', 9],
      ['xyz:EUR', 'EUR', 6.75],
      ['xyz:OLD', 'OLD', undefined],
    ]);
    expect(instruments[0]).toMatchObject({ venue: 'hyperliquid-xyz', quote: 'USDC', base: 'NVDA' });
  });

  it.each([
    ['growthMode', {}, 'malformed'],
    ['growthMode', 'paused', 'malformed'],
    ['growthMode', 0, 'malformed'],
    ['deployerFeeScale', 'Infinity', 'malformed'],
    ['deployerFeeScale', 101, 'out_of_range'],
  ])('a %s of %j leaves the fee unknown and is a fault', (name, value, reason) => {
    const row = { name: 'xyz:NVDA', growthMode: 'enabled', deployerFeeScale: '1.0', [name]: value };
    const { instruments, rejects } = decode(xyz, '/info {"type":"meta"}', { universe: [row] });
    expect(instruments.map((instrument) => instrument.takerFeeBps)).toEqual([undefined]);
    expect(rejects).toEqual([{ symbol: 'xyz:NVDA', reason, detail: 'deployerFeeScale, growthMode' }]);
  });

  it('rejects collateral that is no known dollar, and coins of another dex', () => {
    for (const collateralToken of [77, 'gold']) {
      const odd = decode(xyz, '/info {"type":"meta"}', { ...meta, collateralToken });
      expect(odd.instruments).toEqual([]);
      expect(odd.rejects).toHaveLength(4);
      expect(odd.rejects[0]).toMatchObject({ reason: 'foreign_quote', detail: 'collateralToken' });
    }
    const main = decode(hyperliquid, '/info {"type":"meta"}', meta);
    expect(main.instruments).toEqual([]);
    expect(main.rejects.map(({ reason, detail }) => [reason, detail])).toEqual(
      Array(4).fill(['not_listed', 'of another dex']),
    );
  });

  it.each([
    [undefined, 'USDC'],
    [360, 'USDH'],
    [235, 'USDE'],
    [268, 'USDT0'],
  ])('collateral %s is %s', (collateralToken, quote) => {
    const { instruments } = decode(xyz, '/info {"type":"meta"}', { ...meta, collateralToken });
    expect(instruments[0]).toMatchObject({ quote, settle: quote });
  });

  it('finds the dexes that have a live asset', () => {
    const payload = [
      META,
      meta,
      { collateralToken: 360, universe: [{ name: 'km:US500', isDelisted: true }] },
      { collateralToken: 0, universe: [] },
      { collateralToken: 0, universe: [{ name: 'newdex:A', isDelisted: true }, { name: 'newdex:B' }] },
    ];
    const found = hyperliquid.discovery?.adapters(payload) ?? [];
    expect(found.map((a) => [a.id, a.sourceId, a.parent])).toEqual([
      ['hyperliquid-xyz', 102, 'hyperliquid'],
      ['hyperliquid-newdex', undefined, 'hyperliquid'],
    ]);
    expect(hyperliquid.discovery?.adapters(null)).toEqual([]);
    const nameless = { universe: [{}, { name: 'BTC' }] };
    expect(hyperliquid.discovery?.adapters([nameless, 7, null])).toEqual([]);
    const own = decode(xyz, '/info {"type":"allPerpMetas"}', payload);
    expect(own.instruments).toHaveLength(4);
    expect(own.rejects).toEqual(
      ['(main)', 'km', 'newdex'].map((dex) => ({ symbol: null, reason: 'not_listed', detail: `dex ${dex}` })),
    );
  });

  it('has an adapter for any dex name', () => {
    expect(adapterOf('hyperliquid-flx')).toMatchObject({ sourceId: 119 });
    expect(adapterOf('hyperliquid-brandnew')).toMatchObject({ id: 'hyperliquid-brandnew', hasIndex: true });
    expect(adapterOf('hyperliquid')).toBe(hyperliquid);
    expect(adapterFor('hyperliquid-')).toBeUndefined();
    expect(adapterFor('hyperliquid-A B')).toBeUndefined();
  });

  it.each([1, 4, 5, 10, 24])('shares one budget, of which main and %d dexes use half', (count) => {
    const metas = Array.from({ length: count }, (_, i) => ({
      universe: [{ name: `d${i}:A`, szDecimals: 1 }],
    }));
    const dexes = hyperliquid.discovery?.adapters(metas) ?? [];
    expect(dexes).toHaveLength(count);
    const venues = [hyperliquid, ...dexes];
    expect(new Set(venues.map((v) => v.budget.id)).size).toBe(1);
    const perMinute = venues
      .flatMap((venue) => venue.polls)
      .reduce((sum, poll) => sum + (poll.weight * 60_000) / poll.everyMs, 0);
    // Lists are asked for every five minutes, at the same weight.
    expect(perMinute).toBeLessThanOrEqual(600 + count * 4 + 4);
  });
});

describe('calls by name', () => {
  const name = (url: string, body?: string) => callFor(hyperliquid, url, undefined, body)?.name;

  it.each([
    ['/info {"type":"metaAndAssetCtxs"}', 'metaAndAssetCtxs'],
    ['https://api.hyperliquid.xyz/info {"type":"metaAndAssetCtxs","dex":"xyz"}', 'metaAndAssetCtxs'],
    ['{"method":"subscribe","subscription":{"type":"l2Book","coin":"BTC"}}', 'l2Book'],
    ['{"type":"allDexsAssetCtxs"}', 'allDexsAssetCtxs'],
    ['activeAssetCtx', 'activeAssetCtx'],
    ['l2Book, bbo, activeAssetCtx', 'l2Book'],
    ['exchangeStatus', 'others'],
    ['/info {"type":"candleSnapshot","req":{"coin":"kPEPE",...}}', 'others'],
    ['/info', 'info'],
    ['wss://api.hyperliquid.xyz/ws', 'info'],
    ['/fapi/v1/premiumIndex', undefined],
  ])('%s', (url, expected) => expect(name(url)).toBe(expected));

  it('reads the type from a body too', () => {
    expect(name('/info', '{"type":"fundingHistory","coin":"BTC"}')).toBe('fundingHistory');
  });
});

describe('bad data', () => {
  it('survives any change of a bulk answer, and nonsense', () => {
    for (const context of [
      contextOf(),
      contextOf(decode(hyperliquid, '/info {"type":"meta"}', META).instruments),
    ]) {
      const call = callFor(hyperliquid, '/info {"type":"metaAndAssetCtxs"}');
      if (call === undefined) throw new Error('no call');
      const { tried, problems } = mutate({
        name: 'bulk',
        payload: [META, [CONTEXTS[0], assetContext(3), CONTEXTS[2]]],
        decode: call.decode,
        context,
      });
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThan(200);
    }
    expect(nonsenseProblems(hyperliquid)).toEqual([]);
    expect(nonsenseProblems(xyz)).toEqual([]);
  });
});

describeSamples(hyperliquid, (samples) => {
  const sample = (file: string) => {
    const found = samples.find((s) => s.file === file);
    if (found === undefined) throw new Error(`no ${file}`);
    return found;
  };
  const first = (file: string) => {
    const [decoded] = decodeSample(hyperliquid, sample(file));
    if (decoded === undefined) throw new Error(`${file} is empty`);
    return decoded;
  };

  it('every recorded call has a decoder', () => {
    for (const { url } of samples) expect(callFor(hyperliquid, url), url).toBeDefined();
  });

  it('reads bulk metrics', () => {
    const { quotes, rejects } = first('meta-and-asset-ctxs.json');
    expect(quotes).toMatchObject([
      {
        symbol: 'BTC',
        fundingRate: 1.25e-5,
        fundingIntervalHours: 1,
        openInterestRaw: 42124.6479,
        openInterestBase: 42124.6479 / 2,
        markPrice: 81165,
        indexPrice: 81145,
        volume24hUsd: 1167895743.0746708,
      },
    ]);
    expect(rejects).toEqual([{ symbol: 'MATIC', reason: 'delisted' }]);
  });

  it('funding of the 8-hour era', () => {
    const { funding } = first('funding-history-8h-era.json');
    expect(funding).toHaveLength(34);
    // The recorded stamp 1683849600048 is 48 ms after the settlement.
    expect(funding[0]).toEqual({ symbol: 'BTC', time: 1683849600000, rate: -0.00061334, intervalHours: 8 });
    expect(funding.every((p) => p.intervalHours === 8)).toBe(true);
  });

  it('REST book', () => {
    const [book] = first('l2book-dydx.json').books;
    expect([book?.bids.length, book?.asks.length]).toEqual([20, 20]);
    expect([book?.bids[0], book?.asks[0]]).toEqual([
      [2.111, 134.4],
      [2.1124, 352.3],
    ]);
  });

  it('one frame of each kind', () => {
    const frames = decodeSample(hyperliquid, sample('ws-frames.jsonl'));
    expect(frames.flatMap((f) => f.books.map((b) => [b.symbol, b.bids.length, b.asks.length]))).toEqual([
      ['BTC', 3, 3],
      ['kPEPE', 3, 3],
      ['MATIC', 0, 0],
    ]);
    expect(frames.flatMap((f) => f.quotes)).toMatchObject([
      { symbol: 'BTC', bestBid: 84143, bestAsk: 84144 },
      { symbol: 'BTC', fundingRate: 1.8952e-6, markPrice: 84148, indexPrice: 84198 },
    ]);
    expect(frames.flatMap((f) => f.rejects.map((r) => r.reason))).toEqual(Array(3).fill('error_body'));
  });

  it('the all-dex push joins BTC and ETH by position', () => {
    const names = ['BTC', 'ETH', 'ATOM', 'MATIC'];
    const { instruments } = decode(hyperliquid, '/info {"type":"meta"}', {
      universe: names.map((name, i) => ({ name, ...(i === 3 ? { isDelisted: true } : {}) })),
    });
    const [frame] = sample('ws-all-dexs-asset-ctxs-main.jsonl').payloads;
    const rows = (frame as { data: { ctxs: [string, unknown[]][] } }).data.ctxs[0]?.[1] ?? [];
    const cut = { channel: 'allDexsAssetCtxs', data: { ctxs: [['', rows.slice(0, 4)]] } };
    const { quotes } = decode(hyperliquid, '{"type":"allDexsAssetCtxs"}', cut, listed(instruments));
    expect(quotes.map((q) => [q.symbol, q.markPrice])).toEqual([
      ['BTC', 77562],
      ['ETH', 2123.7],
      ['ATOM', 2.1315],
    ]);
    // Known contracts that end before the frame does: the universe has grown, no row can be trusted.
    const whole = decode(hyperliquid, '{"type":"allDexsAssetCtxs"}', frame, listed(instruments));
    expect(whole.quotes).toEqual([]);
  });
});

describeSamples(
  xyz,
  (samples) => {
    it('every recorded call has a decoder', () => {
      for (const { url } of samples) expect(callFor(xyz, url), url).toBeDefined();
    });

    it('bulk metrics and fees', () => {
      const [decoded] = decodeSample(xyz, loadSample('hyperliquid-hip3', 'meta-and-asset-ctxs-xyz.json'));
      expect(decoded?.quotes).toMatchObject([
        {
          symbol: 'xyz:NVDA',
          fundingRate: 6.25e-6,
          openInterestRaw: 638380.966,
          openInterestBase: 638380.966 / 2,
          markPrice: 222.03,
          indexPrice: 222.03,
          volume24hUsd: 2862670.51628,
        },
        { symbol: 'xyz:GOLD', fundingRate: 6.25e-6, markPrice: 4374.4, indexPrice: 4375.9 },
      ]);
      expect(decoded?.instruments.map((i) => i.takerFeeBps)).toEqual([0.9, 9]);
    });

    it('the book of a builder coin', () => {
      const [decoded] = decodeSample(xyz, loadSample('hyperliquid-hip3', 'ws-l2book-xyz.jsonl'));
      expect(decoded?.books[0]).toMatchObject({ symbol: 'xyz:SP500', kind: 'snapshot' });
      expect([decoded?.books[0]?.bids[0], decoded?.books[0]?.asks[0]]).toEqual([
        [7673.3, 8.066],
        [7673.4, 5.324],
      ]);
    });

    it('the all-dex push: each dex sees its own rows, whatever the order', () => {
      const push = loadSample('hyperliquid-hip3', 'ws-all-dexs-asset-ctxs.jsonl');
      const expected = { abcd: 1, cash: 17, flx: 16, hyna: 25, vntl: 15, xyz: 40 };
      for (const [dex, rows] of Object.entries(expected)) {
        const [decoded] = decodeSample(hyperliquidDex(dex), push);
        const own = decoded?.rejects.filter((r) => r.reason === 'position_mismatch');
        expect(own, dex).toHaveLength(rows);
      }
    });
  },
  ['hyperliquid-hip3'],
);
