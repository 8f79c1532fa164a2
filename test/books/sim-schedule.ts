import type { BookFaultKind } from '@perpmeter/sim/books/book-faults';
import type { FaultRule } from '@perpmeter/sim/faults';
import { bookTime } from '@perpmeter/sim/venues/stepped-book';
import type { World } from '@perpmeter/sim/world';
import { Random } from '../soak/random.ts';
import type { Pairing } from '../venues/sim-run.ts';
import { SimRig, type Traded } from './sim-rig.ts';

/**
 * The faults that a venue's own rule cannot show, and the time for which a wrong book may be served because of
 * them.
 */
export interface Tolerance {
  readonly reason: string;
  /** Time for which a book that differs may be served, ms. */
  readonly wrongMs: number;
  /** Time from the fault's end to a right book, ms. */
  readonly backMs: number;
}

export interface Schedule {
  readonly pairing: Pairing;
  readonly world: World;
  readonly traded: readonly Traded[];
  readonly kind: BookFaultKind;
  readonly seed: number;
  readonly at: number;
  readonly leave: Tolerance | undefined;
}

/** A quote counts for this long. */
const PERMITTED_MS = 60_000;
/** A book that is back shows the venue's present within this. */
const PRESENT_MS = 2250;
const BACK_MS = 5000;
const WARM_MS = 4000;
/** Books move, and say so, once in this time. */
const STEP_MS = 1000;
/** A rule that found nothing to hit is withdrawn. */
const MAX_WAIT_MS = 15_000;
const AFTER_MS = 6000;

/** Plays one schedule. Returns what went wrong, or undefined. */
export async function runSchedule(schedule: Schedule): Promise<string | undefined> {
  const play = new Play(schedule);
  try {
    return await play.run();
  } finally {
    play.close();
  }
}

class Play {
  readonly #schedule: Schedule;
  readonly #rig: SimRig;
  readonly #random: Random;
  readonly #wrongSince = new Map<string, number>();
  #broken: string | undefined;
  /** Time that a snapshot may still be held back once its rule is spent: the fault ends when it comes. */
  #heldMs = 0;

  constructor(schedule: Schedule) {
    const { pairing, world, traded, at, seed } = schedule;
    this.#schedule = schedule;
    this.#random = new Random(seed);
    this.#rig = new SimRig(pairing, world, traded, at, () => this.#random.next());
  }

  async run(): Promise<string | undefined> {
    const rig = this.#rig;
    const look = (): void => this.#look();
    await rig.pass(WARM_MS + this.#upTo(8) * 250, look);
    const cold = this.#notBack();
    if (cold !== undefined) return `before the fault: ${cold}`;
    const ends = this.#rules().map((rule) => {
      rig.faults.add(rule);
      return rig.now + (rule.forMs ?? MAX_WAIT_MS);
    });
    await this.#untilOver(Math.max(...ends), look);
    rig.faults.clear();
    await rig.pass(this.#heldMs, look);
    const lost = await this.#untilBack(look);
    if (this.#broken !== undefined || lost !== undefined) return this.#broken ?? lost;
    await rig.pass(AFTER_MS, look);
    return this.#broken ?? this.#notBack();
  }

  close(): void {
    this.#rig.close();
  }

  /** Until every rule is spent or has ended. */
  async #untilOver(end: number, look: () => void): Promise<void> {
    const rig = this.#rig;
    const isOver = (): boolean => rig.faults.list().every(({ times, hits }) => hits >= (times ?? Infinity));
    while (rig.now < end && !isOver()) await rig.pass(250, look);
  }

  async #untilBack(look: () => void): Promise<string | undefined> {
    const rig = this.#rig;
    const { backMs = BACK_MS } = this.#schedule.leave ?? {};
    // A fault that nothing shows may look right by chance before it is found out.
    if (backMs > BACK_MS) await rig.pass(backMs, look);
    const until = rig.now + BACK_MS;
    while (this.#notBack() !== undefined && rig.now < until) await rig.pass(250, look);
    const lost = this.#notBack();
    return lost === undefined ? undefined : `not back in time: ${lost}`;
  }

  /** A contract that is not served as it is now. */
  #notBack(): string | undefined {
    const rig = this.#rig;
    for (const one of rig.traded) {
      const served = rig.served(one.contract.symbol);
      if (served === undefined || !rig.wasTrue(one, served, rig.now - PRESENT_MS, rig.now))
        return rig.describe(one, served);
    }
    return undefined;
  }

  #look(): void {
    const rig = this.#rig;
    for (const one of rig.traded) {
      const { symbol } = one.contract;
      const served = rig.served(symbol);
      const from = Math.max(rig.now - PERMITTED_MS, bookTime(this.#schedule.at));
      if (served === undefined || rig.wasTrue(one, served, from, rig.now)) {
        this.#wrongSince.delete(symbol);
        continue;
      }
      const since = this.#wrongSince.get(symbol) ?? rig.now;
      this.#wrongSince.set(symbol, since);
      if (rig.now - since < (this.#schedule.leave?.wrongMs ?? 0)) continue;
      this.#broken ??= `wrong since ${rig.now - since} ms: ${rig.describe(one, served)}`;
    }
  }

  #rules(): readonly FaultRule[] {
    const { kind, pairing, traded } = this.#schedule;
    const [host] = pairing.served.filter(({ socket }) => socket !== undefined);
    const venue = host?.id ?? pairing.adapter.id;
    const hit = traded[this.#upTo(traded.length + 1)]?.contract.symbol;
    const base = { venue, ...(hit === undefined ? {} : { symbol: hit }) };
    const times = 1 + this.#upTo(3);
    if (kind === 'book-stall' || kind === 'book-frozen')
      return [{ ...base, fault: { kind }, forMs: 1000 + this.#upTo(50) * 1000 }];
    if (kind !== 'book-late-snapshot') return [{ ...base, fault: { kind }, times }];
    // A new connection brings the snapshots that are late.
    const behind = 1 + this.#upTo(4);
    this.#heldMs = behind * STEP_MS;
    const late = { ...base, fault: { kind, behind }, times };
    return [late, { venue, fault: { kind: 'book-cut' }, times: 1 }];
  }

  #upTo(n: number): number {
    return Math.floor(this.#random.next() * n);
  }
}
