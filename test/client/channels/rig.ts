import {
  type ClientOptions,
  createClient,
  type Fetch,
  type WalletOptions,
  type WithdrawCall,
} from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { expect } from 'vitest';
import { type Running, startSeller } from '../../../scripts/foreign/sellers.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import type { Seller } from '../../../src/pay/seller.ts';
import { until } from '../../until.ts';

const KEY = `0x${'17'.repeat(32)}` as const;

/** The real service on a chain with the contracts of channels. */
export interface ChannelService {
  readonly chain: SandboxChain;
  readonly url: string;
  /** Transactions so far. */
  transactions(): Promise<number>;
  stop(): Promise<void>;
}

/** @param page the page of the service, made with the key of the chain's buyer */
export async function startChannelService(
  page?: (
    seller: Seller,
    buyerKey: `0x${string}`,
  ) => ReturnType<NonNullable<Parameters<typeof startSeller>[2]>>,
): Promise<ChannelService> {
  const chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
  const settings = {
    PAYMENTS_MODE: 'sandbox',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    CHANNEL_AUTHORIZER_KEY: KEY,
  };
  const shown = page && ((of: Seller) => page(of, chain.buyer.privateKey));
  const seller: Running = await startSeller(chain, settings, shown);
  return {
    chain,
    url: seller.url,
    transactions: async () =>
      Number(await chain.rpc('eth_getTransactionCount', [chain.facilitator.address, 'latest'])),
    stop: async () => {
      await seller.stop();
      await chain.stop();
    },
  };
}

type Payload = {
  readonly type?: string;
  readonly voucher?: { readonly maxClaimableAmount: string };
  readonly deposit?: { readonly amount: string };
  readonly authorization?: { readonly value: string; readonly nonce: string };
};

/** A payload as it left the client. */
export const payloadOf = (header: string): Payload =>
  (JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: Payload }).payload;

/** A buyer's requests that carried a payment, each with its payload and status. */
export interface Watched {
  readonly fetch: Fetch;
  readonly presented: Payload[];
}

/** Notes what is presented; `hurt` may break or change the answer to a payment. */
export function watched(
  hurt: (response: Response, at: number) => Response | Promise<Response> = (r) => r,
): Watched {
  const presented: Payload[] = [];
  return {
    presented,
    fetch: async (url, init) => {
      const header = init.headers['PAYMENT-SIGNATURE'];
      if (header === undefined) return fetch(url, init);
      presented.push(payloadOf(header));
      const at = presented.length;
      return hurt(await fetch(url, init), at);
    },
  };
}

/** A client of a service; a funded key of its own where none is given. */
export async function buyerOf(
  { chain, url }: ChannelService,
  wallet: Partial<WalletOptions> = {},
  more: Partial<ClientOptions> = {},
) {
  const key = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const;
  const signer = wallet.signer ?? keySigner(key);
  const address = String(signer.address);
  if (wallet.signer === undefined) await chain.mint(address, 10_000_000n);
  const caps = { perCall: '0.05', total: '1' };
  const client = createClient({
    baseUrl: url,
    wait: async () => {},
    wallet: { caps, ...wallet, signer },
    ...more,
  });
  return { client, signer, address };
}

/** Sends a transaction as its payer, who pays for its gas. */
export async function sendCall({ chain }: ChannelService, { from, to, data }: WithdrawCall): Promise<void> {
  const { rpc } = chain;
  await rpc('anvil_impersonateAccount', [from]);
  await rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
  const hash = await rpc('eth_sendTransaction', [{ from, to, data, gas: '0x7a120' }]);
  await until(async () =>
    expect(await rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' }),
  );
}
