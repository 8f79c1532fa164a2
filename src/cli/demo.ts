import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWire } from '../domain/read.ts';
import { type SandboxChain, startSandboxChain } from '../pay/sandbox/chain.ts';
import { simBases } from '../sim/bases.ts';
import { VENUES } from '../venues/registry.ts';
import { type Child, firstLine, startChild } from './child.ts';
import { DEMO_FILE, type DemoFile, removeDemoFile, writeDemoFile } from './demo-file.ts';
import { freePort } from './free-port.ts';

export interface DemoOptions {
  readonly port: string;
  readonly seed: string;
}

const HOST = '127.0.0.1';
const DATA_DIR = 'var/demo';
/** Least of what a ready demo holds. */
const READY = { venues: 8, rows: 2000 };
/** Readiness waits this long for all venues, then for the least, and the longer time for the majors' past. */
const ALL_VENUES_MS = 12_500;
const MAJORS_PAST_MS = 30_000;
/** What is asked of the simulated venues' past: of so many contracts each, the majors first. */
const PAST_DAYS = 8;
const PAST_CONTRACTS = 20;
/** Books that are streamed of each venue: one process plays all of them. */
const BOOKS = 40;
const GIVE_UP_MS = 60_000;
const POLL_MS = 100;
const PATIENCE_MS = 3000;

interface Health {
  readonly live: number;
  readonly all: number;
  readonly rows: number;
  readonly paying: boolean;
  /** Percent of the majors' past. */
  readonly past: number;
}

async function readHealth(base: string): Promise<Health | undefined> {
  try {
    const body: unknown = await (await fetch(`${base}/v1/health`)).json();
    if (!isWire(body) || !isWire(body.venues) || !isWire(body.payments)) return undefined;
    const count = (key: 'live' | 'stale' | 'down') => {
      const n = isWire(body.venues) ? body.venues[key] : 0;
      return typeof n === 'number' ? n : 0;
    };
    return {
      live: count('live'),
      all: count('live') + count('stale') + count('down'),
      rows: typeof body.rows === 'number' ? body.rows : 0,
      paying: body.payments.facilitator_ok === true,
      past:
        isWire(body.store) && typeof body.store.backfill_majors_pct === 'number'
          ? body.store.backfill_majors_pct
          : 0,
    };
  } catch {
    return undefined;
  }
}

