import type { AccountChange } from './account.ts';
import { withAccount } from './account-steps.ts';
import type { ChangeOptions } from './ledger.ts';
import type { StoredWith } from './ledger-store.ts';
import type { LifecycleEvent } from './lifecycle.ts';
import type { PaymentContext, PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleReceipts } from './sale.ts';
import type { Transition } from './transition.ts';
import type { HttpReply } from './types.ts';
import { isUnwritten, UnwrittenSales } from './unwritten-sales.ts';

/** A step of a payment with the change of its account, where it stands on one. */
interface Written {
  readonly record: PaymentRecord;
  readonly step: Transition;
  readonly account: AccountChange | undefined;
  /** Undefined in the background. */
  readonly context?: PaymentContext | undefined;
}

type Settled = Extract<LifecycleEvent, { kind: 'settled' }>;

/** Stores the steps of payments as their lifecycle says. */
export class StepWriter {
  readonly #parts: PaywallParts;
  readonly #unwritten: UnwrittenSales;

  /** @param giveUpMs the time for which a settled outcome is tried to be written after it is certain */
  constructor(parts: PaywallParts, giveUpMs: number) {
    this.#parts = parts;
    this.#unwritten = new UnwrittenSales({
      parts,
      store: (record, step) =>
        withAccount(parts, record, step.to, (account) => this.#changed({ record, step, account })),
      giveUpMs,
    });
  }

  /** Tries on in the background to store that a payment is settled. */
  writeLater(record: PaymentRecord, event: Settled): void {
    this.#unwritten.add(record, event);
  }

  /** The record as it is stored then; undefined where it is no longer what was read. */
  async store(
    record: PaymentRecord,
    event: LifecycleEvent,
    step: Transition,
    context: PaymentContext | undefined,
  ): Promise<PaymentRecord | 'full' | undefined> {
    try {
      const stored = await withAccount(this.#parts, record, step.to, (account) =>
        this.#write({ record, step, account, context }, event),
      );
      if (stored === undefined && step.store.includes('hold_answer')) this.#parts.ledger.unlock(record);
      return stored;
    } catch (cause) {
      if (event.kind === 'settled' && isUnwritten(cause)) this.#unwritten.add(record, event);
      throw cause;
    }
  }

  async #write(written: Written, event: LifecycleEvent): Promise<PaymentRecord | 'full' | undefined> {
    const { ledger } = this.#parts;
    const { record, step, account } = written;
    const { change, store } = step;
    if (store.includes('hold_answer')) {
      const answer = answerOf(event);
      return this.#withReceipts(written, (stored) => ledger.hold(record, change, answer, stored));
    }
    if (store.includes('release')) return (await ledger.release(record, account)) ? record : undefined;
    if (store.includes('note_kept')) return ledger.kept(record, change);
    if (store.includes('note_arrival')) return (await ledger.arrived(record)) ? record : undefined;
    return this.#changed(written);
  }

  #changed(written: Written): Promise<PaymentRecord | undefined> {
    const { record, step } = written;
    const effects = effectsOf(step);
    return this.#withReceipts(written, (stored) =>
      this.#parts.ledger.change(record, step.change, { ...effects, ...stored }),
    );
  }

  /**
   * With receipts, where it is a sale and there can be some: made now and stored with it, they are the same whenever
   * its answer is given. Twice, since the second attempt makes the day of the receipts again where a fail-over
   * has lost it. Then without: that day is closed, too early where the clock was ahead for a while, and the
   * answer is owed all the same.
   */
  async #withReceipts<Stored extends PaymentRecord | 'full'>(
    written: Written,
    write: (stored: StoredWith) => Promise<Stored | undefined>,
  ): Promise<Stored | undefined> {
    const stored = await this.#issued(written, write);
    if (stored !== undefined && stored !== 'full') await this.#announce(written, stored);
    return stored;
  }

  /** Tells who listens that a sale is stored. */
  async #announce({ step, context }: Written, sale: PaymentRecord): Promise<void> {
    const { ledger, saleHooks, onError } = this.#parts;
    const hook = step.store.includes('issue_receipts') ? saleHooks.get(sale.routeId) : undefined;
    if (hook === undefined) return;
    try {
      const answer = context?.progress.answer ?? (await ledger.answer(sale));
      if (answer !== undefined) hook(sale, answer);
    } catch (cause) {
      onError(cause);
    }
  }

  async #issued<Stored>(
    written: Written,
    write: (stored: StoredWith) => Promise<Stored | undefined>,
  ): Promise<Stored | undefined> {
    const { record, step, account, context } = written;
    const made = step.store.includes('issue_receipts') ? await this.#receiptsOf(written) : undefined;
    for (const receipts of made === undefined ? [] : [made, made]) {
      const stored = await write({ receipts, account });
      if (stored !== undefined && context !== undefined) context.progress.receipts = receipts;
      if (stored !== undefined || !(await this.#parts.ledger.isUnchanged(record))) return stored;
    }
    return write({ account });
  }

  async #receiptsOf({ record, step, context }: Written): Promise<SaleReceipts | undefined> {
    const { ledger, sale } = this.#parts;
    const answer = context?.progress.answer ?? (await ledger.answer(record));
    return answer && sale?.issue({ ...record, ...step.change }, answer);
  }
}

function answerOf(event: LifecycleEvent): HttpReply {
  if (event.kind === 'prepared' || event.kind === 'sold') return event.answer;
  throw new Error(`${event.kind} brings no answer`);
}

const effectsOf = ({ store }: Transition): ChangeOptions => ({
  drop: store.includes('drop_answer'),
  flush: store.includes('flush'),
});
