import { wait } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES, Cluster, healthOf, type Member, soldRows } from '../feed/cluster.ts';
import { Random } from './random.ts';

export const CLUSTER_FAULTS = [
  'kill holder',
  'pause holder',
  'stop holder',
  'kill stand-by',
  'kill seller',
  'kill server',
  'pause server',
] as const;
type Fault = (typeof CLUSTER_FAULTS)[number];

export interface FaultTally {
  rounds: number;
  /** Until every venue had a new holder and every seller sold all of it, ms; of faults that end a lease. */
  readonly backMs: number[];
}

export interface ClusterSoak {
  readonly faults: ReadonlyMap<Fault, FaultTally>;
  /** Rows that were looked at after a take-over. */
  readonly rows: number;
  /** Rows whose numbers the holder of the latest epoch never published. */
  readonly wrongRows: number;
  readonly problems: readonly string[];
}

const ALL = CLUSTER_VENUES.length;
const LOOK_MS = 25;
/** A tenth of a second apart. */
const LOOKS = 30;
/** What is not back by then is a breach, whatever the machine. */
const PATIENCE_MS = 60_000;
/** Of an answer. */
const HEARD_MS = 2000;
const ASSETS = ['BTC', 'ETH', 'SOL'] as const;
const ENDS_LEASE: readonly Fault[] = ['kill holder', 'pause holder', 'stop holder'];

/** Two collectors, two sellers and the server of the feed, one fault a round. */
class Soak {
  readonly #cluster: Cluster;
  readonly #random: Random;
  #collectors: readonly [holder: Member, standBy: Member];
  readonly #sellers: readonly Member[];
  readonly faults = new Map<Fault, FaultTally>();
  readonly problems: string[] = [];
  rows = 0;
  wrongRows = 0;

  private constructor(
    cluster: Cluster,
    random: Random,
    collectors: readonly [Member, Member],
    sellers: readonly Member[],
  ) {
    this.#cluster = cluster;
    this.#random = random;
    this.#collectors = collectors;
    this.#sellers = sellers;
  }

  static async start(cluster: Cluster, seed: number): Promise<Soak> {
    const holder = await cluster.collector(1);
    const held = async (): Promise<boolean> => (await healthOf(holder)).feed.holds === ALL;
    await isSo(held);
    const collectors = [holder, await cluster.collector(2)] as const;
    const sellers = [await cluster.seller('a'), await cluster.seller('b')];
    const soak = new Soak(cluster, new Random(seed), collectors, sellers);
    await soak.#expect('start', [0, 0, 0]);
    return soak;
  }

  async round(fault: Fault): Promise<void> {
    const [holder, standBy] = this.#collectors;
    const seller = this.#random.pick(this.#sellers);
    const before = this.#epochs();
    const began = performance.now();
    const tally = this.faults.get(fault) ?? { rounds: 0, backMs: [] };
    this.faults.set(fault, tally);
    tally.rounds += 1;
    const hurt = { holder, 'stand-by': standBy, seller, server: undefined }[fault.split(' ')[1] ?? ''];
    if (fault.startsWith('kill')) await this.#kill(hurt);
    else if (fault === 'stop holder') holder.child.process.kill('SIGTERM');
    else this.#signal(hurt, 'SIGSTOP');
    if (ENDS_LEASE.includes(fault)) {
      this.#collectors = [standBy, holder];
      await this.#expect(
        fault,
        before.map((epoch) => epoch + 1),
      );
      tally.backMs.push(performance.now() - began);
    } else await wait(this.#random.between(0, 5000));
    await this.#mend(fault, hurt);
    // Long enough for whoever woke up to say what it has.
    for (let i = 0; i < LOOKS; i++) {
      await wait(100);
      await this.#look(fault, this.#epochs());
    }
  }

