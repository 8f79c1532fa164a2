import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { requestOf } from '../api/example-api.ts';
import { exampleWorld } from '../api/example-world.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { pythonObstacle, runPython } from './python.ts';

vi.mock('ws', async () => ({ default: (await import('../books/memory-socket.ts')).MemorySocket }));
vi.mock('../../src/collect/http-client.ts', async () => ({
  HttpClient: (await import('../collect/memory-http.ts')).MemoryHttp,
}));

const KEY = `0x${'17'.repeat(32)}` as const;
const CHANNELS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 86_400,
  depositCalls: 100,
};

const folder = mkdtempSync(join(tmpdir(), 'python-routes-'));
let sale: Sale;

/** Events, a proof of what was sold on a day before, and documents of which the type names the first fields alone. */
const OTHERWISE: readonly string[] = [
  '/v1/stream/preview',
  '/v1/receipts/proof/{day}/{leaf}',
  '/openapi.json',
  '/openapi-3.0.json',
];

/** Each route with a request for it; paths that name a purchase of before are left out. */
const routes = ROUTES.filter(({ path }) => !OTHERWISE.includes(path))
  .map((route) => ({ path: route.path, request: requestOf(route), isPaid: route.access === 'paid' }))
  .filter(({ request }) => !request.includes('{'));

describe.skipIf(pythonObstacle !== undefined)(`each route in Python (${pythonObstacle ?? 'bought'})`, () => {
  beforeAll(async () => {
    sale = await openSale({ channels: CHANNELS });
  });
  afterAll(async () => {
    await (await exampleWorld()).close();
    await sale.stop();
    rmSync(folder, { recursive: true });
  });

  it('every paid route: asked for', () => {
    const paid = ROUTES.filter(({ access }) => access === 'paid').map(({ path }) => path);
    expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(paid));
  });

  it('each answer: bought by the client, with the fields of its type', async () => {
    const { payments, info, readPort, chain } = sale;
    const url = await (await exampleWorld()).serve({ paywall: payments.paywall, payments: info, readPort });
    const facts = join(folder, 'facts.json');
    writeFileSync(facts, JSON.stringify({ url, key: chain.buyer.privateKey, routes }));
    const { code, said } = await runPython(
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_routes.py'],
      { env: { PERPMETER_TEST_FACTS: facts } },
    );
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  });
});
