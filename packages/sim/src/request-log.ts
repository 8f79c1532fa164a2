import type { FaultKind } from './faults.ts';

export interface LoggedRequest {
  readonly at: number;
  readonly venue: string;
  readonly method: string;
  /** Path with query behind the venue's prefix; `WS …` requests have method `WS`. */
  readonly path: string;
  readonly body: string;
  /** 0 when no answer was sent. */
  readonly status: number;
  readonly weight: number;
  readonly fault?: FaultKind;
}

/** Requests to a venue since the start or the last reset. */
export interface VenueCounts {
  readonly requests: number;
  /** Weight of answered requests. */
  readonly weight: number;
  /** Refused by the rate limit. */
  readonly refused: number;
  /** Paths that the venue does not know. */
  readonly unknown: number;
  readonly sockets: number;
  readonly faulted: number;
}

const NOTHING: VenueCounts = { requests: 0, weight: 0, refused: 0, unknown: 0, sockets: 0, faulted: 0 };

/** The last requests and counts per venue, for tests. */
export class RequestLog {
  readonly #capacity: number;
  readonly #ring: LoggedRequest[] = [];
  readonly #counts = new Map<string, VenueCounts>();
  #next = 0;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  add(entry: LoggedRequest, change: Partial<VenueCounts> = {}): void {
    this.#ring[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#capacity;
    const was = this.of(entry.venue);
    this.#counts.set(entry.venue, {
      requests: was.requests + (entry.method === 'WS' ? 0 : 1),
      weight: was.weight + entry.weight,
      refused: was.refused + (change.refused ?? 0),
      unknown: was.unknown + (change.unknown ?? 0),
      sockets: was.sockets + (entry.method === 'WS' ? 1 : 0),
      faulted: was.faulted + (entry.fault === undefined ? 0 : 1),
    });
  }

  /** Counts of one venue. */
  of(venue: string): VenueCounts {
    return this.#counts.get(venue) ?? NOTHING;
  }

  /** Counts of all venues that were asked. */
  counts(): Readonly<Record<string, VenueCounts>> {
    return Object.fromEntries(this.#counts);
  }

  /** Kept requests, oldest first. */
  entries(): readonly LoggedRequest[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
  }

  reset(): void {
    this.#ring.length = 0;
    this.#next = 0;
    this.#counts.clear();
  }
}
