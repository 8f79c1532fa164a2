import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/cli/free-port.ts';
import { wait } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES, healthOf, type Member } from '../feed/cluster.ts';
import { type ClusterMarket, withClusterMarket } from './cluster-market.ts';
import type { DoubledResult } from './doubled-payments.ts';
import { Random } from './random.ts';

export interface RollingSoak extends DoubledResult {
  /** Answers to payments that were presented once, by status; 0 = none came. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How often each reason was given where nothing was sold, by what was restarted at that time. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Processes that were restarted. */
  readonly restarts: number;
}

export interface RollingOptions {
  readonly seed: number;
  /** Payments at the least; more while processes are restarted. */
  readonly payments: number;
  /** Buyers at a time. */
  readonly atOnce: number;
  readonly progress?: (restarting: string) => void;
}

const HOST = '127.0.0.1';
const CONFIG = fileURLToPath(new URL('../../ops/haproxy/haproxy.cfg', import.meta.url));
const ALL = CLUSTER_VENUES.length;
const LOOK_MS = 100;
/** As in `ops/cluster.yml`. */
const NOTICE = { SHUTDOWN_NOTICE_SECONDS: '3' };

/** Why no haproxy can be started here; undefined = one can. */
export function haproxyObstacle(): string | undefined {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'haproxy is not installed';
  }
}

/** Every process is stopped in order and started again, one after the other, while buyers pay through haproxy. */
export function soakRolling(options: RollingOptions): Promise<RollingSoak> {
  const roll = async (market: ClusterMarket): Promise<RollingSoak> => {
    await untilWell(market);
    const proxy = await startProxy(market.sellers);
    try {
      const buying = new Buying(market, proxy.url, options);
      const restarts = await buying.during(() =>
        restartAll(market, (phase) => {
          buying.phase = phase;
          options.progress?.(phase);
        }),
      );
      const end = await market.payments.end(market.ledgerUrl, market.sellers);
      const { statuses, reasons } = buying;
      const lost = buying.failed.filter((nonce) => end.books.paidNonces.has(nonce));
      const charged = lost.map((nonce) => `${nonce}: paid, and not answered at first`);
      return { ...end, problems: [...end.problems, ...charged], statuses, reasons, restarts };
    } finally {
      proxy.stop();
    }
  };
  return withClusterMarket(new Random(options.seed), roll, { sellerEnv: NOTICE });
}

/** haproxy with the configuration that is shipped. */
async function startProxy(
  sellers: readonly Pick<Member, 'url'>[],
): Promise<{ url: string; stop: () => void }> {
  const listen = `${HOST}:${await freePort(HOST)}`;
  const [a, b] = sellers.map(({ url }) => new URL(url).host);
  const env = { PATH: process.env.PATH, LISTEN: listen, SELLER_A: a, SELLER_B: b };
  const program = ['--pdeathsig', 'KILL', 'haproxy', '-db', '-f', CONFIG];
  const child = spawn('setpriv', program, { stdio: ['ignore', 'ignore', 'ignore'], env });
  const url = `http://${listen}`;
  while (
    !(await fetch(`${url}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await wait(LOOK_MS);
  return { url, stop: () => void child.kill('SIGKILL') };
}

/** Buyers that pay one after the other, each once. */
class Buying {
  readonly statuses = new Map<number, number>();
  readonly reasons = new Map<string, number>();
  /** What is restarted at present. */
  phase = '';
  /** Payments without an answer that was sold. */
  readonly failed: string[] = [];
  readonly #market: ClusterMarket;
  readonly #url: string;
  readonly #options: RollingOptions;
  #begun = 0;
  #isRestarting = true;

  constructor(market: ClusterMarket, url: string, options: RollingOptions) {
    this.#market = market;
    this.#url = url;
    this.#options = options;
  }

  async during(restart: () => Promise<number>): Promise<number> {
    const buyers = Array.from({ length: this.#options.atOnce }, () => this.#buy());
    try {
      return await restart();
    } finally {
      this.#isRestarting = false;
      await Promise.all(buyers);
    }
  }

  async #buy(): Promise<void> {
    while (this.#isRestarting || this.#begun < this.#options.payments) {
      this.#begun += 1;
      const { nonce, status, reason } = await this.#market.payments.once({ url: this.#url });
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) continue;
      this.failed.push(nonce);
      const said = `${this.phase}: ${status} ${reason}`;
      this.reasons.set(said, (this.reasons.get(said) ?? 0) + 1);
    }
  }
}

async function restartAll(market: ClusterMarket, begins: (name: string) => void): Promise<number> {
  const { collectors, sellers, cluster } = market;
  const members = [...sellers, ...collectors];
  for (const member of members) {
    begins(member.name);
    member.child.process.kill('SIGTERM');
    await member.child.exited;
    member.child = member.begin();
    await untilWell(market);
  }
  for (const [i, server] of cluster.servers.entries()) {
    begins(`server ${i + 1} of the feed`);
    await server.end();
    await server.begin();
    await untilWell(market);
  }
  begins('nothing');
  return members.length + cluster.servers.length;
}

/** Every process has everything, and every lease has a holder. */
async function untilWell({ collectors, sellers }: ClusterMarket): Promise<void> {
  for (;;) {
    const all = await Promise.all(
      [...collectors, ...sellers].map((one) => healthOf(one).catch(() => undefined)),
    );
    const holds = all.reduce((sum, health) => sum + (health?.feed.holds ?? 0), 0);
    const isWell = all.every((health) => health?.venues.live === ALL && health.feed.behind.length === 0);
    if (isWell && holds === ALL) return;
    await wait(LOOK_MS);
  }
}
