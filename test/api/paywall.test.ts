import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFreeLimiter } from '../../src/api/free-limits.ts';
import { isWire, type Wire, wireArray } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import type { PriceSchedule } from '../../src/pay/prices.ts';
import { until } from '../until.ts';
import { createFakePaywall, examplePrices, manualClock } from './example-api.ts';
import { getRaw, json, requestRaw } from './raw-http.ts';
import { CURRENT, openSocket, PAYMENT, start, useExample } from './started-example.ts';

useExample();

function readRates(body: unknown): readonly Wire[] {
  const rates = isWire(body) ? wireArray(body.rates) : undefined;
  return (rates ?? []).filter(isWire);
}

const PAID = ROUTES.filter(({ access }) => access === 'paid');

describe('without a payment', () => {
  it('every paid path answers 402 before anything else is looked at', async () => {
    const [{ paywall }, base] = await start();
    for (const route of PAID) {
      const path = route.path.replace('{symbol}', 'no-such-asset').replace('{venue}', 'nowhere');
      for (const query of ['', '?ticker=', '?no_such=1', '?limit=0&limit=x', '?%zz=%zz']) {
        const response = await getRaw(base, path + query);
        expect(response.status, path + query).toBe(402);
        const header = response.headers.get('payment-required') ?? '';
        expect(JSON.parse(Buffer.from(header, 'base64').toString())).toMatchObject({ x402Version: 2 });
        expect(json(response)).toMatchObject({ x402Version: 1, error: 'Payment required' });
      }
    }
    expect(paywall.taken).toEqual([]);
  });

  it('a price is asked for from the second in which it comes into force', async () => {
    const clock = manualClock();
    const change = clock.now() + 10_000;
    const prices = examplePrices();
    const priceAt: PriceSchedule['priceAt'] = (id, now) => {
      const price = prices.priceAt(id, now);
      return price && now >= change ? { ...price, atomic: 7n } : price;
    };
    const [, base] = await start({ clock, paywall: createFakePaywall({ ...prices, priceAt }, clock) });
    const amount = async (): Promise<unknown> => {
      const header = (await getRaw(base, CURRENT)).headers.get('payment-required') ?? '';
      return JSON.parse(Buffer.from(header, 'base64').toString()).accepts[0].amount;
    };
    const before = await amount();
    clock.advance(9999);
    expect([before, await amount()]).toEqual([before, before]);
    expect(before).not.toBe('7');
    clock.advance(1);
    expect(await amount()).toBe('7');
  });

  it('each path of a route: asked for by its own name, however soon', async () => {
    const [, base] = await start({ clock: manualClock() });
    const urlOf = async (path: string): Promise<unknown> => {
      const header = (await getRaw(base, path)).headers.get('payment-required') ?? '';
      return JSON.parse(Buffer.from(header, 'base64').toString()).resource.url;
    };
    const paths = ['/v1/orderbook/binance/BTC/top', '/v1/orderbook/bybit/ETH/top'];
    const urls = await Promise.all(paths.map(urlOf));
    expect(urls).toEqual(paths.map((path) => expect.stringMatching(new RegExp(`${path}$`))));
  });

  it('keeps the challenge within what proxies pass on', async () => {
    const [, base] = await start();
    for (const route of PAID) {
      const response = await getRaw(
        base,
        route.path.replace('{symbol}', 'X'.repeat(64)).replace('{venue}', 'v'.repeat(40)),
      );
      expect((response.headers.get('payment-required') ?? '').length, route.path).toBeLessThanOrEqual(4096);
    }
  });

  it('an empty payment header is none, and HEAD never buys', async () => {
    const [{ paywall }, base] = await start();
    expect((await getRaw(base, CURRENT, { 'X-PAYMENT': '' })).status).toBe(402);
    const head = await requestRaw(base, 'HEAD', CURRENT, PAYMENT);
    expect(head.status).toBe(402);
    expect(head.body.length).toBe(0);
    expect(paywall.taken).toEqual([]);
  });

  it('ignores If-None-Match and Accept-Encoding', async () => {
    const [, base] = await start();
    const response = await getRaw(base, CURRENT, { 'If-None-Match': '*', 'Accept-Encoding': 'gzip' });
    expect(response.status).toBe(402);
    expect(response.headers.has('content-encoding')).toBe(false);
  });
});

