import { protectedRoutes } from '../../src/api/catalog.ts';
import type { PaymentInfo } from '../../src/api/payments.ts';
import { renderProblem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import { type Api, type ApiOptions, createApi } from '../../src/api/server.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { emptyFeedCounts } from '../../src/feed/ports.ts';
import { PRICE_LISTS, ROUTES, SOLD_HEADERS } from '../../src/modules/routes.ts';
import { createChallenges } from '../../src/pay/challenge.ts';
import { NETWORKS } from '../../src/pay/networks.ts';
import { loadPriceSchedule, type PriceSchedule } from '../../src/pay/prices.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { PaymentInput, Paywall, PaywallReply, ProtectedRoute, Work } from '../../src/pay/types.ts';
import type { Timer } from '../../src/runtime/timer.ts';
import { exampleBooks } from './example-books.ts';
import { createExampleHistory } from './example-history.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES, exampleRows } from './example-market.ts';
import { examplePorts } from './example-ports.ts';
import { calmHealth, createFakeMarket, type FakeMarket } from './fake-market.ts';

export const BASE_URL = 'https://data.perpmeter.test';

const network = NETWORKS['eip155:8453'];
if (network === undefined) throw new Error('the network of the contract is not known');

export const SELLER: Seller = {
  network,
  asset: network.asset,
  assetName: network.assetName,
  assetVersion: network.assetVersion,
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  baseUrl: BASE_URL,
  serviceName: 'Perpmeter',
  iconUrl: `${BASE_URL}/icon.png`,
};

export function examplePrices(): PriceSchedule {
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.value;
}

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(start: UnixMs = EXAMPLE_NOW): ManualClock {
  let now: number = start;
  return {
    now: () => asMs(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

type Mode = ReturnType<PaymentInfo['health']>['mode'];

export function examplePayments(prices: PriceSchedule, mode: Mode): PaymentInfo {
  const free = mode === 'off';
  return {
    prices,
    seller: free ? undefined : SELLER,
    offers: free ? [] : offersOf({ seller: SELLER }),
    health: () => ({
      mode,
      facilitator_ok: free ? null : true,
      settlement_proof: free ? null : 'rpc',
      ledger: free ? null : 'embedded',
      ledger_ok: free ? null : true,
      node_behind: free ? null : false,
    }),
  };
}

/** A paywall that takes any payment: the request around it is what is tested. */
export interface FakePaywall extends Paywall {
  readonly taken: PaymentInput[];
  readonly deliveries: boolean[];
  /** Holds payments back until it resolves. */
  hold: Promise<void> | undefined;
}

export function createFakePaywall(prices: PriceSchedule, clock: Clock, free = false): FakePaywall {
  const routes = protectedRoutes(ROUTES);
  const challenges = createChallenges({
    schemes: offersOf({ seller: SELLER }),
    seller: SELLER,
    prices,
    clock,
    routes,
  });
  if (!challenges.ok) throw new Error(challenges.errors.join('\n'));
  const paywall: FakePaywall = {
    free,
    taken: [],
    deliveries: [],
    hold: undefined,
    challenge: challenges.value.challenge,
    async pay(_route: ProtectedRoute, input: PaymentInput, work: Work): Promise<PaywallReply> {
      paywall.taken.push(input);
      const fault = work.check();
      if (fault !== undefined) return renderProblem(fault);
      await paywall.hold;
      const made = await work.produce();
      if (!made.ok) return renderProblem(made.error);
      const receipts = { 'PAYMENT-RESPONSE': 'e30=', 'X-PAYMENT-RESPONSE': 'e30=' };
      return {
        ...made.value,
        receipts,
        sent: (complete) => paywall.deliveries.push(complete),
      };
    },
  };
  return paywall;
}

export interface ExampleApi {
  readonly api: Api;
  readonly market: FakeMarket;
  readonly clock: ManualClock;
  readonly paywall: FakePaywall;
  readonly faults: unknown[];
  /** Begins to listen on loopback; gives the address. */
  readonly start: () => Promise<string>;
}

/** Time stands still in the examples: what waits has waited long enough at the next turn of the event loop. */
const atOnce: Timer = (_ms, run) => {
  const handle = setImmediate(run);
  return () => clearImmediate(handle);
};

interface ExampleOptions extends Partial<ApiOptions> {
  readonly mode?: Mode;
  /** Further options, made over the example's own market and clock. */
  readonly over?: (ports: Pick<ApiOptions, 'market' | 'clock'>) => Partial<ApiOptions>;
}

/** The whole HTTP surface over the example market, without what modules open. */
export function createExampleApi(options: ExampleOptions = {}): ExampleApi {
  const { mode = 'sandbox', over, ...rest } = options;
  const clock = manualClock();
  const prices = examplePrices();
  const market = createFakeMarket(EXAMPLE_VENUES, exampleRows());
  market.remember(exampleRows());
  const paywall = createFakePaywall(prices, clock, mode === 'off');
  const faults: unknown[] = [];
  const held = EXAMPLE_VENUES.map(({ info }) => info.id);
  const api = createApi({
    routes: ROUTES,
    soldHeaders: SOLD_HEADERS,
    market,
    readPort: examplePorts(),
    books: exampleBooks(),
    history: createExampleHistory(exampleRows, manualClock()),
    health: calmHealth(EXAMPLE_VENUES, EXAMPLE_NOW),
    clock,
    paywall,
    payments: examplePayments(prices, mode),
    service: {
      baseUrl: BASE_URL,
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: asMs(EXAMPLE_NOW - 3_600_000),
    },
    timer: atOnce,
    load: () => ({ lagSeconds: 0.004, level: 0, since: undefined, reason: undefined }),
    feed: () => ({ kind: 'embedded', ok: true, held, behind: [], unreached: [], counts: emptyFeedCounts() }),
    report: (fault) => faults.push(fault),
    ...over?.({ market: rest.market ?? market, clock: rest.clock ?? clock }),
    ...rest,
  });
  const start = async (): Promise<string> => `http://127.0.0.1:${await api.listen(0, '127.0.0.1')}`;
  return { api, market, clock, paywall, faults, start };
}

/** A request of a route that it takes: its example, else its path with an example of each parameter that it requires. */
export function requestOf({ path, example, queryParameters }: Route): string {
  if (example !== undefined) return example.request;
  const query = new URLSearchParams();
  for (const [name, declared] of queryParameters)
    if (declared.required) query.set(name, String(declared.example));
  return query.size === 0 ? path : `${path}?${query}`;
}
