import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import type { Timer } from '../runtime/timer.ts';
import type { BudgetPool } from '../venues/adapter.ts';
import { MIN_JITTER_FACTOR } from './cadence.ts';
import { FairQueue, type Queued } from './fair-queue.ts';
import { PRIORITY } from './priority.ts';
import type { RetryAfter } from './retry-after.ts';
import { WeightWindow } from './weight-window.ts';

export interface WeightRequest extends Queued {
  readonly weight: number;
}

interface Waiter extends WeightRequest {
  readonly grant: () => void;
}

export interface PoolStats {
  readonly limit: number;
  readonly perMs: number;
  /** Weight in the present window, ours or the venue's count, whichever is higher. */
  readonly used: number;
  /** The venue's last count, where it sends one. */
  readonly reported: number | undefined;
  /** Weight of the window that is kept for the polls of all contracts. */
  readonly reserved: number;
  readonly waiting: number;
  readonly granted: number;
  /** Weight granted since start. */
  readonly weight: number;
  /** Time that requests waited in the queue since start, ms. */
  readonly queueWaitMs: number;
  readonly pauses: number;
  /** Nothing is sent before this time (Unix ms). */
  readonly pausedUntil: number | undefined;
}

interface PoolOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Share of the limit that is used, 0..1. */
  readonly margin: number;
  /** Ms of a count that setting the clock back does not touch: windows and pauses go by it. */
  readonly elapsed: () => number;
}

interface PauseTerms {
  /** First pause where the venue does not say how long. */
  readonly initialMs: number;
  readonly longestMs: number;
}

/** From this priority on, a request may wait for longer than a refresh. */
const PATIENT: number = PRIORITY.perContract;
/** Polls may keep this part of a window to themselves at most. */
const MAX_RESERVED_SHARE = 0.75;
const MAX_DOUBLINGS = 8;
const MAX_GUESSED_MS = 300_000;

/** One limit of a host: its window, its queue and its pauses. */
export class BudgetPoolState {
  readonly #pool: BudgetPool;
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #elapsed: () => number;
  readonly #window: WeightWindow;
  /** The part of the window that was spent on requests that may wait. */
  readonly #patient: WeightWindow;
  readonly #queue = new FairQueue<Waiter>();
  readonly #reserved = new Map<string, number>();
  #cancelWake: (() => void) | undefined;
  #pausedUntil = 0;
  #pausedSince = 0;
  #strikes = 0;
  #pauses = 0;
  #granted = 0;
  #weight = 0;
  #queueWaitMs = 0;
  #reported: number | undefined;

  constructor(pool: BudgetPool, { clock, timer, margin, elapsed }: PoolOptions) {
    this.#pool = pool;
    this.#clock = clock;
    this.#timer = timer;
    this.#elapsed = elapsed;
    this.#window = new WeightWindow(pool.limit, pool.perMs, margin);
    this.#patient = new WeightWindow(pool.limit, pool.perMs, margin);
  }

  get limit(): number {
    return this.#pool.limit;
  }

  get perMs(): number {
    return this.#pool.perMs;
  }

  fits(weight: number): boolean {
    return this.#window.fits(weight);
  }

