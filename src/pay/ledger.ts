import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MaybePromise } from '../runtime/maybe-promise.ts';
import type { RemoteState } from '../storage/remote-state.ts';
import type { AccountChange } from './account.ts';
import {
  type AccountStore,
  answerSize,
  type LedgerQuery,
  type LedgerStore,
  type StoredWith,
} from './ledger-store.ts';
import { draftOf, holdsIdentifier, type PaymentRecord, type PaymentState } from './record.ts';
import type { SaleReceipts } from './sale.ts';
import type { SaleLog } from './sale-log.ts';
import { type Claim, claimedRecord } from './transition.ts';
import type { HttpReply } from './types.ts';

export interface LedgerLimits {
  /** All stored answers together, bytes. */
  readonly maxAnswerBytes: number;
  /** Set aside for an answer that is not made yet, bytes. */
  readonly reserveBytes: number;
}

const DEFAULT_LEDGER_LIMITS: LedgerLimits = {
  maxAnswerBytes: 512 * 1024 * 1024,
  reserveBytes: 256 * 1024,
};

export interface LedgerOptions {
  readonly store: LedgerStore;
  readonly clock: Clock;
  /** Name of this run of this process. */
  readonly owner: string;
  readonly limits?: LedgerLimits;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly record: PaymentRecord }
  | { readonly kind: 'taken'; readonly record: PaymentRecord }
  | { readonly kind: 'full' };

/** The changing fields of a record. */
export type RecordChange = Partial<
  Omit<PaymentRecord, 'key' | 'version' | 'answerId' | 'storedBytes' | 'claimedAt'>
>;

export interface ChangeOptions extends StoredWith {
  /** Drop the stored answer. */
  readonly drop?: boolean;
  /** Resolve only when the change would survive a loss of power. */
  readonly flush?: boolean;
}

const NO_ANSWER = { answerId: undefined, storedBytes: 0 } as const;

/** A copy with changes. */
function changed(record: PaymentRecord, ...changes: readonly Partial<PaymentRecord>[]): PaymentRecord {
  return Object.assign(draftOf(record), ...changes);
}

/**
 * The payments, their locks and their stored answers. Every change is made against the version the caller has
 * read; where somebody else was faster it is not made, and the caller gets undefined.
 */
export class Ledger {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #limits: LedgerLimits;
  /** Payments that this process has locked, and has stored nothing of yet. */
  readonly #claims = new Map<string, PaymentRecord>();
  /** Keys of those that have a payment identifier, by its hash. */
  readonly #claimedIds = new Map<string, string>();
  /** Space set aside for answers that are not stored yet, by key. */
  readonly #reserved = new Map<string, number>();
  #reservedBytes = 0;

  constructor({ store, clock, owner, limits = DEFAULT_LEDGER_LIMITS }: LedgerOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#owner = owner;
    this.#limits = limits;
  }

  /** Name of this run of this process. */
  get owner(): string {
    return this.#owner;
  }

  /** The time that all who share this ledger go by. */
  get clock(): Clock {
    return this.#clock;
  }

  /** The condition of a ledger that is asked over a network; undefined of one in a folder. */
  get remote(): RemoteState | undefined {
    return this.#store.remote;
  }

