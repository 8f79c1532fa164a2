import { type Clock, systemClock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { StoreWriteError } from '../storage/remote-state.ts';
import { AnswerReferences, answerBytes, readAnswer } from './answer-references.ts';
import { DiskSpace } from './disk-space.ts';
import { HeldResponseSpace } from './held-response-space.ts';
import { answerSize, type LedgerStore, type Unanswered } from './ledger-store.ts';
import {
  dueKey,
  dueValue,
  idInDue,
  idOf,
  idWith,
  keyIn,
  openTables,
  type Tables,
  timeBytes,
  timeIn,
  timeOf,
} from './ledger-tables.ts';
import { orphanedAnswers } from './orphaned-answers.ts';
import { addReceipt, LmdbReceiptLog } from './receipts/receipt-log-lmdb.ts';
import type { SaleReceipts } from './receipts/sale-receipts.ts';
import type { PaymentRecord, PaymentState } from './record.ts';
import { readRecord, recordBytes, stateIn } from './record-codec.ts';
import { arrivedRecord } from './transition.ts';
import type { HttpReply } from './types.ts';
import { WriteBatch } from './write-batch.ts';

/** Longer than any answer can be had: what is older is rarely held by anyone. */
const SWEEP_AGE_MS = 15 * MINUTE_MS;

/**
 * Payments in an LMDB folder, shared by all processes of one host. The folder is readable by its owner only: it
 * holds signatures that may not have been used yet.
 */
export function openLmdbStore(folder: string, clock: Clock = systemClock): LedgerStore {
  return new LmdbStore(openTables(folder), new DiskSpace(folder), clock);
}

class LmdbStore implements LedgerStore {
  readonly #tables: Tables;
  readonly #disk: DiskSpace;
  readonly #clock: Clock;
  readonly #held = new AnswerReferences();
  readonly #space: HeldResponseSpace;
  readonly #batch: WriteBatch;
  readonly receiptLog: LmdbReceiptLog;
  #flushing: Promise<void> | undefined;

  constructor(tables: Tables, disk: DiskSpace, clock: Clock) {
    this.#tables = tables;
    this.#disk = disk;
    this.#clock = clock;
    this.#space = new HeldResponseSpace(tables.answers);
    this.receiptLog = new LmdbReceiptLog(tables.log);
    this.#batch = new WriteBatch({ together: (begin) => this.#together(begin), failure: unwritten });
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
    return this.#batch.add(() => {
      void this.#tables.answers.remove(key);
      return undefined;
    });
  }

  read(key: string): PaymentRecord | undefined {
    const bytes = Buffer.from(key, 'hex');
    const time = this.#tables.nonces.get(bytes);
    return time === undefined ? undefined : this.#recordOf(idWith(time, bytes));
  }

  #recordOf(id: Buffer): PaymentRecord | undefined {
    const stored = this.#tables.payments.get(id);
    return stored === undefined ? undefined : this.#read(id, stored);
  }

  #read(id: Buffer, stored: Buffer): PaymentRecord {
    const record = readRecord(stored);
    const arrived = record.state === 'settled' ? this.#tables.arrivals.get(id) : undefined;
    return arrived === undefined ? record : arrivedRecord(record, timeOf(arrived));
  }

  readAnswer({ answerId }: PaymentRecord): HttpReply | undefined {
    const bytes = answerId === undefined ? undefined : this.#tables.answers.get(keyOfAnswer(answerId));
    return bytes === undefined ? undefined : readAnswer(bytes);
  }

  async insert(unanswered: Unanswered, answer: HttpReply): Promise<PaymentRecord | undefined> {
    if (!this.#held.has(answer)) this.#space.add(answerSize(answer));
    const record = { ...unanswered, answerId: this.#held.retain(answer, this.#clock.now()) };
    const isInserted = await this.#batch.add(
      () => insert(this.#tables, record),
      () => void this.#releaseAnswer(record),
    );
    return isInserted ? record : undefined;
  }

  readReceipts(record: PaymentRecord): SaleReceipts | undefined {
    const [official, answer] = this.#tables.receipts.get(idOf(record))?.toString('latin1').split('\n') ?? [];
    return official === undefined || answer === undefined ? undefined : { official, answer };
  }

  replace(before: PaymentRecord, next: PaymentRecord, receipts?: SaleReceipts): Promise<boolean> {
    const written = this.#batch.add(() => replace(this.#tables, before, next, receipts));
    const drops = before.answerId !== undefined && next.answerId === undefined;
    return drops ? this.#thenRelease(written, before) : written;
  }

  arrive(record: PaymentRecord, at: UnixMs): Promise<boolean> {
    return this.#thenRelease(
      this.#batch.add(() => arrive(this.#tables, record, at)),
      record,
    );
  }

  remove(record: PaymentRecord): Promise<boolean> {
    return this.#thenRelease(
      this.#batch.add(() => remove(this.#tables, record)),
      record,
    );
  }

  async #thenRelease(written: Promise<boolean>, record: PaymentRecord): Promise<boolean> {
    if (!(await written)) return false;
    await this.#releaseAnswer(record);
    return true;
  }

  /** The last of those who share an answer takes it away. Where that cannot be written, it is swept later. */
  #releaseAnswer({ answerId, storedBytes }: PaymentRecord): Promise<unknown> | undefined {
    if (answerId === undefined || !this.#held.release(answerId)) return undefined;
    this.#space.add(-storedBytes);
    return this.#removeAnswer(keyOfAnswer(answerId)).catch(() => undefined);
  }

  async sweep(): Promise<number> {
    const before = this.#clock.now() - SWEEP_AGE_MS;
    this.#held.forget(before);
    const keys = await orphanedAnswers(this.#tables, before);
    await Promise.all(keys.map((key) => this.#removeAnswer(key)));
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
    const { due, payments } = this.#tables;
    const found: PaymentRecord[] = [];
    for (const entry of due.getKeys({ end: timeBytes(by + 1) })) {
      if (found.length >= limit) break;
      const id = idInDue(entry);
      const stored = payments.get(id);
      // To read a record takes longer than to find it, and most that are due have only their answer to let go.
      if (stored !== undefined && states.has(stateIn(stored))) found.push(this.#read(id, stored));
    }
    return found;
  }

  list({ before, limit }: Parameters<LedgerStore['list']>[0]): readonly PaymentRecord[] {
    const start = before === undefined ? {} : { start: timeBytes(before) };
    const range = this.#tables.payments.getRange({ ...start, reverse: true, limit });
    return [...range].map(({ key, value }) => this.#read(key, value));
  }

  hasRoom(): boolean {
    return this.#disk.hasSpace();
  }

  answerBytes(): number {
    return this.#space.used();
  }

  close(): Promise<void> {
    return this.#tables.root.close();
  }
}

const keyOfAnswer = (id: string): Buffer => Buffer.from(id, 'hex');

/** The puts share the fate of the condition, which is what is awaited. */
function insert({ payments, nonces, due }: Tables, record: PaymentRecord): Promise<boolean> {
  const id = idOf(record);
  const key = keyIn(id);
  const bytes = recordBytes(record);
  return nonces.ifNoExists(key, () => {
    void nonces.put(key, timeIn(id));
    void payments.put(id, bytes, record.version);
    if (record.dueAt !== undefined) void due.put(dueKey(record.dueAt, id), dueValue(record));
  });
}

function replace(
  tables: Tables,
  before: PaymentRecord,
  next: PaymentRecord,
  receipts: SaleReceipts | undefined,
): Promise<boolean> {
  const { payments, arrivals } = tables;
  if (next.answerId !== undefined && next.dueAt === undefined) {
    throw new Error('an answer is held by payments that are due some time');
  }
  const id = idOf(before);
  const bytes = recordBytes(next);
  const write = (): void => rewrite(tables, id, bytes, before, next);
  if (receipts === undefined && before.state !== 'settled') {
    return payments.ifVersion(id, before.version, write);
  }
  let isOpen: Promise<boolean> | undefined;
  const isSame = payments.ifVersion(id, before.version, () => {
    isOpen =
      receipts === undefined
        ? arrivals.ifNoExists(id, write)
        : addReceipt(tables.log, receipts.answer, next.settledAt ?? 0, () => {
            void tables.receipts.put(id, Buffer.from(`${receipts.official}\n${receipts.answer}`, 'latin1'));
            write();
          });
  });
  return bothOf(isSame, isOpen);
}

function rewrite(
  { payments, due, receipts }: Tables,
  id: Buffer,
  bytes: Buffer,
  before: PaymentRecord,
  next: PaymentRecord,
): void {
  void payments.put(id, bytes, next.version);
  if (before.answerId !== undefined && next.answerId === undefined) void receipts.remove(id);
  if (before.dueAt === next.dueAt && before.answerId === next.answerId) return;
  if (before.dueAt !== undefined) void due.remove(dueKey(before.dueAt, id));
  if (next.dueAt !== undefined) void due.put(dueKey(next.dueAt, id), dueValue(next));
}

/** What is within a condition that does not hold is skipped, and says that it was done. */
async function bothOf(outer: Promise<boolean>, inner: Promise<boolean> | undefined): Promise<boolean> {
  const [isOuter, isInner] = await Promise.all([outer, inner]);
  return isOuter && isInner === true;
}

function arrive(
  { payments, arrivals, due, receipts }: Tables,
  record: PaymentRecord,
  at: UnixMs,
): Promise<boolean> {
  const id = idOf(record);
  let isFirst: Promise<boolean> | undefined;
  const isSame = payments.ifVersion(id, record.version, () => {
    // An answer may be on its way twice, and the version stays when it arrives.
    isFirst = arrivals.ifNoExists(id, () => {
      void arrivals.put(id, timeBytes(at));
      void receipts.remove(id);
      if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
    });
  });
  return bothOf(isSame, isFirst);
}

function remove({ payments, nonces, due }: Tables, record: PaymentRecord): Promise<boolean> {
  const id = idOf(record);
  return payments.ifVersion(id, record.version, () => {
    void payments.remove(id);
    void nonces.remove(keyIn(id));
    if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
  });
}

async function unwritten(cause: unknown): Promise<Error> {
  return new StoreWriteError('the ledger', await reasonOf(cause));
}

/** A commit that fails rejects a second promise too, with the reason, which nobody else would look at. */
async function reasonOf(cause: unknown): Promise<unknown> {
  const why = cause instanceof Error && 'commitError' in cause ? cause.commitError : undefined;
  return why instanceof Promise ? why.catch((reason: unknown) => reason) : cause;
}
