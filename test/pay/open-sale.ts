import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protectedRoutes } from '../../src/api/catalog.ts';
import type { PaymentInfo } from '../../src/api/payments.ts';
import { renderProblem } from '../../src/api/problem.ts';
import { receiptsWith } from '../../src/modules/receipts/open-receipts.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import type { ChannelsConfig } from '../../src/pay/config-channels.ts';
import { createPayments, type Payments } from '../../src/pay/payments.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { offersOf } from '../../src/pay/schemes/list.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { ReadPort } from '../../src/runtime/port.ts';
import { BASE_URL, examplePayments, examplePrices } from '../api/example-api.ts';
import { examplePorts } from '../api/example-ports.ts';
import { sandboxConfig } from './sandbox-config.ts';

/** Real payments on a sandbox chain, for an HTTP surface that sells. */
export interface Sale {
  readonly chain: SandboxChain;
  readonly seller: Seller;
  readonly payments: Payments;
  /** The HTTP surface's text about them. */
  readonly info: PaymentInfo;
  /** Reads the ports of the signing of sales. */
  readonly readPort: ReadPort;
  /** The receiver's balance, atomic units. */
  earned(): Promise<bigint>;
  stop(): Promise<void>;
}

/** @param channels how it sells by channel as well; left out: it does not */
export async function openSale({ channels }: { readonly channels?: ChannelsConfig } = {}): Promise<Sale> {
  const folder = mkdtempSync(join(tmpdir(), 'sale-'));
  const prices = examplePrices();
  const chain = await startSandboxChain();
  if (channels !== undefined) await placeChannelContracts(chain.rpc);
  const names = { baseUrl: BASE_URL, ledgerPath: folder, serviceName: 'Perpmeter' };
  const config = { ...sandboxConfig(chain, names), channels };
  const made = await createPayments({
    config,
    prices,
    routes: protectedRoutes(ROUTES),
    renderProblem,
    routeTable: 'test',
    openSale: receiptsWith(join(folder, 'receipt-keys.json')),
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  const payments = made.value;
  payments.start();
  return {
    chain,
    seller: config.seller,
    payments,
    readPort: examplePorts({ sale: payments.ports }),
    info: {
      ...examplePayments(prices, 'sandbox'),
      seller: config.seller,
      offers: offersOf(config),
    },
    earned: () => chain.balanceOf(chain.payee.address),
    stop: async () => {
      await payments.stop();
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
