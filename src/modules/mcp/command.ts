import { once } from 'node:events';
import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { atomicOf, type RawResult, usdOf, type WalletOptions } from '../../../packages/client/src/index.ts';
import { SECRET_HEADER } from '../../api/headers.ts';
import { isWire, readText, wireArray } from '../../domain/read.ts';
import { buyerAt, serviceAddress } from '../../host/buyer.ts';
import { type ChannelFlags, channelChain, channelStore } from '../../host/channel-file.ts';
import { readDemoFile } from '../../host/process/demo-file.ts';
import type { RouteTable } from '../../host/route-table.ts';
import { VERSION } from '../../host/version.ts';
import type { PaywallReply } from '../../pay/types.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { McpBackend, ToolCall } from './backend.ts';
import { McpServers } from './server.ts';

export interface McpOptions extends ChannelFlags {
  readonly url?: string;
  readonly key?: string;
  readonly network?: string;
  /** Most that one call may cost. */
  readonly maxUsd: string;
  /** Most that all calls until the end may cost. */
  readonly maxTotalUsd: string;
  /** False pays each call by itself; else a channel is opened where that pays. */
  readonly channel?: boolean;
  /** Folder of a demo, whose key and address are used; default where it is started. */
  readonly folder?: string;
  /** Print the configuration of a client that starts this command, and stop. */
  readonly printConfig?: true;
}

/** A client waits for the start as long at most. */
const READ_MS = 5000;

async function readDocument(path: string, base: string) {
  const signal = AbortSignal.timeout(READ_MS);
  const response = await fetch(new URL(path, base), { signal }).catch((cause) => {
    throw new Error(`${base} cannot be reached`, { cause });
  });
  const document: unknown = await response.json();
  if (!response.ok || !isWire(document)) throw new Error(`${path} answers ${response.status}`);
  return document;
}

/** Prices of products as they are quoted to the client; prices that are no amounts are none. */
type Prices = ReadonlyMap<string, string>;

const isAmount = (usd: string): boolean => /^\d{1,12}(?:\.\d{1,6})?$/.test(usd);

/** Reads the products that the service sells now, and its payment mode. */
async function readPrices(base: string) {
  const [health, { prices }] = await Promise.all([
    readDocument('/v1/health', base),
    readDocument('/v1/pricing/changelog', base),
  ]);
  const entries = (wireArray(prices) ?? []).filter(isWire);
  const listed: Prices = new Map(
    entries
      .map(({ id, usd }) => [readText(id) ?? '', readText(usd) ?? ''] as const)
      .filter(([, usd]) => isAmount(usd)),
  );
  const isFree = isWire(health.payments) && health.payments.mode === 'off';
  return { listed, quoted: isFree ? new Map() : listed, health };
}

type Service = Awaited<ReturnType<typeof readPrices>>;

/**
 * The cached facts about the service: read again once they are a minute old, while the service is away, or when
 * a 402 asks for more.
 */
class KnownService {
  readonly #base: string;
  readonly #now: () => number;
  #service: Service | undefined;
  #fault = '';
  #readAt = 0;

  constructor(base: string, now: () => number) {
    this.#base = base;
    this.#now = now;
  }

  get service(): Service | undefined {
    return this.#service;
  }

  /** The reason for which it has not been reached; undefined once it has been. */
  get away(): string | undefined {
    return this.#service === undefined ? this.#fault : undefined;
  }

  priceOf(id: string): string | undefined {
    return this.#service?.quoted.get(id);
  }