  async #mend(fault: Fault, hurt: Member | undefined): Promise<void> {
    if (fault.startsWith('pause')) this.#signal(hurt, 'SIGCONT');
    else if (hurt === undefined) await this.#cluster.nats.begin();
    else {
      await hurt.child.exited;
      hurt.child = hurt.begin();
    }
    if (hurt === undefined) await this.#found();
    const [, standBy] = this.#collectors;
    await this.#until(fault, async () => (await healthOf(standBy)).venues.live === ALL);
    await this.#expect(fault, [0, 0, 0]);
  }

  /** After the server was away, whoever asks first holds a venue: one of both is to hold all, so that its end ends all. */
  async #found(): Promise<void> {
    const [holder, standBy] = this.#collectors;
    await this.#until('server', async () => {
      const holds = await Promise.all([holder, standBy].map(async (one) => (await healthOf(one)).feed.holds));
      return (holds[0] ?? 0) + (holds[1] ?? 0) === ALL;
    });
    if ((await healthOf(holder)).feed.holds === ALL) return;
    // What the other has comes back when it is started again.
    standBy.child.process.kill('SIGTERM');
    await standBy.child.exited;
    await this.#until('server', async () => (await healthOf(holder)).feed.holds === ALL);
    standBy.child = standBy.begin();
  }

  async #kill(member: Member | undefined): Promise<void> {
    this.#signal(member, 'SIGKILL');
    await member?.child.exited;
  }

  #signal(member: Member | undefined, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (member === undefined) this.#cluster.nats.signal(signal);
    else member.child.process.kill(signal);
  }

  #epochs(): readonly number[] {
    return CLUSTER_VENUES.map((venue) => this.#cluster.published.get(venue)?.epoch ?? 0);
  }

  /** Waits until epochs are as great, and every seller sells every venue. */
  async #expect(fault: string, epochs: readonly number[]): Promise<void> {
    await this.#until(fault, async () => {
      if (this.#epochs().some((epoch, i) => epoch < (epochs[i] ?? 0))) return false;
      for (const seller of this.#sellers) {
        const { feed, venues } = await healthOf(seller);
        if (feed.behind.length > 0 || venues.live < ALL) return false;
        if ((await soldRows(seller, 'BTC')).length < ALL) return false;
      }
      return true;
    });
  }

  async #until(fault: string, check: () => Promise<boolean>): Promise<void> {
    if (!(await isSo(check))) this.problems.push(`${fault}: not as it should be within ${PATIENCE_MS} ms`);
  }

  /** Holds what is sold against what the holders of the latest epochs have published. */
  async #look(fault: string, epochs: readonly number[]): Promise<void> {
    for (const seller of this.#sellers) {
      for (const { venue, mark } of await soldRows(seller, this.#random.pick(ASSETS))) {
        const published = this.#cluster.published.get(venue);
        // A take-over meanwhile changes what is right; an answer may be older than what was heard first.
        if (published === undefined || !epochs.includes(published.epoch)) continue;
        if (performance.now() - published.since < HEARD_MS) continue;
        this.rows += 1;
        if (published.marks.has(mark)) continue;
        this.wrongRows += 1;
        this.problems.push(`${fault}: ${seller.name} sold ${mark} of ${venue}`);
      }
    }
  }
}

async function isSo(check: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    if (await check().catch(() => false)) return true;
    await wait(LOOK_MS);
  }
  return false;
}

export async function soakCluster(options: {
  readonly seed: number;
  readonly rounds: number;
  readonly progress?: (round: number, fault: string) => void;
}): Promise<ClusterSoak> {
  const { seed, rounds, progress } = options;
  const cluster = await Cluster.start();
  try {
    const soak = await Soak.start(cluster, seed);
    const random = new Random(seed);
    for (let round = 0; round < rounds; round++) {
      // Each kind once before any comes by chance.
      const fault = CLUSTER_FAULTS[round] ?? random.pick(CLUSTER_FAULTS);
      progress?.(round, fault);
      await soak.round(fault);
    }
    return soak;
  } finally {
    await cluster.stop();
  }
}
