import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { extractOffersFromPaymentRequired } from '@x402/extensions/offer-receipt';
import { x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpoint } from '../../src/modules/mcp/endpoint.ts';
import { createMcpMount } from '../../src/modules/mcp/mcp.ts';
import { verifyReceipt } from '../../src/modules/receipts/verify-receipt.ts';
import { createExampleApi, manualClock } from '../api/example-api.ts';
import { sendRaw } from '../api/raw-http.ts';
import { newAccount, type Signer, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { until } from '../until.ts';
import { exampleBackend, type McpService, startMcpService } from './mcp-service.ts';

const INFO = { name: 'test', version: '1.0.0' };
const RATES = { name: 'funding_rates', arguments: { product: 'funding-current', symbol: 'BTC' } };
const PATH = '/v1/funding/current?symbol=BTC';
const RECEIPT = 'x402/payment-response';

let service: McpService;
let buyer: Signer;
beforeAll(async () => {
  service = await startMcpService();
  buyer = privateKeyToAccount(service.chain.buyer.privateKey);
});
afterAll(() => service.stop());

interface Called {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The shared part of both generations of the official client. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: {
    name: string;
    arguments: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<Called>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readResource(of: { uri: string }): Promise<{ readonly contents: readonly unknown[] }>;
  getPrompt(of: {
    name: string;
    arguments: Record<string, string>;
  }): Promise<{ readonly messages: readonly unknown[] }>;
  close(): Promise<void>;
}

async function modern(): Promise<AnyClient> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(new URL(`${service.url}/mcp`)));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return client as unknown as AnyClient;
}

async function old(): Promise<AnyClient> {
  const client = new OldClient(INFO);
  const transport = new OldTransport(new URL(`${service.url}/mcp`));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  expect(transport.protocolVersion).toBe('2025-11-25');
  return client as unknown as AnyClient;
}

async function withClient<T>(
  connect: () => Promise<AnyClient>,
  use: (client: AnyClient) => Promise<T>,
): Promise<T> {
  const client = await connect();
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function payment(change: Parameters<typeof signAuthorization>[2] = {}, signer = buyer) {
  return v2Payload(service.seller, await signAuthorization(signer, service.seller, change));
}

const paid = (client: AnyClient, payload: unknown, call: Parameters<AnyClient['callTool']>[0] = RATES) =>
  client.callTool({ ...call, _meta: { 'x402/payment': payload } });

describe.each([
  ['2026-07-28', modern],
  ['2025-11-25', old],
] as const)('a client of the generation %s', (_generation, connect) => {
  it('lists tools and buys, with a payment made by the official x402 client', async () => {
    await withClient(connect, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain(RATES.name);
      const unpaid = await client.callTool(RATES);
      expect(unpaid.isError).toBe(true);
      expect(unpaid.structuredContent).toMatchObject({ x402Version: 2, accepts: [{ amount: '1000' }] });
      expect(unpaid.content).toEqual([{ type: 'text', text: JSON.stringify(unpaid.structuredContent) }]);

      const x402 = new x402Client();
      registerExactEvmScheme(x402, { signer: buyer as never });
      const payload = await x402.createPaymentPayload(unpaid.structuredContent as never);
      const before = await service.earned();
      const bought = await paid(client, payload);
      expect(bought.isError ?? false).toBe(false);
      expect(bought.structuredContent).toMatchObject({ product: 'funding-current', data: { symbol: 'BTC' } });
      expect(bought._meta?.[RECEIPT]).toMatchObject({ success: true, network: service.seller.network.id });
      expect((await service.earned()) - before).toBe(1000n);

      expect(extractOffersFromPaymentRequired(unpaid.structuredContent as never)).toHaveLength(1);
      const { data } = bought.structuredContent as { data: unknown };
      const receipt = String(bought._meta?.['perpmeter/receipt']);
      const keys: unknown = await (await fetch(`${service.url}/.well-known/did.json`)).json();
      const answer = Buffer.from(JSON.stringify(data));
      expect(verifyReceipt(receipt, answer, keys, { request: PATH })).toMatchObject({ ok: true });
    });
  });

  it('reads resources and prompts, and asks free tools without a payment', async () => {
    await withClient(connect, async (client) => {
      for (const { uri } of (await client.listResources()).resources)
        expect((await client.readResource({ uri })).contents).toHaveLength(1);
      await expect(client.readResource({ uri: 'x:none' })).rejects.toMatchObject({ data: { uri: 'x:none' } });
      const { messages } = await client.getPrompt({ name: 'size_entry', arguments: { ticker: 'BTC' } });
      expect(JSON.stringify(messages)).toContain('10000 USD of BTC');
      const venues = await client.callTool({
        name: 'venues_and_health',
        arguments: { product: 'venues-list' },
      });
      expect([venues.isError ?? false, venues._meta?.[RECEIPT]]).toEqual([false, undefined]);
      const prices = await client.callTool({ name: 'prices_and_budget', arguments: {} });
      expect(prices.structuredContent).toMatchObject({ data: { currency: 'USD', budget: null } });
    });
  });

  it('is refused as a tool error that costs nothing', async () => {
    await withClient(connect, async (client) => {
      const used = await payment();
      await paid(client, used);
      // That it was delivered is noted after its answer has left.
      await until(async () =>
        expect((await paid(client, used)).structuredContent).not.toMatchObject({ code: 'payment_in_flight' }),
      );
      const poor = newAccount();
      const before = await service.earned();
      const refusals: readonly (readonly [unknown, string])[] = [
        [await payment({ value: '999' }), 'invalid_amount'],
        [used, 'authorization_used'],
        [await payment({}, poor), 'insufficient_funds'],
        [{ x402Version: 2 }, 'invalid_payload'],
        ['not a payment', 'malformed_payment_header'],
      ];
      for (const [payload, reason] of refusals) {
        const refused = await paid(client, payload);
        expect([refused.isError, refused.structuredContent]).toMatchObject([
          true,
          { accepts: [{ amount: '1000' }] },
        ]);
        expect(JSON.stringify(refused.structuredContent)).toContain(reason);
      }
      const unknown = { name: 'market_snapshot', arguments: { ticker: 'NOSUCH' } };
      expect((await client.callTool(unknown)).structuredContent).toMatchObject({ code: 'unknown_ticker' });
      const wrong = { name: 'market_snapshot', arguments: { tickr: 'BTC' } };
      expect((await paid(client, await payment({ value: '5000' }), wrong)).isError).toBe(true);
      expect(await service.earned()).toBe(before);
    });
  });
});