describe('with a payment', () => {
  it('passes the request to the paywall in canonical form', async () => {
    const [{ paywall }, base] = await start();
    const headers = {
      'PAYMENT-SIGNATURE': 'abc',
      'Idempotency-Key': 'k'.repeat(16),
      'X-Forwarded-For': '9.9.9.9',
    };
    await getRaw(base, `${CURRENT}?symbol=BTC&limit=1`, headers);
    await getRaw(base, `${CURRENT}?limit=1&symbol=BTC`, headers);
    expect(paywall.taken).toHaveLength(2);
    for (const input of paywall.taken) {
      expect(input).toEqual({
        method: 'GET',
        resource: `${CURRENT}?limit=1&symbol=BTC`,
        xPayment: undefined,
        paymentSignature: 'abc',
        idempotencyKey: 'k'.repeat(16),
        address: '127.0.0.1',
      });
    }
  });

  it('an answer that cannot be compressed: sent as it is, and reported', async () => {
    const [{ paywall, faults }, base] = await start();
    const { pay } = paywall;
    paywall.pay = async (...request) => {
      const gzip = () => Promise.reject(new Error('no memory'));
      return { ...(await pay(...request)), gzip };
    };
    const response = await getRaw(base, CURRENT, { ...PAYMENT, 'Accept-Encoding': 'gzip' });
    expect(response.status).toBe(200);
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(readRates(json(response)).length).toBeGreaterThan(1);
    await until(() => expect(paywall.deliveries).toEqual([true]));
    expect(faults).toHaveLength(1);
  });

  it('takes the client address from a proxy only where it is trusted', async () => {
    const [{ paywall }, base] = await start({ trustProxy: { kind: 'hops', hops: 1 } });
    await getRaw(base, CURRENT, { ...PAYMENT, 'X-Forwarded-For': '6.6.6.6, 203.0.113.7' });
    expect(paywall.taken[0]?.address).toBe('203.0.113.7');
  });

  it('delivers the answer with receipts and reports delivery', async () => {
    const [{ paywall }, base] = await start();
    const response = await getRaw(base, `${CURRENT}?symbol=BTC`, PAYMENT);
    expect(response.status).toBe(200);
    expect(response.headers.get('payment-response')).toBe('e30=');
    expect(response.headers.get('x-payment-response')).toBe('e30=');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const times = readRates(json(response)).map((rate) => String(rate.updated_at));
    expect(response.headers.get('x-data-as-of')).toBe(times.sort()[0]);
    expect(response.headers.get('x-data-sources')).toBe('binance,bybit,okx,hyperliquid,lighter');
    expect(response.headers.has('etag')).toBe(false);
    expect(json(response)).toMatchObject({ symbol: 'BTC', total: 5, has_more: false });
    await until(() => expect(paywall.deliveries).toEqual([true]));
  });

  it('keeps the answer uncompressed and compresses on the way out', async () => {
    const [, base] = await start();
    const plain = await getRaw(base, `${CURRENT}?symbol=BTC`, PAYMENT);
    const packed = await getRaw(base, `${CURRENT}?symbol=BTC`, { ...PAYMENT, 'Accept-Encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBe(packed.body.length);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });

  it('reports an incomplete delivery when the client disconnects', async () => {
    const [{ api, paywall }, base] = await start();
    let release = (): void => undefined;
    paywall.hold = new Promise((resolve) => {
      release = resolve;
    });
    const socket = openSocket(base);
    socket.write(`GET ${CURRENT} HTTP/1.1\r\nHost: x\r\nX-PAYMENT: e30=\r\n\r\n`);
    await until(() => expect(paywall.taken).toHaveLength(1));
    socket.destroy();
    await until(async () => expect(await api.activity.connections()).toBe(0));
    release();
    await until(() => expect(paywall.deliveries).toEqual([false]));
  });

  it.each([
    ['that stays', ''],
    ['that closes', 'Connection: close\r\n'],
  ])('a delivery on a connection %s that was reset: incomplete', async (_, extra) => {
    const [{ paywall }, base] = await start();
    let release = (): void => undefined;
    paywall.hold = new Promise((resolve) => {
      release = resolve;
    });
    const socket = openSocket(base);
    socket.write(`GET ${CURRENT} HTTP/1.1\r\nHost: x\r\nX-PAYMENT: e30=\r\n${extra}\r\n`);
    await until(() => expect(paywall.taken).toHaveLength(1));
    // The server writes before it can have heard of the reset.
    socket.resetAndDestroy();
    release();
    await until(() => expect(paywall.deliveries).toHaveLength(1));
    expect(paywall.deliveries).toEqual([false]);
  });

  it('a request that cannot be served fails before anything is verified', async () => {
    const [{ paywall, market }, base] = await start();
    let held = false;
    paywall.hold = Promise.resolve().then(() => {
      held = true;
    });
    const unknown = await getRaw(base, `${CURRENT}?symbol=NOSUCH`, PAYMENT);
    expect(unknown.status).toBe(404);
    expect(json(unknown)).toMatchObject({ code: 'unknown_ticker' });
    const wrong = await getRaw(base, `${CURRENT}?limit=1001&include_uncomparable=yes&symbol=`, PAYMENT);
    expect(wrong.status).toBe(400);
    expect(json(wrong)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'limit' }, { parameter: 'include_uncomparable' }, { parameter: 'symbol' }],
    });
    expect(held).toBe(true);
    market.replace([]);
    expect((await getRaw(base, CURRENT, PAYMENT)).status).toBe(503);
  });

  it('turns a fault into a 500 and reports it', async () => {
    const [{ paywall, faults }, base] = await start();
    paywall.pay = () => Promise.reject(new Error('broken gate'));
    const response = await getRaw(base, CURRENT, PAYMENT);
    expect(response.status).toBe(500);
    expect(json(response)).toMatchObject({ code: 'internal' });
    expect(faults).toEqual([{ at: 'api funding-current', error: expect.any(Error) }]);
  });
});

describe('payments off', () => {
  it('serves paid paths for free, and never as something a cache may keep', async () => {
    const [{ paywall }, base] = await start({ mode: 'off' });
    for (const headers of [{}, PAYMENT]) {
      const response = await getRaw(base, `${CURRENT}?limit=1`, headers);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.has('etag')).toBe(false);
    }
    expect((await requestRaw(base, 'HEAD', CURRENT)).status).toBe(200);
    expect((await getRaw(base, `${CURRENT}?limit=0`)).status).toBe(400);
    expect(paywall.taken).toEqual([]);
  });
});

