import { join } from 'node:path';
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
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { createFacilitator } from '../../src/pay/facilitators/client.ts';
import { createRemoteFacilitator } from '../../src/pay/facilitators/remote.ts';
import { createFreePaywall } from '../../src/pay/free-paywall.ts';
import { openLedgerAt } from '../../src/pay/open-ledger.ts';
import { createPaywall } from '../../src/pay/paywall.ts';
import { loadPriceSchedule, type PriceSchedule } from '../../src/pay/prices.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import { createRpc } from '../../src/pay/rpc.ts';
import { createRpcVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { createExactScheme } from '../../src/pay/schemes/exact/scheme.ts';
import { createSignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { Paywall } from '../../src/pay/types.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../test/market/memory-stores.ts';
import { runFeed } from '../http/feed.ts';
import { benchChannels } from './channels.ts';
import type { OursOrder } from './messages.ts';
import { stubFacilitator } from './stub-facilitator.ts';
import { benchSeller } from './terms.ts';

/** Enough for the answer that is sold. */
const VENUES = 2;
/** The rows are made once, and must stay fresh while payments are signed and rounds are run. */
const REFRESH_MS = 30 * MINUTE_MS;

/** Over HTTP where it has an address, as a hosted one is asked. */
function facilitatorOf({ facilitator: url }: OursOrder, { network }: Seller): Facilitator {
  const scheme = 'exact';
  if (url !== undefined)
    return createRemoteFacilitator({ url, auth: { kind: 'none' }, scheme, network: network.id });
  const calls = { name: 'stub', verify: stubFacilitator, settle: stubFacilitator };
  return createFacilitator(calls, { scheme, network: network.id });
}

async function realGate(order: OursOrder, seller: Seller, prices: PriceSchedule): Promise<Paywall> {
  const { folder, receipts } = order;
  const clock = systemClock;
  const routes = protectedRoutes(ROUTES);
  const ledger = await openLedgerAt({ ledgerPath: folder });
  const exact = createExactScheme({
    seller,
    routes,
    clock,
    facilitators: new FacilitatorList([facilitatorOf(order, seller)]),
    proof: order.node === undefined ? undefined : createRpcVerifier(createRpc(order.node)),
    signatures: createSignatureFilter(seller, await loadCheckSigner()),
  });
  const schemes = order.channels === true ? [exact, await benchChannels(seller, routes, ledger)] : [exact];
  const paywall = createPaywall({
    seller,
    prices,
    routes,
    ledger,
    schemes,
    clock,
    ...(receipts && {
      sale: signSales({
        seller,
        prices,
        schemes,
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

/** The service with its real gate: signature filter, locks, and a ledger that is flushed; or with none. */
export async function sellOurs(order: OursOrder | { readonly by: 'free' }): Promise<number> {
  const seller = benchSeller();
  const clock = systemClock;
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const prices = loaded.value;
  const paywall =
    order.by === 'free' ? createFreePaywall(renderProblem) : await realGate(order, seller, prices);
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
      prices,
      seller,
      offers: offersOf({ seller }),
      health: () => ({
        mode: 'remote',
        facilitator_ok: true,
        settlement_proof: 'facilitator',
        ledger: 'embedded',
        ledger_ok: true,
        node_behind: null,
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
