import type { UnixMs } from '../../domain/units.ts';

export interface RotationPeriods {
  /** Time between two looks at a major, ms. */
  readonly majorMs: number;
  /** At any other contract, ms. */
  readonly otherMs: number;
  /** At one that disagreed, ms. */
  readonly againMs: number;
}

interface Turn {
  dueAt: number;
  periodMs: number;
}

/**
 * The order in which the contracts of a venue take turns. Where the budget is too small for all, priority
 * assets are looked at less often, and nothing is left out.
 */
export class Rotation {
  readonly #periods: RotationPeriods;
  readonly #turns = new Map<string, Turn>();

  constructor(periods: RotationPeriods) {
    this.#periods = periods;
  }

  get size(): number {
    return this.#turns.size;
  }

  /** Takes up contracts that came, spread over their period, and forgets those that went; these are returned. */
  follow(symbols: Iterable<string>, isPriority: (symbol: string) => boolean, now: UnixMs): readonly string[] {
    const listed = new Set(symbols);
    const gone = [...this.#turns.keys()].filter((symbol) => !listed.has(symbol));
    for (const symbol of gone) this.#turns.delete(symbol);
    const others = [...listed].filter((symbol) => !this.#turns.has(symbol) && !isPriority(symbol));
    const { majorMs, otherMs } = this.#periods;
    for (const [i, symbol] of others.entries())
      this.#turns.set(symbol, {
        dueAt: now + Math.ceil((otherMs * (i + 1)) / others.length),
        periodMs: otherMs,
      });
    for (const symbol of listed)
      if (!this.#turns.has(symbol)) this.#turns.set(symbol, { dueAt: now, periodMs: majorMs });
    return gone;
  }

  /** The contract whose turn it is; undefined where none is due. */
  next(now: UnixMs): string | undefined {
    let most = -1;
    let chosen = undefined as string | undefined;
    for (const [symbol, turn] of this.#turns) {
      if (now < turn.dueAt) continue;
      const urgency = this.#urgencyOf(turn, now);
      if (urgency > most) {
        most = urgency;
        chosen = symbol;
      }
    }
    return chosen;
  }

  /** A major's urgency stays below 1, which any other reaches once it is overdue by half its period. */
  #urgencyOf({ dueAt, periodMs }: Turn, now: UnixMs): number {
    const overdue = (now - dueAt) / periodMs;
    return periodMs === this.#periods.otherMs ? 2 * overdue : overdue / (1 + overdue);
  }

  /** Time until the next contract is due, ms; infinite where there is none. */
  dueIn(now: UnixMs): number {
    return Math.max(0, Math.min(...[...this.#turns.values()].map(({ dueAt }) => dueAt - now)));
  }

  /** A contract was looked at. @param isDoubtful it disagreed, and is looked at again soon */
  done(symbol: string, now: UnixMs, isDoubtful: boolean): void {
    const turn = this.#turns.get(symbol);
    if (turn !== undefined) turn.dueAt = now + (isDoubtful ? this.#periods.againMs : turn.periodMs);
  }
}
