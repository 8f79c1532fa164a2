import { reasonOf } from '../../src/runtime/reason-of.ts';
import { wait } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES, healthOf, listedRows, soldRows } from '../feed/cluster.ts';
import { CLUSTER_FAULTS, type ClusterFault, type Victims } from './cluster-faults.ts';
import type { HistoryBalance, RecorderMember } from './cluster-history.ts';
import { type ClusterMarket, withClusterMarket } from './cluster-market.ts';
import type { DoubledResult } from './doubled-payments.ts';
import { Random } from './random.ts';

export interface ClusterTally {
  rounds: number;
  /** Until every seller sold every venue again under its next holder, or another recorder wrote, ms; of faults that end leases. */
  readonly backMs: number[];
  /** Presentations of payments by how they were answered in the midst of it. */
  readonly statuses: Map<number, number>;
}

export interface ClusterSoak extends DoubledResult {
  readonly faults: ReadonlyMap<string, ClusterTally>;
  /** Faults that cannot be made on this machine. */
  readonly leftOut: readonly string[];
  /** Rows that were looked at after a fault. */
  readonly rows: number;
  /** Rows whose numbers the holder of the latest epoch never published. */
  readonly wrongRows: number;
  /** Undefined where this machine cannot keep one. */
  readonly history: HistoryBalance | undefined;
}

export interface ClusterSoakOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Payments a round. */
  readonly payments: number;
  /** Faults of a round, in place of all. */
  readonly only?: readonly string[] | undefined;
  readonly progress?: (round: number, fault: string) => void;
}

const ALL = CLUSTER_VENUES.length;
const LOOK_MS = 25;
/** What comes back later is printed with its reasons. */
const LATE_MS = 5000;
/** A tenth of a second apart. */
const LOOKS = 20;
/** What is not back by then is a breach, whatever the machine. */
const PATIENCE_MS = 90_000;
/** Of an answer. */
const HEARD_MS = 2000;
/** Servers that lost their leader have another within ten seconds; so long it is looked whether something is not sold. */
const BUS_MS = 12_000;
const ASSETS = ['BTC', 'ETH', 'SOL'] as const;
/** Two collectors, two sellers and the servers between them, one fault a round while payments are presented to both sellers. */
class Soak {
  readonly #parts: ClusterMarket;
  readonly faults = new Map<string, ClusterTally>();
  readonly problems: string[] = [];
  rows = 0;
  wrongRows = 0;
  #round = '';
  /** What kept sellers from selling everything when they were asked last. */
  #unserved = '';

  constructor(parts: ClusterMarket) {
    this.#parts = parts;
  }

  async round(fault: ClusterFault, count: number, number = 0): Promise<void> {
    const { payments, sellers, random } = this.#parts;
    this.#round = `round ${number}, ${fault.name}`;
    const victims = await this.victims();
    const held = (await healthOf(victims.holder)).feed.holds;
    const before = this.#epochs();
    const tally: ClusterTally = this.faults.get(fault.name) ?? { rounds: 0, backMs: [], statuses: new Map() };
    this.faults.set(fault.name, tally);
    tally.rounds += 1;
    const answered = await payments.begin(count, sellers);
    await wait(random.between(0, 120));
    const began = performance.now();
    const end = await fault.begin(victims);
    if (fault.ends === 'lease') {
      let takenMs = Number.NaN;
      const lacked: string[] = [];
      await this.#until(fault.name, async () => {
        const taken = this.#epochs().filter((epoch, i) => epoch > (before[i] ?? 0)).length;
        if (taken < held) return false;
        if (Number.isNaN(takenMs)) takenMs = performance.now() - began;
        if (await this.#isServed()) return true;
        if (lacked.at(-1)?.endsWith(this.#unserved) !== true)
          lacked.push(`${(performance.now() - began).toFixed(0)} ${this.#unserved}`);
        return false;
      });
      const backMs = performance.now() - began;
      tally.backMs.push(backMs);
      if (backMs > LATE_MS)
        console.log(
          `  ${this.#round}: leases after ${takenMs.toFixed(0)} ms, sold after ${backMs.toFixed(0)} ms, ${lacked.join(' | ')}; epochs ${before.join(' ')} then ${this.#epochs().join(' ')}, held ${held}`,
        );
    } else if (fault.ends === 'history') {
      await this.#until(fault.name, async () => {
        const writer = await this.#parts.history?.writer();
        return writer !== undefined && writer !== victims.writer;
      });
      const backMs = performance.now() - began;
      tally.backMs.push(backMs);
      if (backMs > LATE_MS) console.log(`  ${this.#round}: another wrote after ${backMs.toFixed(0)} ms`);
    } else if (fault.ends !== 'nothing') tally.backMs.push(await this.#longestWithout(fault));
    else await wait(random.between(200, 5000));
    await end();
    for (const status of await answered()) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    await this.expect(fault.name);
    await payments.askAgain(sellers);
    // Long enough for whoever woke up to say what it has.
    for (let i = 0; i < LOOKS; i++) {
      await wait(100);
      await this.#look(this.#round, this.#epochs());
    }
  }

