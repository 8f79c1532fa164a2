import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { PROGRAM } from '../../test/cli/run-cli.ts';
import type { AgentMarket } from './market.ts';
import { Shop } from './shop.ts';

/** A shop of its own for one policy, and its end. */
export interface OpenShop {
  readonly shop: Shop;
  close(): Promise<void>;
}

const newClient = (): Client =>
  new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });

/** `POST /mcp`, paid in band as docs/mcp.md shows. */
async function overHttp({ service }: AgentMarket, budgetUsd: string): Promise<OpenShop> {
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  const wallet = new x402Client();
  registerExactEvmScheme(wallet, { signer: privateKeyToAccount(service.chain.buyer.privateKey) });
  const shop = await Shop.open(client, budgetUsd, (required) =>
    wallet.createPaymentPayload(required as Parameters<typeof wallet.createPaymentPayload>[0]),
  );
  return { shop, close: () => client.close() };
}

/** `perpmeter mcp`, which pays from its own wallet. */
async function overCommand({ service, folder }: AgentMarket, budgetUsd: string): Promise<OpenShop> {
  const client = newClient();
  const args = [PROGRAM, 'mcp', '--url', service.url, '--max-usd', budgetUsd, '--max-total-usd', budgetUsd];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  return { shop: await Shop.open(client, budgetUsd), close: () => client.close() };
}

/** The ways to the tools. */
export const DOORS = { '/mcp': overHttp, 'perpmeter mcp': overCommand } as const;
export type Door = keyof typeof DOORS;