describe('/mcp', () => {
  const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const post = (headers: Readonly<Record<string, string>>, body = listing) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });

  it('a public https address: pages may ask, under its host alone', async () => {
    const elsewhere = await post({ origin: 'https://elsewhere.example' });
    expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const asked = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${service.url}/mcp`, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    for (const name of ['content-type', 'mcp-protocol-version', 'mcp-method'])
      expect(allowed).toContain(name);
    expect((await post({ origin: 'https://data.perpmeter.test' })).status).toBe(200);
    expect((await post({})).status).toBe(200);
    const head = (host: string) =>
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${listing.length}\r\nConnection: close\r\n\r\n${listing}`;
    expect((await sendRaw(service.url, head('evil.example'))).status).toBe(403);
    expect((await sendRaw(service.url, head('data.perpmeter.test'))).status).toBe(200);
  });

  it.each([
    'http://data.perpmeter.test',
    'http://127.0.0.1:8402',
    'https://localhost',
    'https://10.0.0.7',
    'https://[fd00::7]',
    'https://perpmeter',
    'https://perpmeter.local',
  ])('%s as address: refuses pages of other sites', async (baseUrl) => {
    const backend = { ...exampleBackend, baseUrl };
    const mcp = createMcpMount({ backend, clock: manualClock(), report: () => undefined });
    const { api, start } = createExampleApi({ mounts: [mcp] });
    const url = `${await start()}/mcp`;
    const ask = (origin: string, method = 'POST') =>
      fetch(url, {
        method,
        headers: {
          origin,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        ...(method === 'POST' && { body: listing }),
      });
    for (const origin of ['https://evil.example', 'http://evil.example', 'null'])
      for (const method of ['POST', 'OPTIONS']) expect((await ask(origin, method)).status).toBe(403);
    expect((await ask('http://localhost:3000')).status).toBe(200);
    await api.close();
  });

  it('never answers 402, and refuses what is too large', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: RATES };
    const response = await post({}, JSON.stringify(call));
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('x402Version')]);
    expect((await post({}, 'x'.repeat(70_000))).status).toBe(413);
    expect((await fetch(`${service.url}/mcp`)).status).toBe(405);
  });

  it('answers a message without a body', async () => {
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
    for (const length of ['', 'Content-Length: 0\r\n']) {
      const answer = await sendRaw(service.url, `${head}${length}Connection: close\r\n\r\n`);
      expect(answer.status).toBe(400);
    }
  });

  it('is in the catalog, each tool under its name, as facilitators read it', async () => {
    const response = await fetch(`${service.url}/v1/x402/discovery/resources?type=mcp`);
    const { items } = (await response.json()) as {
      items: { resource: string; extensions: { bazaar: never } }[];
    };
    const { validateDiscoveryExtension } = await import('@x402/extensions/bazaar');
    expect(items).toHaveLength(12);
    for (const { resource, extensions } of items) {
      expect(resource).toBe('https://data.perpmeter.test/mcp');
      expect(validateDiscoveryExtension(extensions.bazaar).valid).toBe(true);
    }
  });

  it('subscriptions/listen: answered as any unserved method', async () => {
    const ask = async (method: string) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': INFO,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { _meta, notifications: { toolsListChanged: true } };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const response = await post(headers, JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
      const { id, error } = (await response.json()) as { id: number; error: { code: number } };
      return [response.status, id, error.code];
    };
    expect(await ask('subscriptions/listen')).toEqual([404, 7, -32601]);
    expect(await ask('no/such')).toEqual([404, 7, -32601]);
  });

  it('refuses what is no JSON', async () => {
    const broken = await post({}, '{"jsonrpc":');
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  it('a client gone before its message was read: no fault', async () => {
    const faults: unknown[] = [];
    const call = () => Promise.reject(new Error('nothing is to be called'));
    const answer = createEndpoint({
      backend: { ...exampleBackend, call },
      clock: manualClock(),
      addressOf: () => 'client',
      report: (fault) => faults.push(fault),
    });
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'POST', url: '/mcp', headers: { host: 'localhost' }, complete: true });
    request.push('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    request.push(null);
    const response = new ServerResponse(request);
    const answered = answer(request, response);
    // As Node does with a request whose connection closes: it had arrived, and was not read to its end.
    request.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    await answered;
    expect(faults).toEqual([]);
    expect([response.headersSent, response.destroyed]).toEqual([false, true]);
  });

  it('limits the messages of one address', async () => {
    const mcp = createMcpMount({ backend: exampleBackend, clock: manualClock(), report: () => undefined });
    const { api, start } = createExampleApi({ mounts: [mcp] });
    const url = `${await start()}/mcp`;
    const ask = async () => {
      const response = await fetch(url);
      await response.arrayBuffer();
      return response;
    };
    let response = await ask();
    for (let i = 0; i < 400 && response.status === 405; i++) response = await ask();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    await api.close();
  });

  it('has met no fault of its own', () => {
    expect(service.faults).toEqual([]);
  });
});