  /** Who publishes more is the one to be hurt. */
  async victims(): Promise<Victims> {
    const { cluster, ledger, disk, random, sellers, history } = this.#parts;
    const [one, other] = this.#parts.collectors;
    const [a, b] = [(await healthOf(one)).feed.holds, (await healthOf(other)).feed.holds];
    const [holder, standBy] = a >= b ? [one, other] : [other, one];
    let writer: RecorderMember | undefined;
    const isWritten = async (): Promise<boolean> => {
      writer = await history?.writer();
      return history === undefined || writer !== undefined;
    };
    await this.#until('before a fault', isWritten);
    return { cluster, ledger, disk, random, history, holder, standBy, seller: random.pick(sellers), writer };
  }

  /** Waits until everything is as it should be. */
  async expect(fault: string): Promise<void> {
    const { cluster, collectors, sellers, ledger, history } = this.#parts;
    let lacks: readonly string[] = [];
    const isAll = async (): Promise<boolean> => {
      // A server that could not write gives up some time later.
      if (ledger.hasEnded) await ledger.begin();
      const all = await Promise.all([...collectors, ...sellers].map((one) => healthOf(one)));
      const held = all.reduce((sum, { feed }) => sum + feed.holds, 0);
      lacks = [
        ...(held === ALL ? [] : [`${held} leases held`]),
        ...((await cluster.isWhole()) ? [] : ['servers of the feed that agree']),
        ...(all.every(({ payments }) => payments.ledger_ok !== false) ? [] : ['ledger']),
        ...(all.every(({ venues, feed }) => venues.live === ALL && feed.ok) ? [] : ['venues live']),
        ...((await history?.lacks()) ?? []),
        ...((await this.#isServed()) ? [] : ['rows sold']),
      ];
      return lacks.length === 0;
    };
    await this.#until(fault, isAll, () => lacks);
  }

  #epochs(): readonly number[] {
    return CLUSTER_VENUES.map((venue) => this.#parts.cluster.published.get(venue)?.epoch ?? 0);
  }

  async #isServed(): Promise<boolean> {
    for (const seller of this.#parts.sellers) {
      const { feed, venues } = await healthOf(seller);
      const sold = (await soldRows(seller, 'BTC')).map(({ venue }) => venue);
      this.#unserved = `${seller.name} behind ${feed.behind.join(' ')}, live ${venues.live}, sold ${sold.join(' ')}`;
      if (sold.length < ALL) this.#unserved += `, listed ${(await listedRows(seller, 'BTC')).join(', ')}`;
      if (feed.behind.length > 0 || venues.live < ALL || sold.length < ALL) return false;
    }
    return true;
  }

  /** The longest that sellers were without a venue in the next seconds, ms. */
  async #longestWithout({ name, lastsMs = BUS_MS }: ClusterFault): Promise<number> {
    const began = performance.now();
    let [longest, servedAt, isServed] = [0, began, false];
    const lacked: string[] = [];
    for (let now = began; now < began + lastsMs || !isServed; now = performance.now()) {
      if (now > began + PATIENCE_MS) {
        this.problems.push(`${name}: not sold again while it lasted`);
        break;
      }
      isServed = await this.#isServed().catch(() => false);
      if (isServed) servedAt = performance.now();
      else if (lacked.at(-1)?.endsWith(this.#unserved) !== true)
        lacked.push(`${(performance.now() - began).toFixed(0)} ${this.#unserved}`);
      longest = Math.max(longest, performance.now() - servedAt);
      await wait(LOOK_MS);
    }
    if (longest > LATE_MS)
      console.log(`  ${this.#round}: not sold for ${longest.toFixed(0)} ms, ${lacked.join(' | ')}`);
    return longest;
  }

  async #until(
    fault: string,
    check: () => Promise<boolean>,
    lacks: () => readonly string[] = () => [],
  ): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    let failed: readonly string[] = [];
    while (performance.now() < until) {
      failed = [];
      const isSo = await check().catch((cause: unknown) => {
        failed = [reasonOf(cause)];
        return false;
      });
      if (isSo) return;
      await wait(LOOK_MS);
    }
    const why = [...failed, ...lacks()];
    const what = why.length === 0 ? '' : `: ${why.join(', ')}`;
    this.problems.push(`${fault}: not as it should be within ${PATIENCE_MS} ms${what}`);
  }

