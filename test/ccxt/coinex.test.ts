import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCcxtVenues } from '../../src/collect/ccxt/open-venues.ts';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import type { Transport } from '../../src/collect/http-client.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { makeMarket } from '../../src/market/market-fixture.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { type Loopback, serve } from '../collect/loopback.ts';
import { until } from '../until.ts';

/** A whole exchange of ccxt that no decoder of ours reads, before a server that answers in its format. */

type Answer = (res: ServerResponse, req: IncomingMessage) => void;

const say =
  (data: unknown): Answer =>
  (res) => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ code: 0, data, message: 'OK' }));
  };

const contract = (market: string, base: string, type = 'linear') => ({
  market,
  base_ccy: base,
  quote_ccy: 'USDT',
  contract_type: type,
  base_ccy_precision: 8,
  quote_ccy_precision: 2,
  leverage: ['1', '100'],
  min_amount: '0.0001',
});

let server: Loopback;
let answers: Record<string, Answer>;
let hits: { readonly path: string; readonly agent: string | undefined }[];

beforeEach(async () => {
  const latest = Math.floor(Date.now() / (8 * HOUR_MS)) * 8 * HOUR_MS;
  hits = [];
  answers = {
    '/v2/spot/market': say([]),
    '/v2/futures/market': say([contract('BTCUSDT', 'BTC'), contract('BTCUSD', 'BTC', 'inverse')]),
    '/v2/futures/funding-rate': say([
      {
        market: 'BTCUSDT',
        mark_price: '61602.22',
        latest_funding_rate: '0.0009',
        latest_funding_time: latest,
        next_funding_rate: '0.00021074',
        next_funding_time: latest + 8 * HOUR_MS,
      },
    ]),
    '/v2/futures/ticker': say([
      {
        market: 'BTCUSDT',
        last: '61600',
        close: '61600',
        open: '61000',
        index_price: '61610.5',
        mark_price: '61602.22',
        value: '180226025.697',
        volume: '2925.75',
      },
    ]),
  };
  server = await serve((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    hits.push({ path, agent: req.headers['user-agent'] });
    const answer = answers[path] ?? ((other: ServerResponse) => other.writeHead(404).end('{}'));
    answer(res, req);
  });
});

afterEach(() => server.close());

async function openCoinex() {
  const opened = await openCcxtVenues(['coinex'], { bases: { coinex: { rest: server.url } } });
  if (!opened.ok) throw new Error(opened.errors.join('; '));
  return opened.value;
}

describe('coinex', () => {
  let collector: Collector | undefined;
  afterEach(() => collector?.stop());

  it('the table: the coming rate, and no fee of spot', async () => {
    const { adapters, transports } = await openCoinex();
    const { market } = makeMarket({ clock: systemClock });
    collector = createCollector({ venues: adapters, sink: market.sink, transports });
    await collector.start();
    await until(() =>
      expect(market.view.rows()[0]).toMatchObject({ indexPrice: 61610.5, fundingRate: 0.00021074 }),
    );
    const [row] = market.view.rows();
    expect(row).toMatchObject({
      venue: 'coinex',
      symbol: 'BTCUSDT',
      ticker: 'BTC',
      fundingIntervalHours: 8,
      markPrice: 61602.22,
      volume24hBase: 2925.75,
      volume24hUsd: 180226025.697,
    });
    expect(Number(row?.nextFundingTime) % (8 * HOUR_MS)).toBe(0);
    expect(row?.nextFundingTime).toBeGreaterThan(asMs(Date.now()));
    expect(row).toMatchObject({ openInterestBase: undefined, bestBid: undefined });
    const entry = market.view.venue('coinex');
    expect(entry).toMatchObject({
      info: { displayName: 'CoinEx', kind: 'cex', source: 'ccxt', hasIndex: true },
    });
    expect(entry?.info).not.toHaveProperty('takerFeeBps');
    expect(new Set(hits.map(({ agent }) => agent))).toEqual(new Set(['perpmeter']));
  });

  it('a refusal for its rate limit: paused as stated, and reported', async () => {
    answers['/v2/futures/funding-rate'] = (res) =>
      res.writeHead(429, { 'retry-after': '60' }).end('{"code":4213}');
    const { adapters, transports } = await openCoinex();
    const { market } = makeMarket({ clock: systemClock });
    collector = createCollector({ venues: adapters, sink: market.sink, transports });
    await collector.start();
    await until(() =>
      expect(collector?.health.of('coinex')?.lastError).toMatch(/rate_limited.*pausing for \d+ s/),
    );
    expect(collector.stats().budgets['ccxt coinex']?.pools.default?.pausedUntil).toBeGreaterThan(
      Date.now() + 30_000,
    );
  });
});

