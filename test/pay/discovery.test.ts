import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTPFacilitatorClient } from '@x402/core/http';
import { PaymentRequirementsV1Schema, PaymentRequirementsV2Schema } from '@x402/core/schemas';
import { validateDiscoveryExtension, withBazaar } from '@x402/extensions/bazaar';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { matchesFilter, searchCatalog } from '../../src/pay/catalog-search.ts';
import {
  catalogItems,
  catalogPage,
  searchPage,
  wellKnownX402,
  wellKnownX402Json,
} from '../../src/pay/discovery.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import { paidRoutes, sellerAt, shippedPrices } from './routes.ts';

const prices = shippedPrices();
const routes = paidRoutes();
const items = catalogItems({
  schemes: offersOf({ seller: sellerAt() }),
  seller: sellerAt(),
  prices,
  routes,
  clock: systemClock,
});
const catalog = { http: items, mcp: [] };

describe('the catalog', () => {
  it('has an item of the contract’s shape for every route', () => {
    expect(items).toHaveLength(routes.length);
    for (const item of items) {
      expect(item).toMatchObject({
        type: 'http',
        x402Version: 2,
        mimeType: 'application/json',
        serviceName: 'Perpmeter',
        iconUrl: 'https://data.example.com/icon.png',
        accepts: [{ resource: item.resource, amount: item.accepts[0]?.maxAmountRequired }],
        extensions: {
          bazaar: { info: { input: { type: 'http', method: 'GET' }, output: { type: 'json' } } },
        },
      });
      expect(new Date(item.lastUpdated).toISOString()).toBe(item.lastUpdated);
      expect(item.lastUpdated >= '2026-11').toBe(true);
      expect(PaymentRequirementsV2Schema.safeParse(item.accepts[0]).success).toBe(true);
      expect(PaymentRequirementsV1Schema.safeParse(item.accepts[0]).success).toBe(true);
    }
    const extension = items[0]?.extensions.bazaar as unknown as Parameters<
      typeof validateDiscoveryExtension
    >[0];
    expect(validateDiscoveryExtension(extension).valid).toBe(true);
  });

  it('says when an item last changed, and carries its longer example', () => {
    const [first] = routes;
    if (first === undefined) throw new Error('no route');
    const revised = { ...first, revisedAt: '2026-12-24T00:00:00.000Z', catalogExample: { long: true } };
    const [item] = catalogItems({
      schemes: offersOf({ seller: sellerAt() }),
      seller: sellerAt(),
      prices,
      routes: [revised],
      clock: systemClock,
    });
    expect(item?.lastUpdated).toBe('2026-12-24T00:00:00.000Z');
    expect(item?.accepts[0]?.outputSchema?.output).toEqual({ long: true });
  });

  it('asks for nothing where nothing is charged', () => {
    const seller = {
      baseUrl: 'http://127.0.0.1:1',
      serviceName: 'Perpmeter',
      iconUrl: 'http://127.0.0.1:1/icon.png',
    };
    const free = catalogItems({ schemes: [], seller, prices, routes, clock: systemClock });
    expect(free.every(({ accepts }) => accepts.length === 0)).toBe(true);
  });

  it('comes in pages', () => {
    expect(catalogPage(catalog)).toMatchObject({
      x402Version: 2,
      pagination: { limit: 100, offset: 0, total: items.length },
    });
    const page = catalogPage(catalog, { limit: 10, offset: 20 });
    expect(page.items).toEqual(items.slice(20, 30));
    expect(page.pagination).toEqual({ limit: 10, offset: 20, total: items.length });
    expect(catalogPage(catalog, { limit: 10, offset: 99 }).items).toEqual([]);
  });

  it('is read by the official client', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(catalogPage(catalog, { limit: 5 })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x402`;
    const client = withBazaar(new HTTPFacilitatorClient({ url }));
    const found = await client.extensions.bazaar.listResources({ type: 'http', limit: 5 });
    expect(found.items.map(({ resource }) => resource)).toEqual(
      items.slice(0, 5).map(({ resource }) => resource),
    );
    server.close();
  });

  it('is published under both well-known addresses', () => {
    const changelogUrl = 'https://data.example.com/v1/pricing/changelog';
    expect(wellKnownX402Json(catalog, { seller: sellerAt(), data: 'live', changelogUrl })).toMatchObject({
      x402Version: 2,
      serviceName: 'Perpmeter',
      data: 'live',
      changelog: changelogUrl,
      items,
    });
    const scan = wellKnownX402('https://data.example.com', routes) as {
      version: number;
      resources: string[];
    };
    expect(scan.version).toBe(1);
    expect(scan.resources).toContain('https://data.example.com/v1/orderbook/binance/BTC/top');
    expect(scan.resources.join()).not.toContain('{');
    expect(scan.resources).toContain('https://data.example.com/v1/perp/basis?ticker=BTC');
  });
});

describe('filters of the catalog', () => {
  const matching = (filter: Parameters<typeof matchesFilter>[1]) =>
    items.filter((item) => matchesFilter(item, filter)).length;

  it('find nothing of a kind or an extension that nothing has', () => {
    expect(matching({ type: 'mcp' })).toBe(0);
    expect(matching({ type: 'HTTP' })).toBe(items.length);
    expect(matching({ extensions: 'sign-in-with-x' })).toBe(0);
    expect(matching({ extensions: 'bazaar' })).toBe(items.length);
  });

  it('hold together within one entry of accepts', () => {
    const { payTo } = sellerAt();
    expect(matching({ payTo: payTo.toLowerCase(), scheme: 'exact', network: 'eip155:8453' })).toBe(
      items.length,
    );
    expect(matching({ payTo, network: 'eip155:1' })).toBe(0);
  });
});

describe('the search of the catalog', () => {
  const found = (query: string) =>
    searchCatalog(items, query).map(({ resource }) => new URL(resource).pathname);

  it('finds by words of path, tags and description, the rarest first', () => {
    expect(found('volume history')[0]).toBe('/v1/perp/volume-history');
    expect(found('What does a BASIS look like?')[0]).toBe('/v1/perp/basis');
    expect(found('flip')).toEqual(['/v1/perp/funding-flips']);
    expect(found('the perpetual')).toHaveLength(routes.length);
    expect(found('zebra')).toEqual([]);
    expect(found('?! .')).toEqual([]);
  });

  it('comes in pages that end', () => {
    const pages = [searchPage(items, 20)];
    for (let cursor = pages[0]?.pagination.cursor ?? null; cursor !== null; ) {
      const page = searchPage(items, 20, Number(cursor));
      pages.push(page);
      cursor = page.pagination.cursor;
    }
    expect(pages).toHaveLength(Math.ceil(items.length / 20));
    expect(pages.map(({ partialResults }) => partialResults)).toEqual(
      pages.map((_, at) => at < pages.length - 1),
    );
    expect(pages[0]?.pagination).toEqual({ limit: 20, cursor: '20' });
    expect(pages.flatMap(({ resources }) => resources)).toEqual(items);
  });
});
