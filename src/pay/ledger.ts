import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { LedgerQuery, LedgerStore, LedgerTransaction } from './ledger-store.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

/** A settled answer can be had for this long. */
export const ANSWER_TTL_MS = 10 * 60_000;

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

/** What a claim states; the rest of the record is the ledger's business. */
export type Claim = Pick<
  PaymentRecord,
  | 'key'
  | 'routeId'
  | 'path'
  | 'resourceHash'
  | 'network'
  | 'asset'
  | 'payTo'
  | 'payer'
  | 'nonce'
  | 'amount'
  | 'usd'
  | 'authorization'
  | 'signature'
  | 'paymentHash'
  | 'paymentIdHash'
>;

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly record: PaymentRecord }
  | { readonly kind: 'taken'; readonly record: PaymentRecord }
  | { readonly kind: 'full' };

/** The changing fields of a record. */
export type RecordChange = Partial<Omit<PaymentRecord, 'key' | 'version' | 'storedBytes' | 'claimedAt'>>;

export interface ChangeOptions {
  /** Store this answer, or drop the stored one. */
  readonly answer?: HttpReply | 'drop';
  /** Resolve only when the change would survive a loss of power. */
  readonly flush?: boolean;
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

  get(key: string): PaymentRecord | undefined {
    return this.#store.read(key);
  }

  answer(key: string): HttpReply | undefined {
    return this.#store.readAnswer(key);
  }

  /** Locks the nonce and sets space aside for the answer; exactly one caller of all processes gets it. */
  async claim(claim: Claim, leaseMs: number): Promise<ClaimResult> {
    const { maxAnswerBytes, reserveBytes } = this.#limits;
    const record = this.#claimed(claim, leaseMs, reserveBytes);
    return this.#store.transact<ClaimResult>((tx) => {
      const existing = tx.get(claim.key);
      if (existing !== undefined) return { kind: 'taken', record: existing };
      if (tx.usedBytes() + reserveBytes > maxAnswerBytes) return { kind: 'full' };
      tx.put(record);
      tx.addBytes(reserveBytes);
      return { kind: 'claimed', record };
    });
  }

  #claimed(claim: Claim, leaseMs: number, storedBytes: number): PaymentRecord {
    const now = this.#clock.now();
    return {
      ...claim,
      version: 1,
      state: 'claimed',
      idMisses: 0,
      claimedAt: now,
      verifiedAt: undefined,
      heldAt: undefined,
      settlingAt: undefined,
      settledAt: undefined,
      deliveredAt: undefined,
      closedAt: undefined,
      transaction: undefined,
      proof: undefined,
      reason: undefined,
      attempts: 0,
      storedBytes,
      answerUntil: undefined,
      ...this.#lease(now, leaseMs),
    };
  }

  /** Changes a record; undefined where it has been changed or removed since it was read. */
  async change(
    record: PaymentRecord,
    change: RecordChange,
    { answer, flush = false }: ChangeOptions = {},
  ): Promise<PaymentRecord | undefined> {
    const storedBytes = answer === undefined ? record.storedBytes : sizeOf(answer);
    const next: PaymentRecord = { ...record, ...change, storedBytes, version: record.version + 1 };
    const done = await this.#store.transact((tx) => {
      if (tx.get(record.key)?.version !== record.version) return false;
      replace(tx, record, next, answer);
      return true;
    });
    if (flush && done) await this.#store.flushed();
    return done ? next : undefined;
  }

  /** As `change`, with a lease for this process, after which others may take the payment over. */
  work(record: PaymentRecord, change: RecordChange, leaseMs: number, options?: ChangeOptions) {
    return this.change(record, { ...change, ...this.#lease(this.#clock.now(), leaseMs) }, options);
  }

  /** Stores the answer before the money moves. `full` where it is larger than what is left of the store. */
  async hold(
    record: PaymentRecord,
    answer: HttpReply,
    leaseMs: number,
  ): Promise<PaymentRecord | 'full' | undefined> {
    const now = this.#clock.now();
    const storedBytes = sizeOf(answer);
    const next: PaymentRecord = {
      ...record,
      state: 'held',
      heldAt: now,
      storedBytes,
      version: record.version + 1,
      ...this.#lease(now, leaseMs),
    };
    return this.#store.transact((tx) => {
      if (tx.get(record.key)?.version !== record.version) return undefined;
      if (tx.usedBytes() - record.storedBytes + storedBytes > this.#limits.maxAnswerBytes) return 'full';
      replace(tx, record, next, answer);
      return next;
    });
  }

  /** Gives the nonce free again: nothing was asked to move money. False where it had changed. */
  async release(record: PaymentRecord): Promise<boolean> {
    return this.#store.transact((tx) => {
      if (tx.get(record.key)?.version !== record.version) return false;
      tx.remove(record.key);
      tx.removeAnswer(record.key);
      tx.addBytes(-record.storedBytes);
      return true;
    });
  }

  /** Records that need attention by then. */
  due(by: UnixMs, limit: number): readonly PaymentRecord[] {
    return this.#store
      .due(by, limit)
      .map((key) => this.#store.read(key))
      .filter((record) => record !== undefined);
  }

  /** For the operator, newest first. */
  list(query: LedgerQuery): readonly PaymentRecord[] {
    return this.#store.list(query);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #lease(now: UnixMs, leaseMs: number): Pick<PaymentRecord, 'owner' | 'leaseUntil' | 'dueAt'> {
    const until = asMs(now + leaseMs);
    return { owner: this.#owner, leaseUntil: until, dueAt: until };
  }
}

function replace(
  tx: LedgerTransaction,
  before: PaymentRecord,
  next: PaymentRecord,
  answer: HttpReply | 'drop' | undefined,
): void {
  tx.put(next);
  if (next.storedBytes !== before.storedBytes) tx.addBytes(next.storedBytes - before.storedBytes);
  if (answer === 'drop') tx.removeAnswer(next.key);
  else if (answer !== undefined) tx.putAnswer(next.key, answer);
}

/** Bytes of an answer as the store counts them. */
function sizeOf(answer: HttpReply | 'drop'): number {
  if (answer === 'drop') return 0;
  const headers = Object.entries(answer.headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  );
  return answer.body.length + headers;
}
