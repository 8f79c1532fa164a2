import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { requestOf } from '../api/example-api.ts';
import { exampleWorld } from '../api/example-world.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { hasModule, pythonObstacle, runPython } from './python.ts';

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

const folder = mkdtempSync(join(tmpdir(), 'python-world-'));
const facts = join(folder, 'facts.json');
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

/** Runs a file of tests at the service over the world. */
async function tried(file: string) {
  const args = ['-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider', `tests/${file}`];
  const { code, said } = await runPython(args, { env: { PERPMETER_TEST_FACTS: facts } });
  return { code, said: code === 0 ? '' : said };
}

describe.skipIf(pythonObstacle !== undefined)(`a world in Python (${pythonObstacle ?? 'bought'})`, () => {
  beforeAll(async () => {
    sale = await openSale({ channels: CHANNELS });
    const { payments, info, chain } = sale;
    const ports = { sale: payments.ports };
    const url = await (await exampleWorld()).serve({ paywall: payments.paywall, payments: info, ports });
    writeFileSync(facts, JSON.stringify({ url, key: chain.buyer.privateKey, routes }));
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
    expect(await tried('test_routes.py')).toEqual({ code: 0, said: '' });
  });

  it.skipIf(!hasModule('matplotlib') || !hasModule('pandas'))(
    'the notebooks: run within their caps, and draw',
    async () => {
      expect(await tried('test_notebooks.py')).toEqual({ code: 0, said: '' });
    },
  );
});