  async refresh(): Promise<void> {
    if (this.#service === undefined || this.#now() - this.#readAt >= MINUTE_MS) await this.readAgain();
  }

  /** Keeps the old prices where none can be had: more than was quoted is never paid. */
  async readAgain(): Promise<void> {
    this.#readAt = this.#now();
    try {
      this.#service = await readPrices(this.#base);
    } catch (error) {
      this.#fault = reasonOf(error);
    }
  }
}

/** Asks as who has no wallet does: of a paid route the answer is what it asks for, or why it would refuse. */
async function askUnpaid(base: string, { url, secret, signal }: ToolCall): Promise<PaywallReply> {
  try {
    const headers = secret === undefined ? {} : { [SECRET_HEADER]: secret };
    const response = await fetch(new URL(url, base), { headers, signal, redirect: 'error' });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  } catch (error) {
    const detail = `${base} cannot be reached: ${reasonOf(error)}. Nothing was charged.`;
    return problemReply({ code: 'not_ready', title: 'No answer', detail, charged: false });
  }
}

function problemReply(problem: {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly charged: false | null;
}): PaywallReply {
  const headers = { 'content-type': 'application/problem+json' };
  return { status: 503, headers, body: Buffer.from(JSON.stringify(problem)) };
}

/** A service's answer as it came; the client's own faults as a problem document. */
function replyOf(result: RawResult): PaywallReply {
  const isSaid = result.ok || 'status' in result.problem || result.problem.code === 'payment_refused';
  const reply = result.ok ? result.reply : result.problem.reply;
  if (isSaid && reply !== undefined) {
    return { ...reply, headers: Object.fromEntries(reply.headers), body: Buffer.from(reply.body) };
  }
  const { code, detail, charged } = result.ok
    ? { code: 'unreadable', detail: '', charged: null }
    : result.problem;
  return problemReply({
    code,
    title: charged === false ? 'No purchase' : 'Outcome unknown',
    detail,
    charged,
  });
}

/** The price that a 402 asks for where it is above what was quoted. */
function raisedPrice(result: RawResult, quoted: string): string | undefined {
  if (result.ok || result.problem.code !== 'over_budget') return undefined;
  const { priceUsd } = result.problem;
  return atomicOf(priceUsd) > atomicOf(quoted) ? priceUsd : undefined;
}

/** Channels of the wallet, within the caps or a bound of their own. */
function channelsOf(options: McpOptions, base: string): Pick<WalletOptions, 'channels' | 'store'> {
  const { channel = true, maxDepositUsd } = options;
  if (!channel) return { channels: false };
  return { channels: { maxDepositUsd, chain: channelChain(options, base) }, store: channelStore(options) };
}

/**
 * The tools' backend where they buy from a service, within caps. A service that is not there yet is asked again
 * with every list and call; until then all products are listed, without prices.
 */
export async function backendOf(
  options: McpOptions,
  { routes, toolPlaces }: Pick<RouteTable, 'routes' | 'toolPlaces'>,
  now = Date.now,
): Promise<McpBackend> {
  const base = serviceAddress(options).replace(/\/+$/, '');
  const known = new KnownService(base, now);
  await known.readAgain();
  const { listed, health } = known.service ?? {};
  const caps = { perCall: options.maxUsd, total: options.maxTotalUsd };
  const client = buyerAt(base, options, { caps, trustRefusals: true, ...channelsOf(options, base) });
  const call = async ({ url, secret, signal, quotedUsd = '0' }: ToolCall): Promise<PaywallReply> => {
    const result = await client.request(url, { signal, secret, maxUsd: quotedUsd });
    const raised = raisedPrice(result, quotedUsd);
    if (raised === undefined) return replyOf(result);
    await known.readAgain();
    const detail = `The price is ${raised} USD, above the ${quotedUsd} USD that was quoted. Nothing was paid, and the prices were read again: see prices_and_budget, then repeat the call.`;
    return problemReply({ code: 'over_budget', title: 'No purchase', detail, charged: false });
  };
  return {
    name: 'Perpmeter',
    version: VERSION,
    baseUrl: base,
    data: health?.data === 'simulated' ? 'simulated' : 'live',
    toolPlaces,
    routes: routes.filter(({ access, id }) => access === 'free' || listed === undefined || listed.has(id)),
    priceOf: ({ access, id }) => (access === 'paid' ? known.priceOf(id) : undefined),
    call,
    askUnpaid: (asked) => askUnpaid(base, asked),
    refresh: () => known.refresh(),
    away: () => known.away,
    budget: () => ({
      per_call_usd: usdOf(atomicOf(caps.perCall)),
      total_usd: usdOf(atomicOf(caps.total)),
      spent_usd: client.spentUsd(),
    }),
  };
}

/**
 * The entry of a client's configuration that starts this command as it was started now, from any folder. The key is not
 * in it: a file that clients share is no place for one.
 */
export function clientConfig(options: McpOptions, script = process.argv[1] ?? 'perpmeter'): string {
  const { maxUsd, maxTotalUsd, maxDepositUsd, channelFile, rpcUrl, network, channel = true } = options;
  const flags = [
    ...['--max-usd', maxUsd, '--max-total-usd', maxTotalUsd],
    ...(maxDepositUsd === undefined ? [] : ['--max-deposit-usd', maxDepositUsd]),
    ...(channelFile === undefined ? [] : ['--channel-file', resolve(channelFile)]),
    ...(rpcUrl === undefined ? [] : ['--rpc-url', rpcUrl]),
    ...(network === undefined ? [] : ['--network', network]),
    ...(channel ? [] : ['--no-channel']),
  ];
  const demo = readDemoFile();
  const perpmeter = {
    command: process.execPath,
    args: [
      ...[resolve(script), 'mcp', '--url', serviceAddress(options, demo), ...flags],
      ...(demo === undefined ? [] : ['--folder', process.cwd()]),
    ],
    ...(demo === undefined && { env: { PERPMETER_BUYER_KEY: '0x…' } }),
  };
  return JSON.stringify({ mcpServers: { perpmeter } }, null, 2);
}

/**
 * Serves the tools of a Perpmeter over standard input and output until the input ends. A service that is away is
 * waited for: calls say so, and try again.
 * @returns exit code: 0 ended by the client, or the configuration was printed; 1 an option is wrong
 */
export async function mcpCommand(options: McpOptions, table: RouteTable): Promise<number> {
  try {
    if (options.folder !== undefined) process.chdir(options.folder);
    if (options.printConfig === true) {
      process.stdout.write(`${clientConfig(options)}\n`);
      return 0;
    }
    const servers = new McpServers(await backendOf(options, table));
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
