import { sleep, systemTimer } from '../runtime/timer.ts';
import { StoreUnreachable, StoreWriteError } from '../storage/remote-state.ts';
import type { LifecycleEvent } from './lifecycle.ts';
import type { PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import { type Transition, transition } from './transition.ts';

type Settled = Extract<LifecycleEvent, { kind: 'settled' }>;

export interface UnwrittenSalesOptions {
  readonly parts: Pick<
    PaywallParts,
    'ledger' | 'clock' | 'writeAgainMs' | 'closing' | 'background' | 'onClosed'
  >;
  /** As a payment's change to settled is stored; undefined where the payment has changed. */
  readonly store: (record: PaymentRecord, step: Transition) => Promise<PaymentRecord | undefined>;
  /** The time after its outcome is certain for which a payment is looked after, ms. */
  readonly giveUpMs: number;
}

/**
 * Payments that are settled and could not be written so: on a full disk, or since they were taken up meanwhile.
 * Where only the facilitator can be asked, it may never say so again: it refuses an authorization that is used.
 * So it is tried until it is written.
 */
export class UnwrittenSales {
  readonly #options: UnwrittenSalesOptions;
  readonly #keys = new Set<string>();

  constructor(options: UnwrittenSalesOptions) {
    this.#options = options;
  }

  /** Goes on beside requests until the payment is stored as settled or closed, or its time or that of the process is over. */
  add(record: PaymentRecord, event: Settled): void {
    if (this.#keys.has(record.key)) return;
    this.#keys.add(record.key);
    const writing = this.#write(record, event).finally(() => this.#keys.delete(record.key));
    this.#options.parts.background(writing);
  }

  async #write(record: PaymentRecord, event: Settled): Promise<void> {
    const { parts, giveUpMs } = this.#options;
    const { clock, closing, writeAgainMs } = parts;
    const until = record.overAt + giveUpMs;
    while (!(await this.#isDone(record, event))) {
      if (closing.aborted || clock.now() >= until) return;
      await sleep(systemTimer, writeAgainMs, closing);
    }
  }

  async #isDone(record: PaymentRecord, event: Settled): Promise<boolean> {
    const { parts, store } = this.#options;
    const { ledger, clock } = parts;
    try {
      const known = await ledger.get(record.key);
      // Another claim of the nonce is another payment.
      if (known?.claimedAt !== record.claimedAt) return true;
      const step = transition(known, event, { now: clock.now(), owner: ledger.owner });
      if (step === undefined) return true;
      // No request waits for the answer any more: the next one that presents the payment gets it at once.
      const stored = await store(known, { ...step, change: { ...step.change, leaseUntil: undefined } });
      if (stored !== undefined) parts.onClosed(stored);
      return stored !== undefined;
    } catch (cause) {
      if (isUnwritten(cause)) return false;
      throw cause;
    }
  }
}

/** A change was not stored, or may not be. */
export function isUnwritten(cause: unknown): boolean {
  return cause instanceof StoreWriteError || cause instanceof StoreUnreachable;
}
