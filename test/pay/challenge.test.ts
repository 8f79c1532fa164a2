import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { extractDiscoveryInfo, validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { isPaymentIdentifierExtension } from '@x402/extensions/payment-identifier';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { bazaarExtension } from '../../src/pay/bazaar.ts';
import { type Challenges, createChallenges } from '../../src/pay/challenge.ts';
import { createPriceSchedule } from '../../src/pay/prices.ts';
import { acceptsEntry } from '../../src/pay/requirement.ts';
import { channelOffer } from '../../src/pay/schemes/batch-settlement/offer.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { HttpReply, ProtectedRoute } from '../../src/pay/types.ts';
import { paidRoutes, routeOf, sellerAt, shippedPrices } from './routes.ts';

const prices = shippedPrices();
const routes = paidRoutes();

function challengesAt(baseUrl?: string, list: readonly ProtectedRoute[] = routes): Challenges {
  const made = createChallenges({
    schemes: offersOf({ seller: sellerAt(baseUrl) }),
    seller: sellerAt(baseUrl),
    prices,
    clock: systemClock,
    routes: list,
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

function headerOf(reply: HttpReply): Wire {
  const json: unknown = JSON.parse(
    Buffer.from(reply.headers['payment-required'] ?? '', 'base64').toString('utf8'),
  );
  if (!isWire(json)) throw new Error('not an object');
  return json;
}

describe('challenges', () => {
  const challenges = challengesAt();

  it.each(routes.map((route) => [route.id, route] as const))('%s passes the official schemas', (_, route) => {
    const reply = challenges.challenge(route);
    const header = headerOf(reply);
    const body: unknown = JSON.parse(reply.body.toString('utf8'));
    expect(reply.status).toBe(402);
    expect(PaymentRequiredV2Schema.safeParse(header).success).toBe(true);
    expect(PaymentRequiredV1Schema.safeParse(body).success).toBe(true);
    const amount = prices.priceAt(route.id, systemClock.now())?.atomic.toString();
    expect(header).toMatchObject({
      x402Version: 2,
      resource: { url: `https://data.example.com${route.path}` },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount,
          maxAmountRequired: amount,
          payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          maxTimeoutSeconds: 60,
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    });
    expect(header).toMatchObject({
      accepts: [
        {
          resource: `https://data.example.com${route.path}`,
          mimeType: 'application/json',
          outputSchema: { input: { type: 'http', method: 'GET' } },
        },
      ],
    });
    expect(body).toMatchObject({ x402Version: 1, error: 'Payment required', code: 'payment_required' });
    expect(body).toMatchObject({
      accepts: [
        {
          network: 'base',
          maxAmountRequired: amount,
          resource: `https://data.example.com${route.path}`,
          description: route.description,
          mimeType: 'application/json',
          outputSchema: { input: { type: 'http', method: 'GET' }, output: route.example },
        },
      ],
    });
  });

  it('name the concrete path without leaving the template in accepts', () => {
    const route = routeOf(routes, 'orderbook-top');
    const reply = challenges.challenge(route, undefined, '/v1/orderbook/binance/BTC/top');
    expect(headerOf(reply)).toMatchObject({
      resource: { url: 'https://data.example.com/v1/orderbook/binance/BTC/top' },
    });
    expect(JSON.parse(reply.body.toString())).toMatchObject({
      accepts: [{ resource: 'https://data.example.com/v1/orderbook/{venue}/{symbol}/top' }],
    });
    const hostile = headerOf(
      challenges.challenge(route, undefined, `/v1/orderbook/${'x'.repeat(5000)}/BTC/top`),
    );
    expect(hostile).toMatchObject({ resource: { url: `https://data.example.com${route.path}` } });
  });

  it('carry the reason in body and header, and are cached', () => {
    const route = routeOf(routes, 'funding-current');
    const refused = challenges.challenge(route, 'authorization_used');
    expect(headerOf(refused).error).toBe('authorization_used');
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      error: 'authorization_used',
      code: 'authorization_used',
      detail: expect.stringContaining('Sign a new one'),
    });
    expect(challenges.challenge(route, 'authorization_used')).toBe(refused);
    expect(challenges.challenge(route)).toBe(challenges.challenge(route));
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'PAYMENT-SIGNATURE, X-PAYMENT',
      'content-type': 'application/json',
    });
  });

  it('follow a price change without a restart', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const book = createPriceSchedule({
      currency: 'USD',
      changelog: [
        { effective: '2026-01-01T00:00:00Z', note: '', changes: [{ id: 'funding-current', usd: '0.001' }] },
        { effective: '2026-02-01T00:00:00Z', note: '', changes: [{ id: 'funding-current', usd: '0.00125' }] },
      ],
    });
    if (!book.ok) throw new Error(book.errors.join());
    const route = routeOf(routes, 'funding-current');
    const clock = { now: () => asMs(now) };
    const made = createChallenges({
      schemes: offersOf({ seller: sellerAt() }),
      seller: sellerAt(),
      prices: book.value,
      clock,
      routes: [route],
    });
    if (!made.ok) throw new Error(made.errors.join());
    expect(headerOf(made.value.challenge(route))).toMatchObject({ accepts: [{ amount: '1000' }] });
    now = Date.parse('2026-02-01T00:00:00Z');
    expect(headerOf(made.value.challenge(route))).toMatchObject({ accepts: [{ amount: '1250' }] });
  });

  it('no deposits are taken: said in every challenge until they are again', () => {
    const terms = { receiverAuthorizer: `0x${'22'.repeat(20)}`, withdrawDelay: 900 } as const;
    const [exact] = offersOf({ seller: sellerAt() });
    if (exact === undefined) throw new Error('no offer');
    let isOpen = true;
    const made = createChallenges({
      schemes: [exact, channelOffer(sellerAt(), terms, () => isOpen)],
      seller: sellerAt(),
      prices,
      clock: systemClock,
      routes,
    });
    if (!made.ok) throw new Error(made.errors.join('\n'));
    const { challenge, corrected } = made.value;
    const channelOf = (reply: HttpReply) => {
      const { accepts } = headerOf(reply) as { accepts: { scheme: string; extra: Wire }[] };
      expect(accepts.map(({ scheme }) => scheme)).toEqual(['exact', 'batch-settlement']);
      return accepts[1]?.extra;
    };
    const network = sellerAt().network.id;
    const extra = { channelState: { channelId: `0x${'33'.repeat(32)}`, chargedCumulativeAmount: '5000' } };
    const correction = { reason: 'invalid_amount', scheme: 'batch-settlement', network, extra };
    for (const route of routes) {
      isOpen = true;
      expect(channelOf(challenge(route))).not.toHaveProperty('depositsClosed');
      isOpen = false;
      expect(channelOf(challenge(route))).toMatchObject({ depositsClosed: true });
      expect(channelOf(challenge(route))).toMatchObject({ depositsClosed: true });
      expect(channelOf(corrected(route, correction))).toMatchObject({ depositsClosed: true, ...extra });
      isOpen = true;
      expect(channelOf(challenge(route))).not.toHaveProperty('depositsClosed');
    }
  });

  it('routes that catalogs refuse: refused at start, all at once', () => {
    const route = routeOf(routes, 'funding-current');
    const bad: ProtectedRoute[] = [
      { ...route, id: 'unpriced' },
      { ...route, description: 'x'.repeat(501) },
      { ...route, tags: ['1', '2', '3', '4', '5', '6'] },
      { ...route, example: 'no object' },
      { ...route, pathParams: {}, path: '/v1/funding/{symbol}' },
      { ...route, queryParams: { a: { type: 'string', description: '', required: true } } },
    ];
    const made = createChallenges({
      schemes: offersOf({ seller: sellerAt() }),
      seller: sellerAt(),
      prices,
      clock: systemClock,
      routes: bad,
    });
    expect(made.ok ? [] : made.errors).toHaveLength(6);
  });

  it('a base address that leaves no room: refused at start', () => {
    const seller = sellerAt(`https://${'a'.repeat(2000)}.example.com`);
    const made = createChallenges({
      schemes: offersOf({ seller }),
      seller,
      prices,
      clock: systemClock,
      routes,
    });
    expect(made.ok ? [] : made.errors).toHaveLength(routes.length);
    expect(made).toMatchObject({ errors: expect.arrayContaining([expect.stringContaining('base address')]) });
  });
});

