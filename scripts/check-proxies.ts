/**
 * Buys every paid route of a demo through nginx, haproxy and caddy as Debian packages them, with nothing but their
 * defaults, by the official client. Installs what is missing with apt-get. Exits 1 where a route was not bought.
 */

import { readFileSync } from 'node:fs';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { DAY_MS } from '../src/runtime/duration.ts';
import { PROXIES, type ProxyKind } from './proxies/kinds.ts';
import { install, startProxy, versionOf } from './proxies/process.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo, untilBackfilled } from './with-demo.ts';

/** On a busy machine history has something of every venue only some time after the start, and books grow old. */
const SERVICE_MS = 300_000;

interface Purchase {
  readonly route: string;
  /** 200, or what came instead. */
  readonly status: number | string;
  /** Names and values of the challenge's headers, bytes. */
  readonly headerBytes: number;
  /** The service itself has nothing fresh to sell at the moment: nothing was charged, and no proxy is to blame. */
  readonly isOwn: boolean;
}

interface Demo {
  readonly base_url: string;
  readonly buyer_private_key: `0x${string}`;
}

/** The addresses that the service lists, without its origin, and asking for the last day where they ask for a time. */
async function listed(base: string): Promise<readonly string[]> {
  const response = await fetch(`${base}/.well-known/x402`);
  const { resources } = (await response.json()) as { resources: readonly string[] };
  return resources.map((address) => {
    const { pathname, searchParams } = new URL(address);
    if (searchParams.has('from')) searchParams.set('from', new Date(Date.now() - DAY_MS).toISOString());
    if (searchParams.has('to')) searchParams.set('to', new Date().toISOString());
    return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
  });
}

async function buy(base: string, route: string, { buyer_private_key: key }: Demo): Promise<Purchase> {
  let headerBytes = 0;
  const watched: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const lines = [...response.headers].map(([name, value]) => name.length + value.length + 4);
    if (response.status === 402) headerBytes = lines.reduce((sum, bytes) => sum + bytes, 0);
    return response;
  };
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
  try {
    const response = await wrapFetchWithPayment(watched, client)(base + route);
    await response.arrayBuffer();
    const isPaid = response.headers.has('payment-response') && response.headers.has('x-payment-response');
    const isOwn = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
    return { route, status: response.ok && !isPaid ? 'no receipts' : response.status, headerBytes, isOwn };
  } catch (cause) {
    const status = cause instanceof Error ? cause.message.slice(0, 80) : 'failed';
    return { route, status, headerBytes, isOwn: false };
  }
}

/** Each once, and again only where the service itself had nothing to sell: a proxy's own error stands. */
async function buyAll(base: string, routes: readonly string[], demo: Demo): Promise<readonly Purchase[]> {
  const until = Date.now() + SERVICE_MS;
  const bought = new Map<string, Purchase>();
  const left = (): readonly string[] => routes.filter((route) => bought.get(route)?.isOwn !== false);
  do {
    for (const route of left()) bought.set(route, await buy(base, route, demo));
  } while (left().length > 0 && Date.now() < until);
  return [...bought.values()];
}

/** Through a proxy; one that does not start sells nothing. */
async function buyThrough(
  kind: ProxyKind,
  routes: readonly string[],
  demo: Demo,
): Promise<readonly Purchase[]> {
  const proxy = await startProxy(kind, Number(new URL(demo.base_url).port));
  if (!proxy.ok) return routes.map((route) => ({ route, status: proxy.error, headerBytes: 0, isOwn: false }));
  try {
    return await buyAll(proxy.url, routes, demo);
  } finally {
    await proxy.stop();
  }
}

function print(name: string, version: string, purchases: readonly Purchase[]): number {
  const missed = purchases.filter(({ status }) => status !== 200);
  const most = Math.max(...purchases.map(({ headerBytes }) => headerBytes));
  const bought = `${purchases.length - missed.length} of ${purchases.length}`;
  console.log(
    `${name.padEnd(10)} ${version.padEnd(9)} bought ${bought.padEnd(9)} largest challenge headers ${most} bytes  ${missed.length === 0 ? 'ok' : 'MISSED'}`,
  );
  for (const { route, status } of missed) console.log(`  ${route}: ${status}`);
  return missed.length;
}

answerHelp();
install(PROXIES);
const started = await startDemo('0');
await untilBackfilled();
let missed = 0;
let routes: readonly string[] = [];
let left: readonly string[] = [];
try {
  const demo = JSON.parse(readFileSync('var/demo.json', 'utf8')) as Demo;
  routes = await listed(demo.base_url);
  missed += print('(none)', '', await buyAll(demo.base_url, routes, demo));
  for (const kind of PROXIES) {
    const bought = await buyThrough(kind, routes, demo);
    missed += print(kind.name, versionOf(kind), bought);
  }
} finally {
  ({ left } = await stopDemo(started));
}
console.log(
  `check:proxies: ${routes.length} routes through ${PROXIES.length} proxies, ${missed} not bought, ${left.length} processes left`,
);
process.exit(missed === 0 && routes.length > 0 && left.length === 0 ? 0 : 1);
