/** The servers under test, one role to a process, told by messages of the parent. */

import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { KEEP_ALIVE_MS } from '../../src/api/encoded-response.ts';
import { renderProblem } from '../../src/api/problem.ts';
import { createApi } from '../../src/api/server.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import { PRICE_LISTS, ROUTES } from '../../src/modules/routes.ts';
import { createChallenges } from '../../src/pay/challenge.ts';
import { createFreePaywall } from '../../src/pay/free-paywall.ts';
import { NETWORKS } from '../../src/pay/networks.ts';
import { loadPriceSchedule, type PriceSchedule } from '../../src/pay/prices.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { Paywall } from '../../src/pay/types.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../test/market/memory-stores.ts';
import { runFeed } from './feed.ts';
import type { ServerMessage, ServerOrder } from './messages.ts';

type BareOrder = Extract<ServerOrder, { role: 'bare' }>;

const BASE_URL = 'https://data.perpmeter.example';

function seller(): Seller {
  const network = NETWORKS['eip155:8453'];
  if (network === undefined) throw new Error('unknown network');
  return {
    network,
    asset: network.asset,
    assetName: network.assetName,
    assetVersion: network.assetVersion,
    payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    baseUrl: BASE_URL,
    serviceName: 'Perpmeter',
    iconUrl: `${BASE_URL}/icon.png`,
  };
}

/** Challenges as the service makes them; no payment is presented in this benchmark. */
function challengingPaywall(prices: PriceSchedule): Paywall {
  const made = createChallenges({
    schemes: offersOf({ seller: seller() }),
    seller: seller(),
    prices,
    clock: systemClock,
    routes: protectedRoutes(ROUTES),
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  const refuse = (): never => {
    throw new Error('a payment was presented');
  };
  return { free: false, challenge: made.value.challenge, pay: refuse };
}

/** About 9,000 rows that move, as in a service that collects: the work beside the requests. */
function startTable(): Market {
  const market = createMarket({
    clock: systemClock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
  });
  runFeed(market.sink);
  setInterval(() => market.sweep(), 1000);
  return market;
}

async function startApi(paid: boolean): Promise<number> {
  const market = startTable();
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const prices = loaded.value;
  const api = createApi({
    routes: ROUTES,
    market: market.view,
    books: createBookStore({ clock: systemClock }).view,
    health: { all: () => [], of: () => undefined },
    clock: systemClock,
    paywall: paid ? challengingPaywall(prices) : createFreePaywall(renderProblem),
    payments: {
      prices,
      seller: paid ? seller() : undefined,
      offers: paid ? offersOf({ seller: seller() }) : [],
      health: () => ({
        mode: paid ? 'remote' : 'off',
        facilitator_ok: null,
        settlement_proof: null,
        ledger: null,
        ledger_ok: null,
        node_behind: null,
      }),
    },
    service: {
      baseUrl: BASE_URL,
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: systemClock.now(),
    },
    report: ({ at, error }) => console.error(at, error),
  });
  return api.listen(0, '127.0.0.1');
}

/**
 * Nothing but Node's server, beside the same table: the same status, headers and bytes, made once. It looks at what
 * nobody can answer without: the path, and whether the request brings a payment or a version that it has.
 */
function startBare({ path, status, headers, body }: BareOrder): Promise<number> {
  startTable();
  const bytes = Buffer.from(body, 'base64');
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, ({ url, headers: asked }, response) => {
    const isOther =
      url !== path || asked['payment-signature'] !== undefined || asked['if-none-match'] !== undefined;
    response.writeHead(isOther ? 404 : status, headers as string[]);
    response.end(bytes);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function start(order: Extract<ServerOrder, { kind: 'start' }>): Promise<number> {
  return order.role === 'bare' ? startBare(order) : startApi(order.role === 'paid');
}

const tell = (message: ServerMessage): void => {
  process.send?.(message);
};

let since = performance.eventLoopUtilization();
let cpu = process.cpuUsage();

process.on('message', (order: ServerOrder) => {
  if (order.kind === 'start') {
    start(order).then(
      (port) => tell({ kind: 'listening', port }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  } else if (order.kind === 'begin') {
    since = performance.eventLoopUtilization();
    cpu = process.cpuUsage();
    tell({ kind: 'begun' });
  } else {
    const used = process.cpuUsage(cpu);
    const { active, idle } = performance.eventLoopUtilization(since);
    tell({ kind: 'measured', cpuSeconds: (used.user + used.system) / 1e6, activeMs: active, idleMs: idle });
  }
});
process.on('disconnect', () => process.exit(0));
