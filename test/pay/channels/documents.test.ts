import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
} from '@x402/extensions/offer-receipt';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startSeller } from '../../../scripts/foreign/sellers.ts';
import { verifyReceipt } from '../../../src/modules/receipts/verify-receipt.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';

const KEY = `0x${'17'.repeat(32)}` as const;
const PATH = '/v1/funding/current?symbol=BTC';
const RATES = { name: 'funding_rates', arguments: { product: 'funding-current', symbol: 'BTC' } };
const SCHEMES = ['exact', 'batch-settlement'];

interface Item {
  readonly accepts: readonly { readonly scheme: string }[];
}

let chain: SandboxChain;
let seller: Running;
let buyer: x402Client;
beforeAll(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
  seller = await startSeller(chain, {
    PAYMENTS_MODE: 'sandbox',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    CHANNEL_AUTHORIZER_KEY: KEY,
  });
  const account = privateKeyToAccount(chain.buyer.privateKey);
  const channel = new BatchSettlementEvmScheme(account as never);
  buyer = new x402Client().register('eip155:8453', channel);
});
afterAll(async () => {
  await seller.stop();
  await chain.stop();
});

const document = async <T>(path: string): Promise<T> => (await fetch(seller.url + path)).json() as Promise<T>;
/** The ways of paying of all items, each kind once. */
const offeredBy = (items: readonly Item[]): readonly string[] => [
  ...new Set(items.map(({ accepts }) => accepts.map(({ scheme }) => scheme).join())),
];

describe('documents of a service that sells by channel', () => {
  it('the catalog: both ways of paying for every path and tool', async () => {
    const page = '/v1/x402/discovery/resources';
    const paths = await document<{ items: Item[]; mcp_items: Item[] }>(page);
    expect(offeredBy(paths.items)).toEqual([SCHEMES.join()]);
    expect(new Set(paths.mcp_items.flatMap(({ accepts }) => accepts.map(({ scheme }) => scheme)))).toEqual(
      new Set(SCHEMES),
    );
    const found = await document<{ items: Item[] }>(`${page}?scheme=batch-settlement`);
    expect(found.items).toHaveLength(paths.items.length);
    const wellKnown = await document<{ items: Item[] }>('/.well-known/x402.json');
    expect(offeredBy(wellKnown.items)).toEqual([SCHEMES.join()]);
    const search = await document<{ resources: Item[] }>('/v1/x402/discovery/search?query=funding');
    expect(search.resources[0]?.accepts.map(({ scheme }) => scheme)).toEqual(SCHEMES);
  });

  it('llms.txt: how to pay by exact, then by channel', async () => {
    const text = await (await fetch(`${seller.url}/llms.txt`)).text();
    expect(text).toMatch(/transferWithAuthorization.*scheme batch-settlement.*No account and no key\./);
  });

  it('OpenAPI: every paid path says x402, which the challenge explains', async () => {
    const { paths } = await document<{
      paths: Record<string, { get: { 'x-payment-info'?: { protocols: object[] } } }>;
    }>('/openapi.json');
    const protocols = Object.values(paths).flatMap(({ get }) => get['x-payment-info']?.protocols ?? []);
    expect(protocols.length).toBeGreaterThan(10);
    expect(protocols.every((protocol) => 'x402' in protocol)).toBe(true);
  });

  it('signed offers: one for each way, which official functions find', async () => {
    const response = await fetch(seller.url + PATH);
    const required = JSON.parse(
      Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString(),
    );
    const offers = decodeSignedOffers(extractOffersFromPaymentRequired((await response.json()) as never));
    const found = offers.map((offer) => findAcceptsObjectFromSignedOffer(offer, required.accepts)?.scheme);
    expect(found).toEqual(SCHEMES);
  });
});

describe('sales by channel', () => {
  it('its receipt: verified offline, with its answer and payer', async () => {
    const response = await wrapFetchWithPayment(fetch, buyer)(seller.url + PATH);
    expect(response.status).toBe(200);
    const answer = Buffer.from(await response.arrayBuffer());
    const keys = await document('/.well-known/did.json');
    const expected = { exact: true, request: PATH, payer: chain.buyer.address };
    const receipt = response.headers.get('perpmeter-receipt') ?? '';
    expect(verifyReceipt(receipt, answer, keys, expected)).toMatchObject({ ok: true });
  });

  it('MCP in band: vouchers of the official client, one total after another', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${seller.url}/mcp`)));
    for (let i = 0; i < 2; i++) {
      const unpaid = await client.callTool(RATES);
      const required = unpaid.structuredContent as { accepts: { scheme: string }[] };
      expect(required.accepts.map(({ scheme }) => scheme)).toEqual(SCHEMES);
      const payload = await buyer.createPaymentPayload(required as never);
      const bought = await client.callTool({ ...RATES, _meta: { 'x402/payment': payload } });
      expect(bought.isError ?? false).toBe(false);
      expect(bought.structuredContent).toMatchObject({ product: 'funding-current', data: { symbol: 'BTC' } });
      const settleResponse = bought._meta?.['x402/payment-response'];
      expect(settleResponse).toMatchObject({ success: true, extra: { chargedAmount: '1000' } });
      const requirements = payload.accepted;
      await buyer.handlePaymentResponse({ paymentPayload: payload, requirements, settleResponse } as never);
    }
    await client.close();
  });
});