  /** The record of a payment: as it is stored, else as this process has locked it. */
  async get(key: string): Promise<PaymentRecord | undefined> {
    return (await this.#store.read(key)) ?? this.#claims.get(key);
  }

  /**
   * The payment under a payment identifier: as it is stored, else as this process has locked it. One whose
   * identifier is free again is returned as well (`holdsIdentifier`).
   */
  async purchase(paymentIdHash: string): Promise<PaymentRecord | undefined> {
    const stored = await this.#store.readPurchase(paymentIdHash);
    if (stored?.paymentIdHash !== paymentIdHash) return this.#claimUnder(paymentIdHash);
    const isHeld = holdsIdentifier(stored, this.#clock.now());
    return isHeld ? stored : (this.#claimUnder(paymentIdHash) ?? stored);
  }

  /** The payment that this process has locked with that identifier. */
  #claimUnder(paymentIdHash: string | undefined): PaymentRecord | undefined {
    const key = paymentIdHash === undefined ? undefined : this.#claimedIds.get(paymentIdHash);
    return key === undefined ? undefined : this.#claims.get(key);
  }

  /** Bytes of the answers that are stored or for which space is set aside. */
  get answerBytes(): number {
    return this.#usedBytes();
  }

  answer(record: PaymentRecord): MaybePromise<HttpReply | undefined> {
    return this.#store.readAnswer(record);
  }

  /** Receipts of a settled payment, its answer held or not; undefined where none are kept. */
  receipts(record: PaymentRecord): MaybePromise<SaleReceipts | undefined> {
    return this.#store.readReceipts(record);
  }

  /**
   * Locks the nonce and the payment identifier in this process and sets space aside for the answer. A claim is
   * taken if either is locked or stored. Other processes are locked out when the answer is held: until then
   * nothing has happened that a second of them could not do as well, and nothing need be written.
   */
  async claim(claim: Claim): Promise<ClaimResult> {
    const stored = await this.#store.read(claim.key);
    // Looked at after the store has answered: others may have claimed it while it was asked.
    const known = stored ?? this.#claims.get(claim.key) ?? this.#claimUnder(claim.paymentIdHash);
    if (known !== undefined) return { kind: 'taken', record: known };
    const { maxAnswerBytes, reserveBytes } = this.#limits;
    if (this.#usedBytes() + reserveBytes > maxAnswerBytes || !this.#store.hasRoom()) return { kind: 'full' };
    const record = claimedRecord(claim, { now: this.#clock.now(), owner: this.#owner });
    this.#claims.set(record.key, record);
    if (record.paymentIdHash !== undefined) this.#claimedIds.set(record.paymentIdHash, record.key);
    this.#reserve(record.key, reserveBytes);
    return { kind: 'claimed', record };
  }

  /** Changes a record; undefined where it has been changed or removed since it was read. */
  async change(
    record: PaymentRecord,
    change: RecordChange,
    { drop = false, flush = false, ...stored }: ChangeOptions = {},
  ): Promise<PaymentRecord | undefined> {
    const version = record.version + 1;
    const next = changed(record, change, drop ? { version, ...NO_ANSWER } : { version });
    if (!(await this.#store.replace(record, next, stored))) return undefined;
    if (flush) await this.#store.flushed();
    return next;
  }

  /**
   * The answer of a settled payment without a payment identifier has arrived: it is delivered. As `change`, but
   * nothing is written again; false where it has been changed since it was read.
   */
  arrived(record: PaymentRecord): Promise<boolean> {
    return this.#store.arrive(record, this.#clock.now());
  }

  /**
   * The answer of a settled payment has arrived, and is kept for its payer. As `change`, but the version stays: the sale can be
   * closed by what was read before.
   */
  async kept(record: PaymentRecord, change: RecordChange): Promise<PaymentRecord | undefined> {
    const next = changed(record, change);
    return (await this.#store.replace(record, next, { isPatient: true })) ? next : undefined;
  }

  /**
   * Stores a claimed payment with its answer, durable when this resolves: before the money moves. Exactly one of
   * all processes gets its nonce, and its payment identifier; undefined for the others, where the claim is no
   * longer ours, and where what is stored with it is out of date: after that the claim stays, until `unlock`, and can be
   * tried again. `full` where the answer is larger than what is left of the store.
   */
  async hold(
    claimed: PaymentRecord,
    change: RecordChange,
    answer: HttpReply,
    stored: StoredWith = {},
  ): Promise<PaymentRecord | 'full' | undefined> {
    const { key } = claimed;
    if (this.#claims.get(key) !== claimed) return undefined;
    const storedBytes = answerSize(answer);
    this.#unreserve(key);
    if (this.#usedBytes() + storedBytes > this.#limits.maxAnswerBytes) return 'full';
    this.#reserve(key, storedBytes);
    let isOver = true;
    try {
      const former = await this.#former(claimed);
      if (former === 'held') return undefined;
      const held = changed(claimed, change, { storedBytes });
      const inserted = await this.#store.insert(held, answer, { ...stored, former });
      if (inserted !== undefined) await this.#store.flushed();
      else isOver = stored.account === undefined && stored.receipts === undefined;
      return inserted;
    } finally {
      if (isOver) this.unlock(claimed);
    }
  }

  /** Resolved when all that can be read would survive a loss of power. */
  flushed(): Promise<void> {
    return this.#store.flushed();
  }

  /** True if a payment is still as it was read: as it is stored, or as this process has locked it. */
  async isUnchanged({ key, version, state, claimedAt }: PaymentRecord): Promise<boolean> {
    const known = await this.get(key);
    return known?.version === version && known.state === state && known.claimedAt === claimedAt;
  }

  /** The payment whose identifier the claimed one takes over, undefined where it has a new one; `held` where it may not. */
  async #former({ paymentIdHash }: PaymentRecord): Promise<PaymentRecord | 'held' | undefined> {
    if (paymentIdHash === undefined) return undefined;
    const former = await this.#store.readPurchase(paymentIdHash);
    const isOwn = former?.paymentIdHash === paymentIdHash;
    return isOwn && holdsIdentifier(former, this.#clock.now()) ? 'held' : former;
  }

  /**
   * Gives the nonce free again: nothing was asked to move money. False where the payment has changed, or is another
   * process's by now.
   */
  async release(record: PaymentRecord, account?: AccountChange): Promise<boolean> {
    if (!this.unlock(record)) return this.#store.remove(record, account);
    return (await this.#store.read(record.key)) === undefined;
  }

  /** Gives up a claim of which nothing is stored; false where this process has not locked it. */
  unlock(claimed: PaymentRecord): boolean {
    if (this.#claims.get(claimed.key) !== claimed) return false;
    this.#unreserve(claimed.key);
    if (claimed.paymentIdHash !== undefined) this.#claimedIds.delete(claimed.paymentIdHash);
    return this.#claims.delete(claimed.key);
  }

  /** Records in one of the states that need attention by then, earliest first. */
  due(by: UnixMs, limit: number, states: ReadonlySet<PaymentState>): MaybePromise<readonly PaymentRecord[]> {
    return this.#store.due(by, limit, states);
  }

  /** Removes answers that no payment has any more; how many. */
  sweep(): Promise<number> {
    return this.#store.sweep();
  }

  /** The log of sales; undefined where the store keeps none. */
  get saleLog(): SaleLog | undefined {
    return this.#store.saleLog;
  }

  /** Running accounts beside the payments; undefined where the store keeps none. */
  get accounts(): AccountStore | undefined {
    return this.#store.accounts;
  }

  /** For the operator, newest first. */
  list(query: LedgerQuery): MaybePromise<readonly PaymentRecord[]> {
    return this.#store.list(query);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #usedBytes(): number {
    return this.#store.answerBytes() + this.#reservedBytes;
  }

  #reserve(key: string, bytes: number): void {
    this.#reserved.set(key, bytes);
    this.#reservedBytes += bytes;
  }

  #unreserve(key: string): void {
    this.#reservedBytes -= this.#reserved.get(key) ?? 0;
    this.#reserved.delete(key);
  }
}
