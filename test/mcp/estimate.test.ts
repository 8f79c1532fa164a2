import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimate } from '../../src/modules/mcp/estimate.ts';
import { createMcpMount } from '../../src/modules/mcp/mcp.ts';
import { toolsOf } from '../../src/modules/mcp/tools.ts';
import { createExampleApi, manualClock } from '../api/example-api.ts';
import { exampleBackend, type McpService, priceOf, startMcpService } from './mcp-service.ts';

const BASIS = { name: 'spread_and_carry', arguments: { product: 'perp-basis', ticker: 'BTC' } };
const RATES = { name: 'funding_rates', arguments: { product: 'funding-current', symbol: 'BTC' } };
const FREE = { name: 'venues_and_health', arguments: { product: 'venues-list' } };

let service: McpService;
let client: Client;
beforeAll(async () => {
  service = await startMcpService();
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

const estimated = (calls: unknown) => client.callTool({ name: 'estimate', arguments: { calls } });

describe('an estimate of a plan', () => {
  it('calls that are taken: each price and the sum, and nothing is charged', async () => {
    const before = await service.earned();
    const { isError, structuredContent } = await estimated([BASIS, RATES, RATES, FREE]);
    expect(isError).toBeFalsy();
    expect(structuredContent).toEqual({
      product: 'estimate',
      data: {
        currency: 'USD',
        total_usd: '0.007',
        accepted: true,
        calls: [
          { name: BASIS.name, product: 'perp-basis', usd: '0.005', accepted: true, problem: null },
          { name: RATES.name, product: 'funding-current', usd: '0.001', accepted: true, problem: null },
          { name: RATES.name, product: 'funding-current', usd: '0.001', accepted: true, problem: null },
          { name: FREE.name, product: 'venues-list', usd: '0', accepted: true, problem: null },
        ],
        budget: null,
      },
    });
    expect(await service.earned()).toBe(before);
  });

  it('a refused call: the problem of the call itself, outside the sum', async () => {
    const wrong = [
      { name: BASIS.name, arguments: { product: 'perp-basis', ticker: 'NOSUCH' } },
      { name: BASIS.name, arguments: { product: 'perp-basis' } },
      { name: BASIS.name, arguments: { product: 'nosuch' } },
      { name: RATES.name, arguments: { product: 'funding-current', limit: 0 } },
    ];
    const { structuredContent } = await estimated([...wrong, RATES, { name: 'nosuch' }]);
    const { data } = structuredContent as {
      data: { total_usd: string; accepted: boolean; calls: { accepted: boolean; problem: unknown }[] };
    };
    expect([data.total_usd, data.accepted]).toEqual(['0.001', false]);
    expect(data.calls.map(({ accepted }) => accepted)).toEqual([false, false, false, false, true, false]);
    for (const [at, call] of wrong.entries())
      expect(data.calls[at]?.problem).toEqual((await client.callTool(call)).structuredContent);
    expect(data.calls[5]?.problem).toMatchObject({ code: 'invalid_parameter' });
  });

  it.each([
    ['each call and the sum within the caps', '0.005', '0.007', true],
    ['a call above its cap', '0.004', '1', false],
    ['a sum above what is left', '1', '0.006', false],
  ])('%s: the plan is allowed or not', async (_, per_call_usd, total_usd, allows) => {
    const budget = { per_call_usd, total_usd, spent_usd: '0.001' };
    const backend = { priceOf, budget: () => budget };
    const ask = () => Promise.resolve({ status: 402, headers: {}, body: Buffer.from('{}') });
    const made = await estimate({ tools: toolsOf(exampleBackend), backend, ask }, [BASIS, RATES]);
    expect([made.total_usd, made.budget]).toEqual(['0.006', { ...budget, allows }]);
  });

  it.each([
    ['nothing', undefined],
    ['none', []],
    ['a word', 'all'],
    ['no name', [{}]],
    ['a number as name', [{ name: 7 }]],
    ['too many', Array(21).fill(RATES)],
    ['null', [null]],
  ])('%s as plan: refused', async (_, calls) => {
    const { isError, structuredContent } = await estimated(calls);
    expect([isError, structuredContent]).toMatchObject([true, { code: 'invalid_parameter' }]);
  });

  it('many plans of one address: each call counts for its limit', async () => {
    const mcp = createMcpMount({ backend: exampleBackend, clock: manualClock(), report: () => undefined });
    const { api, start } = createExampleApi({ mounts: [mcp] });
    const limited = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await limited.connect(new StreamableHTTPClientTransport(new URL(`${await start()}/mcp`)));
    const codes: (string | undefined)[] = [];
    // No time passes: 120 messages and planned calls are answered, those of the connection among them.
    for (let plan = 0; plan < 6; plan++) {
      const call = { name: 'estimate', arguments: { calls: Array(20).fill(RATES) } };
      const { structuredContent } = await limited.callTool(call);
      const { data } = structuredContent as { data: { calls: { problem: { code: string } | null }[] } };
      codes.push(...data.calls.map(({ problem }) => problem?.code));
    }
    expect(codes.slice(0, 100)).toEqual(Array(100).fill(undefined));
    expect(codes.at(-1)).toBe('rate_limited');
    await limited.close();
    await api.close();
  });
});
