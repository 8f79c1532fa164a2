import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeFacilitator, fakeFacilitator } from './fakes.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { encodeHeader, newAccount, signAuthorization, v1Payload, v2Payload } from './wallet.ts';

let paidServer: PaidServer;
let facilitator: FakeFacilitator;
beforeAll(async () => {
  facilitator = fakeFacilitator();
  paidServer = await startPaidServer({ facilitator, payTo: newAccount().address });
});
afterAll(() => paidServer.stop());

const atomic = (usd: string): string => String(Math.round(Number(usd) * 1e6));
const concrete = (path: string): string => path.replace('{symbol}', 'BTC').replace('{venue}', 'binance');

function priceOf(id: string): string {
  const price = paidServer.paywall.challenge(routeOf(id), undefined, concrete(routeOf(id).path));
  const body: unknown = JSON.parse(price.body.toString());
  const [accepted] = (body as { accepts: readonly { maxAmountRequired: string }[] }).accepts;
  return accepted?.maxAmountRequired ?? '';
}

function routeOf(id: string) {
  const route = paidServer.routes.find((route) => route.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  return route;
}

describe('a payment made for one route', () => {
  it('every route of another price: refused without a call', async () => {
    const prices = new Map(paidServer.routes.map(({ id }) => [id, priceOf(id)]));
    expect(new Set(prices.values()).size).toBeGreaterThan(4);
    const faults: string[] = [];
    let pairs = 0;
    for (const [bought, value] of prices) {
      const signed = await signAuthorization(newAccount(), paidServer.seller, { value });
      const headers = [v2Payload(paidServer.seller, signed), v1Payload(signed)].map(encodeHeader);
      for (const { id, path } of paidServer.routes) {
        if (prices.get(id) === value) continue;
        pairs += 1;
        const header = headers[pairs % 2] ?? '';
        const from = `192.0.2.${pairs % 250}`;
        const sent = { 'X-PAYMENT': header, 'x-test-address': from };
        const response = await fetch(paidServer.url + concrete(path), { headers: sent });
        const challenge = response.headers.get('payment-required');
        await response.arrayBuffer();
        if (response.status !== 402 || challenge === null)
          faults.push(`${bought} at ${id}: ${response.status}`);
      }
    }
    expect(faults).toEqual([]);
    expect(pairs).toBeGreaterThan(500);
    expect(paidServer.produced).toBe(0);
    expect(facilitator.verified).toEqual([]);
    expect(facilitator.settled).toEqual([]);
  });

  it('its own route: accepted once, not another of equal price', async () => {
    const same = paidServer.routes.filter(({ id }) => priceOf(id) === atomic('0.001'));
    const [first, second] = same;
    if (first === undefined || second === undefined) throw new Error('no two routes of a price');
    const signed = await signAuthorization(newAccount(), paidServer.seller, { value: atomic('0.001') });
    const headers = { 'X-PAYMENT': encodeHeader(v2Payload(paidServer.seller, signed)) };
    const bought = await fetch(paidServer.url + concrete(first.path), { headers });
    expect(bought.status).toBe(200);
    await bought.arrayBuffer();
    const again = await fetch(paidServer.url + concrete(second.path), { headers });
    expect(again.status).toBe(402);
    expect(facilitator.settled).toHaveLength(1);
  });
});
