import { reasonOf } from '../../src/runtime/reason-of.ts';
import { systemTimer, wait, withTimeout } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES } from '../feed/cluster.ts';
import { healthOf, type Member } from '../feed/member.ts';
import type { HistoryBalance } from './cluster-history.ts';
import { type ClusterMarket, withClusterMarket } from './cluster-market.ts';
import type { DoubledResult } from './doubled-payments.ts';
import { type Balancer, startBalancer } from './haproxy.ts';
import { Random } from './random.ts';

export interface RollingSoak extends DoubledResult {
  /** Answers to payments that were presented once, by what was restarted as they came and by status; 0 = none came. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Counts of reasons for refusals, by the process restarted at that time. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Restarted processes. */
  readonly restarted: readonly string[];
  /** Undefined where this machine cannot keep one. */
  readonly history: HistoryBalance | undefined;
}

export interface RollingOptions {
  readonly seed: number;
  /** Payments at the least; more while processes are restarted. */
  readonly payments: number;
  /** Buyers at a time. */
  readonly atOnce: number;
  readonly progress?: (restarting: string) => void;
}

/** The one that has no other that goes on. */
export const LEDGER = 'PostgreSQL';

const ALL = CLUSTER_VENUES.length;
const POLL_MS = 100;
/** For an answer of a process that begins or ends. */
const HEARD_MS = 10_000;
/** Ends what hangs, with its name. */
const HUNG_MS = 600_000;
/** More for each payment, on a busy machine. */
const PAYMENT_MS = 5000;
/** As in `ops/cluster.yml`. */
const NOTICE = { SHUTDOWN_NOTICE_SECONDS: '3' };

/** Every process is stopped in order and started again, one after the other, while buyers pay through haproxy. */
export function soakRolling(options: RollingOptions): Promise<RollingSoak> {
  const roll = async (market: ClusterMarket): Promise<RollingSoak> => {
    await untilWell(market);
    const balancer = await startBalancer(market.sellers);
    try {
      const buying = new Buying(market, balancer.url, options);
      const restarted = await buying.during(() =>
        restartAll(market, balancer, (phase) => {
          buying.phase = phase;
          options.progress?.(phase);
        }),
      );
      // Something is restarted at any time.
      const history = await within(
        Promise.resolve(market.history?.balance(() => true)),
        'look at the history',
      );
      const closing = market.payments.end(market.ledgerUrl, market.sellers);
      const end = await within(closing, 'look at the ledger', options.payments);
      const { answers, reasons } = buying;
      const lost = buying.failed.filter((nonce) => end.books.paidNonces.has(nonce));
      const charged = lost.map((nonce) => `${nonce}: paid, and not answered at first`);
      return { ...end, problems: [...end.problems, ...charged], answers, reasons, restarted, history };
    } finally {
      balancer.stop();
    }
  };
  return withClusterMarket(new Random(options.seed), roll, { sellerEnv: NOTICE, records: true });
}

/** Buyers that pay one after the other, each once. */
class Buying {
  readonly answers = new Map<string, Map<number, number>>();
  readonly reasons = new Map<string, number>();
  /** The process being restarted. */
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

