import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { PROXIES, type ProxyKind } from '../proxies/kinds.ts';
import { install, startProxy, versionOf } from '../proxies/process.ts';
import { type Case, type Row, rowOf } from './row.ts';
import { type Running, startSeller } from './sellers.ts';

/** A stream whose first event a proxy keeps to itself this long is not passed on. */
const STREAM_MS = 60_000;

/** The addresses that the service lists, without its origin. */
async function listed({ url }: Running): Promise<readonly string[]> {
  const response = await fetch(`${url}/.well-known/x402`);
  const { resources } = (await response.json()) as { resources: readonly string[] };
  return resources.map((address) => address.slice(new URL(address).origin.length));
}

/** Buys by the official client; what is wrong, and the bytes of the challenge's headers. */
async function buy(base: string, route: string, key: `0x${string}`, headers: Record<string, string> = {}) {
  let headerBytes = 0;
  const watched: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.status !== 402) return response;
    for (const [name, value] of response.headers) headerBytes += name.length + value.length + 4;
    return response;
  };
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
  const response = await wrapFetchWithPayment(watched, client)(base + route, { headers });
  await response.arrayBuffer();
  const isPaid = response.headers.has('payment-response') && response.headers.has('x-payment-response');
  const fault = response.status !== 200 ? `answered ${response.status}` : isPaid ? undefined : 'no receipts';
  return { fault, headerBytes };
}

/** The first event arrives while the stream stays open. */
async function streams(base: string): Promise<string | undefined> {
  const response = await fetch(`${base}/v1/stream/preview`, { signal: AbortSignal.timeout(STREAM_MS) });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n\n')) break;
  }
  return text.startsWith('event: snapshot') ? undefined : `${response.status} ${text.slice(0, 100)}`;
}

async function judge(kind: ProxyKind, seller: Running, key: `0x${string}`): Promise<Row> {
  const version = versionOf(kind);
  const proxy = await startProxy(kind, Number(new URL(seller.url).port));
  if (!proxy.ok) return rowOf(`proxy ${kind.name}`, version, [{ name: 'starts', fault: proxy.error }]);
  try {
    const cases: Case[] = [];
    let most = 0;
    const routes = await listed(seller);
    for (const route of routes) {
      const { fault, headerBytes } = await buy(proxy.url, route, key);
      most = Math.max(most, headerBytes);
      cases.push({ name: route, fault });
    }
    const long = { 'X-Long': 'x'.repeat(kind.headerLineBytes) };
    const { fault } = await buy(proxy.url, routes[0] ?? '/', key, long);
    cases.push({ name: `a request header of ${kind.headerLineBytes} bytes`, fault });
    cases.push({ name: 'an event stream', fault: await streams(proxy.url).catch(String) });
    return rowOf(`proxy ${kind.name}`, version, cases, [`largest challenge headers ${most} bytes`]);
  } finally {
    await proxy.stop();
  }
}

/** Every paid route, long headers and a stream through proxies as Debian packages them, with their defaults. */
export async function proxies(say: (done: string) => void): Promise<readonly Row[]> {
  try {
    install(PROXIES);
  } catch (cause) {
    return PROXIES.map(({ name }) => rowOf(`proxy ${name}`, '', [], [`not obtainable: ${String(cause)}`]));
  }
  const chain = await startSandboxChain({ blockTimeSeconds: 1 });
  const privateKey = chain.facilitator.privateKey;
  const seller = await startSeller(chain, { PAYMENTS_MODE: 'self', FACILITATOR_PRIVATE_KEY: privateKey });
  try {
    const rows: Row[] = [];
    for (const kind of PROXIES) {
      say(kind.name);
      rows.push(await judge(kind, seller, chain.buyer.privateKey));
    }
    return rows;
  } finally {
    await seller.stop();
    await chain.stop();
  }
}