describe('the bazaar extension', () => {
  it.each(routes.map((route) => [route.id, route] as const))(
    '%s is valid and found by the official reader',
    (_, route) => {
      const extension = bazaarExtension(route);
      const checked = validateDiscoveryExtension(
        extension as unknown as Parameters<typeof validateDiscoveryExtension>[0],
      );
      expect(checked.errors ?? []).toEqual([]);
      expect(checked.valid).toBe(true);
      const entry = acceptsEntry(exactTerms(sellerAt(), 1000n), sellerAt(), route);
      const found = extractDiscoveryInfo(
        {
          x402Version: 2,
          resource: {
            url: sellerAt().baseUrl + route.path.replace(/\{[^}]+\}/g, 'BTC'),
            description: route.description,
          },
          accepted: entry as unknown as Parameters<typeof extractDiscoveryInfo>[0]['accepted'],
          payload: {},
          extensions: { bazaar: extension },
        },
        entry as unknown as Parameters<typeof extractDiscoveryInfo>[1],
      );
      expect(found).toMatchObject({ method: 'GET', x402Version: 2 });
      if (route.pathParams !== undefined) {
        expect(found).toMatchObject({ routeTemplate: route.path.replace(/\{([^}]+)\}/g, ':$1') });
      }
    },
  );

  it('stands for array examples too', () => {
    const route = { ...routeOf(routes, 'funding-current'), example: [{ venue: 'binance' }] };
    const extension = bazaarExtension(route);
    const checked = validateDiscoveryExtension(
      extension as unknown as Parameters<typeof validateDiscoveryExtension>[0],
    );
    expect(checked.valid).toBe(true);
  });

  it('is accompanied by the payment identifier where both fit the header', () => {
    const route: ProtectedRoute = {
      ...routeOf(routes, 'rwa-perp-coverage'),
      queryParams: {},
      example: { count: 1 },
    };
    const made = challengesAt(undefined, [route]).challenge(route);
    const { extensions } = headerOf(made);
    expect(isWire(extensions) && isPaymentIdentifierExtension(extensions['payment-identifier'])).toBe(true);
    expect(isWire(extensions) && isWire(extensions.bazaar)).toBe(true);
  });

  it('more networks than fit: refused at start', () => {
    const seller = sellerAt();
    const others = Array.from({ length: 12 }, (_, n) => ({
      seller: { ...seller, network: { ...seller.network, id: `eip155:${n + 1}` } },
    }));
    const schemes = offersOf({ seller, others });
    const made = createChallenges({ schemes, seller, prices, clock: systemClock, routes });
    expect(made).toMatchObject({
      errors: expect.arrayContaining([expect.stringContaining('or offer fewer networks')]),
    });
  });
});
