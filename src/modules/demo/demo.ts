import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isWire } from '../../domain/read.ts';
import { type Child, firstLine, PROGRAMS, startChild } from '../../host/process/child.ts';
import { DEMO_FILE, type DemoFile, writeDemoFile } from '../../host/process/demo-file.ts';
import { freePort } from '../../host/process/free-port.ts';
import { portFault } from '../../host/process/port-holder.ts';
import { untilShutdownSignal } from '../../host/process/shutdown-signal.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { isChainInstalled } from '../../pay/sandbox/anvil.ts';
import { type SandboxChain, startSandboxChain } from '../../pay/sandbox/chain.ts';
import { placeChannelContracts } from '../../pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { claimDemo, releaseDemo } from './claim.ts';
import { given, ignoredInDemo, serviceEnvironment, stopPatienceMs } from './environment.ts';
import { type DemoHealth, Progress, untilReady } from './ready.ts';
import { relayPace } from './world-pace.ts';

export interface DemoOptions {
  readonly port: string;
  readonly seed: string;
}

const HOST = '127.0.0.1';
const DATA_DIR = 'var/demo';
/** Data of earlier demos, until it is removed. */
const OLD_DATA_DIR = 'var/demo.old';
/** The other parts have nothing to end. */
const STOP_MS = 500;

/** The command line is called in this way from here: a package has no scripts. */
const COMMAND = import.meta.url.includes('/node_modules/') ? 'npx perpmeter' : 'npm run perpmeter --';

/**
 * Describes missing parts: with a lean installation their effect, and the command that installs them; and the
 * parts still being filled.
 */
function missing({ paying, backfill }: DemoHealth): string {
  const chain = 'Nothing is charged: the local chain is not installed (npm install @foundry-rs/anvil).\n';
  const engine = 'History is off: its engine is not installed (npm install chdb).\n';
  const filling =
    backfill === undefined
      ? engine
      : backfill < 100
        ? `History is being filled, the priority assets first: ${backfill} % of them so far.\n`
        : '';
  return `${paying === undefined ? chain : ''}${filling}`;
}

function block(demo: DemoFile, health: DemoHealth, seconds: string): string {
  const url = demo.base_url;
  const free = health.paying === undefined;
  const challenge = free ? '' : '      # 402: the challenge';
  const buy = free ? '' : `\n  ${COMMAND} buy "/v1/funding/current?symbol=BTC"\n`;
  const money = free ? '' : '; payments settle on a local chain with play money';
  return `
Perpmeter demo, ready in ${seconds} s: ${health.live} simulated venues live, ${health.rows} rows.
All data is simulated${money}.
${missing(health)}
  ${url}                  # in a browser: the page, as a visitor sees it
  ${demo.operator_url}                 # the same for the operator: everything, without paying

  curl ${url}/v1/venues/list
  curl ${url}/v1/preview/funding-current
  curl -i "${url}/v1/funding/current?symbol=BTC"${challenge}
${buy}
Keys and process ids are in ${DEMO_FILE}. Ctrl-C stops everything.
`;
}

/** Running parts, ended in the order in which they depend on each other. */
class Parts {
  service: Child | undefined;
  sim: Child | undefined;
  chain: SandboxChain | undefined;
  readonly #servicePatienceMs: number;
  #stopped = false;

  constructor(servicePatienceMs: number) {
    this.#servicePatienceMs = servicePatienceMs;
  }

