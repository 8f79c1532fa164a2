import { join } from 'node:path';
import type { RouteConfig } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import express from 'express';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import { createApi } from '../../src/api/server.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { signSales } from '../../src/modules/receipts/signed-sales.ts';
import { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import { PRICE_LISTS, ROUTES, SOLD_HEADERS } from '../../src/modules/routes.ts';
import { bazaarExtension } from '../../src/pay/bazaar.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { createFacilitator } from '../../src/pay/facilitators/client.ts';
import { openLedgerAt } from '../../src/pay/open-ledger.ts';
import { createPaywall } from '../../src/pay/paywall.ts';
import { loadPriceSchedule, type PriceSchedule } from '../../src/pay/prices.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import { createExactScheme } from '../../src/pay/schemes/exact/scheme.ts';
import { createSignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { Paywall } from '../../src/pay/types.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../test/market/memory-stores.ts';
import { runFeed } from '../http/feed.ts';
import type { PayOrder } from './messages.ts';
import { stubFacilitator } from './stub-facilitator.ts';
import { benchSeller, SOLD } from './terms.ts';

/** Enough for the answer that is sold. */
const VENUES = 2;
/** The rows are made once, and must stay fresh while payments are signed and rounds are run. */
const REFRESH_MS = 30 * MINUTE_MS;

type OursOrder = Extract<PayOrder, { by: 'ours'; folder: string }>;

async function realGate(
  { folder, receipts }: OursOrder,
  seller: Seller,
  prices: PriceSchedule,
): Promise<Paywall> {
  const clock = systemClock;
  const name = 'stub';
  const facilitator = createFacilitator(
    { name, verify: stubFacilitator, settle: stubFacilitator },
    { scheme: 'exact', network: seller.network.id },
  );
  const routes = protectedRoutes(ROUTES);
  const exact = createExactScheme({
    seller,
    routes,
    clock,
    facilitators: new FacilitatorList([facilitator]),
    proof: undefined,
    signatures: createSignatureFilter(seller, await loadCheckSigner()),
  });
  const paywall = createPaywall({
    seller,
    prices,
    routes,
    ledger: await openLedgerAt({ ledgerPath: folder }),
    schemes: [exact],
    clock,
    ...(receipts && {
      sale: signSales({
        seller,
        prices,
        schemes: [exact],
        keys: new KeyRing(join(folder, 'keys.json'), clock),
        clock,
        routeTable: 'bench',
      }),
    }),
    renderProblem,
    onError: (cause) => console.error(cause),
  });
  if (!paywall.ok) throw new Error(paywall.errors.join('\n'));
  return paywall.value;
}

/** The service with its real gate: signature filter, locks, and a ledger that is flushed. */
export async function sellOurs(order: OursOrder): Promise<number> {
  const seller = benchSeller();
  const clock = systemClock;
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const paywall = await realGate(order, seller, loaded.value);
  const market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
  });
  // Few rows, and at rest: the official side has no market to look after.
  runFeed(market.sink, VENUES, REFRESH_MS)();
  const api = createApi({
    routes: ROUTES,
    soldHeaders: SOLD_HEADERS,
    market: market.view,
    books: createBookStore({ clock }).view,
    health: { all: () => [], of: () => undefined },
    clock,
    paywall,
    payments: {
      prices: loaded.value,
      seller,
      offers: offersOf({ seller }),
      health: () => ({
        mode: 'remote',
        facilitator_ok: true,
        settlement_proof: 'facilitator',
        ledger: 'embedded',
        ledger_ok: true,
      }),
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

/** All routes of the price list, each with its description and its declaration for discovery, as ours has them. */
function officialRoutes(): Record<string, RouteConfig> {
  const seller = benchSeller();
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const prices = loaded.value;
  const routes = protectedRoutes(ROUTES).map((route) => {
    const atomic = prices.priceAt(route.id, systemClock.now())?.atomic ?? 0n;
    const { amount, asset, extra, network, payTo, scheme, maxTimeoutSeconds } = exactTerms(seller, atomic);
    const accepts = { scheme, network, payTo, maxTimeoutSeconds, price: { amount, asset, extra } };
    const { description } = route;
    const extensions = { bazaar: bazaarExtension(route, route.example) };
    const path = route.path.replace(/\{([^}]+)\}/g, ':$1');
    return [`GET ${path}`, { accepts, description, mimeType: 'application/json', extensions }] as const;
  });
  return Object.fromEntries(routes);
}

/** The official middleware, Express as it comes, and a handler that has its bytes ready. */
export async function sellOfficial(body: Buffer): Promise<number> {
  const server = new x402ResourceServer(stubFacilitator)
    .register(benchSeller().network.id as `eip155:${number}`, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension);
  const app = express();
  app.use(paymentMiddleware(officialRoutes(), server));
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