/** Resolves when the demo holds what it must; says how far it is on a terminal. */
async function untilReady(base: string, service: Child, began: number): Promise<Health> {
  let ended = false;
  void service.exited.then(() => {
    ended = true;
  });
  for (;;) {
    if (ended) throw new Error('the service ended before it was ready');
    const health = await readHealth(base);
    const waited = Date.now() - began;
    if (health !== undefined) {
      say(
        `starting: ${health.live} of ${health.all} venues live, ${health.rows} rows, past of the majors ${health.past} %`,
      );
      const least = health.live >= READY.venues && health.rows >= READY.rows && health.paying;
      const hasPast = health.past === 100 || waited > MAJORS_PAST_MS;
      if (least && hasPast && (health.live === health.all || waited > ALL_VENUES_MS)) return health;
    }
    if (waited > GIVE_UP_MS) throw new Error('not ready within a minute');
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}

function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function serviceEnvironment(chain: SandboxChain, simUrl: string): Record<string, string> {
  const bases = VENUES.map((venue) => [venue.id, simBases(venue.bases, simUrl, venue.id)]);
  return {
    PERPMETER_PAYMENTS_MODE: 'sandbox',
    PERPMETER_PAY_TO_ADDRESS: chain.payee.address,
    PERPMETER_RPC_URL: chain.rpcUrl,
    PERPMETER_FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
    PERPMETER_VENUE_BASES: JSON.stringify(Object.fromEntries(bases)),
    PERPMETER_DATA: 'simulated',
    PERPMETER_BACKFILL_DAYS: String(PAST_DAYS),
    PERPMETER_BACKFILL_CONTRACTS: String(PAST_CONTRACTS),
    PERPMETER_BOOKS_PER_VENUE: process.env.PERPMETER_BOOKS_PER_VENUE ?? String(BOOKS),
    PERPMETER_LOG_LEVEL: process.env.PERPMETER_LOG_LEVEL ?? 'error',
  };
}

function block(demo: DemoFile, health: Health, seconds: string): string {
  const url = demo.base_url;
  return `
Perpmeter demo, ready in ${seconds} s: ${health.live} simulated venues live, ${health.rows} rows.
All data is simulated; payments settle on a local chain with play money.

  ${url}

  curl ${url}/v1/venues/list
  curl ${url}/v1/preview/funding-current
  curl -i "${url}/v1/funding/current?symbol=BTC"      # 402: the challenge

  npm run perpmeter -- buy "/v1/funding/current?symbol=BTC"

Keys and process ids are in ${DEMO_FILE}. Ctrl-C stops everything.
`;
}

/** What is running, ended in the order in which it depends on each other. */
class Parts {
  readonly children: Child[] = [];
  chain: SandboxChain | undefined;

  async stop(): Promise<void> {
    for (const child of [...this.children].reverse()) await child.stop(PATIENCE_MS);
    await this.chain?.stop();
    removeDemoFile();
  }
}

async function launch(options: DemoOptions, parts: Parts): Promise<{ demo: DemoFile; service: Child }> {
  const simChild = startChild('the simulated venues', new URL('../sim/main.ts', import.meta.url), [
    '--port',
    '0',
    '--seed',
    options.seed,
  ]);
  parts.children.push(simChild);
  const [chain, simReady] = await Promise.all([
    startSandboxChain().then((started) => {
      parts.chain = started;
      return started;
    }),
    firstLine(simChild),
  ]);
  const simUrl = isWire(simReady) ? String(simReady.url) : '';
  const port = options.port === '0' ? await freePort(HOST) : Number(options.port);
  const service = startChild(
    'the service',
    new URL('./main.ts', import.meta.url),
    ['serve', '--host', HOST, '--port', String(port), '--data-dir', DATA_DIR],
    serviceEnvironment(chain, simUrl),
  );
  service.process.stdout?.resume();
  parts.children.push(service);
  const demo: DemoFile = {
    base_url: `http://${HOST}:${port}`,
    rpc_url: chain.rpcUrl,
    chain_id: chain.chainId,
    asset: chain.token,
    pay_to: chain.payee.address,
    buyer_address: chain.buyer.address,
    buyer_private_key: chain.buyer.privateKey,
    pids: { service: service.pid, sim: simChild.pid, chain: chain.pid },
  };
  return { demo, service };
}

/** Resolves with why the demo must end: a signal, or a part that ended by itself. */
function untilEnd(parts: Parts, signalled: Promise<string>): Promise<string> {
  const fallen = parts.children.map((child) =>
    child.exited.then((code) => `${child.name} ended by itself (${code})`),
  );
  return Promise.race([signalled, ...fallen]);
}

/**
 * Starts simulated venues, a local chain, a funded buyer and the service, all on loopback; runs until told to stop.
 * @returns exit code: 0 stopped by a signal, 1 a part failed
 */
export async function demoCommand(options: DemoOptions): Promise<number> {
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535) {
    process.stderr.write(`demo: --port must be a port number, not "${options.port}"\n`);
    return 2;
  }
  const began = Date.now();
  const signalled = new Promise<string>((told) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => told(signal));
  });
  // A service that has just ended may still be letting go of its files.
  rmSync(resolve(DATA_DIR), { recursive: true, force: true, maxRetries: 5 });
  removeDemoFile();
  const parts = new Parts();
  try {
    const started = launch(options, parts).then(async ({ demo, service }) => {
      const health = await untilReady(demo.base_url, service, began);
      writeDemoFile(demo);
      say('');
      process.stdout.write(block(demo, health, ((Date.now() - began) / 1000).toFixed(1)));
      return 'started';
    });
    const first = await Promise.race([started, signalled]);
    const why = first === 'started' ? await untilEnd(parts, signalled) : first;
    const ordered = why.startsWith('SIG');
    if (!ordered) process.stderr.write(`demo: ${why}\n`);
    await parts.stop();
    return ordered ? 0 : 1;
  } catch (cause) {
    say('');
    process.stderr.write(`demo: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    await parts.stop();
    return 1;
  }
}
