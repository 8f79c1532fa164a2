import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { atomicOf, type RawResult, usdOf } from '../../packages/client/src/index.ts';
import { ROUTES } from '../api/table.ts';
import { isWire, readText, wireArray } from '../domain/read.ts';
import type { McpBackend } from '../mcp/backend.ts';
import { McpServers } from '../mcp/server.ts';
import type { PaywallReply } from '../pay/types.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { buyerAt, serviceAddress } from './buy.ts';
import { VERSION } from './version.ts';

export interface McpOptions {
  readonly url?: string;
  readonly key?: string;
  /** Most that one call may cost. */
  readonly maxUsd: string;
  /** Most that all calls until the end may cost. */
  readonly maxTotalUsd: string;
}

async function readDocument(path: string, base: string) {
  const response = await fetch(new URL(path, base)).catch((cause) => {
    throw new Error(`${base} cannot be reached`, { cause });
  });
  const document: unknown = await response.json();
  if (!response.ok || !isWire(document)) throw new Error(`${path} answers ${response.status}`);
  return document;
}

/** What the service sells now, by product; free of charge where its payments are off. */
async function readPrices(base: string): Promise<ReadonlyMap<string, string>> {
  const { prices } = await readDocument('/v1/pricing/changelog', base);
  const entries = (wireArray(prices) ?? []).filter(isWire);
  return new Map(entries.map(({ id, usd }) => [readText(id) ?? '', readText(usd) ?? '']));
}

/** What a service answered as it came; what the client itself found out as a problem document. */
function replyOf(result: RawResult): PaywallReply {
  const isSaid = result.ok || 'status' in result.problem || result.problem.code === 'payment_refused';
  const reply = result.ok ? result.reply : result.problem.reply;
  if (isSaid && reply !== undefined) {
    return { ...reply, headers: Object.fromEntries(reply.headers), body: Buffer.from(reply.body) };
  }
  const { code, detail } = result.ok ? { code: 'unreadable', detail: '' } : result.problem;
  const body = Buffer.from(JSON.stringify({ code, title: 'No purchase', detail }));
  return { status: 503, headers: { 'content-type': 'application/problem+json' }, body };
}

async function backendOf(options: McpOptions): Promise<McpBackend> {
  const base = serviceAddress(options).replace(/\/+$/, '');
  const [health, prices] = await Promise.all([readDocument('/v1/health', base), readPrices(base)]);
  const isFree = isWire(health.payments) && health.payments.mode === 'off';
  const caps = { perCall: options.maxUsd, total: options.maxTotalUsd };
  const client = buyerAt(base, options, { caps, trustRefusals: true });
  return {
    name: 'Perpmeter',
    version: VERSION,
    baseUrl: base,
    data: health.data === 'simulated' ? 'simulated' : 'live',
    routes: ROUTES.filter(({ access, id }) => access === 'free' || prices.has(id)),
    priceOf: ({ access, id }) => (access === 'paid' && !isFree ? prices.get(id) : undefined),
    call: async ({ url }) => replyOf(await client.request(url)),
    budget: () => ({
      per_call_usd: usdOf(atomicOf(caps.perCall)),
      total_usd: usdOf(atomicOf(caps.total)),
      spent_usd: client.spentUsd(),
    }),
  };
}

/**
 * Serves the tools of a Perpmeter over standard input and output until the input ends.
 * @returns exit code: 0 ended by the client, 1 the service cannot be asked or an option is wrong
 */
export async function mcpCommand(options: McpOptions): Promise<number> {
  try {
    const servers = new McpServers(await backendOf(options));
    const clientRequest = { address: 'stdio', wait: () => 0, sold: () => undefined };
    const ended = once(process.stdin, 'close');
    const handle = serveStdio(() => servers.create(clientRequest));
    await ended;
    await handle.close();
    return 0;
  } catch (error) {
    process.stderr.write(`mcp: ${reasonOf(error)}\n`);
    return 1;
  }
}
