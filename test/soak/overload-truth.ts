import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { SimContract } from '@perpmeter/sim/world';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { OLDEST_BOOK_MS } from '../../src/products/books/book-source.ts';
import { VENUES } from '../../src/venues/registry.ts';

/** The service's promise for its data, ms (docs/answers.md): marks, and books. */
const FRESH_MS = 60_000;
/** Freshness is judged once a second, and by a reader where that is late. */
const SWEEP_MS = 2500;
/** A mark is looked for among those of this time before its answer, in these steps. */
const SEARCH_MS = 300_000;
const STEP_MS = 100;
/** A price may turn between two steps, beyond both: a major moves by so much within a second or two, as a part of it. */
const PEAK = 1e-4;
/** An answer is made some time after it is asked for. */
const AHEAD_MS = 8000;

const refreshOf = (venue: string): number => {
  const found = VENUES.find(({ id }) => id === venue || venue.startsWith(`${id}-`));
  return found?.refreshMs ?? 0;
};

/** The limit within which a row is sold as fresh. */
const freshMs = (venue: string): number => Math.max(FRESH_MS, 2 * refreshOf(venue));

/** All objects within an answer. */
export function* recordsIn(value: unknown): Generator<Wire> {
  if (Array.isArray(value)) for (const one of value) yield* recordsIn(one);
  else if (isWire(value)) {
    yield value;
    for (const one of Object.values(value)) yield* recordsIn(one);
  }
}

/** Ages that were found in a sold answer. */
export interface Ages {
  /** Quotes, marks and books that were looked at. */
  values: number;
  /** The oldest by its own time, as a part of what is promised. */
  oldest: number;
  /** Seconds that a mark was older than its own time says, at most: by what the simulated venues really said, and when. */
  hiddenSeconds: number;
  readonly problems: string[];
}

export const emptyAges = (): Ages => ({ values: 0, oldest: 0, hiddenSeconds: 0, problems: [] });

/** Checks sold answers against what is promised, and against the simulated world itself. */
export class OverloadTruth {
  readonly #world;
  readonly #contracts = new Map<string, SimContract>();

  constructor(seed: number) {
    this.#world = createWorld(seed);
    for (const { listing } of SIM_VENUES) {
      for (const contract of this.#world.contracts(listing)) {
        this.#contracts.set(`${contract.venue} ${contract.symbol}`, contract);
      }
    }
  }

  /** @param askedAt when the request left: what is sold was young enough at this moment or later, Unix ms */
  judge(path: string, answer: unknown, askedAt: number, into: Ages): void {
    const about = isWire(answer) ? answer.venue : undefined;
    for (const record of recordsIn(answer)) {
      const venue = typeof record.venue === 'string' ? record.venue : undefined;
      if (venue === undefined) continue;
      const isBook = record.source === 'stream' || record.source === 'rest';
      const time = isBook ? record.updated_at : record.mark_updated_at;
      if (typeof time !== 'string') continue;
      // An answer of one venue's book has it up to a quarter of an hour old, with its time.
      const bookMs = venue === about ? OLDEST_BOOK_MS : FRESH_MS;
      const limit = (isBook ? bookMs : freshMs(venue)) + SWEEP_MS;
      const age = askedAt - Date.parse(time);
      into.values++;
      into.oldest = Math.max(into.oldest, age / limit);
      if (!(age <= limit))
        into.problems.push(`${path}: ${venue} of ${time}, ${(age / 1000).toFixed(1)} s old`);
      if (!isBook) this.#hidden(path, venue, record, Date.parse(time), askedAt, into);
    }
  }

  #hidden(path: string, venue: string, record: Wire, at: number, askedAt: number, into: Ages): void {
    const contract = this.#contracts.get(`${venue} ${String(record.venue_symbol)}`);
    const mark = Number(record.mark_price);
    if (contract === undefined || !(mark > 0)) return;
    const tolerance = contract.tick / contract.multiplier + mark * PEAK;
    const limit = freshMs(venue) / 1000;
    const offAt = (back: number): number => this.#world.mark(contract, at - back) - mark;
    // Data that was read late states a greater age than it has: it may be as young as the answer.
    const ahead = Math.max(0, askedAt - at) + AHEAD_MS;
    let before = offAt(-ahead);
    for (let back = STEP_MS - ahead; back <= SEARCH_MS; back += STEP_MS) {
      const off = offAt(back);
      // A price is continuous: it was at the mark where it is on the other side of it a step later.
      const wasThere = Math.abs(off) <= tolerance || off > 0 !== before > 0;
      before = off;
      if (!wasThere) continue;
      const hidden = Math.max(0, back / 1000);
      into.hiddenSeconds = Math.max(into.hiddenSeconds, hidden);
      if (hidden > limit)
        into.problems.push(`${path}: ${venue} is ${hidden} s older than it says, by its mark of ${mark}`);
      return;
    }
    into.problems.push(`${path}: ${venue} has a mark of ${mark} that it never had`);
  }
}
