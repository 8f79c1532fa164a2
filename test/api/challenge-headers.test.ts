import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { isPaymentIdentifierExtension } from '@x402/extensions/payment-identifier';
import { afterAll, describe, expect, it } from 'vitest';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { PAID_CACHING } from '../../src/api/headers.ts';
import { completeHeaders } from '../../src/api/http/reply.ts';
import { routeTableVersion } from '../../src/api/route-table-version.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { isWire, wireArray } from '../../src/domain/read.ts';
import { signSales } from '../../src/modules/receipts/signed-sales.ts';
import { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { type Challenges, createChallenges } from '../../src/pay/challenge.ts';
import type { ChannelsConfig } from '../../src/pay/config-channels.ts';
import { NETWORKS, type PaymentNetwork } from '../../src/pay/networks.ts';
import { resourceHash } from '../../src/pay/payment.ts';
import { LONGEST_REASON } from '../../src/pay/reasons.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { paidReply, refuseSettled } from '../../src/pay/replies.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { claimedRecord } from '../../src/pay/transition.ts';
import type { PaywallReply, ProtectedRoute } from '../../src/pay/types.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { TRANSACTION } from '../pay/fakes.ts';
import { claimOf } from '../pay/ledger-claims.ts';
import { examplePrices, SELLER } from './example-api.ts';

const LONG_ADDRESS = `https://${'a'.repeat(44)}.example.com`;
const LONGEST_SYMBOL = '1000000MOGOFFICIALTRUMPPERPETUAL-USDT-PERP';
/** Bytes that a whole header block stays below: nginx says 502 beyond its buffer of 4,096. */
const BLOCK = 3_900;

const routes = protectedRoutes(ROUTES);

const on = (baseUrl: string, network: PaymentNetwork): Seller => {
  const { asset, assetName, assetVersion } = network;
  const token = { network, asset, assetName, assetVersion };
  return { ...SELLER, ...token, baseUrl, iconUrl: `${baseUrl}/icon.png` };
};

/** @param channels on every network; undefined: on none */
function challengesOf(sellers: readonly Seller[], channels?: ChannelsConfig): Challenges {
  const [first = SELLER, ...others] = sellers;
  const offering = { seller: first, channels, others: others.map((seller) => ({ seller, channels })) };
  const made = createChallenges({
    schemes: offersOf(offering),
    seller: first,
    prices: examplePrices(),
    clock: systemClock,
    routes,
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

const challengesAt = (baseUrl: string, network = SELLER.network, ...others: PaymentNetwork[]): Challenges =>
  challengesOf([network, ...others].map((each) => on(baseUrl, each)));

const challenges = challengesAt(LONG_ADDRESS);

const longestPath = ({ path }: ProtectedRoute): string =>
  path.replace('{venue}', 'hyperliquid-builder-dex').replace('{symbol}', LONGEST_SYMBOL);

/** The challenge of a request for the longest symbol there is. */
const longest = (route: ProtectedRoute): PaywallReply =>
  challenges.challenge(route, LONGEST_REASON, longestPath(route));
/** The answer to the same request after its payment failed to settle. */
const longestRefused = (route: ProtectedRoute): PaywallReply =>
  challenges.refused(route, LONGEST_REASON, longestPath(route));

/** The whole of that answer: with receipts of the longest reason, in which a transaction was reverted. */
function refusedAtSettling(made: Challenges, route: ProtectedRoute, network: string): PaywallReply {
  const { payTo: payer } = SELLER;
  const record = { network, payer, reason: LONGEST_REASON, transaction: TRANSACTION } as PaymentRecord;
  const parts = { challenges: made, observe: () => undefined };
  return refuseSettled(parts, { route, path: longestPath(route) }, record);
}
const headerText = (reply: PaywallReply): string => reply.headers['payment-required'] ?? '';

const AT = { now: systemClock.now(), owner: 'test' };
const folder = mkdtempSync(join(tmpdir(), 'headers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sale = signSales({
  schemes: offersOf({ seller: SELLER }),
  prices: examplePrices(),
  clock: systemClock,
  seller: { ...SELLER, baseUrl: LONG_ADDRESS },
  keys: new KeyRing(join(folder, 'keys.json'), { now: () => AT.now }),
  routeTable: routeTableVersion(ROUTES),
});

/** Node adds this by itself. */
const STATUS_LINE = 'HTTP/1.1 402 Payment Required\r\n';
const REST =
  'Date: Sun, 22 Nov 2026 09:00:00 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=61\r\n\r\n';

/** With the longest delay and deposit. */
const CHANNELS: ChannelsConfig = {
  authorizerKey: '0x',
  receiverAuthorizer: SELLER.payTo,
  withdrawDelay: 2_592_000,
  depositCalls: 100_000,
};

/** Status line and headers as they go over the wire, bytes. */
function blockOf(reply: PaywallReply): number {
  const flat = [...completeHeaders(reply, PAID_CACHING), ...Object.entries(reply.receipts ?? {}).flat()];
  // Two bytes after a name, and two after its value.
  return flat.reduce((sum, text) => sum + text.length + 2, STATUS_LINE.length + REST.length);
}

function headerOf(reply: PaywallReply): unknown {
  return JSON.parse(Buffer.from(reply.headers['payment-required'] ?? '', 'base64').toString('utf8'));
}

function hasBazaar(reply: PaywallReply): boolean {
  const header = headerOf(reply);
  return isWire(header) && isWire(header.extensions) && 'bazaar' in header.extensions;
}

/** Scheme and network of each entry. */
function entriesOf(reply: PaywallReply): readonly string[] {
  const header = headerOf(reply);
  const entries = isWire(header) ? (wireArray(header.accepts)?.filter(isWire) ?? []) : [];
  return entries.map(({ scheme, network }) => `${scheme} ${network}`);
}

/** Of base addresses. */
const LENGTHS = Array.from({ length: 11 }, (_, step) => 24 + 4 * step);
const each = routes.map((route) => [route.id, route] as const);

describe('the headers of a challenge at a base address of 64 characters', () => {
  it('exist for every paid route', () => {
    expect(LONG_ADDRESS).toHaveLength(64);
    expect(routes).toHaveLength(ROUTES.filter(({ access }) => access === 'paid').length);
  });

  it.each(each)('%s: a value of at most 3,400 bytes, a block below 3,900', (_, route) => {
    for (const reason of [undefined, LONGEST_REASON]) {
      const reply = challenges.challenge(route, reason, longestPath(route));
      expect(headerText(reply).length).toBeLessThanOrEqual(3_400);
      expect(blockOf(reply)).toBeLessThan(BLOCK);
    }
  });

  it.each(LENGTHS)('a path that JSON escapes, at a base address of %i: it fits as well', (length) => {
    const { challenge } = challengesAt(`https://${'a'.repeat(length - 20)}.example.com`);
    for (const route of routes) {
      for (const hard of ['"', '\\']) {
        const path = longestPath(route).replace(LONGEST_SYMBOL, hard.repeat(90)).slice(0, 120);
        expect(headerText(challenge(route, LONGEST_REASON, path)).length).toBeLessThanOrEqual(3_400);
      }
    }
  });

  it.each(each)('%s: refused at settling, with two receipts: a block below 3,900', (_, route) => {
    const refused = refusedAtSettling(challenges, route, SELLER.network.id);
    expect(headerText(refused)).toBe(headerText(longestRefused(route)));
    expect(blockOf(refused)).toBeLessThan(BLOCK);
  });

  it.each(LENGTHS)('on any network, at a base address of %i: every block is below 3,900', (length) => {
    for (const network of Object.values(NETWORKS)) {
      const made = challengesAt(`https://${'a'.repeat(length - 20)}.example.com`, network);
      for (const route of routes) {
        expect(blockOf(made.challenge(route, LONGEST_REASON, longestPath(route)))).toBeLessThan(BLOCK);
        expect(blockOf(refusedAtSettling(made, route, network.id))).toBeLessThan(BLOCK);
      }
    }
  });

  it.each([2, 3, 4, 5])('channels on %i networks: behind exact, in order while there is room', (count) => {
    const networks = Object.values(NETWORKS).slice(0, count);
    const ids = networks.map(({ id }) => id);
    const all = ['exact', 'batch-settlement'].flatMap((scheme) => ids.map((id) => `${scheme} ${id}`));
    for (const baseUrl of ['https://short.example', LONG_ADDRESS]) {
      const sellers = networks.map((network) => on(baseUrl, network));
      const made = challengesOf(sellers, CHANNELS);
      const named = routes.map((route) => {
        const asked = made.challenge(route, LONGEST_REASON, longestPath(route));
        const refused = refusedAtSettling(made, route, SELLER.network.id);
        for (const reply of [asked, refused]) {
          expect(blockOf(reply)).toBeLessThan(BLOCK);
          const entries = entriesOf(reply);
          expect(entries).toEqual(all.slice(0, entries.length));
          expect(entries.length).toBeGreaterThanOrEqual(reply === asked ? count + 1 : count);
        }
        return entriesOf(asked).length;
      });
      const unnamed = made.unnamed.map(({ name, seller }) => `${name} ${seller.network.id}`);
      expect(unnamed.sort()).toEqual(all.slice(Math.min(...named)).sort());
      if (count === 2) expect(named.filter((length) => length < 4).length).toBeLessThan(routes.length / 3);
    }
  });

  it.each(LENGTHS)('on all networks at once, at a base address of %i: all fit', (length) => {
    const networks = Object.values(NETWORKS);
    const made = challengesAt(`https://${'a'.repeat(length - 20)}.example.com`, ...networks);
    for (const route of routes) {
      const asked = made.challenge(route, LONGEST_REASON, longestPath(route));
      const refused = refusedAtSettling(made, route, SELLER.network.id);
      for (const reply of [asked, refused]) {
        expect(blockOf(reply)).toBeLessThan(BLOCK);
        const header = headerOf(reply);
        const entries = isWire(header) ? wireArray(header.accepts)?.filter(isWire) : undefined;
        expect(entries?.map(({ network }) => network)).toEqual(networks.map(({ id }) => id));
      }
    }
  });

  it.each(each)('%s: an answer with its receipts: a block below 3,900', (_, route) => {
    const resource = `${longestPath(route)}?${'venues=hyperliquid-builder-dex&'.repeat(20)}`;
    const sources = KNOWN_VENUES.map(({ id }) => id).join(',');
    const record = {
      ...claimedRecord({ ...claimOf('a'), resource, resourceHash: resourceHash('GET', resource) }, AT),
      amount: '100000',
      settledAt: AT.now,
      transaction: TRANSACTION,
    };
    const headers = {
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': `attachment; filename="${LONGEST_SYMBOL}-${LONGEST_SYMBOL}.parquet"`,
      'content-encoding': 'gzip',
      'x-answered-as-of': '2026-11-22T09:00:00.000Z',
      'x-renamed': '1000PEPE=MATICOFFICIAL; day=2024-09-04; factor=1000000',
      'x-data-as-of': '2026-11-22T09:00:00.000Z',
      'x-data-sources': sources,
    };
    const answer = { status: 200, headers, body: Buffer.alloc(1_000_000) };
    expect(
      blockOf(paidReply({ sale, schemes: [] }, record, answer, sale.issue(record, answer))),
    ).toBeLessThan(BLOCK);
  });

  it.each(each)('%s: every field of the entry, and the payment identifier', (_, route) => {
    const header = headerOf(longest(route));
    const extensions = isWire(header) && isWire(header.extensions) ? header.extensions : {};
    expect(isPaymentIdentifierExtension(extensions['payment-identifier'])).toBe(true);
    const outputSchema = {
      input: { type: 'http', queryParams: expect.anything() },
      output: expect.anything(),
    };
    const entry = { resource: LONG_ADDRESS + route.path, description: expect.any(String), outputSchema };
    expect(header).toMatchObject({ accepts: [entry] });
    expect(headerOf(longestRefused(route))).toMatchObject({ accepts: [entry] });
    const { bazaar } = extensions;
    if (bazaar === undefined) return;
    const checked = validateDiscoveryExtension(bazaar as Parameters<typeof validateDiscoveryExtension>[0]);
    expect(checked.errors ?? []).toEqual([]);
    expect(checked.valid).toBe(true);
  });

  it('have the bazaar extension beside the entry where both fit', () => {
    const withBazaar = routes.filter((route) => hasBazaar(longest(route)));
    expect(withBazaar.length).toBeGreaterThan(0);
    expect(withBazaar.length).toBeLessThan(routes.length);
  });

  it('have the output example where it fits', () => {
    const [first] = routes;
    if (first === undefined) throw new Error('no route');
    const short = { ...first, queryParams: {}, example: { count: 1 } };
    const made = createChallenges({
      schemes: offersOf({ seller: SELLER }),
      seller: SELLER,
      prices: examplePrices(),
      clock: systemClock,
      routes: [short],
    });
    if (!made.ok) throw new Error(made.errors.join('\n'));
    expect(headerOf(made.value.challenge(short))).toMatchObject({
      extensions: { bazaar: { info: { output: { type: 'json', example: { count: 1 } } } } },
    });
  });
});
