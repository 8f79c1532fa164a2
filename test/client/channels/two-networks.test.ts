import {
  createClient,
  type Eip1193Provider,
  memoryChannels,
  memoryStore,
  type WalletOptions,
} from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChannel } from '../../../packages/client/src/channels/chain.ts';
import { type Running, startSeller } from '../../../scripts/foreign/sellers.ts';
import { BASE, NETWORKS } from '../../../src/pay/networks.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';

const POLYGON = 'eip155:137';
const PATH = '/v1/perp/basis?ticker=BTC';
/** Its 402 has no room for the channels of the second network. */
const LONG = '/v1/funding/current?symbol=BTC';

let base: SandboxChain;
let polygon: SandboxChain;
let seller: Running;

beforeAll(async () => {
  base = await startSandboxChain();
  polygon = await startSandboxChain({ network: POLYGON });
  for (const chain of [base, polygon]) await placeChannelContracts(chain.rpc);
  await polygon.rpc('anvil_setBalance', [base.facilitator.address, '0xde0b6b3a7640000']);
  seller = await startSeller(base, {
    PAYMENTS_MODE: 'sandbox',
    PAYMENT_NETWORK: `${BASE},${POLYGON}`,
    RPC_URL: `${base.rpcUrl},${POLYGON}=${polygon.rpcUrl}`,
    FACILITATOR_PRIVATE_KEY: base.facilitator.privateKey,
    CHANNEL_AUTHORIZER_KEY: `0x${'17'.repeat(32)}`,
  });
});
afterAll(async () => {
  await seller.stop();
  await Promise.all([base.stop(), polygon.stop()]);
});

const providerOf = ({ rpc }: SandboxChain): Eip1193Provider => ({
  request: ({ method, params = [] }) => rpc(method, [...params]),
});

/** A buyer with money on both, that opens a channel with its first call; it may pay on these networks. */
async function buyerOn(networks: readonly string[], node?: SandboxChain) {
  const key = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const;
  const signer = keySigner(key);
  for (const chain of [base, polygon]) await chain.mint(String(signer.address), 10_000_000n);
  const chain = node && providerOf(node);
  const assets = networks.flatMap((id) => NETWORKS[id]?.asset ?? []);
  const store = { ...memoryStore(), channels: memoryChannels() };
  const wallet: WalletOptions = {
    signer,
    caps: { perCall: '0.05', total: '1' },
    allow: { networks, assets },
    channels: { fromCall: 1, chain },
    store,
  };
  return createClient({ baseUrl: seller.url, wallet, wait: async () => {} });
}

const networkOf = (result: Awaited<ReturnType<ReturnType<typeof createClient>['request']>>): string =>
  result.ok ? String(result.receipt?.network) : `${result.problem.code}: ${result.problem.detail}`;

describe('a buyer by channel at a service on two networks', () => {
  it('the second alone is allowed: opened, used, and closed there', async () => {
    const client = await buyerOn([POLYGON]);
    for (let i = 0; i < 3; i++) expect(networkOf(await client.request(PATH))).toBe(POLYGON);
    const [channel, ...others] = await client.channels();
    expect(others).toEqual([]);
    expect(channel).toMatchObject({ network: POLYGON, state: 'open', spentUsd: '0.015' });
    expect(await client.closeChannel(channel?.id ?? '')).toMatchObject({ kind: 'refunded' });
  });

  it('both are allowed: on the first', async () => {
    const client = await buyerOn([BASE, POLYGON]);
    for (let i = 0; i < 2; i++) expect(networkOf(await client.request(PATH))).toBe(BASE);
    expect((await client.channels()).map(({ network }) => network)).toEqual([BASE]);
  });

  it('its node is of the second: opened there', async () => {
    const client = await buyerOn([BASE, POLYGON], polygon);
    for (let i = 0; i < 2; i++) expect(networkOf(await client.request(PATH))).toBe(POLYGON);
    expect((await client.channels()).map(({ network }) => network)).toEqual([POLYGON]);
  });

  it('a 402 that has no room for its channel: paid by it all the same', async () => {
    const header = (await fetch(seller.url + LONG)).headers.get('payment-required') ?? '';
    const challenge = Buffer.from(header, 'base64').toString();
    expect(challenge.split('"batch-settlement"')).toHaveLength(2);
    const client = await buyerOn([POLYGON]);
    expect(networkOf(await client.request(PATH))).toBe(POLYGON);
    const result = await client.request(LONG);
    expect(networkOf(result)).toBe(POLYGON);
    expect(result.ok && result.receipt?.transaction).toBe('');
    const [channel] = await client.channels();
    expect(channel?.spentUsd).toBe('0.006');
    expect(await client.closeChannel(channel?.id ?? '')).toMatchObject({ kind: 'refunded' });
  });

  it('a channel of the second, by the node of the first: not read', async () => {
    const client = await buyerOn([POLYGON]);
    expect(networkOf(await client.request(PATH))).toBe(POLYGON);
    const [{ id } = { id: '' }] = await client.channels();
    expect(await readChannel(providerOf(polygon), id, polygon.chainId)).toMatchObject({ claimed: 0n });
    expect(await readChannel(providerOf(base), id, polygon.chainId)).toBeUndefined();
  });
});
