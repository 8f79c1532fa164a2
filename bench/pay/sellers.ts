import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import express from 'express';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import { createApi } from '../../src/api/server.ts';
import { ROUTES } from '../../src/api/table.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createIdentityBook } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../src/market/stores.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { createFacilitator } from '../../src/pay/facilitators/client.ts';
import { createGate } from '../../src/pay/gate.ts';
import { openLedger } from '../../src/pay/ledger-lmdb.ts';
import { loadPriceBook } from '../../src/pay/prices.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import { coreRequirement } from '../../src/pay/requirement.ts';
import { createSignatureFilter } from '../../src/pay/signature.ts';
import { runFeed } from '../http/feed.ts';
import { stubFacilitator } from './stub-facilitator.ts';
import { benchSeller, SOLD } from './terms.ts';

/** Begins to sell on a free port of loopback. */
export type StartSelling = () => Promise<number>;

/** The service with its real gate: signature filter, locks, and a ledger that is flushed. */
export async function sellOurs(folder: string): Promise<number> {
  const seller = benchSeller();
  const clock = systemClock;
  const loaded = loadPriceBook();
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const name = 'stub';
  const facilitator = createFacilitator(
    { name, verify: stubFacilitator, settle: stubFacilitator },
    seller.network.id,
  );
  const gate = createGate({
    seller,
    prices: loaded.value,
    routes: protectedRoutes(ROUTES),
    ledger: openLedger(folder),
    facilitators: new FacilitatorList([facilitator]),
    proof: undefined,
    signatures: createSignatureFilter(seller, await loadCheckSigner()),
    clock,
    renderProblem,
    onError: (cause) => console.error(cause),
  });
  if (!gate.ok) throw new Error(gate.errors.join('\n'));
  const market = createMarket({
    clock,
    identity: createIdentityBook(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
  });
  // Filled, then at rest: the official side has no market that moves.
  runFeed(market.sink)();
  const api = createApi({
    market: market.view,
    books: createBookStore({ clock }).view,
    health: { all: () => [], of: () => undefined },
    clock,
    gate: gate.value,
    payments: {
      prices: loaded.value,
      seller,
      health: () => ({ mode: 'remote', facilitator_ok: true, settlement_proof: 'facilitator' }),
    },
    service: {
      baseUrl: seller.baseUrl,
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: clock.now(),
    },
    report: ({ at, error }) => console.error(at, error),
  });
  return api.listen(0, '127.0.0.1');
}

/** The official middleware before a handler that has its bytes ready. */
export async function sellOfficial(body: Buffer): Promise<number> {
  const seller = benchSeller();
  const { amount, asset, extra, network, payTo, scheme, maxTimeoutSeconds } = coreRequirement(seller, 1000n);
  const accepts = { scheme, network, payTo, maxTimeoutSeconds, price: { amount, asset, extra } };
  const server = new x402ResourceServer(stubFacilitator).register(network, new ExactEvmScheme());
  const app = express();
  app.disable('etag');
  app.disable('x-powered-by');
  app.use(
    paymentMiddleware(
      { [`GET ${SOLD.path}`]: { accepts, description: 'Funding rates of all venues' } },
      server,
    ),
  );
  app.get(SOLD.path, (_request, response) => {
    response.type('application/json').send(body);
  });
  return new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
