import type { MissingSpan } from '../../src/modules/watch/watch-state.ts';
import type { AskedCondition } from '../../src/modules/watch-conditions/condition.ts';
import type { Firing } from '../../src/modules/webhook/firing.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { rateAt, tickAt, turnsOf } from './watch-truth.ts';

/** A watch as the store has it in the end. */
export interface StoredWatch {
  readonly asked: AskedCondition;
  readonly id: string;
  readonly soldAt: number;
  readonly endsAt: number;
  readonly firings: readonly Firing[];
  readonly missing: readonly MissingSpan[];
}

/** A firing that a tick may bring. */
interface Expected {
  readonly kind: 'fired' | 'cleared';
  /** False where it depends on the moment of a look. */
  readonly isCertain: boolean;
}

/** A condition, recomputed from the true rates by rules of its own: it shares nothing with the engine. */
class Recomputed {
  readonly #asked: AskedCondition;
  #hasFired = false;
  #sign = 0;
  /** The first looks that found it to hold: the earliest and the latest moment of the tick in which it began. */
  #since: readonly [earliest: number, latest: number] | undefined;

  constructor(asked: AskedCondition) {
    this.#asked = asked;
  }

  /** The firing that this value brings, if it is looked at at these times. */
  expect(value: number, looks: readonly number[]): Expected | undefined {
    const { kind, above, below, reset } = this.#asked;
    if (kind === 'flip') {
      const isFlip = this.#sign * Math.sign(value) < 0;
      return isFlip ? { kind: 'fired', isCertain: true } : undefined;
    }
    const isBeyond = (level = 0): boolean => (above === undefined ? value < level : value > level);
    if (this.#hasFired)
      return isBeyond(reset ?? above ?? below) ? undefined : { kind: 'cleared', isCertain: true };
    if (!isBeyond(above ?? below)) {
      this.#since = undefined;
      return undefined;
    }
    const first = looks[0] ?? 0;
    const last = looks.at(-1) ?? first;
    this.#since ??= [first, last];
    const [earliest, latest] = this.#since;
    const holdMs = this.#asked.for_minutes * MINUTE_MS;
    return last - earliest < holdMs ? undefined : { kind: 'fired', isCertain: first - latest >= holdMs };
  }

  /** The value was looked at. */
  passed(value: number, told: string | undefined): void {
    if (value !== 0) this.#sign = Math.sign(value);
    if (told === undefined) return;
    this.#hasFired = told === 'fired' && this.#asked.kind !== 'flip';
    this.#since = undefined;
  }

  /** Nobody has looked: what holds begins to hold anew. */
  interrupted(): void {
    this.#since = undefined;
  }
}

/** The judged figure of a condition in a tick. */
function valueIn(seed: number, { ticker = '', venue = '' }: AskedCondition, tick: number): number {
  const rates = venue.split(',').map((each) => rateAt(seed, each, ticker, tick));
  const [rate = 0] = rates;
  return rates.length === 1 ? rate : (Math.max(...rates) - Math.min(...rates)) * 10_000;
}

/** Faults of a watch's firings against the truth, in words. */
export class WatchJudge {
  readonly missed: string[] = [];
  readonly wrong: string[] = [];
  readonly misnumbered: string[] = [];
  /** Firings that were held against the truth, and found right. */
  right = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** @param until the last tick that all processes have passed */
  judge(watch: StoredWatch, until: number): void {
    const { asked, id, soldAt, endsAt, firings } = watch;
    this.#number(watch, until);
    const recomputed = new Recomputed(asked);
    for (let tick = tickAt(soldAt); tick <= until; tick += 1) {
      const times = turnsOf(tick).filter((at) => at > soldAt && at < endsAt);
      const told = firings.filter((firing) => times.includes(firing.at) && firing.kind !== 'ended');
      const looks = times.filter((at) => !isMissing(watch, at));
      const value = valueIn(this.#seed, asked, tick);
      const name = `${id} ${asked.kind} in tick ${tick}`;
      const gap = times.find((at) => isMissing(watch, at));
      const [first] = told;
      if (first !== undefined && gap !== undefined && first.at <= gap) {
        // A span in which nobody looked begins with the last look, which told what it found.
        const until = times.filter((at) => at <= gap);
        this.#compare(recomputed, value, until, told, name);
        recomputed.interrupted();
        continue;
      }
      if (gap !== undefined) recomputed.interrupted();
      // A process that was killed may have written what it found, or not.
      if (looks.length > 0 || told.length > 0)
        this.#compare(recomputed, value, looks.length > 0 ? looks : times, told, name);
    }
  }

  #compare(
    recomputed: Recomputed,
    value: number,
    looks: readonly number[],
    told: readonly Firing[],
    name: string,
  ): void {
    const expected = recomputed.expect(value, looks);
    const [first] = told;
    if (first === undefined) {
      if (expected?.isCertain === true) this.missed.push(`${name}: ${expected.kind} at ${value}`);
    } else if (told.length > 1 || first.kind !== expected?.kind) {
      this.wrong.push(`${name}: ${told.map(({ kind }) => kind).join()} at ${value}, not ${expected?.kind}`);
    } else this.right += 1;
    recomputed.passed(value, first?.kind ?? (expected?.isCertain === true ? expected.kind : undefined));
  }

  /** Numbers have no gap, and the end comes once, at its time, and as the last. */
  #number({ id, firings, endsAt }: StoredWatch, until: number): void {
    if (firings.some(({ seq }, at) => seq !== at + 1))
      this.misnumbered.push(`${id}: a number is missing or twice`);
    const ends = firings.filter(({ kind }) => kind === 'ended');
    const isOver = endsAt < (turnsOf(until)[0] ?? 0);
    if (ends.length !== (isOver ? 1 : 0)) this.misnumbered.push(`${id}: ${ends.length} ends`);
    if (isOver && firings.at(-1)?.kind !== 'ended') this.misnumbered.push(`${id}: told after its end`);
  }
}

const isMissing = ({ missing }: StoredWatch, at: number): boolean =>
  missing.some(({ from, to }) => from <= at && at < to);
