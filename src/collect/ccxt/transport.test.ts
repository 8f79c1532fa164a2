import { afterEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test/collect/loopback.ts';
import { type CcxtExchange, type ExchangeFetch, isCcxtExchange } from './exchange.ts';
import { CcxtTransport, type CcxtTransportOptions } from './transport.ts';

class BaseError extends Error {}
class ExchangeError extends BaseError {}
class NotSupported extends ExchangeError {}
class ArgumentsRequired extends ExchangeError {}
class BadRequest extends ExchangeError {}
class BadSymbol extends BadRequest {}
class NetworkError extends BaseError {}
class RequestTimeout extends NetworkError {}
class RateLimitExceeded extends NetworkError {}
class ExchangeNotAvailable extends NetworkError {}

const swap = (active?: boolean) => ({ swap: true, linear: true, active });

type Call = (argument?: unknown) => Promise<unknown>;

/** An exchange of ccxt's shape whose calls answer what a test says. */
function makeExchange(calls: Readonly<Record<string, Call>> = {}, has: object = {}): CcxtExchange {
  const unset = async () => {
    throw new NotSupported('not set');
  };
  const made: object = {
    id: 'somewhere',
    name: 'Somewhere',
    has: { swap: true, ...has },
    urls: { api: { public: 'https://api.example/v1', nested: { swap: 'https://{hostname}/x' } } },
    options: {},
    throttler: { config: {} },
    fees: {},
    markets: { 'A/USDT:USDT': swap(), 'B/USDT:USDT': swap(false), 'C/USDT': { swap: false } },
    loadMarkets: unset,
    fetchFundingRates: unset,
    fetchFundingRate: unset,
    fetchFundingIntervals: unset,
    fetchTickers: unset,
    fetchTicker: unset,
    fetchMarkPrices: unset,
    fetchBidsAsks: unset,
    fetchOpenInterests: unset,
    fetchOpenInterest: unset,
    ...calls,
  };
  if (!isCcxtExchange(made)) throw new Error('not of the shape');
  return made;
}

const open: CcxtTransport[] = [];

function transportOver(exchange: CcxtExchange, options?: CcxtTransportOptions): CcxtTransport {
  const transport = new CcxtTransport(exchange, options);
  open.push(transport);
  return transport;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

async function send(transport: CcxtTransport, path: string, signal = new AbortController().signal) {
  return (await transport.send({ base: 'ccxt://somewhere', method: 'GET', path }, signal)).result;
}

const has = { fetchFundingRates: true, fetchFundingRate: true };

describe('a unified call', () => {
  it('is named by the path', async () => {
    const transport = transportOver(
      makeExchange({
        loadMarkets: async (reload) => ({ reload }),
        fetchTickers: async (symbols) => ({ symbols }),
        fetchFundingRate: async (symbol) => ({ symbol }),
      }),
    );
    expect(await send(transport, '/loadMarkets')).toEqual({ ok: true, value: { reload: true } });
    expect(await send(transport, '/fetchTickers')).toEqual({ ok: true, value: { symbols: undefined } });
    expect(await send(transport, '/fetchFundingRate?symbol=A%2FUSDT%3AUSDT')).toEqual({
      ok: true,
      value: { symbol: 'A/USDT:USDT' },
    });
    expect(await send(transport, '/withdraw')).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  it('that needs the symbols is passed them, also after later lists', async () => {
    const fetchFundingRates = vi.fn<Call>(async (symbols) => {
      if (symbols === undefined) throw new ArgumentsRequired('symbols');
      return { symbols };
    });
    const transport = transportOver(makeExchange({ fetchFundingRates }, has));
    for (let i = 0; i < 2; i++) {
      expect(await send(transport, '/fetchFundingRates')).toEqual({
        ok: true,
        value: { symbols: ['A/USDT:USDT'] },
      });
    }
    expect(fetchFundingRates).toHaveBeenCalledTimes(3);
    expect(transport.profile.offers('fetchFundingRates')).toBe(true);
  });

  it.each([
    ['at once', async () => Promise.reject(new NotSupported('linear'))],
    [
      'with the contracts',
      async (symbols: unknown) =>
        Promise.reject(
          symbols === undefined ? new ArgumentsRequired('symbols') : new BadSymbol('one base only'),
        ),
    ],
  ])(
    'for all symbols that is refused %s is no failure and is not made again',
    async (_when, fetchFundingRates) => {
      const transport = transportOver(makeExchange({ fetchFundingRates }, has));
      expect(transport.profile.offers('fetchFundingRates')).toBe(true);
      expect(await send(transport, '/fetchFundingRates')).toEqual({ ok: true, value: {} });
      expect(transport.profile.offers('fetchFundingRates')).toBe(false);
    },
  );

  it('all symbols refused: a failure where no call per symbol exists', async () => {
    const transport = transportOver(makeExchange({}, { fetchFundingRates: true }));
    expect(await send(transport, '/fetchFundingRates')).toMatchObject({
      ok: false,
      failure: { kind: 'status', reason: 'NotSupported' },
    });
    expect(transport.profile.offers('fetchFundingRates')).toBe(true);
  });

  it('for all symbols that fails for another reason is made again', async () => {
    const fetchFundingRates = async () => Promise.reject(new BadRequest('passing'));
    const transport = transportOver(makeExchange({ fetchFundingRates }, has));
    expect(await send(transport, '/fetchFundingRates')).toMatchObject({ ok: false });
    expect(transport.profile.offers('fetchFundingRates')).toBe(true);
  });

  it.each([
    [new RequestTimeout('x https://secret'), { kind: 'timeout', reason: 'RequestTimeout' }],
    [new RateLimitExceeded('x'), { kind: 'rate_limited' }],
    [new ExchangeNotAvailable('x'), { kind: 'status', status: 503 }],
    [new NetworkError('x'), { kind: 'reset' }],
    [new ExchangeError('{"body": 1}'), { kind: 'status', reason: 'ExchangeError', status: undefined }],
    [new RangeError('body'), { kind: 'too_large' }],
    ['a text', { kind: 'status', reason: 'unknown error' }],
  ])('that fails with %o', async (error, failure) => {
    const transport = transportOver(makeExchange({ fetchTickers: () => Promise.reject(error) }));
    const result = await send(transport, '/fetchTickers');
    expect(result).toMatchObject({ ok: false, failure });
    expect(JSON.stringify(result)).not.toMatch(/secret|body"/);
  });

  it('of markets that fails leaves the last good markets in use', async () => {
    const exchange = makeExchange({ loadMarkets: () => Promise.reject(new NetworkError('x')) });
    Object.assign(exchange, { marketsLoading: Promise.resolve() });
    expect(await send(transportOver(exchange), '/loadMarkets')).toMatchObject({ failure: { kind: 'reset' } });
    expect(exchange).toMatchObject({ marketsLoading: undefined });
  });
});

describe('an answer that would hold up everything', () => {
  const ask = async (body: string, path: string, maxBytes: number) => {
    const server = await serve((_req, res) => res.end(body));
    const parsed = vi.fn();
    const exchange = makeExchange();
    const read: Call = async () => {
      const fetched = await (
        exchange as unknown as { fetchImplementation: ExchangeFetch }
      ).fetchImplementation(server.url, {});
      parsed(await fetched.text());
    };
    Object.assign(exchange, { loadMarkets: read, fetchTicker: read });
    const call = { base: 'ccxt://somewhere', method: 'GET', path, maxBytes } as const;
    const { result } = await transportOver(exchange).send(call, new AbortController().signal);
    await server.close();
    return { result, reads: parsed.mock.calls.length };
  };
  const refused = { result: { ok: false, failure: { kind: 'too_large' } }, reads: 0 };

  it('brackets without end: never given to the exchange', async () => {
    expect(await ask('['.repeat(500_000), '/fetchTicker?symbol=A', 1_000_000)).toMatchObject(refused);
  });

  it('more than the bound of the call: never given to the exchange', async () => {
    expect(await ask('0'.repeat(2000), '/fetchTicker?symbol=A', 1000)).toMatchObject(refused);
    expect(await ask('0'.repeat(1000), '/fetchTicker?symbol=A', 1000)).toMatchObject({ reads: 1 });
  });

  it('a list of markets above the bound of a list: read, spot is in it', async () => {
    expect(await ask('0'.repeat(2000), '/loadMarkets', 1000)).toMatchObject({ reads: 1 });
  });
});

describe('a call that hangs', () => {
  const never = () => new Promise(() => {});

  it('ends with the deadline', async () => {
    const transport = transportOver(makeExchange({ fetchTickers: never }), { deadlineMs: 5 });
    expect(await send(transport, '/fetchTickers')).toMatchObject({ failure: { kind: 'timeout' } });
  });

  it('ends when it is aborted', async () => {
    const transport = transportOver(makeExchange({ fetchTickers: never }));
    const stop = new AbortController();
    const result = send(transport, '/fetchTickers', stop.signal);
    stop.abort();
    expect(await result).toMatchObject({ failure: { kind: 'aborted' } });
    expect(await send(transport, '/fetchTickers', stop.signal)).toMatchObject({
      failure: { kind: 'aborted' },
    });
  });

  it('ends when the transport is closed, and no request follows', async () => {
    const fetchTickers = vi.fn(never);
    const exchange = makeExchange({ fetchTickers });
    const transport = transportOver(exchange);
    const result = send(transport, '/fetchTickers');
    await transport.close();
    expect(await result).toMatchObject({ failure: { kind: 'aborted' } });
    expect(await send(transport, '/fetchTickers')).toMatchObject({ failure: { kind: 'aborted' } });
    expect(fetchTickers).toHaveBeenCalledTimes(1);
    expect(exchange.throttler.config).toMatchObject({ tokens: Number.POSITIVE_INFINITY });
  });
});

describe('an exchange', () => {
  it('is set up for public calls about linear swaps', () => {
    const exchange = makeExchange({}, { fetchCurrencies: true });
    exchange.options.fetchMarkets = { types: ['spot', 'swap', 'future', 'option'], other: 1 };
    transportOver(exchange);
    expect(exchange).toMatchObject({
      enableRateLimit: true,
      userAgent: 'perpmeter',
      has: { fetchCurrencies: false },
      options: { defaultType: 'swap', defaultSubType: 'linear', fetchMarkets: { types: ['swap'], other: 1 } },
      urls: { api: { public: 'https://api.example/v1' } },
    });
  });

  it('kinds of markets as flags: swaps are kept; without kinds all is kept', () => {
    const flags = makeExchange();
    flags.options.fetchMarkets = {
      types: { spot: true, linear: true, inverse: true, swap: { linear: true } },
    };
    transportOver(flags);
    expect(flags.options.fetchMarkets).toEqual({
      types: { spot: false, linear: true, inverse: false, swap: { linear: true } },
    });
    const only = makeExchange();
    only.options.fetchMarkets = { types: ['inverse'] };
    transportOver(only);
    expect(only.options.fetchMarkets).toEqual({ types: ['inverse'] });
    const named = makeExchange();
    named.options.fetchMarkets = 'fetchMarketsV3';
    transportOver(named);
    expect(named.options.fetchMarkets).toBe('fetchMarketsV3');
  });

  it('can be pointed at another address; the paths behind the hosts stay', () => {
    const exchange = makeExchange();
    transportOver(exchange, { base: 'http://127.0.0.1:9/sim' });
    expect(exchange.urls.api).toEqual({
      public: 'http://127.0.0.1:9/sim/v1',
      nested: { swap: 'http://127.0.0.1:9/sim/x' },
    });
  });

  it('says whether it is decentralized, and what swaps cost there', () => {
    const profile = (more: object, flags: object = {}) =>
      transportOver(Object.assign(makeExchange({}, flags), more)).profile;
    expect(profile({ dex: true })).toMatchObject({ kind: 'dex', displayName: 'Somewhere' });
    expect(profile({ dex: undefined, name: undefined })).toMatchObject({
      kind: 'cex',
      displayName: 'somewhere',
    });
    const fees = { trading: { taker: 0.002 }, linear: { trading: { taker: 0.0005 } } };
    expect(profile({ fees }, { spot: true }).fees).toEqual({ swap: 0.0005, spotDefault: 0.002 });
    expect(profile({ fees: { trading: { taker: 0.002 } } }).fees).toEqual({
      swap: undefined,
      spotDefault: undefined,
    });
  });

  it('offers what it has itself, not what ccxt would make of another call', () => {
    const { offers } = transportOver(
      makeExchange({}, { fetchTickers: true, fetchTicker: 'emulated', fetchOpenInterest: undefined }),
    ).profile;
    expect([offers('fetchTickers'), offers('fetchTicker'), offers('fetchOpenInterest')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
