import { reasonOf } from '../../src/runtime/reason-of.ts';
import { wait } from '../../src/runtime/timer.ts';
import { CLUSTER_VENUES } from '../feed/cluster.ts';
import { healthOf, listedRows, soldRows } from '../feed/member.ts';
import type { ClusterFault, Victims } from './cluster-faults.ts';
import type { RecorderMember } from './cluster-history.ts';
import type { ClusterMarket } from './cluster-market.ts';
import { SoldLooks } from './sold-looks.ts';

export interface ClusterTally {
  rounds: number;
  /** Until every seller sold every venue again under its next holder, or another recorder wrote, ms; of faults that end leases. */
  readonly backMs: number[];
  /** Presentations of payments by how they were answered in the midst of it. */
  readonly statuses: Map<number, number>;
}

const ALL = CLUSTER_VENUES.length;
const POLL_MS = 25;
/** A later recovery is printed with its reasons. */
const LATE_MS = 5000;
/** A tenth of a second apart. */
const LOOKS = 20;
/** A part that is not back by then is a breach, on any machine. */
const PATIENCE_MS = 90_000;
/** Rows wait so long in the memory of who writes them, at most. */
const QUEUED_MS = 5000;
/** A minute's sample is taken a moment after it. */
const TAKEN_MS = 1000;
/** Of payments, those that two buyers present. */
const CONTESTED = 1 / 3;
/** Servers that lost their leader have another within ten seconds; so long it is looked whether something is not sold. */
const BUS_MS = 12_000;

/** The state at the beginning of a fault. */
interface Begun {
  readonly victims: Victims;
  /** Leases of the holder. */
  readonly held: number;
  readonly before: readonly number[];
  readonly began: number;
}

/** Two collectors, two sellers and the servers between them, one fault a round while payments are presented to both sellers. */
export class ClusterRounds {
  readonly #parts: ClusterMarket;
  readonly faults = new Map<string, ClusterTally>();
  readonly problems: string[] = [];
  readonly seen: SoldLooks;
  /** When minutes of the history may be missing, Unix ms. */
  readonly #missed: { readonly from: number; readonly to: number }[] = [];
  #round = '';
  /** The reason for which sellers did not sell everything when they were asked last. */
  #unserved = '';

  constructor(parts: ClusterMarket) {
    this.#parts = parts;
    this.seen = new SoldLooks(parts, this.problems);
  }

