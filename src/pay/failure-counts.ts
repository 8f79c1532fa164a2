import type { UnixMs } from '../domain/units.ts';
import type { PaymentEvent } from './paywall-context.ts';

/** The end of a request with a payment, and its reason where one was stated. */
export interface FailureKind {
  readonly outcome: PaymentEvent['outcome'];
  readonly reason: string | undefined;
}

export interface FailureCount extends FailureKind {
  readonly requests: number;
  readonly newestAt: UnixMs;
}

/** Reasons are words of facilitators, too: so many kinds are counted apart, and those beyond it by outcome alone. */
const MAX_KINDS = 200;

/** Counts why payments brought nothing. */
export class FailureCounts {
  readonly #counts = new Map<string, FailureCount>();

  add(kind: FailureKind, at: UnixMs): void {
    const own = keyOf(kind);
    const isApart = this.#counts.has(own) || this.#counts.size < MAX_KINDS;
    const counted = isApart ? kind : { outcome: kind.outcome, reason: 'other' };
    const key = keyOf(counted);
    const requests = (this.#counts.get(key)?.requests ?? 0) + 1;
    this.#counts.set(key, { outcome: counted.outcome, reason: counted.reason, requests, newestAt: at });
  }

  /** The most frequent first. */
  all(): readonly FailureCount[] {
    return [...this.#counts.values()].sort((a, b) => b.requests - a.requests);
  }
}

const keyOf = ({ outcome, reason = '' }: FailureKind): string => `${outcome} ${reason}`;
