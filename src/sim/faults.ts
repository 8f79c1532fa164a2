import type { Clock } from '../domain/clock.ts';

/** Faults on demand. A rule is deterministic: which requests it hits depends on their order alone. */

/** How a refusal says when to come back: seconds, milliseconds (some venues do) or an HTTP date. */
export type RetryAfter =
  | { readonly seconds: number }
  | { readonly ms: number }
  /** Milliseconds from now, rendered as a date. */
  | { readonly dateInMs: number };

export type Fault =
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
  /** Which side is hit: both when absent. */
  readonly on?: 'rest' | 'stream';
  readonly fault: Fault;
  /** Hits this many requests, then never again. */
  readonly times?: number;
  /** Hits every n-th matching request only: 3 = the 3rd, 6th, … */
  readonly every?: number;
}

/** What a rule is asked about. */
export interface FaultTarget {
  readonly venue: string;
  readonly path: string;
  readonly body: string;
  readonly on: 'rest' | 'stream';
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
    const rule = given.fault.kind === 'stale' ? { ...given, fault: this.#freeze(given.fault.at) } : given;
    this.#entries.unshift({ id, rule, abort: new AbortController(), matched: 0, hits: 0 });
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
      if (!matches(entry.rule, target)) continue;
      entry.matched += 1;
      if (entry.matched % (entry.rule.every ?? 1) !== 0) continue;
      if (spent(entry)) continue;
      entry.hits += 1;
      return { fault: entry.rule.fault, signal: entry.abort.signal };
    }
    return undefined;
  }

  /** The fault in force for an open stream, without counting. */
  onStream(venue: string, path: string): Fault | undefined {
    const target: FaultTarget = { venue, path, body: '', on: 'stream' };
    return this.#entries.find((entry) => matches(entry.rule, target) && !spent(entry))?.rule.fault;
  }

  #freeze(at: number = this.#clock.now()): Fault {
    return { kind: 'stale', at };
  }
}

function spent(entry: Entry): boolean {
  return entry.hits >= (entry.rule.times ?? Number.POSITIVE_INFINITY);
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
