import type { Instrument } from '../domain/instrument.ts';
import { ListWatch } from './list-watch.ts';

/** After so many rounds in which a part had nothing, the others are no longer kept waiting for it. */
const PATIENT_ROUNDS = 3;

/** The answer to one request of a list, over its pages. */
export interface ListPart {
  readonly instruments: readonly Instrument[];
  /** Rows that are no contract of ours, each with a reason. */
  readonly rejected: number;
  readonly mayBeEmpty: boolean;
}

/**
 * The contracts that one poll lists, each part as it was last believed: a part that is not answered, or not as one would
 * expect, keeps its contracts, and the others are renewed all the same.
 */
export class ContractList {
  readonly #watch = new ListWatch();
  readonly #parts = new Map<string, readonly Instrument[]>();
  #rounds = 0;
  #hasNews = false;

  /** Takes the whole answer of a part. @returns why it is not believed */
  take(name: string, { instruments, rejected, mayBeEmpty }: ListPart): string | undefined {
    const bySettle = new Map<string, number>();
    for (const { settle } of instruments) bySettle.set(settle, (bySettle.get(settle) ?? 0) + 1);
    const rows = instruments.length + rejected;
    const doubt = this.#watch.judge(name, { rows, bySettle, mayBeEmpty });
    if (doubt === undefined) {
      this.#parts.set(name, instruments);
      this.#hasNews = true;
    }
    return doubt;
  }

  /**
   * The contracts of all these parts, at the end of a round. At first all parts are waited for, since a reader
   * of the list takes missing contracts for delisted; for some rounds only, so that one part does not keep the
   * others away for good.
   *
   * @returns undefined while the list would be half, and where no part was renewed
   */
  contracts(names: readonly string[]): readonly Instrument[] | undefined {
    this.#rounds++;
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    if (!hasNews) return undefined;
    const lacksSome = names.some((name) => !this.#parts.has(name));
    if (lacksSome && this.#rounds <= PATIENT_ROUNDS) return undefined;
    return [...this.#parts.values()].flat();
  }
}
