import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { appendPaymentIdentifierToExtensions, generatePaymentId } from '@x402/extensions/payment-identifier';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathMatcher } from '../../src/api/request/match.ts';
import { toolResult } from '../../src/modules/mcp/result.ts';
import { toolsOf } from '../../src/modules/mcp/tools.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import { WRONG_PARAMETERS } from '../api/mistakes.ts';
import { signAuthorization, v2Payload } from '../pay/wallet.ts';
import { type McpService, startMcpService } from './mcp-service.ts';

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

interface LeftOut {
  readonly budget_tokens: number;
  readonly whole_tokens: number;
  readonly lists: readonly { readonly list: string; readonly shown: number; readonly of: number }[];
  readonly how: string;
}

const textOf = (result: { content?: unknown }): string =>
  (result.content as { text: string }[])[0]?.text ?? '';

/** Characters of a list that is far larger than any budget. */
const LONG = 200_000;

/** Rows like those of the example until each list is that long. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || typeof value[0] !== 'object') return value;
    const times = Math.ceil(LONG / JSON.stringify(value).length);
    return Array.from({ length: times }, () => value as readonly unknown[]).flat();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, grown(inner)]));
}

describe('an answer of a tool', () => {
  const answered = ROUTES.flatMap((route) =>
    route.example === undefined ? [] : [{ route, ...route.example }],
  );

  it.each(answered)(
    '$route.id, however long: within 10,000 tokens, or cut with a note',
    ({ route, ...example }) => {
      for (const answer of [example.answer, grown(example.answer)]) {
        const reply = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
        const limit = { route, maxTokens: 10_000, url: example.request, pays: false };
        const result = toolResult(reply, route.id, limit);
        expect(textOf(result).length).toBeLessThanOrEqual(40_000);
        expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
        const { left_out: left } = result.structuredContent as { readonly left_out?: LeftOut };
        expect(left === undefined).toBe(JSON.stringify(answer).length < 39_000);
        if (left === undefined) continue;
        const { lists, how, whole_tokens } = left;
        expect(lists.length).toBeGreaterThan(0);
        for (const { shown, of } of lists) expect(shown).toBeLessThan(of);
        expect(how).toContain(`max_tokens=${whole_tokens}`);
        const whole = toolResult(reply, route.id, { ...limit, maxTokens: whole_tokens });
        expect(whole.structuredContent).toMatchObject({ data: answer });
        expect(whole.structuredContent).not.toHaveProperty('left_out');
      }
    },
  );

  it('cut short: the rest under the same payment identifier, free', async () => {
    const buyer = privateKeyToAccount(service.chain.buyer.privateKey);
    const id = generatePaymentId();
    const buy = async (args: Record<string, unknown>) => {
      const extensions = appendPaymentIdentifierToExtensions(
        { 'payment-identifier': { info: { required: false }, schema: {} } },
        id,
      );
      const payment = v2Payload(service.seller, await signAuthorization(buyer, service.seller), {
        extensions,
      });
      const called = { name: 'funding_rates', arguments: { product: 'funding-current', ...args } };
      return client.callTool({ ...called, _meta: { 'x402/payment': payment } });
    };
    const before = await service.earned();
    const short = await buy({ max_tokens: 1000 });
    expect(textOf(short).length).toBeLessThanOrEqual(4000);
    const { left_out, data } = short.structuredContent as unknown as {
      left_out: LeftOut;
      data: { rates: unknown[] };
    };
    const [cut] = left_out.lists;
    expect([cut?.list, cut?.shown]).toEqual(['rates', data.rates.length]);
    expect(left_out.how).toContain(`offset=${cut?.shown} goes on from here`);
    const whole = await buy({ max_tokens: left_out.whole_tokens });
    const all = (whole.structuredContent as { data: { rates: unknown[] } }).data.rates;
    expect([all.length, all.slice(0, cut?.shown)]).toEqual([cut?.of, data.rates]);
    expect((await service.earned()) - before).toBe(1000n);
  });

  it.each([999, 0, 1.5, 'many', 1_000_001])('max_tokens %s: refused', async (max_tokens) => {
    const call = { name: 'venues_and_health', arguments: { product: 'venues-list', max_tokens } };
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({
      code: 'invalid_parameter',
      detail: expect.stringContaining('from 1000 to 1000000'),
    });
  });
});

const match = pathMatcher(ROUTES);
const tools = toolsOf({ routes: ROUTES, toolPlaces: TOOL_PLACES });

/** The call of a tool that asks the same. A name that is sent twice is a list. */
function callOf(asked: string) {
  const { pathname, searchParams } = new URL(asked, 'http://localhost');
  const found = match(pathname);
  const tool = tools.find(({ routes }) => routes.some(({ id }) => id === found?.route.id));
  if (found === undefined || tool === undefined) throw new Error(`no tool for ${asked}`);
  const args: Record<string, unknown> = Object.fromEntries(found.path);
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name);
    args[name] = values.length === 1 ? values[0] : values;
  }
  if (tool.routes.length > 1) args.product = found.route.id;
  return { name: tool.theme.name, arguments: args };
}

describe('a mistake as a call of a tool', () => {
  it.each(WRONG_PARAMETERS)('%s: the same code, a remedy and no charge', async (asked, code) => {
    const before = await service.earned();
    const result = await client.callTool(callOf(asked));
    expect(result.isError).toBe(true);
    const { detail, ...said } = result.structuredContent as { code: string; detail: string };
    expect([asked, said.code]).toEqual([asked, said.code === 'unknown_parameter' ? said.code : code]);
    expect(detail).toMatch(/Try \/v1\/|leave it out, or ask /);
    expect(await service.earned()).toBe(before);
  });
});
