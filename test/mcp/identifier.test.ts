import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { appendPaymentIdentifierToExtensions, generatePaymentId } from '@x402/extensions/payment-identifier';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeHeader, type Signer, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { type McpService, startMcpService } from './mcp-service.ts';

const RATES = { name: 'funding_rates', arguments: { product: 'funding-current', symbol: 'BTC' } };
const PATH = '/v1/funding/current?symbol=BTC';

let service: McpService;
let buyer: Signer;
let client: Client;
beforeAll(async () => {
  service = await startMcpService();
  buyer = privateKeyToAccount(service.chain.buyer.privateKey);
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

/** A payment of its own each time, with the identifier as the official extension writes it. */
async function payment(id: string): Promise<object> {
  const extensions = appendPaymentIdentifierToExtensions(
    { 'payment-identifier': { info: { required: false }, schema: {} } },
    id,
  );
  return v2Payload(service.seller, await signAuthorization(buyer, service.seller), { extensions });
}

const call = async (id: string, symbol = 'BTC') => {
  const args = { ...RATES.arguments, symbol };
  const result = await client.callTool({
    name: RATES.name,
    arguments: args,
    _meta: { 'x402/payment': await payment(id) },
  });
  const { data, code } = (result.structuredContent ?? {}) as { data?: unknown; code?: string };
  return { data, code, receipt: result._meta?.['x402/payment-response'] };
};

describe('a tool called again under its payment identifier, signed anew', () => {
  it('gets the same answer and receipt, charged once', async () => {
    const before = await service.earned();
    const id = generatePaymentId();
    const [first, ...others] = await Promise.all([call(id), call(id), call(id)]);
    const again = await call(id);
    expect(first?.data).toMatchObject({ symbol: 'BTC' });
    for (const answer of [...others, again]) expect(answer).toEqual(first);
    expect((await service.earned()) - before).toBe(1000n);
  });

  it('another call under it: identifier_used, without a charge', async () => {
    const id = generatePaymentId();
    await call(id);
    const before = await service.earned();
    expect(await call(id, 'ETH')).toMatchObject({ code: 'identifier_used', data: undefined });
    expect(await service.earned()).toBe(before);
  });

  it('the same request over HTTP: the same purchase', async () => {
    const id = generatePaymentId();
    const { data } = await call(id);
    const before = await service.earned();
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(await payment(id)) };
    const response = await fetch(service.url + PATH, { headers });
    expect([response.status, await response.json()]).toEqual([200, data]);
    expect(await service.earned()).toBe(before);
  });
});