  /** Notes the processes, so that the next demo can end what is left should this one be killed. */
  note(): void {
    if (this.#stopped) throw new Error('stopped while it was starting');
    const service = this.service?.pid;
    const sim = this.sim?.pid;
    const chain = this.chain?.pid;
    const pids = { demo: process.pid, service, sim, chain };
    writeDemoFile({ pids: JSON.parse(JSON.stringify(pids)) });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.service?.stop(this.#servicePatienceMs);
    await Promise.all([this.sim?.stop(STOP_MS), this.chain?.stop()]);
    releaseDemo();
  }
}

function walletOf(chain: SandboxChain) {
  return {
    rpc_url: chain.rpcUrl,
    chain_id: chain.chainId,
    asset: chain.token,
    pay_to: chain.payee.address,
    buyer_address: chain.buyer.address,
    buyer_private_key: chain.buyer.privateKey,
  };
}

async function launch(
  options: DemoOptions,
  parts: Parts,
  progress: Progress,
  specs: SettingSpecs,
): Promise<{ demo: DemoFile; service: Child }> {
  progress.say(`the simulated venues${isChainInstalled() ? ' and the local chain' : ''}`);
  const sim = startChild('the simulated venues', PROGRAMS.sim, ['--port', '0', '--seed', options.seed]);
  parts.sim = sim;
  parts.note();
  const startChain = async (): Promise<void> => {
    parts.chain = await startSandboxChain();
    await placeChannelContracts(parts.chain.rpc);
  };
  const [simReady] = await Promise.all([firstLine(sim), isChainInstalled() ? startChain() : undefined]);
  parts.note();
  const simUrl = isWire(simReady) ? String(simReady.url) : '';
  const adminPortGiven = given('adminPort', process.env, specs);
  const ownAdminPort = adminPortGiven === '0' ? undefined : adminPortGiven;
  const port = options.port === '0' ? await freePort(HOST, Number(ownAdminPort ?? 0)) : Number(options.port);
  const adminPort = ownAdminPort ?? (await freePort(HOST, port));
  const service = startChild(
    'the service',
    PROGRAMS.perpmeter,
    [
      ...['serve', '--host', HOST, '--port', String(port)],
      ...['--admin-port', String(adminPort), '--data-dir', DATA_DIR],
    ],
    serviceEnvironment(parts.chain, simUrl, process.env, specs),
  );
  parts.service = service;
  relayPace(service, sim);
  service.process.stdout?.resume();
  parts.note();
  const { chain } = parts;
  const demo: DemoFile = {
    base_url: `http://${HOST}:${port}`,
    operator_url: `http://${HOST}:${adminPort}`,
    sim_url: simUrl,
    ...(chain && walletOf(chain)),
    pids: { demo: process.pid, service: service.pid, sim: sim.pid, ...(chain && { chain: chain.pid }) },
  };
  return { demo, service };
}

/** Resolves with the part that ended by itself. */
function untilFallen({ service, sim }: Parts): Promise<string> {
  const fallen = [service, sim].flatMap((child) =>
    child === undefined ? [] : child.exited.then((code) => `${child.name} ended by itself (${code})`),
  );
  return Promise.race(fallen);
}

/** Their names alone: what they say may be secret. */
function sayIgnored(specs: SettingSpecs): void {
  const ignored = ignoredInDemo(process.env, specs);
  if (ignored.length === 0) return;
  process.stderr.write(
    `demo: ignores ${ignored.join(', ')}: the demo has its own stores, address and token\n`,
  );
}

/** Removing some thousand files takes seconds on a busy machine: a start does not wait for it. */
function setDataAside(): void {
  if (!existsSync(DATA_DIR)) return;
  mkdirSync(OLD_DATA_DIR, { recursive: true });
  renameSync(DATA_DIR, join(OLD_DATA_DIR, `${process.pid}-${Date.now()}`));
}

/** If this demo is stopped meanwhile, the next one removes the rest. */
async function removeOldData(): Promise<void> {
  try {
    await rm(OLD_DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
  } catch (cause) {
    process.stderr.write(`demo: the data of an earlier one cannot be removed: ${reasonOf(cause)}\n`);
  }
}

/**
 * Starts simulated venues, a local chain, a funded buyer and the service, all on loopback; runs until told to stop.
 * @param specs settings of the core and of all modules, some of which a demo leaves alone
 * @returns exit code: 0 stopped by a signal, 1 a part failed, 2 it cannot run here
 */
export async function demoCommand(options: DemoOptions, specs: SettingSpecs): Promise<number> {
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535) {
    process.stderr.write(`demo: --port must be a port number, not "${options.port}"\n`);
    return 2;
  }
  if (!/^\d+$/.test(options.seed) || !Number.isSafeInteger(Number(options.seed))) {
    process.stderr.write(`demo: --seed must be a whole number, not "${options.seed}"\n`);
    return 2;
  }
  const began = Date.now();
  const signal = untilShutdownSignal();
  // A terminal that was closed takes no more lines.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const fault = (await claimDemo()) ?? (await portFault(HOST, Number(options.port)));
  if (fault !== undefined) {
    releaseDemo();
    process.stderr.write(`demo: ${fault}\n`);
    return 2;
  }
  sayIgnored(specs);
  setDataAside();
  const parts = new Parts(stopPatienceMs(process.env, specs));
  const progress = new Progress(began);
  try {
    const started = launch(options, parts, progress, specs).then(async ({ demo, service }) => {
      const health = await untilReady(demo.base_url, service, began, progress);
      writeDemoFile(demo);
      progress.end();
      process.stdout.write(block(demo, health, ((Date.now() - began) / 1000).toFixed(1)));
      void removeOldData();
      return untilFallen(parts);
    });
    const fallen = await Promise.race([started, signal.then(() => undefined)]);
    if (fallen !== undefined) process.stderr.write(`demo: ${fallen}\n`);
    await parts.stop();
    return fallen === undefined ? 0 : 1;
  } catch (cause) {
    progress.end();
    process.stderr.write(`demo: ${reasonOf(cause)}\n`);
    await parts.stop();
    return 1;
  }
}