  async round(fault: ClusterFault, count: number, number = 0): Promise<void> {
    const { payments, sellers, contests } = this.#parts;
    this.#round = `round ${number}, ${fault.name}`;
    const victims = await this.victims();
    const held = (await healthOf(victims.holder)).feed.holds;
    const tally: ClusterTally = this.faults.get(fault.name) ?? { rounds: 0, backMs: [], statuses: new Map() };
    this.faults.set(fault.name, tally);
    tally.rounds += 1;
    const answered = await this.#present(count, fault);
    await wait(this.#parts.random.between(0, 120));
    const before = this.#epochs();
    const began = performance.now();
    const from = Date.now();
    const end = await fault.begin(victims);
    const backMs = await this.#last(fault, { victims, held, before, began });
    if (backMs !== undefined) tally.backMs.push(backMs);
    await end();
    for (const status of await answered()) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    await this.expect(fault.name);
    const { missesWithin = fault.ends === 'nothing' ? undefined : 0, losesNotes = false } = fault;
    if (missesWithin !== undefined)
      this.#missed.push({ from: from - QUEUED_MS - missesWithin, to: Date.now() + TAKEN_MS + missesWithin });
    await payments.askAgain(sellers);
    await contests.judge({ shops: sellers, stateOf: (nonce) => this.#stateOf(nonce), losesNotes });
    // Long enough for a process that woke up to send its state.
    for (let i = 0; i < LOOKS; i++) {
      await wait(100);
      await this.seen.look(this.#round, this.#epochs());
    }
  }

  /** True if a minute may be missing for a fault. */
  isExplained(time: number): boolean {
    return this.#missed.some(({ from, to }) => from <= time && time <= to);
  }

  /** Presents payments to both sellers, some of them for two buyers. @returns the statuses, once all are answered */
  async #present(
    count: number,
    { losesNotes = false }: ClusterFault,
  ): Promise<() => Promise<readonly number[]>> {
    const { payments, contests, sellers, random } = this.#parts;
    const contested = Array.from({ length: count }, () => random.chance(CONTESTED)).filter((is) => is).length;
    const asked = [
      await payments.begin(count - contested, sellers),
      await contests.begin(contested, sellers, losesNotes),
    ];
    return async () => (await Promise.all(asked.map((answered) => answered()))).flat();
  }

  async #stateOf(nonce: string): Promise<string | undefined> {
    const sql = `SELECT state FROM perpmeter.payments WHERE record->>'nonce' = '${nonce}'`;
    const [row] = await this.#parts.ledger.query('cluster', sql);
    return row === undefined ? undefined : String(row.state);
  }

  /** Has a fault last. @returns until what it ended was back, ms; undefined where it ends nothing */
  async #last(fault: ClusterFault, begun: Begun): Promise<number | undefined> {
    switch (fault.ends) {
      case 'lease':
      case 'venues':
        return this.#untilSold(fault, begun);
      case 'history':
        return this.#untilWritten(fault, begun);
      case 'bus':
      case 'reach':
        return this.#longestWithout(fault);
      default:
        await wait(this.#parts.random.between(200, 5000));
        return undefined;
    }
  }

  /** Until every seller sold every venue again, under next holders of as many as were held, ms. */
  async #untilSold(fault: ClusterFault, { held, before, began }: Begun): Promise<number> {
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
    if (backMs > LATE_MS)
      console.log(
        `  ${this.#round}: leases after ${takenMs.toFixed(0)} ms, sold after ${backMs.toFixed(0)} ms, ${lacked.join(' | ')}; epochs ${before.join(' ')} then ${this.#epochs().join(' ')}, held ${held}`,
      );
    return backMs;
  }

  /** Until another recorder wrote, ms. */
  async #untilWritten(fault: ClusterFault, { victims, began }: Begun): Promise<number> {
    await this.#until(fault.name, async () => {
      const writer = await this.#parts.history?.writer();
      return writer !== undefined && writer !== victims.writer;
    });
    const backMs = performance.now() - began;
    if (backMs > LATE_MS) console.log(`  ${this.#round}: another wrote after ${backMs.toFixed(0)} ms`);
    return backMs;
  }

  /** The collector that publishes more is the one to be hurt. */
  async victims(): Promise<Victims> {
    const { cluster, ledger, disk, feedDisk, random, sellers, history } = this.#parts;
    const [one, other] = this.#parts.collectors;
    const a = (await healthOf(one)).feed.holds;
    const b = (await healthOf(other)).feed.holds;
    const [holder, standBy] = a >= b ? [one, other] : [other, one];
    let writer: RecorderMember | undefined;
    const isWritten = async (): Promise<boolean> => {
      writer = await history?.writer();
      return history === undefined || writer !== undefined;
    };
    await this.#until('before a fault', isWritten);
    return {
      cluster,
      ledger,
      disk,
      feedDisk,
      random,
      history,
      holder,
      standBy,
      writer,
      seller: random.pick(sellers),
    };
  }

  /** Waits until everything is as it should be. */
  async expect(fault: string): Promise<void> {
    const { cluster, collectors, sellers, ledger, history } = this.#parts;
    let lacks: readonly string[] = [];
    const isAll = async (): Promise<boolean> => {
      // A server that could not write gives up some time later.
      if (ledger.hasEnded) await ledger.begin();
      const all = await Promise.all([...collectors, ...sellers].map((collector) => healthOf(collector)));
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
    let longest = 0;
    let servedAt = began;
    let isServed = false;
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
      await wait(POLL_MS);
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
      await wait(POLL_MS);
    }
    const why = [...failed, ...lacks()];
    const what = why.length === 0 ? '' : `: ${why.join(', ')}`;
    this.problems.push(`${fault}: not as it should be within ${PATIENCE_MS} ms${what}`);
  }
}
