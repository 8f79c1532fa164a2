/** Single answers differ from the interface as docs/contract.md states. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { getRaw, json } from '../api/raw-http.ts';

let charging: ExampleApi;
let free: ExampleApi;
let sold = '';
let base = '';
beforeAll(async () => {
  charging = createExampleApi();
  free = createExampleApi({ mode: 'off' });
  sold = await charging.start();
  base = await free.start();
});
afterAll(() => Promise.all([charging.api.close(), free.api.close()]));

describe('what differs from the interface by decision', () => {
  it('the body of a 402: the challenge of the first protocol generation', async () => {
    const response = await getRaw(sold, '/v1/perp/basis?ticker=BTC');
    expect(response.status).toBe(402);
    expect(json(response)).toMatchObject({
      x402Version: 1,
      code: 'payment_required',
      accepts: [{ network: 'base' }],
    });
    const header = Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString();
    expect(JSON.parse(header)).toMatchObject({ x402Version: 2, accepts: [{ network: 'eip155:8453' }] });
  });

  it('an unpaid request with a wrong query: the challenge all the same', async () => {
    expect((await getRaw(sold, '/v1/perp/basis?wrong=1')).status).toBe(402);
    expect((await getRaw(base, '/v1/perp/basis?wrong=1')).status).toBe(400);
  });

  it('a page beyond the last row: 404, and the one before ends', async () => {
    const first = json(await getRaw(base, '/v1/funding/current')) as { total: number; has_more: boolean };
    expect(first.has_more).toBe(false);
    const beyond = await getRaw(base, `/v1/funding/current?offset=${first.total}`);
    expect(beyond.status).toBe(404);
    expect(json(beyond)).toMatchObject({ code: 'no_data' });
  });

  it.each(['/v1/perp/funding-next', '/v1/perp/open-interest'])(
    '%s of a venue that lists one asset of two: 200 with its canonical_id',
    async (path) => {
      const response = await getRaw(base, `${path}?ticker=SPX&venue=lighter`);
      expect(response.status).toBe(200);
      expect(json(response)).toMatchObject({ canonical_id: 'index:SPX' });
    },
  );

  it('a ticker of two assets where no venue is given: 409', async () => {
    expect((await getRaw(base, '/v1/perp/basis?ticker=SPX')).status).toBe(409);
  });
});