  /** Of everybody, as they see it. */
  async #state(): Promise<string> {
    const { collectors, sellers } = this.#parts;
    const said = await Promise.all(
      [...collectors, ...sellers].map(async (one) => {
        const { feed } = await healthOf(one);
        return `${one.name} at ${one.feed.server()} holds ${feed.holds} behind ${feed.behind.join(' ')}`;
      }),
    );
    const rows = await Promise.all(sellers.map((one) => listedRows(one, 'BTC')));
    return [...said, ...rows.map((list) => list.join(', '))].join('; ');
  }

  /** Holds what is sold against what the holders of the latest epochs have published. */
  async #look(fault: string, epochs: readonly number[]): Promise<void> {
    const { sellers, random, cluster } = this.#parts;
    for (const seller of sellers) {
      for (const { venue, mark } of await soldRows(seller, random.pick(ASSETS))) {
        const published = cluster.published.get(venue);
        // A take-over meanwhile changes what is right; an answer may be older than what was heard first.
        if (published === undefined || !epochs.includes(published.epoch)) continue;
        if (performance.now() - published.since < HEARD_MS) continue;
        this.rows += 1;
        if (published.marks.has(mark)) continue;
        this.wrongRows += 1;
        const { epoch, sequence, since } = published;
        console.log(`  ${fault}: ${await this.#state()}`);
        this.problems.push(
          `${fault}: ${seller.name} sold ${mark} of ${venue}, not of epoch ${epoch}, heard for ${(performance.now() - since).toFixed(0)} ms to ${sequence}`,
        );
      }
    }
  }
}

async function isLeftOut(fault: ClusterFault, soak: Soak): Promise<boolean> {
  return fault.isPossible?.(await soak.victims()) === false;
}

/** Starts everything, hurts it, and balances the books. */
export function soakCluster(options: ClusterSoakOptions): Promise<ClusterSoak> {
  const random = new Random(options.seed);
  const run = async (market: ClusterMarket): Promise<ClusterSoak> => {
    const soak = new Soak(market);
    await soak.expect('start');
    const leftOut = await runRounds(soak, options, random);
    const books = await market.payments.end(market.ledgerUrl, market.sellers);
    const history = await market.history?.balance();
    const { faults, rows, wrongRows, problems } = soak;
    return {
      ...books,
      faults,
      leftOut,
      rows,
      wrongRows,
      history,
      problems: [...problems, ...books.problems],
    };
  };
  return withClusterMarket(random, run, { records: true });
}

/** Each kind once before any comes by chance. */
async function runRounds(soak: Soak, options: ClusterSoakOptions, random: Random): Promise<string[]> {
  const { rounds, payments, only, progress } = options;
  const wanted = CLUSTER_FAULTS.filter(({ name }) => only?.includes(name) ?? true);
  const possible: ClusterFault[] = [];
  for (const fault of wanted) if (!(await isLeftOut(fault, soak))) possible.push(fault);
  for (let round = 0; round < rounds; round++) {
    const fault = possible[round] ?? random.pick(possible);
    progress?.(round, fault.name);
    await soak.round(fault, payments, round);
  }
  return wanted.filter((fault) => !possible.includes(fault)).map(({ name }) => name);
}
