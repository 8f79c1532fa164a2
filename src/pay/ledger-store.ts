import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MaybePromise } from '../runtime/maybe-promise.ts';
import type { RemoteState } from '../storage/remote-state.ts';
import type { Account, AccountChange } from './account.ts';
import type { PaymentRecord, PaymentState } from './record.ts';
import type { SaleReceipts } from './sale.ts';
import type { SaleLog } from './sale-log.ts';
import type { HttpReply } from './types.ts';

/** The kinds of store of payments, in the words of `/v1/health`. */
export const LEDGER_KINDS = ['embedded', 'postgres'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerQuery {
  /** Claimed before this time; newest first. */
  readonly before?: UnixMs;
  readonly limit: number;
}

/** A payment that has no stored answer yet. */
export type Unanswered = Omit<PaymentRecord, 'answerId'>;

/** Stored with a change of a payment, or neither is. */
export interface StoredWith {
  /** Kept as long as the payment; their day's tree has the hash of the answer's. */
  readonly receipts?: SaleReceipts | undefined;
  readonly account?: AccountChange | undefined;
}

export interface ReplaceOptions extends StoredWith {
  /** Nobody waits for it: it may be written a little later, along with others. */
  readonly isPatient?: boolean;
}

export interface InsertOptions extends StoredWith {
  /** The answer of `readPurchase`: its payment identifier is free again. */
  readonly former?: PaymentRecord | undefined;
}

/** Running accounts beside the payments of a store. */
export interface AccountStore {
  read(id: string): MaybePromise<Account | undefined>;
  /** In the order of their ids, from the one behind `after`. */
  list(query: { readonly after?: string; readonly limit: number }): MaybePromise<readonly Account[]>;
  /** Makes a change alone; false where it comes too late. Resolved when it is visible to all processes. */
  write(change: AccountChange): Promise<boolean>;
}

/**
 * A store of payments. A write that was not made rejects with `StoreWriteError`. Several processes may share
 * one store: that a change is made against the version it was read at, or not at all, is their only agreement.
 */
export interface LedgerStore {
  read(key: string): MaybePromise<PaymentRecord | undefined>;
  /** The payment that has a payment identifier, or had it last; undefined where none has. */
  readPurchase(paymentIdHash: string): MaybePromise<PaymentRecord | undefined>;
  readAnswer(record: PaymentRecord): MaybePromise<HttpReply | undefined>;
  /** Receipts of a settled payment, its answer held or not; undefined where none are kept. */
  readReceipts(record: PaymentRecord): MaybePromise<SaleReceipts | undefined>;
  /**
   * Adds a payment with its answer: as it is stored, undefined where its key is taken, or its payment identifier
   * is by another payment than `former`, where its account has gone on, and where the day of its receipts is closed.
   * Payments that are inserted together may share one stored answer where they were sold the same object. Resolved
   * when it is visible to all processes.
   */
  insert(record: Unanswered, answer: HttpReply, options?: InsertOptions): Promise<PaymentRecord | undefined>;
  /**
   * Puts `next` in the place of `before`; where it has no answer any more, that of `before` is let go. False
   * where `before` is no longer what is stored. Where the day of the receipts is closed, or the account has gone on, nothing
   * is changed, and false says so as well.
   */
  replace(before: PaymentRecord, next: PaymentRecord, options?: ReplaceOptions): Promise<boolean>;
  /**
   * Notes once that the answer of a settled payment has arrived: it is delivered, its answer is deleted, its
   * version stays. False where it is no longer what is stored.
   */
  arrive(record: PaymentRecord, at: UnixMs): Promise<boolean>;
  /** Removes a record and lets its answer go; false where the record is no longer what is stored. */
  remove(record: PaymentRecord, account?: AccountChange): Promise<boolean>;
  /**
   * Removes answers that no record has any more, as processes that were killed leave them behind; how many. Payment
   * identifiers that are free again are let go of on the way.
   */
  sweep(): Promise<number>;
  /** Resolved when everything committed so far would survive a loss of power. */
  flushed(): Promise<void>;
  /** Records in one of the states whose due time has come, earliest first. */
  due(by: UnixMs, limit: number, states: ReadonlySet<PaymentState>): MaybePromise<readonly PaymentRecord[]>;
  list(query: LedgerQuery): MaybePromise<readonly PaymentRecord[]>;
  /** The log of sales; undefined where a store keeps none. */
  readonly saleLog?: SaleLog;
  /** Undefined where a store keeps none: then no payment may bring a change of one. */
  readonly accounts?: AccountStore;
  /** True if there is room for more than the payments under way. */
  hasRoom(): boolean;
  /** Bytes that the stored answers take, over all processes. */
  answerBytes(): number;
  /** The one clock of all who share the store; undefined where they have the machine's. */
  readonly clock?: Clock;
  /** The condition of a store that is asked over a network; undefined of one in a folder. */
  readonly remote?: RemoteState;
  close(): Promise<void>;
}

/** Bytes of an answer as it is counted. */
export function answerSize({ headers, body }: HttpReply): number {
  let size = body.length;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}
