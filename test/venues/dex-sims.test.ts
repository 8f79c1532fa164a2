import { describe, expect, it } from 'vitest';
import { namedCall } from '../../src/cli/named-call.ts';
import { asMs } from '../../src/domain/units.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import type { SimVenue } from '../../src/sim/venue.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import type { SimContract } from '../../src/sim/world.ts';
import { callRef, callsOf, type DecodeContext, type VenueRequest } from '../../src/venues/adapter.ts';
import { hyperliquidDex } from '../../src/venues/hyperliquid/index.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { pairingsOf, renderRequest, runAdapter } from './sim-run.ts';

/** What the acceptance checks do not ask for: histories, REST books, refusals, the all-dex push. */

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

function sim(id: string): SimVenue {
  const found = SIM_VENUES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no simulated ${id}`);
  return found;
}

function paired(id: string) {
  const adapter = adapterOf(id);
  const parent = adapter?.parent === undefined ? adapter : adapterOf(adapter.parent);
  const all = pairingsOf(parent === undefined ? [] : [parent], SIM_VENUES, world, AT);
  const pairing = all.find((one) => one.adapter.id === id);
  if (pairing === undefined) throw new Error(`no pairing ${id}`);
  return pairing;
}

const contexts = new Map<string, DecodeContext['instruments']>();

function contextFor(id: string): DecodeContext['instruments'] {
  const known = contexts.get(id) ?? runAdapter(paired(id), world, AT).instruments;
  contexts.set(id, known);
  return known;
}

/** Answer of the simulated venue through the decoder that the call's name finds. */
function read(id: string, path: string, question?: object) {
  const body = question === undefined ? {} : { body: JSON.stringify(question) };
  const request: VenueRequest = { method: question === undefined ? 'GET' : 'POST', path, ...body };
  const pairing = paired(id);
  const answer = renderRequest(pairing, world, request, AT);
  const ref = callRef(path, request.method, request.body);
  const call = namedCall(callsOf(pairing.adapter), ref);
  if (answer === undefined || call === undefined) throw new Error(`no ${path} at ${id}`);
  return call.decode(JSON.parse(answer.body), { instruments: contextFor(id), request });
}

function contract(id: string, symbol: string): SimContract {
  const found = world.contracts(sim(id).listing).find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`${id} does not list ${symbol}`);
  return found;
}

/** Prices within a tick, sizes within a lot of the world's book. */
function expectBook(id: string, symbol: string, path: string, question?: object): void {
  const [book] = read(id, path, question).books;
  const listed = contract(id, symbol);
  const expected = world.book(listed, AT, 10);
  expect(book).toMatchObject({ symbol, kind: 'snapshot' });
  for (const side of ['bids', 'asks'] as const) {
    expect(book?.[side].length).toBeGreaterThanOrEqual(10);
    for (const [i, [price, size]] of expected[side].entries()) {
      expect(book?.[side][i]?.[0]).toBeCloseTo(price, 10);
      expect(Number(book?.[side][i]?.[1]) / size).toBeCloseTo(1, 4);
    }
  }
}

describe('REST books', () => {
  it.each([
    ['hyperliquid', 'kPEPE', '/info', { type: 'l2Book', coin: 'kPEPE' }],
    ['hyperliquid-xyz', 'xyz:NVDA', '/info', { type: 'l2Book', coin: 'xyz:NVDA' }],
    ['dydx', 'BTC-USD', '/v4/orderbooks/perpetualMarket/BTC-USD', undefined],
    ['paradex', 'kPEPE-USD-PERP', '/v1/orderbook/kPEPE-USD-PERP?depth=20', undefined],
  ])('%s %s', (id, symbol, path, question) => expectBook(id, symbol, path, question));

  it('lighter 1000PEPE: single orders', () => {
    const market = contextFor('lighter').get('1000PEPE')?.altId;
    expectBook('lighter', '1000PEPE', `/api/v1/orderBookOrders?market_id=${market}&limit=250`);
  });
});

describe('histories', () => {
  const hours = (n: number) =>
    Array.from({ length: n }, (_, i) => Math.floor(AT / HOUR_MS - i) * HOUR_MS).reverse();

  function expectSettled(id: string, symbol: string, path: string, question?: object): void {
    const { funding, rejects } = read(id, path, question);
    const listed = contract(id, symbol);
    const points = [...funding].sort((a, b) => a.time - b.time);
    expect(rejects).toEqual([]);
    expect(points.map((p) => p.time)).toEqual(hours(24));
    for (const { time, rate, intervalHours } of points) {
      expect(rate).toBeCloseTo(world.settledRate(listed, time), 7);
      expect(intervalHours).toBe(1);
    }
  }

  it('hyperliquid', () => {
    const startTime = AT - 24 * HOUR_MS;
    expectSettled('hyperliquid', 'BTC', '/info', { type: 'fundingHistory', coin: 'BTC', startTime });
  });

  it('hyperliquid gives at most 500 rows a page', () => {
    const startTime = AT - 900 * HOUR_MS;
    const { funding } = read('hyperliquid', '/info', { type: 'fundingHistory', coin: 'BTC', startTime });
    expect(funding).toHaveLength(500);
    expect(funding[0]?.time).toBe(Math.ceil(startTime / HOUR_MS) * HOUR_MS);
  });

  it('lighter, signed by direction', () => {
    const market = contextFor('lighter').get('SOL')?.altId;
    const query = `market_id=${market}&resolution=1h&start_timestamp=${AT - 24 * HOUR_MS}&end_timestamp=${AT}&count_back=0`;
    expectSettled('lighter', 'SOL', `/api/v1/fundings?${query}`);
  });

  it('dydx', () => expectSettled('dydx', 'SOL-USD', '/v4/historicalFunding/SOL-USD?limit=24'));

  it('derive: candles of the rate', () => {
    const question = { instrument_name: 'SOL-PERP', start_timestamp: AT - 24 * HOUR_MS, end_timestamp: AT };
    expectSettled('derive', 'SOL-PERP', '/public/get_funding_rate_history', question);
  });

  it('dydx: open interest by candles', () => {
    const { history } = read('dydx', '/v4/candles/perpetualMarkets/SOL-USD?resolution=1HOUR&limit=5');
    const listed = contract('dydx', 'SOL-USD');
    expect(history.map((p) => p.time)).toEqual(hours(5).reverse());
    for (const { time, openInterestBase } of history) {
      expect(openInterestBase).toBeCloseTo(world.openInterest(listed, time), 2);
    }
  });

  it('paradex: observations, and candles of mark and index', () => {
    const symbol = 'kPEPE-USD-PERP';
    const listed = contract('paradex', symbol);
    const { funding } = read('paradex', `/v1/funding/data?market=${symbol}&page_size=10`);
    expect(funding).toHaveLength(10);
    for (const { time, rate, observed } of funding) {
      expect(rate).toBeCloseTo(world.fundingRate(listed, time), 12);
      expect(observed).toBe(true);
    }
    const from = `symbol=${symbol}&resolution=60&start_at=${AT - 5 * HOUR_MS}&end_at=${AT}`;
    const marks = read('paradex', `/v1/markets/klines?${from}&price_kind=mark`).history;
    const indices = read('paradex', `/v1/markets/klines?${from}&price_kind=underlying`).history;
    expect(marks).toHaveLength(5);
    for (const { time, markPrice } of marks) {
      expect(Number(markPrice) / world.mark(listed, time)).toBeCloseTo(1, 4);
    }
    for (const { time, indexPrice } of indices) {
      expect(Number(indexPrice) / world.index(listed, time)).toBeCloseTo(1, 4);
    }
  });
});

describe('refusals', () => {
  const ask = (id: string, method: string, path: string, body = '') => {
    const [target = '', search = ''] = path.split('?');
    const query = new URLSearchParams(search);
    return sim(id).rest({ method, path: target, query, body, now: AT }, world);
  };

  it.each([
    ['GET', '', 405, ''],
    ['POST', '{"type":', 400, 'Failed to parse the request body as JSON'],
    ['POST', '{"type":"nope"}', 422, 'Failed to deserialize the JSON body into the target type'],
    ['POST', '{"type":"metaAndAssetCtxs","dex":"nope"}', 500, 'null'],
    ['POST', '{"type":"fundingHistory","coin":"NOPE","startTime":0}', 500, 'null'],
    ['POST', '{"type":"l2Book","coin":"NOPE"}', 200, 'null'],
  ])('hyperliquid %s %s', (method, body, status, answer) => {
    expect(ask('hyperliquid', method, '/info', body)).toMatchObject({ status, body: answer });
  });

  it.each([
    ['lighter', '/api/v1/orderBookOrders?market_id=9999', 400],
    ['dydx', '/v4/orderbooks/perpetualMarket/NOPE-USD', 404],
    ['paradex', '/v1/markets/summary?market=NOPE', 404],
    ['paradex', '/v1/account', 401],
    ['derive', '/v3/public/get_tickers', 200],
  ])('%s %s is an error body to our decoders', (id, path, status) => {
    const answer = ask(id, 'GET', path);
    expect(answer?.status).toBe(status);
    for (const call of callsOf(paired(id).adapter)) {
      const { rejects } = call.decode(JSON.parse(answer?.body ?? ''), { instruments: new Map() });
      expect(rejects, call.name).toMatchObject([{ reason: 'error_body' }]);
    }
  });
});

describe('derive’s tickers', () => {
  it('one by REST, and on the socket in its wrapper or without, say what the bulk call says', () => {
    const frames: unknown[] = [];
    const session = sim('derive').socket?.(
      {
        path: '/v3/ws',
        send: (frame) => void frames.push(JSON.parse(String(frame))),
        close: () => undefined,
      },
      world,
    );
    const channels = ['ticker_slim.SOL-PERP.1000'];
    session?.onTick(AT);
    session?.onMessage(JSON.stringify({ id: 1, method: 'subscribe', params: { channels } }));
    session?.onTick(AT);
    const [, wrapped, bare] = frames;
    expect(wrapped).toHaveProperty('params.data.instrument_ticker.M');
    expect(bare).toHaveProperty('params.data.M');
    const { adapter } = paired('derive');
    const call = callsOf(adapter).find((one) => one.name === 'frame');
    const bulk = runAdapter(paired('derive'), world, AT).quotes.get('SOL-PERP');
    const alone = read('derive', '/public/get_ticker', { instrument_name: 'SOL-PERP' });
    const decoded = [wrapped, bare].map((frame) =>
      call?.decode(frame, { instruments: contextFor('derive') }),
    );
    expect([alone, ...decoded].map((one) => one?.quotes)).toEqual([[bulk], [bulk], [bulk]]);
  });
});

describe('hyperliquid’s dexes', () => {
  it('retired ones answer with frozen rows and are not discovered', () => {
    const { adapter } = paired('hyperliquid');
    const found = pairingsOf([adapter], SIM_VENUES, world, AT).map((one) => one.adapter.id);
    expect(found).toEqual([
      'hyperliquid',
      ...['xyz', 'para', 'io', 'mkts'].map((dex) => `hyperliquid-${dex}`),
    ]);
    const flx = hyperliquidDex('flx');
    const bulk = flx.polls[1]?.requests({ instruments: [], now: asMs(AT) })[0];
    if (bulk === undefined) throw new Error('no bulk call');
    const pairing = { ...paired('hyperliquid'), adapter: flx };
    const [now, later] = [AT, AT + HOUR_MS].map((t) => renderRequest(pairing, world, bulk, t)?.body);
    expect(now).toBe(later);
    const decoded = flx.polls[1]?.call.decode(JSON.parse(now ?? ''), { instruments: new Map() });
    expect(decoded?.quotes).toEqual([]);
    expect(decoded?.rejects).toHaveLength(16);
    expect(decoded?.rejects.every((reject) => reject.reason === 'delisted')).toBe(true);
  });

  function socket() {
    const frames: string[] = [];
    let closed = false;
    const session = sim('hyperliquid').socket?.(
      {
        path: '/ws',
        send: (frame) => void frames.push(String(frame)),
        close: () => {
          closed = true;
        },
      },
      world,
    );
    session?.onTick(AT);
    return {
      say: (message: object) => session?.onMessage(JSON.stringify(message)),
      frames: () => frames.splice(0).map((frame): unknown => JSON.parse(frame)),
      isClosed: () => closed,
    };
  }

  it('the all-dex push gives every dex what its bulk call gives', () => {
    const { say, frames } = socket();
    say({ method: 'subscribe', subscription: { type: 'allDexsAssetCtxs' } });
    const [, push] = frames();
    for (const id of [
      'hyperliquid',
      'hyperliquid-xyz',
      'hyperliquid-para',
      'hyperliquid-io',
      'hyperliquid-mkts',
    ]) {
      const pairing = paired(id);
      const run = runAdapter(pairing, world, AT);
      const call = callsOf(pairing.adapter).find((one) => one.name === 'allDexsAssetCtxs');
      const decoded = call?.decode(push, { instruments: run.instruments, receivedAt: asMs(AT) });
      expect(new Map(decoded?.quotes.map((quote) => [quote.symbol, quote])), id).toEqual(run.quotes);
      expect(decoded?.rejects.filter((reject) => reject.reason === 'position_mismatch')).toEqual([]);
    }
  });

  it('books, touch and context by coin; an unknown coin closes the socket', () => {
    const { say, frames, isClosed } = socket();
    for (const type of ['l2Book', 'bbo', 'activeAssetCtx']) {
      say({ method: 'subscribe', subscription: { type, coin: 'xyz:NVDA' } });
    }
    const { adapter } = paired('hyperliquid-xyz');
    const call = callsOf(adapter).find((one) => one.name === 'l2Book');
    const decoded = frames().map((frame) => call?.decode(frame, { instruments: contextFor(adapter.id) }));
    expect(decoded.flatMap((d) => d?.rejects)).toEqual([]);
    const [book] = decoded.flatMap((d) => d?.books ?? []);
    const [touch, context] = decoded.flatMap((d) => d?.quotes ?? []);
    expect([touch?.bestBid, touch?.bestAsk]).toEqual([book?.bids[0]?.[0], book?.asks[0]?.[0]]);
    expect(context?.markPrice).toBeCloseTo(world.mark(contract('hyperliquid-xyz', 'xyz:NVDA'), AT), 3);
    say({ method: 'subscribe', subscription: { type: 'l2Book', coin: 'XYZ:NVDA' } });
    expect(isClosed()).toBe(true);
  });
});