  /** Waits its turn; undefined when the signal aborts first. */
  acquire(
    request: WeightRequest,
    signal: AbortSignal,
  ): Promise<{ readonly grantedAt: number; readonly waitedMs: number } | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { priority, owner, weight } = request;
    const askedAt = this.#elapsed();
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#queue.remove(waiter);
        resolve(undefined);
        this.#pump();
      };
      const grant = (): void => {
        signal.removeEventListener('abort', giveUp);
        const grantedAt = this.#elapsed();
        const waitedMs = grantedAt - askedAt;
        this.#queueWaitMs += waitedMs;
        resolve({ grantedAt, waitedMs });
      };
      const waiter: Waiter = { priority, owner, weight, grant };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue.push(waiter);
      this.#pump();
    });
  }

  settle({ weight, priority }: WeightRequest): void {
    const now = this.#elapsed();
    this.#window.settle(weight, now);
    if (priority >= PATIENT) this.#patient.settle(weight, now);
    // An answer makes no room, it only states the time at which there will be some: a queue that waits for a
    // known time waits on.
    if (this.#cancelWake === undefined) this.#pump();
  }

  /** Keeps room for `weight` every `everyMs` from requests that may wait; replaces what this owner kept before. */
  reserve(owner: string, weight: number, everyMs: number): void {
    // Rounds come a little early at times, and a window holds one more than fit into its length.
    const rounds = this.perMs / (everyMs * MIN_JITTER_FACTOR) + 1;
    if (weight > 0) this.#reserved.set(owner, weight * rounds);
    else this.#reserved.delete(owner);
  }

  /** Takes the venue's count from its header; the higher of both counts holds. */
  observe(headers: IncomingHttpHeaders): void {
    const name = this.#pool.usedHeader;
    const value = name === undefined ? undefined : headers[name];
    const counted = Number(Array.isArray(value) ? value[0] : (value ?? Number.NaN));
    if (!Number.isFinite(counted) || counted < 0) return;
    this.#reported = counted;
    this.#window.observe(counted, this.#elapsed());
  }

  /**
   * Sends nothing for as long as asked, else for a default that doubles. Refusals of requests sent before a
   * pause began belong to that pause and do not double it.
   *
   * @returns the pause in ms
   */
  pause(asked: RetryAfter | undefined, terms: PauseTerms, grantedAt: number): number {
    const now = this.#elapsed();
    if (grantedAt >= this.#pausedSince) {
      this.#strikes = Math.min(this.#strikes + 1, MAX_DOUBLINGS);
      this.#pauses++;
    }
    this.#pausedSince = now + 1;
    const pauseMs = Math.min(terms.longestMs, this.#pauseFor(asked, terms.initialMs));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    this.#pump();
    return pauseMs;
  }

  #pauseFor(asked: RetryAfter | undefined, initialMs: number): number {
    if (asked === undefined) return initialMs * 2 ** (this.#strikes - 1);
    if (!asked.guessed || this.#strikes <= 1) return asked.ms;
    // Refused again after a guessed wait: the guess may be wrong, so the waits grow, within what still recovers.
    return Math.max(asked.ms, Math.min(MAX_GUESSED_MS, initialMs * 2 ** (this.#strikes - 2)));
  }

  resetBackoff(): void {
    this.#strikes = 0;
  }

  stats(): PoolStats {
    const now = this.#elapsed();
    const pausedMs = this.#pausedUntil - now;
    return {
      limit: this.#pool.limit,
      perMs: this.#pool.perMs,
      used: this.#window.used(now),
      reported: this.#reported,
      reserved: this.#kept(),
      waiting: this.#queue.size,
      granted: this.#granted,
      weight: this.#weight,
      queueWaitMs: this.#queueWaitMs,
      pauses: this.#pauses,
      pausedUntil: pausedMs > 0 ? this.#clock.now() + pausedMs : undefined,
    };
  }

  #kept(): number {
    let sum = 0;
    for (const weight of this.#reserved.values()) sum += weight;
    return Math.min(sum, this.#window.capacity * MAX_RESERVED_SHARE);
  }

  /** A request that may wait must leave room for the polls: once the window is full, these would wait for as long. */
  #waitFor({ weight, priority }: WeightRequest, now: number, kept: number): number {
    const waitMs = this.#window.waitFor(weight, now);
    return priority < PATIENT ? waitMs : Math.max(waitMs, this.#patient.waitFor(weight, now, kept));
  }

  /** Grants what fits, in turn, and wakes again when the next one will fit. */
  #pump(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    const kept = this.#kept();
    for (;;) {
      const now = this.#elapsed();
      const isInRoom = ({ priority, weight }: Waiter): boolean =>
        priority < PATIENT || this.#patient.hasRoom(weight, now, kept);
      const next = this.#queue.peek(isInRoom) ?? this.#queue.peek();
      if (next === undefined) return;
      const waitMs = Math.max(this.#pausedUntil - now, this.#waitFor(next, now, kept));
      if (waitMs > 0) {
        if (Number.isFinite(waitMs)) this.#cancelWake = this.#timer(waitMs, () => this.#pump());
        return;
      }
      this.#queue.serve(next);
      this.#window.take(next.weight);
      if (next.priority >= PATIENT) this.#patient.take(next.weight);
      this.#granted++;
      this.#weight += next.weight;
      next.grant();
    }
  }
}