describe('limits of free requests', () => {
  it('answer 429 by address and route', async () => {
    const asked: string[] = [];
    const [, base] = await start({
      limiter: (address, route) => {
        asked.push(`${address} ${route.id}`);
        return route.id === 'health'
          ? { retryAfterSeconds: 7, headers: { RateLimit: '"free";r=0;t=7' } }
          : undefined;
      },
    });
    const limited = await getRaw(base, '/v1/health');
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('7');
    expect(limited.headers.get('ratelimit')).toBe('"free";r=0;t=7');
    expect(json(limited)).toMatchObject({ code: 'rate_limited' });
    expect((await getRaw(base, '/v1/venues/list')).status).toBe(200);
    expect((await getRaw(base, CURRENT)).status).toBe(402);
    expect(asked).toEqual(['127.0.0.1 health', '127.0.0.1 venues-list']);
  });

  it('a burst of four seconds, then the rate, for each address', () => {
    const clock = manualClock();
    const limit = createFreeLimiter(clock, 50);
    const [route] = ROUTES;
    if (route === undefined) throw new Error('no routes');
    const refused = (address: string, count: number): number =>
      Array.from({ length: count }, () => limit(address, route)).filter((header) => header !== undefined)
        .length;
    expect(refused('a', 200)).toBe(0);
    expect(limit('a', route)).toEqual({
      retryAfterSeconds: 1,
      headers: { 'RateLimit-Policy': '"free";q=200;w=4', RateLimit: '"free";r=0;t=1' },
    });
    expect(refused('b', 1)).toBe(0);
    clock.advance(1000);
    expect(refused('a', 60)).toBe(10);
  });

  it('do not apply to challenges', async () => {
    const [, base] = await start({ limiter: createFreeLimiter(manualClock(), 1) });
    for (let i = 0; i < 60; i++) expect((await getRaw(base, CURRENT)).status).toBe(402);
  });
});
