import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';
import { PROGRAM, runCli } from '../cli/run-cli.ts';
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
  args: [PROGRAM, 'mcp', '--url', service.url, ...flags],
  cwd: folder,
});

describe('perpmeter mcp', () => {
  it('a client of 2026-07-28: bought for from its wallet, in its caps', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    const before = await service.earned();
    await client.connect(new StdioClientTransport(command('--max-usd', '0.004', '--max-total-usd', '0.003')));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === RATES.name)?.annotations).toEqual({ destructiveHint: false });
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

  it('a client of 2025-11-25: served, and an error costs nothing', async () => {
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

describe('perpmeter mcp, whose service is away', () => {
  it('the service is away: starts, lists tools, sells once it is there', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    const port = await freePort('127.0.0.1');
    await client.connect(
      new StdioClientTransport({ ...command(), args: [PROGRAM, 'mcp', '--url', `http://127.0.0.1:${port}`] }),
    );
    const { tools } = await client.listTools();
    const rates = tools.find(({ name }) => name === RATES.name);
    expect(rates?.description).toContain('funding-current (price not known yet)');
    for (const call of [RATES, { name: 'prices_and_budget', arguments: {} }]) {
      const { isError, structuredContent } = await client.callTool(call);
      expect([isError, structuredContent]).toMatchObject([
        true,
        { code: 'not_ready', detail: expect.stringMatching(/cannot be reached.*Nothing was charged/) },
      ]);
    }
    const late = createServer((request, response) => {
      const answers: Readonly<Record<string, unknown>> = {
        '/v1/health': { data: 'live', payments: { mode: 'off' } },
        '/v1/pricing/changelog': { prices: [] },
      };
      const rates = { symbol: 'BTC', venues_listed: 1, venues_considered: 1, venues_not_live: [] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[request.url ?? ''] ?? rates));
    });
    late.listen(port, '127.0.0.1');
    await once(late, 'listening');
    const { structuredContent } = await client.callTool(RATES);
    expect(structuredContent).toMatchObject({ product: 'funding-current', data: { symbol: 'BTC' } });
    await client.close();
    late.closeAllConnections();
    late.close();
  });

  it('--print-config: an entry that starts it from another folder', async () => {
    const printed = await runCli(['mcp', '--print-config', '--max-usd', '0.004'], { cwd: folder });
    expect(printed.code).toBe(0);
    const { mcpServers } = JSON.parse(printed.stdout) as {
      mcpServers: { perpmeter: { command: string; args: string[] } };
    };
    const entry = mcpServers.perpmeter;
    expect(printed.stdout).not.toContain(service.chain.buyer.privateKey);
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ ...entry, cwd: '/' }));
    expect((await client.callTool(RATES)).structuredContent).toMatchObject({ data: { symbol: 'BTC' } });
    const prices = await client.callTool({ name: 'prices_and_budget', arguments: {} });
    expect(prices.structuredContent).toMatchObject({ data: { budget: { per_call_usd: '0.004' } } });
    await client.close();
  });
});
