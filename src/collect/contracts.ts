import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { PlanContext } from '../venues/adapter.ts';

interface Traded {
  mark: number | undefined;
  volumeUsd: number;
}

/** True if levels held of the one are right for the other, under the same topic. */
export function countAlike(a: Instrument, b: Instrument): boolean {
  return a.multiplier === b.multiplier && a.contractSize === b.contractSize && a.altId === b.altId;
}

function isAnother(instrument: Instrument, before: ReadonlyMap<string, Instrument>): boolean {
  const known = before.get(instrument.symbol);
  return known === undefined || known.indexId !== instrument.indexId || !countAlike(known, instrument);
}

/** The time for which one order of contracts by volume is kept. */
const ORDER_MS = MINUTE_MS;
/** A contract is new for the longest time that may pass until its first payment. */
const NEW_MS = DAY_MS;

/** The live contracts of a venue: the last good list of every instruments poll, and what they trade. */
export class Contracts {
  readonly #lists = new Map<string, readonly Instrument[]>();
  readonly #traded = new Map<string, Traded>();
  /** Contracts whose venue states that their market is closed now. */
  readonly #closed = new Set<string>();
  /** When contracts were first seen that came after the first list. */
  readonly #cameAt = new Map<string, UnixMs>();
  #bySymbol: ReadonlyMap<string, Instrument> = new Map();
  #ordered: readonly Instrument[] = [];
  #orderedAt = Number.NEGATIVE_INFINITY;

  /** Contracts by the venue's own symbol. */
  get bySymbol(): ReadonlyMap<string, Instrument> {
    return this.#bySymbol;
  }

  /**
   * Replaces the list that one poll states; the venue's list is the union of all of them.
   *
   * @param at when it was read: what comes after the first list is new from then on
   * @returns whether a symbol came or went, or the units or ids of one changed
   */
  replace(poll: string, list: readonly Instrument[], at?: UnixMs): boolean {
    const isFirst = !this.#lists.has(poll);
    this.#lists.set(poll, list);
    const before = this.#bySymbol;
    if (at !== undefined && !isFirst) {
      for (const { symbol } of list) if (!before.has(symbol)) this.#cameAt.set(symbol, at);
    }
    const merged = new Map<string, Instrument>();
    for (const part of this.#lists.values()) {
      for (const instrument of part) merged.set(instrument.symbol, instrument);
    }
    this.#bySymbol = merged;
    this.#orderedAt = Number.NEGATIVE_INFINITY;
    for (const symbol of this.#closed) {
      if (!merged.has(symbol)) this.#closed.delete(symbol);
    }
    for (const symbol of this.#traded.keys()) {
      if (!merged.has(symbol)) this.#traded.delete(symbol);
    }
    for (const symbol of this.#cameAt.keys()) {
      if (!merged.has(symbol)) this.#cameAt.delete(symbol);
    }
    return (
      before.size !== merged.size || [...merged.values()].some((instrument) => isAnother(instrument, before))
    );
  }

  /** Remembers 24 h volume in USD: as published, else base volume x mark; and which markets are closed. */
  noteVolumes(patches: readonly QuotePatch[]): void {
    for (const patch of patches) {
      const { symbol, volume24hUsd, volume24hBase, markPrice, marketOpen } = patch;
      if (marketOpen === false) this.#closed.add(symbol);
      else if (marketOpen === true) this.#closed.delete(symbol);
      if (volume24hUsd === undefined && volume24hBase === undefined && markPrice === undefined) continue;
      let traded = this.#traded.get(symbol);
      if (traded === undefined) {
        if (!this.#bySymbol.has(symbol)) continue;
        traded = { mark: undefined, volumeUsd: 0 };
        this.#traded.set(symbol, traded);
      }
      traded.mark = markPrice ?? traded.mark;
      if (volume24hUsd !== undefined) traded.volumeUsd = volume24hUsd;
      else if (volume24hBase !== undefined && traded.mark !== undefined) {
        traded.volumeUsd = volume24hBase * traded.mark;
      }
    }
  }

  /**
   * True if a contract's own calls have to have rows: it is listed, its market is not said to be closed, and a day
   * has passed since the venue listed it, by its own word, or since it came to the list. A contract that is there at
   * the start without such a word counts as old.
   */
  isEstablished(symbol: string, now: UnixMs): boolean {
    const instrument = this.#bySymbol.get(symbol);
    if (instrument === undefined || this.#closed.has(symbol)) return false;
    const since = Math.max(instrument.listedAt ?? 0, this.#cameAt.get(symbol) ?? 0);
    return now - since >= NEW_MS;
  }

  /** Last mark that was stated of a contract. */
  markOf(symbol: string): number | undefined {
    return this.#traded.get(symbol)?.mark;
  }

  /** Contracts for planning polls and streams, most traded first. */
  plan(now: UnixMs): PlanContext {
    if (now - this.#orderedAt >= ORDER_MS || now < this.#orderedAt) {
      const volume = (i: Instrument): number => this.#traded.get(i.symbol)?.volumeUsd ?? 0;
      this.#ordered = [...this.#bySymbol.values()].sort((a, b) => volume(b) - volume(a));
      this.#orderedAt = now;
    }
    return { instruments: this.#ordered, now };
  }

  /**
   * Contracts for planning books: those that have more than an indicative one and are open, most traded first.
   */
  planBooks(now: UnixMs): PlanContext {
    const { instruments } = this.plan(now);
    const isRead = ({ symbol, indicativeBook }: Instrument): boolean =>
      indicativeBook !== true && !this.#closed.has(symbol);
    return { instruments: instruments.filter(isRead), now };
  }
}
