import type { Clock } from '../../../src/domain/clock.ts';
import { type BookFault, type BookFaultKind, isBookFault } from './books/book-faults.ts';

/** Faults on demand. A rule is deterministic: which requests it hits depends on their order alone. */

/** The time to come back in a refusal: seconds, milliseconds (some venues do) or an HTTP date. */
export type RetryAfter =
  | { readonly seconds: number }
  | { readonly ms: number }
  /** Milliseconds from now, rendered as a date. */
  | { readonly dateInMs: number };

export type Fault =
  | BookFault
  /** Answers, but later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Never answers; the connection stays open. On streams: the upgrade is never answered. */
  | { readonly kind: 'hang' }
  /** Drops the connection without an answer; open streams are dropped as well. */
  | { readonly kind: 'reset' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string;
      readonly retryAfter?: RetryAfter;
      /** The target of a redirect. */
      readonly location?: string;
    }
  /** Bytes that are no JSON, with status 200. */
  | { readonly kind: 'garbage' }
  /** A web page, as proxies and maintenance modes serve it. */
  | { readonly kind: 'html'; readonly status?: number }
  /** The first half of the body, ended properly: the JSON is cut. */
  | { readonly kind: 'truncated' }
  /** The first half of the body, then the connection drops. */
  | { readonly kind: 'half-reset' }
  /** The world's time stands still for this venue, at `at` or at the moment the rule is added. */
  | { readonly kind: 'stale'; readonly at?: number }
  /** Streams stay connected and say nothing. REST is not touched. */
  | { readonly kind: 'silence' }
  /** A field of the payload goes by another name: at every depth, in answers and frames of text. */
  | { readonly kind: 'rename'; readonly field: string; readonly to: string }
  /** A number, or text of one, is multiplied: another unit. Reaches as far as `rename`. */
  | { readonly kind: 'scale'; readonly field: string; readonly by: number }
  /** A body of this many bytes. */
  | { readonly kind: 'oversize'; readonly bytes: number }
  /** The body in pieces of `bytes`, one every `everyMs`. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number };

export type FaultKind = Fault['kind'];

export interface FaultRule {
  readonly venue: string;
  /** Text that the path with query must contain; all paths when absent. */
  readonly path?: string;
  /** Text that the request body must contain. */
  readonly body?: string;
  /** The affected side: both when absent. */
  readonly on?: 'rest' | 'stream';
  /** Contract as the venue spells it; faults of books only, all contracts when absent. */
  readonly symbol?: string;
  readonly fault: Fault;
  /** Hits this many requests (of books: frames), then never again. */
  readonly times?: number;
  /** Ends by itself this long after it was added, ms. */
  readonly forMs?: number;
  /** Hits every n-th matching request only: 3 = the 3rd, 6th, … */
  readonly every?: number;
}

/** The request or stream that a rule is checked against. */
export interface FaultTarget {
  readonly venue: string;
  readonly path: string;
  readonly body: string;
  readonly on: 'rest' | 'stream';
}

/** The book that a fault of books is asked about. */
export interface BookTarget {
  readonly venue: string;
  readonly path: string;
  readonly symbol: string;
}

/** A fault that hits; `signal` aborts when the rule is cancelled. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly id: number;
  readonly rule: FaultRule;
  readonly abort: AbortController;
  readonly endsAt: number;
  matched: number;
  hits: number;
}

/** A rule as listed. */
export interface FaultListing extends FaultRule {
  readonly id: number;
  readonly hits: number;
}

/** The rules in force. Later rules go before earlier ones. */
export class Faults {
  readonly #clock: Clock;
  #entries: Entry[] = [];
  #nextId = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a rule; the returned function cancels it and lets waiting answers go. */
  add(given: FaultRule): { readonly id: number; cancel(): void } {
    const id = this.#nextId++;
    const rule = { ...given, fault: this.#frozen(given.fault) };
    const endsAt = this.#clock.now() + (given.forMs ?? Number.POSITIVE_INFINITY);
    this.#entries.unshift({ id, rule, abort: new AbortController(), endsAt, matched: 0, hits: 0 });
    return { id, cancel: () => this.clear((entry) => entry.id === id) };
  }

  /** Cancels the rules that `which` picks, all by default; answers how many. */
  clear(which: (entry: FaultListing) => boolean = () => true): number {
    const gone = this.#entries.filter((entry) => which(listed(entry)));
    this.#entries = this.#entries.filter((entry) => !gone.includes(entry));
    for (const entry of gone) entry.abort.abort();
    return gone.length;
  }

  list(): readonly FaultListing[] {
    return this.#entries.map(listed);
  }

  /** The fault that hits this request, counted as a hit. */
  hit(target: FaultTarget): ActiveFault | undefined {
    for (const entry of this.#entries) {
      if (isBookFault(entry.rule.fault) || !matches(entry.rule, target)) continue;
      if (this.#counts(entry)) return { fault: entry.rule.fault, signal: entry.abort.signal };
    }
    return undefined;
  }

  /** The fault of this kind that hits a contract's book, counted as a hit. */
  hitBook(kind: BookFaultKind, { venue, path, symbol }: BookTarget): BookFault | undefined {
    for (const entry of this.#entries) {
      const { rule } = entry;
      if (rule.fault.kind !== kind || (rule.symbol !== undefined && rule.symbol !== symbol)) continue;
      if (!matches(rule, { venue, path, body: '', on: 'stream' })) continue;
      if (isBookFault(rule.fault) && this.#counts(entry)) return rule.fault;
    }
    return undefined;
  }

  /** The fault in force for an open stream, without counting. */
  onStream(venue: string, path: string): Fault | undefined {
    const target: FaultTarget = { venue, path, body: '', on: 'stream' };
    const inForce = (entry: Entry): boolean =>
      !isBookFault(entry.rule.fault) && matches(entry.rule, target) && !this.#isSpent(entry);
    return this.#entries.find(inForce)?.rule.fault;
  }

  /** Counts a match; whether it is a hit. */
  #counts(entry: Entry): boolean {
    entry.matched += 1;
    if (entry.matched % (entry.rule.every ?? 1) !== 0 || this.#isSpent(entry)) return false;
    entry.hits += 1;
    return true;
  }

  #isSpent({ rule, hits, endsAt }: Entry): boolean {
    return hits >= (rule.times ?? Number.POSITIVE_INFINITY) || this.#clock.now() >= endsAt;
  }

  /** Standing still begins now where the fault does not say when. */
  #frozen(fault: Fault): Fault {
    const stands = fault.kind === 'stale' || fault.kind === 'book-frozen';
    return stands ? { ...fault, at: fault.at ?? this.#clock.now() } : fault;
  }
}

function listed(entry: Entry): FaultListing {
  return { ...entry.rule, id: entry.id, hits: entry.hits };
}

function matches(rule: FaultRule, target: FaultTarget): boolean {
  if (rule.venue !== target.venue || (rule.on !== undefined && rule.on !== target.on)) return false;
  if (rule.fault.kind === 'silence' && target.on === 'rest') return false;
  if (rule.path !== undefined && !target.path.includes(rule.path)) return false;
  return rule.body === undefined || target.body.includes(rule.body);
}

/** Header value of a Retry-After. */
export function retryAfterText(retryAfter: RetryAfter, now: number): string {
  if ('seconds' in retryAfter) return String(retryAfter.seconds);
  if ('ms' in retryAfter) return String(retryAfter.ms);
  return new Date(now + retryAfter.dateInMs).toUTCString();
}
