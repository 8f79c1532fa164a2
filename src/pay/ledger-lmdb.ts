import { type Clock, systemClock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { StoreWriteError } from '../storage/remote-state.ts';
import type { Account, AccountChange } from './account.ts';
import { AnswerReferences, answerBytes, readAnswer } from './answer-references.ts';
import { DiskSpace } from './disk-space.ts';
import { HeldResponseSpace } from './held-response-space.ts';
import {
  type AccountStore,
  answerSize,
  type InsertOptions,
  type LedgerStore,
  type ReplaceOptions,
  type Unanswered,
} from './ledger-store.ts';
import { idInDue, idOf, idWith, openTables, type Tables, timeBytes, timeOf } from './ledger-tables.ts';
import { arrive, insert, remove, replace, writeAccount } from './ledger-writes.ts';
import { orphanedAnswers } from './orphaned-answers.ts';
import { PurchaseTable } from './purchase-table.ts';
import { readReceiptBytes } from './receipt-bytes.ts';
import type { PaymentRecord, PaymentState } from './record.ts';
import type { SaleReceipts } from './sale.ts';
import { LmdbSaleLog } from './sale-log-lmdb.ts';
import type { SchemeFormat } from './scheme.ts';
import { arrivedRecord } from './transition.ts';
import type { HttpReply } from './types.ts';
import { WriteBatch } from './write-batch.ts';

/** Longer than any answer can be had: what is older is rarely held by anyone. */
const SWEEP_AGE_MS = 15 * MINUTE_MS;

/**
 * Payments in an LMDB folder, shared by all processes of one host. The folder is readable by its owner only: it
 * holds signatures that may not have been used yet.
 *
 * @param formats of all schemes whose payments may be stored
 */
export function openLmdbStore(
  folder: string,
  { formats, clock = systemClock }: { readonly formats: readonly SchemeFormat[]; readonly clock?: Clock },
): LedgerStore {
  return new LmdbStore(openTables(folder, formats), new DiskSpace(folder), clock);
}

class LmdbStore implements LedgerStore {
  readonly #tables: Tables;
  readonly #disk: DiskSpace;
  readonly #clock: Clock;
  readonly #held = new AnswerReferences();
  readonly #space: HeldResponseSpace;
  readonly #batch: WriteBatch;
  readonly #purchases: PurchaseTable;
  readonly saleLog: LmdbSaleLog;
  readonly accounts: AccountStore;
  #flushing: Promise<void> | undefined;

  constructor(tables: Tables, disk: DiskSpace, clock: Clock) {
    this.#tables = tables;
    this.#disk = disk;
    this.#clock = clock;
    this.#space = new HeldResponseSpace(tables.answers);
    this.saleLog = new LmdbSaleLog(tables.log);
    this.#batch = new WriteBatch({ together: (begin) => this.#together(begin), failure: unwritten });
    this.accounts = accountsIn(tables, this.#batch);
    this.#purchases = new PurchaseTable(tables.purchases, (id) => this.#recordOf(id));
  }

  /** One transaction for all, the answers first; changes of payments have conditions of their own within it. */
  #together(begin: () => void): Promise<boolean> {
    const { root, answers } = this.#tables;
    return root.batch(() => {
      for (const [answer, id] of this.#held.takeBatch())
        void answers.put(keyOfAnswer(id), answerBytes(answer));
      begin();
    });
  }

  #removeAnswer(key: Buffer): Promise<boolean> {
    return this.#batch.add(() => this.#beginRemoval(key));
  }

  #beginRemoval(key: Buffer): undefined {
    void this.#tables.answers.remove(key);
  }

  read(key: string): PaymentRecord | undefined {
    const bytes = Buffer.from(key, 'hex');
    const time = current(this.#tables).nonces.get(bytes);
    return time === undefined ? undefined : this.#recordOf(idWith(time, bytes));
  }

  readPurchase(paymentIdHash: string): PaymentRecord | undefined {
    current(this.#tables);
    return this.#purchases.read(paymentIdHash);
  }

  #recordOf(id: Buffer): PaymentRecord | undefined {
    const stored = this.#tables.payments.get(id);
    return stored === undefined ? undefined : this.#read(id, stored);
  }

  #read(id: Buffer, stored: Buffer): PaymentRecord {
    const record = this.#tables.codec.read(stored);
    const arrived = record.state === 'settled' ? this.#tables.arrivals.get(id) : undefined;
    return arrived === undefined ? record : arrivedRecord(record, timeOf(arrived));
  }

  readAnswer({ answerId }: PaymentRecord): HttpReply | undefined {
    const bytes =
      answerId === undefined ? undefined : current(this.#tables).answers.get(keyOfAnswer(answerId));
    return bytes === undefined ? undefined : readAnswer(bytes);
  }

  async insert(
    unanswered: Unanswered,
    answer: HttpReply,
    options: InsertOptions = {},
  ): Promise<PaymentRecord | undefined> {
    if (!this.#held.has(answer)) this.#space.add(answerSize(answer));
    const record = { ...unanswered, answerId: this.#held.retain(answer, this.#clock.now()) };
    const isInserted = await this.#batch.add(
      () => insert(this.#tables, record, options),
      () => void this.#releaseLater(record),
    );
    return isInserted ? record : undefined;
  }

  readReceipts(record: PaymentRecord): SaleReceipts | undefined {
    const bytes = current(this.#tables).receipts.get(idOf(record));
    return bytes && readReceiptBytes(record, bytes);
  }

  replace(before: PaymentRecord, next: PaymentRecord, options: ReplaceOptions = {}): Promise<boolean> {
    const write = (): Promise<boolean> => replace(this.#tables, before, next, options);
    const written = options.isPatient === true ? this.#batch.addPatiently(write) : this.#batch.add(write);
    const drops = before.answerId !== undefined && next.answerId === undefined;
    return drops ? this.#thenRelease(written, before) : written;
  }

  /** The buyer has the answer: what is written of that keeps no other sale waiting. */
  async arrive(record: PaymentRecord, at: UnixMs): Promise<boolean> {
    if (!(await this.#batch.addPatiently(() => arrive(this.#tables, record, at)))) return false;
    await this.#releaseLater(record);
    return true;
  }

  remove(record: PaymentRecord, account?: AccountChange): Promise<boolean> {
    return this.#thenRelease(
      this.#batch.add(() => remove(this.#tables, record, account)),
      record,
    );
  }

  async #thenRelease(written: Promise<boolean>, record: PaymentRecord): Promise<boolean> {
    if (!(await written)) return false;
    await this.#releaseAnswer(record);
    return true;
  }

  /** The last of those who share an answer takes it away. Where that cannot be written, it is swept later. */
  #releaseAnswer(record: PaymentRecord): Promise<unknown> | undefined {
    const key = this.#releasedKey(record);
    return key && this.#removeAnswer(key).catch(() => undefined);
  }

  /** The same where nobody waits for it. */
  #releaseLater(record: PaymentRecord): Promise<unknown> | undefined {
    const key = this.#releasedKey(record);
    return key && this.#batch.addPatiently(() => this.#beginRemoval(key)).catch(() => undefined);
  }

  /** The key of an answer that nobody holds any more; undefined while somebody does. */
  #releasedKey({ answerId, storedBytes }: PaymentRecord): Buffer | undefined {
    if (answerId === undefined || !this.#held.release(answerId)) return undefined;
    this.#space.add(-storedBytes);
    return keyOfAnswer(answerId);
  }

  async sweep(): Promise<number> {
    const before = this.#clock.now() - SWEEP_AGE_MS;
    this.#held.forget(before);
    const keys = await orphanedAnswers(this.#tables, before);
    const free = this.#purchases.free(this.#clock.now());
    await Promise.all([
      ...keys.map((key) => this.#removeAnswer(key)),
      ...free.map((entry) => this.#batch.add(() => this.#purchases.remove(entry))),
    ]);
    return keys.length;
  }

  /** All who ask in one turn wait for the same flush: what they wait for was committed before it. */
  flushed(): Promise<void> {
    if (this.#flushing === undefined) {
      this.#flushing = Promise.resolve(this.#tables.root.flushed).then(() => undefined);
      process.nextTick(() => {
        this.#flushing = undefined;
      });
    }
    return this.#flushing;
  }

  due(by: number, limit: number, states: ReadonlySet<PaymentState>): readonly PaymentRecord[] {
    const { codec, due, payments } = current(this.#tables);
    const found: PaymentRecord[] = [];
    for (const entry of due.getKeys({ end: timeBytes(by + 1) })) {
      if (found.length >= limit) break;
      const id = idInDue(entry);
      const stored = payments.get(id);
      // To read a record takes longer than to find it, and most that are due have only their answer to let go.
      if (stored !== undefined && states.has(codec.stateIn(stored))) found.push(this.#read(id, stored));
    }
    return found;
  }

  list({ before, limit }: Parameters<LedgerStore['list']>[0]): readonly PaymentRecord[] {
    const start = before === undefined ? {} : { start: timeBytes(before) };
    const range = current(this.#tables).payments.getRange({ ...start, reverse: true, limit });
    return [...range].map(({ key, value }) => this.#read(key, value));
  }

  hasRoom(): boolean {
    return this.#disk.hasSpace();
  }

  answerBytes(): number {
    return this.#space.used();
  }

  /** An answer that nobody holds any more is let go of without anybody waiting for it. */
  async close(): Promise<void> {
    await this.#batch.ended();
    await this.#tables.root.close();
  }
}

/**
 * The tables as they are now, not in the snapshot that LMDB keeps for a while: a buyer whose last sale another process made
 * would be taken for one who has not paid, or for one out of step.
 */
function current(tables: Tables): Tables {
  tables.root.resetReadTxn();
  return tables;
}

/** The accounts of the tables; a change shares the transaction of others. */
function accountsIn(tables: Tables, batch: WriteBatch): AccountStore {
  const accountOf = (id: string, entry: { version?: number; value: Buffer }): Account => ({
    id,
    version: entry.version ?? 0,
    row: entry.value.toString('utf8'),
  });
  return {
    read(id) {
      const entry = current(tables).accounts.getEntry(Buffer.from(id, 'utf8'));
      return entry && accountOf(id, entry);
    },
    list({ after, limit }) {
      const start = after === undefined ? {} : { start: Buffer.from(`${after}\0`, 'utf8') };
      const range = current(tables).accounts.getRange({ ...start, limit, versions: true });
      return [...range].map((entry) => accountOf(entry.key.toString('utf8'), entry));
    },
    write: (change) => batch.add(() => writeAccount(tables, change)),
  };
}

const keyOfAnswer = (id: string): Buffer => Buffer.from(id, 'hex');

async function unwritten(cause: unknown): Promise<Error> {
  return new StoreWriteError('the ledger', await reasonOf(cause));
}

/** A commit that fails rejects a second promise too, with the reason, which nobody else would look at. */
async function reasonOf(cause: unknown): Promise<unknown> {
  const why = cause instanceof Error && 'commitError' in cause ? cause.commitError : undefined;
  return why instanceof Promise ? why.catch((reason: unknown) => reason) : cause;
}