  async during<T>(restart: () => Promise<T>): Promise<T> {
    const { atOnce, payments } = this.#options;
    const buying = Promise.all(Array.from({ length: atOnce }, () => this.#buy()));
    // A restart that fails is thrown at once: buyers may not end for its very reason.
    buying.catch(() => {});
    const made = await restart().finally(() => {
      this.#isRestarting = false;
    });
    await within(buying, 'buyers', payments);
    return made;
  }

  async #buy(): Promise<void> {
    while (this.#isRestarting || this.#begun < this.#options.payments) {
      this.#begun += 1;
      const { nonce, status, reason } = await this.#market.payments.once({ url: this.#url });
      const statuses = this.answers.get(this.phase) ?? new Map<number, number>();
      this.answers.set(this.phase, statuses.set(status, (statuses.get(status) ?? 0) + 1));
      if (status === 200) continue;
      this.failed.push(nonce);
      const said = `${this.phase}: ${status} ${reason}`;
      this.reasons.set(said, (this.reasons.get(said) ?? 0) + 1);
    }
  }
}

interface Restart {
  readonly name: string;
  readonly make: () => Promise<void>;
}

function restartsOf(market: ClusterMarket, balancer: Balancer): readonly Restart[] {
  const { collectors, sellers, cluster, ledger, history } = market;
  const members: readonly Member[] = [...sellers, ...collectors, ...(history?.recorders ?? [])];
  const again = async (member: Member): Promise<void> => {
    member.child.process.kill('SIGTERM');
    await member.child.exited;
    member.child = member.begin();
  };
  return [
    ...members.map((member) => ({ name: member.name, make: () => again(member) })),
    ...cluster.servers.map((server, i) => ({
      name: `server ${i + 1} of the feed`,
      make: () => server.end().then(() => server.begin()),
    })),
    ...(history?.shards ?? []).map((shard, i) => ({
      name: `shard ${i + 1} of the history`,
      make: () => shard.end().then(() => shard.restart()),
    })),
    { name: 'haproxy', make: () => balancer.reload() },
    { name: LEDGER, make: () => ledger.signal('SIGINT').then(() => ledger.begin()) },
  ];
}

async function restartAll(
  market: ClusterMarket,
  balancer: Balancer,
  begins: (name: string) => void,
): Promise<readonly string[]> {
  const restarts = restartsOf(market, balancer);
  for (const { name, make } of restarts) {
    begins(name);
    await within(make(), `restart of ${name}`);
    await untilWell(market).catch((cause) => {
      throw new Error(`after a restart of ${name}: ${reasonOf(cause)}`);
    });
  }
  begins('nothing');
  return restarts.map(({ name }) => name);
}

/**
 * @param payments that it makes, or looks for
 * @throws where it takes so long that it hangs, by its name
 */
function within<T>(work: Promise<T>, name: string, payments = 0): Promise<T> {
  const limitMs = HUNG_MS + payments * PAYMENT_MS;
  const late = (): never => {
    throw new Error(`${name}: not ended within ${limitMs / 1000} s`);
  };
  return withTimeout(work, limitMs, late, systemTimer);
}

/** Waits until every process has everything, every lease has a holder, and the history a writer. Rejects with what it lacks. */
async function untilWell(market: ClusterMarket): Promise<void> {
  const began = performance.now();
  for (;;) {
    const lacks = await lacksOf(market);
    if (lacks.length === 0) return;
    if (performance.now() - began > HUNG_MS) throw new Error(`not well: ${lacks.join(', ')}`);
    await wait(POLL_MS);
  }
}

async function lacksOf({ collectors, sellers, history }: ClusterMarket): Promise<readonly string[]> {
  const members = [...collectors, ...sellers];
  const all = await Promise.all(members.map((member) => healthOf(member, HEARD_MS).catch(() => undefined)));
  const holds = all.reduce((sum, health) => sum + (health?.feed.holds ?? 0), 0);
  return [
    ...all.flatMap((health, i) => lacksOfMember(members[i]?.name ?? '', health)),
    ...(holds === ALL ? [] : [`${holds} of ${ALL} leases are held`]),
    ...((await history?.lacks().catch((cause) => [`recorders: ${reasonOf(cause)}`])) ?? []),
  ];
}

function lacksOfMember(
  name: string,
  health: Awaited<ReturnType<typeof healthOf>> | undefined,
): readonly string[] {
  if (health === undefined) return [`${name} gives no answer`];
  const { venues, feed, payments } = health;
  return [
    ...(venues.live === ALL ? [] : [`${name}: ${venues.live} of ${ALL} venues are live`]),
    ...(feed.behind.length === 0 ? [] : [`${name} is behind with ${feed.behind.join(' and ')}`]),
    ...(payments.ledger_ok === false ? [`${name} is without the ledger`] : []),
  ];
}