describe('a request of ccxt', () => {
  let transport: Transport;

  const ask = async (path: string) => {
    const call = { base: 'ccxt://coinex', method: 'GET', path } as const;
    return transport.send(call, new AbortController().signal);
  };

  beforeEach(async () => {
    const { transports } = await openCoinex();
    const opened = transports.get('coinex');
    if (opened === undefined) throw new Error('not opened');
    transport = opened;
    expect((await ask('/loadMarkets')).result.ok).toBe(true);
  });

  afterEach(() => transport.close());

  it('is counted: bytes and time', async () => {
    const { result, bytes, durationMs } = await ask('/fetchTickers');
    expect(result).toMatchObject({ ok: true, value: { 'BTC/USDT:USDT': { markPrice: 61602.22 } } });
    expect(bytes).toBeGreaterThan(150);
    expect(durationMs).toBeGreaterThan(0);
  });

  it.each([
    [
      'an error status',
      (res: ServerResponse) => res.writeHead(503).end('down'),
      { kind: 'status', status: 503 },
    ],
    [
      'an error in the body',
      (res: ServerResponse) => res.end('{"code":999,"message":"no"}'),
      { kind: 'status', reason: 'ExchangeError', status: undefined },
    ],
    [
      'a refusal',
      (res: ServerResponse) => res.writeHead(429, { 'retry-after': '7' }).end('{}'),
      { kind: 'rate_limited', status: 429 },
    ],
    ['a broken connection', (res: ServerResponse) => res.destroy(), { kind: 'reset' }],
    ['a redirect', (res: ServerResponse) => res.writeHead(302, { location: '/x' }).end(), { kind: 'reset' }],
  ])('that is answered with %s fails', async (_what, answer, failure) => {
    answers['/v2/futures/ticker'] = answer;
    const { result } = await ask('/fetchTickers');
    expect(result).toMatchObject({ ok: false, failure });
    expect(hits.some(({ path }) => path === '/x')).toBe(false);
  });

  it('that is refused passes on Retry-After', async () => {
    answers['/v2/futures/ticker'] = (res) => res.writeHead(429, { 'retry-after': '7' }).end('{}');
    expect((await ask('/fetchTickers')).headers).toMatchObject({ 'retry-after': '7' });
  });

  it('whose body never ends is cut when the transport is closed', async () => {
    const begun = new Promise<void>((resolve) => {
      answers['/v2/futures/ticker'] = (res) => {
        res.write('{"code":0,');
        resolve();
      };
    });
    const asked = ask('/fetchTickers');
    await begun;
    await transport.close();
    expect((await asked).result).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
  });
});

describe('a body over the cap', () => {
  it('is not read to its end', async () => {
    answers['/v2/futures/ticker'] = (res) =>
      res.end(`{"code":0,"message":"OK","data":["${'x'.repeat(70_000)}"]}`);
    const { CcxtTransport } = await import('../../src/collect/ccxt/transport.ts');
    const { default: ccxt } = await import('ccxt');
    const exchange = new ccxt.coinex();
    const { isCcxtExchange } = await import('../../src/collect/ccxt/exchange.ts');
    if (!isCcxtExchange(exchange)) throw new Error('ccxt has another shape');
    const transport = new CcxtTransport(exchange, { base: server.url, maxBodyBytes: 65_536 });
    const call = { base: 'ccxt://coinex', method: 'GET' } as const;
    const { signal } = new AbortController();
    expect((await transport.send({ ...call, path: '/loadMarkets' }, signal)).result.ok).toBe(true);
    const { result } = await transport.send({ ...call, path: '/fetchTickers' }, signal);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'too_large' } });
    await transport.close();
  });
});
