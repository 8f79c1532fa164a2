import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/table.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createMcpFace } from '../../src/mcp/mcp.ts';
import { createPayments, type Payments } from '../../src/pay/payments.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Seller } from '../../src/pay/seller.ts';
import {
  BASE_URL,
  createExampleApi,
  examplePayments,
  examplePrices,
  manualClock,
} from '../api/example-api.ts';
import { sandboxConfig } from '../pay/sandbox-config.ts';

/** The whole HTTP surface with `/mcp` over the example market, selling on a sandbox chain. */
export interface McpService {
  readonly url: string;
  readonly chain: SandboxChain;
  readonly seller: Seller;
  readonly payments: Payments;
  readonly faults: unknown[];
  /** What the receiver has, atomic units. */
  earned(): Promise<bigint>;
  stop(): Promise<void>;
}

const prices = examplePrices();

/** The price of a route in the shipped list. */
export const priceOf = ({ id, access }: Route): string | undefined =>
  access === 'paid' ? prices.priceAt(id, manualClock().now())?.usd : undefined;

/** What the tools are made of in tests. */
export const exampleFace = {
  ...{
    name: 'Perpmeter',
    version: '0.1.0',
    baseUrl: BASE_URL,
    data: 'simulated' as const,
    routes: ROUTES,
    priceOf,
  },
};

export async function startMcpService(): Promise<McpService> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
  const chain = await startSandboxChain();
  const config = sandboxConfig(chain, { baseUrl: BASE_URL, ledgerPath: folder, serviceName: 'Perpmeter' });
  const made = await createPayments({ config, prices, routes: protectedRoutes(ROUTES), renderProblem });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  const payments = made.value;
  payments.start();
  const faults: unknown[] = [];
  const report = (fault: unknown) => faults.push(fault);
  const { api, start } = createExampleApi({
    paywall: payments.paywall,
    payments: { ...examplePayments(prices, 'sandbox'), seller: config.seller },
    mcp: createMcpFace({ face: exampleFace, clock: systemClock, report }),
    report,
  });
  const url = await start();
  return {
    ...{ url, chain, seller: config.seller, payments, faults },
    earned: () => chain.balanceOf(chain.payee.address),
    stop: async () => {
      await api.close();
      await payments.stop();
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
