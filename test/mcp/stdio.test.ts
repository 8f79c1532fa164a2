import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START } from '../cli/run-cli.ts';
import { type McpService, startMcpService } from './mcp-service.ts';

const INFO = { name: 'test', version: '1.0.0' };
const RATES = { name: 'funding_rates', arguments: { product: 'funding-current', symbol: 'BTC' } };
const BASIS = { name: 'spread_and_carry', arguments: { product: 'perp-basis', ticker: 'BTC' } };

let service: McpService;
let folder: string;
beforeAll(async () => {
  service = await startMcpService();
  folder = mkdtempSync(join(tmpdir(), 'mcp-stdio-'));
  mkdirSync(join(folder, 'var'));
  // A sandbox is paid with the demo's key alone.
  const demo = { base_url: service.url, buyer_private_key: service.chain.buyer.privateKey };
  writeFileSync(join(folder, 'var/demo.json'), JSON.stringify(demo));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The command, started as a client of MCP starts it. */
const command = (...flags: string[]) => ({
  command: process.execPath,
  args: [START, 'mcp', '--url', service.url, ...flags],
  cwd: folder,
});

describe('perpmeter mcp', () => {
  it('buys for a client of 2026-07-28 from its own wallet, within its caps, also at once', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    const before = await service.earned();
    await client.connect(new StdioClientTransport(command('--max-usd', '0.004', '--max-total-usd', '0.003')));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === RATES.name)?.annotations?.readOnlyHint).toBe(false);
    const calls = await Promise.all(Array.from({ length: 5 }, () => client.callTool(RATES)));
    const bought = expect.objectContaining({ data: expect.objectContaining({ symbol: 'BTC' }) });
    const refused = expect.objectContaining({ code: 'over_budget' });
    const contents = calls.toSorted((a, b) => Number(a.isError === true) - Number(b.isError === true));
    expect(contents.map(({ structuredContent }) => structuredContent)).toEqual([
      bought,
      bought,
      bought,
      refused,
      refused,
    ]);
    expect((await client.callTool(BASIS)).structuredContent).toMatchObject({
      detail: 'The price is 0.005 USD; the cap of a call is 0.004.',
    });
    const prices = await client.callTool({ name: 'prices_and_budget', arguments: {} });
    expect(prices.structuredContent).toMatchObject({
      data: { budget: { per_call_usd: '0.004', total_usd: '0.003', spent_usd: '0.003' } },
    });
    expect((await service.earned()) - before).toBe(3000n);
    await client.close();
  });

  it('serves a client of 2025-11-25, and gives back what an error did not cost', async () => {
    const client = new OldClient(INFO);
    const transport = new OldTransport(command('--max-total-usd', '0.005'));
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const wrong = await client.callTool({ name: 'market_snapshot', arguments: { ticker: 'NOSUCH' } });
    expect(wrong.structuredContent).toMatchObject({ code: 'unknown_ticker' });
    const right = await client.callTool(BASIS);
    expect(right.structuredContent).toMatchObject({ product: 'perp-basis', data: { ticker: 'BTC' } });
    await client.close();
  });
});
