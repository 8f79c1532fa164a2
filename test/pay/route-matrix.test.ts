import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeFacilitator, fakeFacilitator } from './fakes.ts';
import { openShop, type Shop } from './shop.ts';
import { encodeHeader, newAccount, signAuthorization, v1Payload, v2Payload } from './wallet.ts';

let shop: Shop;
let facilitator: FakeFacilitator;
beforeAll(async () => {
  facilitator = fakeFacilitator();
  shop = await openShop({ facilitator, payTo: newAccount().address });
});
afterAll(() => shop.stop());

const atomic = (usd: string): string => String(Math.round(Number(usd) * 1e6));
const concrete = (path: string): string => path.replace('{symbol}', 'BTC').replace('{venue}', 'binance');

function priceOf(id: string): string {
  const price = shop.gate.challenge(routeOf(id), undefined, concrete(routeOf(id).path));
  const body: unknown = JSON.parse(price.body.toString());
  const [accepted] = (body as { accepts: readonly { maxAmountRequired: string }[] }).accepts;
  return accepted?.maxAmountRequired ?? '';
}

function routeOf(id: string) {
  const route = shop.routes.find((one) => one.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  return route;
}

describe('a payment made for one route', () => {
  it('is refused at every route of another price, in both generations, and nothing is asked of anybody', async () => {
    const prices = new Map(shop.routes.map(({ id }) => [id, priceOf(id)]));
    expect(new Set(prices.values()).size).toBeGreaterThan(4);
    const faults: string[] = [];
    let pairs = 0;
    for (const [bought, value] of prices) {
      const signed = await signAuthorization(newAccount(), shop.seller, { value });
      const headers = [v2Payload(shop.seller, signed), v1Payload(signed)].map(encodeHeader);
      for (const { id, path } of shop.routes) {
        if (prices.get(id) === value) continue;
        pairs += 1;
        const header = headers[pairs % 2] ?? '';
        const from = `192.0.2.${pairs % 250}`;
        const sent = { 'X-PAYMENT': header, 'x-test-address': from };
        const response = await fetch(shop.url + concrete(path), { headers: sent });
        const challenge = response.headers.get('payment-required');
        await response.arrayBuffer();
        if (response.status !== 402 || challenge === null)
          faults.push(`${bought} at ${id}: ${response.status}`);
      }
    }
    expect(faults).toEqual([]);
    expect(pairs).toBeGreaterThan(500);
    expect(shop.produced).toBe(0);
    expect(facilitator.verified).toEqual([]);
    expect(facilitator.settled).toEqual([]);
  });

  it('is taken where it belongs, once: not at another route of the same price', async () => {
    const same = shop.routes.filter(({ id }) => priceOf(id) === atomic('0.001'));
    const [first, second] = same;
    if (first === undefined || second === undefined) throw new Error('no two routes of a price');
    const signed = await signAuthorization(newAccount(), shop.seller, { value: atomic('0.001') });
    const headers = { 'X-PAYMENT': encodeHeader(v2Payload(shop.seller, signed)) };
    const bought = await fetch(shop.url + concrete(first.path), { headers });
    expect(bought.status).toBe(200);
    await bought.arrayBuffer();
    const again = await fetch(shop.url + concrete(second.path), { headers });
    expect(again.status).toBe(402);
    expect(facilitator.settled).toHaveLength(1);
  });
});
