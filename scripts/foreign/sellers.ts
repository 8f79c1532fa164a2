import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { renderProblem } from '../../src/api/problem.ts';
import type { ApiOptions } from '../../src/api/server.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { createMcpMount } from '../../src/modules/mcp/mcp.ts';
import { receiptsWith } from '../../src/modules/receipts/open-receipts.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { selfFacilitator } from '../../src/modules/self-settle/open-self.ts';
import { readTerms } from '../../src/modules/self-settle/terms.ts';
import { type PaymentConfig, parsePaymentConfig } from '../../src/pay/config.ts';
import { createPayments, type Payments } from '../../src/pay/payments.ts';
import type { PriceSchedule } from '../../src/pay/prices.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { createExampleApi, examplePayments, examplePrices } from '../../test/api/example-api.ts';
import { examplePorts } from '../../test/api/example-ports.ts';
import { exampleBackend } from '../../test/mcp/mcp-service.ts';

const HOST = '127.0.0.1';

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** The reference facilitator behind HTTP, as a hosted one is reached. */
export async function startOfficialFacilitator(chain: SandboxChain): Promise<Running> {
  const account = privateKeyToAccount(chain.facilitator.privateKey);
  const transport = http(chain.rpcUrl);
  const client = createWalletClient({ account, chain: base, transport, pollingInterval: 50 }).extend(
    publicActions,
  );
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
  const facilitator = new x402Facilitator().register(chain.network, new ExactEvmScheme(signer));
  const answer = (path: string, payload: PaymentPayload, terms: PaymentRequirements): unknown => {
    if (path === '/verify') return facilitator.verify(payload, terms);
    return path === '/settle' ? facilitator.settle(payload, terms) : facilitator.getSupported();
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { paymentPayload, paymentRequirements } = JSON.parse(body || '{}');
    const said = await answer(request.url ?? '', paymentPayload, paymentRequirements);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, stop };
}

/** Opened here; the caller ends them. */
async function paymentsBy(config: PaymentConfig, prices: PriceSchedule, keysPath: string): Promise<Payments> {
  const made = await createPayments({
    config,
    ownFacilitator: selfFacilitator(() => readTerms({})),
    openSale: receiptsWith(keysPath),
    prices,
    routes: protectedRoutes(ROUTES),
    renderProblem,
    routeTable: 'foreign',
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  made.value.start();
  return made.value;
}

/**
 * The whole HTTP surface over the example market, selling on a chain as its settings say.
 *
 * @param page the page and further mounts, where they are wanted
 */
export async function startSeller(
  chain: SandboxChain,
  settings: Readonly<Record<string, string>>,
  page?: (seller: Seller) => Partial<Pick<ApiOptions, 'page' | 'mounts'>>,
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-seller-'));
  const port = await freePort(HOST);
  const url = `http://${HOST}:${port}`;
  const environment = {
    PAY_TO_ADDRESS: chain.payee.address,
    BASE_URL: url,
    RPC_URL: chain.rpcUrl,
    LEDGER_PATH: folder,
    ...settings,
  };
  const config = parsePaymentConfig(environment, HOST);
  if (!config.ok) throw new Error(config.errors.join('\n'));
  const prices = examplePrices();
  const payments = await paymentsBy(config.value, prices, join(folder, 'receipt-keys.json'));
  const seller = 'seller' in config.value ? config.value.seller : undefined;
  const { mounts = [], ...shown } = (seller && page?.(seller)) ?? {};
  const { api } = createExampleApi({
    ...shown,
    paywall: payments.paywall,
    payments: {
      ...examplePayments(prices, config.value.mode),
      seller,
      offers: config.value.mode === 'off' ? [] : offersOf(config.value),
    },
    readPort: examplePorts({ sale: payments.ports }),
    mounts: [
      createMcpMount({
        backend: { ...exampleBackend, baseUrl: url },
        clock: systemClock,
        report: console.error,
      }),
      ...mounts,
    ],
  });
  await api.listen(port, HOST);
  return {
    url,
    stop: async () => {
      await api.close();
      await payments.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
