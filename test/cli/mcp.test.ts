import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backendOf } from '../../src/modules/mcp/command.ts';
import { McpServers } from '../../src/modules/mcp/server.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import { json, problem, type Seller, sold, startSeller } from '../client/seller.ts';

const BASIS = { name: 'spread_and_carry', arguments: { product: 'perp-basis', ticker: 'BTC' } };
const PRICES = { name: 'prices_and_budget', arguments: {} };
const MINUTE_MS = 60_000;

let seller: Seller;
/** The service's description of itself. */
let mode: string;
let usd: string;
let now: number;
beforeEach(async () => {
  mode = 'remote';
  usd = '0.005';
  now = 0;
  seller = await startSeller();
  const { unpaid } = seller;
  seller.unpaid = (request, response) => {
    if (request.url === '/v1/health') return json(200, { payments: { mode } })(request, response);
    if (request.url === '/v1/pricing/changelog')
      return json(200, { prices: [{ id: 'perp-basis', usd }] })(request, response);
    return unpaid(request, response);
  };
});
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await seller.stop();
});

/** A client of the tools that the command serves. */
async function connected(): Promise<Client> {
  const key = `0x${'1'.repeat(64)}`;
  const options = { url: seller.url, key, maxUsd: '0.01', maxTotalUsd: '1', channel: false };
  const servers = new McpServers(
    await backendOf(options, { routes: ROUTES, toolPlaces: TOOL_PLACES }, () => now),
  );
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await servers.create({ address: 'stdio', wait: () => 0, sold: () => undefined }).connect(theirs);
  const client = new Client({ name: 'test', version: '1.0.0' });
  closing.push(() => client.close());
  await client.connect(ours);
  return client;
}

const said = async (client: Client, call: Parameters<Client['callTool']>[0] = BASIS): Promise<unknown> =>
  (await client.callTool(call)).structuredContent;

const priceOf = (prices: unknown): unknown =>
  (prices as { data: { prices: readonly { product: string; usd: string }[] } }).data.prices.find(
    ({ product }) => product === 'perp-basis',
  )?.usd;

describe('mcp, whose client cancels a call and repeats it', () => {
  it('presents the same payment again', async () => {
    const client = await connected();
    const stop = new AbortController();
    let again: Promise<unknown> | undefined;
    seller.paid = [
      () => {
        stop.abort();
        again = said(client);
      },
      sold,
    ];
    await expect(client.callTool(BASIS, { signal: stop.signal })).rejects.toThrow();
    expect(await again).toMatchObject({ product: 'perp-basis' });
    expect([seller.presented.length, new Set(seller.presented.map(({ payment }) => payment)).size]).toEqual([
      2, 1,
    ]);
  });
});

describe('mcp, whose payment has no known outcome', () => {
  it('says so, and not that nothing was bought', async () => {
    seller.paid = [json(502, 'bad gateway', { 'retry-after': '3600' })];
    expect(await said(await connected())).toMatchObject({
      code: 'outcome_unknown',
      title: 'Outcome unknown',
      charged: null,
    });
  });
});

describe('mcp, whose service changes its prices', () => {
  it.each([
    ['starts to charge', () => (mode = 'off'), () => (mode = 'remote'), '0'],
    ['raises a price', () => (usd = '0.001'), () => (usd = '0.005'), '0.001'],
  ])('%s pays only what was quoted, and then quotes the new price', async (_, before, after, quoted) => {
    before();
    const client = await connected();
    after();
    expect(await said(client)).toMatchObject({
      code: 'over_budget',
      charged: false,
      detail: expect.stringMatching(
        `^The price is 0.005 USD, above the ${quoted} USD that was quoted\\. Nothing`,
      ),
    });
    expect(seller.presented).toEqual([]);
    expect(priceOf(await said(client, PRICES))).toBe('0.005');
    expect(await said(client)).toMatchObject({ product: 'perp-basis' });
  });

  it('a new price: a minute later, or the old one without an answer', async () => {
    const client = await connected();
    usd = '0.002';
    expect(priceOf(await said(client, PRICES))).toBe('0.005');
    now += MINUTE_MS;
    expect(priceOf(await said(client, PRICES))).toBe('0.002');
    now += MINUTE_MS;
    seller.unpaid = problem(503, 'not_ready', '1');
    expect(priceOf(await said(client, PRICES))).toBe('0.002');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === BASIS.name)?.description).toContain('perp-basis ($0.002)');
  });
});

describe('mcp, asked what a plan costs', () => {
  it('the price and the caps, and nothing is signed', async () => {
    const client = await connected();
    const plan = (times: number) =>
      said(client, { name: 'estimate', arguments: { calls: Array(times).fill(BASIS) } });
    expect(await plan(2)).toMatchObject({
      data: { total_usd: '0.01', accepted: true, budget: { total_usd: '1', allows: true } },
    });
    usd = '0.02';
    now += MINUTE_MS;
    expect(await plan(1)).toMatchObject({ data: { total_usd: '0.02', budget: { allows: false } } });
    expect(seller.presented).toEqual([]);
  });

  it('the service has gone: each call says so, and nothing is charged', async () => {
    const client = await connected();
    await seller.stop();
    const answer = await said(client, { name: 'estimate', arguments: { calls: [BASIS] } });
    expect(answer).toMatchObject({
      data: { total_usd: '0', accepted: false, calls: [{ problem: { code: 'not_ready', charged: false } }] },
    });
  });
});
