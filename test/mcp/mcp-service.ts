import type { Route } from '../../src/api/route.ts';
import type { ApiOptions } from '../../src/api/server.ts';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import { createMcpMount } from '../../src/modules/mcp/mcp.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import type { Payments } from '../../src/pay/payments.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { BASE_URL, createExampleApi, examplePrices, manualClock } from '../api/example-api.ts';
import { openSale } from '../pay/open-sale.ts';

/** The whole HTTP surface with `/mcp` over the example market, selling on a sandbox chain. */
export interface McpService {
  readonly url: string;
  readonly chain: SandboxChain;
  readonly seller: Seller;
  readonly payments: Payments;
  readonly faults: unknown[];
  /** The receiver's balance, atomic units. */
  earned(): Promise<bigint>;
  stop(): Promise<void>;
}

const prices = examplePrices();

/** The price of a route in the shipped list. */
export const priceOf = ({ id, access }: Route): string | undefined =>
  access === 'paid' ? prices.priceAt(id, manualClock().now())?.usd : undefined;

/** The tools' backend in tests. */
export const exampleBackend = {
  name: 'Perpmeter',
  version: '0.1.0',
  baseUrl: BASE_URL,
  data: 'simulated' as const,
  routes: ROUTES,
  toolPlaces: TOOL_PLACES,
  priceOf,
};

/**
 * @param options of the surface, such as another market
 * @param clock of the limit of messages
 */
export async function startMcpService(
  options: Partial<ApiOptions> = {},
  clock: Clock = systemClock,
): Promise<McpService> {
  const sale = await openSale();
  const { chain, payments, info, seller, readPort } = sale;
  const faults: unknown[] = [];
  const report = (fault: unknown) => faults.push(fault);
  const { api, start } = createExampleApi({
    ...options,
    paywall: payments.paywall,
    payments: info,
    readPort,
    mounts: [createMcpMount({ backend: exampleBackend, clock, report })],
    report,
  });
  return {
    url: await start(),
    chain,
    seller,
    payments,
    faults,
    earned: sale.earned,
    stop: async () => {
      await api.close();
      await sale.stop();
    },
  };
}
