import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../../domain/clock.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import { answerBytes, readAnswer } from '../../../pay/answer-references.ts';
import type {
  InsertOptions,
  LedgerQuery,
  LedgerStore,
  StoredWith,
  Unanswered,
} from '../../../pay/ledger-store.ts';
import { IDENTIFIER_MS, type PaymentRecord, type PaymentState } from '../../../pay/record.ts';
import { createRecordJson, type RecordJson } from '../../../pay/record-json.ts';
import type { SaleReceipts } from '../../../pay/sale.ts';
import { dayNumber, leafHash } from '../../../pay/sale-log.ts';
import type { SchemeFormat } from '../../../pay/scheme.ts';
import { arrivedRecord } from '../../../pay/transition.ts';
import type { HttpReply } from '../../../pay/types.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { type RemoteState, StoreUnreachable } from '../../../storage/remote-state.ts';
import { Connection, REPEATABLE, type UncheckedServer } from '../server/connection.ts';
import { PostgresReceiptLog } from './receipt-log.ts';
import { LEDGER_SERVER } from './schema.ts';
import { ServerClock } from './server-clock.ts';
import * as sql from './statements.ts';

/** Time and space are asked for so often. */
const PULSE_MS = 5_000;
const ID_BYTES = 14;
/** To let go of identifiers reads the payments of those that are a day old. */
const FREE_EVERY_MS = 10 * MINUTE_MS;

export interface PostgresStoreOptions {
  /** Of all schemes whose payments may be stored. */
  readonly formats: readonly SchemeFormat[];
  /** Until the server has stated its time. */
  readonly clock?: Clock;
  /** The server need not answer yet: until it does, every call rejects, and each asks it again. */
  readonly mayBeAway?: boolean;
}

/**
 * Payments in PostgreSQL, shared by all hosts that name the same database. A change is one statement, which is made
 * against the version it was read at, or not at all.
 *
 * @param url postgres://user:password@host:port/database
 * @throws StoreOpenError where the tables are of a newer build, or missing and may not be made; what
 * `Connection.read` rejects with
 */
export async function openPostgresStore(
  url: string,
  { formats, clock = systemClock, mayBeAway = false }: PostgresStoreOptions,
): Promise<LedgerStore> {
  const store = new PostgresStore(url, new ServerClock(clock), createRecordJson(formats));
  try {
    await store.ready();
  } catch (cause) {
    if (mayBeAway && cause instanceof StoreUnreachable) return store;
    await store.close();
    throw cause;
  }
  return store;
}

class PostgresStore implements LedgerStore {
  readonly #json: RecordJson;
  readonly #connection: Connection;
  readonly #pulse: NodeJS.Timeout;
  readonly clock: ServerClock;
  readonly saleLog: PostgresReceiptLog;
  /** Days that have a row to be locked by. */
  readonly #days = new Set<number>();
  #answerBytes = 0;
  /** When free identifiers are let go of next, by the clock of `performance`. */
  #freeAgainAt = 0;

  constructor(url: string, clock: ServerClock, json: RecordJson) {
    this.#json = json;
    const check = async (server: UncheckedServer): Promise<void> => {
      await LEDGER_SERVER.check(server);
      await this.#ask(server);
    };
    const connection = new Connection(url, { ...LEDGER_SERVER, check });
    this.#connection = connection;
    this.clock = clock;
    this.saleLog = new PostgresReceiptLog(connection);
    // A failed pulse is counted, and tried again.
    this.#pulse = setInterval(() => void this.#ask(connection).catch(() => {}), PULSE_MS).unref();
  }

  ready(): Promise<void> {
    return this.#connection.ready();
  }

  get remote(): RemoteState {
    return this.#connection;
  }

  /** Time and space. */
  async #ask(server: Pick<UncheckedServer, 'read'>): Promise<void> {
    const askedAt = performance.now();
    const [row] = await server.read(sql.PULSE);
    if (row === undefined) return;
    this.clock.set(Number(row.now), askedAt);
    this.#answerBytes = Number(row.held);
  }

  async read(key: string): Promise<PaymentRecord | undefined> {
    return (await this.#records(sql.READ, [bytesOf(key)]))[0];
  }

  async readPurchase(paymentIdHash: string): Promise<PaymentRecord | undefined> {
    const [record] = await this.#records(sql.READ_PURCHASE, [bytesOf(paymentIdHash)]);
    return record;
  }

  async readAnswer({ key, answerId }: PaymentRecord): Promise<HttpReply | undefined> {
    if (answerId === undefined) return undefined;
    const [row] = await this.#connection.read(sql.READ_ANSWER, [bytesOf(key), answerId]);
    return row === undefined ? undefined : readAnswer(row.bytes as Buffer);
  }

  async readReceipts({ key, answerId }: PaymentRecord): Promise<SaleReceipts | undefined> {
    if (answerId === undefined) return undefined;
    const [row] = await this.#connection.read(sql.READ_RECEIPTS, [bytesOf(key), answerId]);
    if (typeof row?.official !== 'string' || typeof row.answer !== 'string') return undefined;
    return { official: row.official, answer: row.answer };
  }

  async insert(
    unanswered: Unanswered,
    answer: HttpReply,
    { former, receipts }: InsertOptions = {},
  ): Promise<PaymentRecord | undefined> {
    const record = { ...unanswered, answerId: randomBytes(ID_BYTES).toString('hex') };
    const { key, claimedAt, storedBytes, paymentIdHash } = record;
    const held = [bytesOf(key), claimedAt, storedBytes, answerBytes(answer)];
    const day = receipts && (await this.#dayOf(record));
    const sold = receipts === undefined ? [null, null, null, null] : [day, ...columnsOfReceipts(receipts)];
    const values = [...this.#columnsOf(record), ...held, ...sold];
    const purchase =
      paymentIdHash === undefined
        ? []
        : [bytesOf(paymentIdHash), former === undefined ? null : bytesOf(former.key)];
    const isInserted = await this.#connection.write({
      sql: paymentIdHash === undefined ? sql.INSERT : sql.INSERT_PURCHASE,
      values: [...values, ...purchase],
      isMade: { sql: sql.IS_INSERTED, values: [bytesOf(record.key), record.answerId] },
    });
    if (isInserted) this.#answerBytes += record.storedBytes;
    else if (day !== undefined) this.#days.delete(day);
    return isInserted ? record : undefined;
  }

  async replace(before: PaymentRecord, next: PaymentRecord, { receipts }: StoredWith = {}): Promise<boolean> {
    const values = [...this.#columnsOf(next), ...stampOf(before)];
    const isMade = { sql: sql.IS_STORED, values: [bytesOf(next.key), next.version, this.#json.write(next)] };
    if (receipts !== undefined) {
      const day = await this.#dayOf(next);
      const sold = [...values, day, ...columnsOfReceipts(receipts)];
      const isSettled = await this.#connection.write({ sql: sql.SETTLE, values: sold, isMade });
      // Where a fail-over has lost the day's row, the next attempt makes it again.
      if (!isSettled) this.#days.delete(day);
      return isSettled;
    }
    if (before.answerId === undefined || next.answerId !== undefined) {
      return this.#connection.write({ sql: sql.REPLACE, values, isMade });
    }
    return this.#dropped(before, this.#connection.write({ sql: sql.REPLACE_AND_DROP, values, isMade }));
  }

  arrive(record: PaymentRecord, at: UnixMs): Promise<boolean> {
    const next = arrivedRecord(record, at);
    const values = [...this.#columnsOf(next), ...stampOf(record)];
    const isMade = { sql: sql.IS_STORED, values: [bytesOf(next.key), next.version, this.#json.write(next)] };
    return this.#dropped(record, this.#connection.write({ sql: sql.REPLACE_AND_DROP, values, isMade }));
  }

  remove(record: PaymentRecord): Promise<boolean> {
    const stamp = stampOf(record);
    const isMade = { sql: sql.IS_GONE, values: [bytesOf(record.key)] };
    return this.#dropped(record, this.#connection.write({ sql: sql.REMOVE, values: stamp, isMade }));
  }

  async #dropped({ storedBytes }: PaymentRecord, written: Promise<boolean>): Promise<boolean> {
    const isDropped = await written;
    if (isDropped) this.#answerBytes = Math.max(0, this.#answerBytes - storedBytes);
    return isDropped;
  }

  /** The day of a sale's receipts. It needs a row before a receipt can hold it open. */
  async #dayOf({ settledAt = asMs(0) }: PaymentRecord): Promise<number> {
    const day = dayNumber(settledAt);
    if (this.#days.has(day)) return day;
    const isMade = { sql: 'SELECT FROM perpmeter.receipt_days WHERE day = $1', values: [day] };
    await this.#connection.write({ sql: sql.OPEN_DAY, values: [day], isMade });
    this.#days.add(day);
    return day;
  }

  /** An answer goes in the statement in which its payment lets it go: none is left behind. Identifiers are let go of now and then. */
  async sweep(): Promise<number> {
    const now = performance.now();
    if (now < this.#freeAgainAt) return 0;
    this.#freeAgainAt = now + FREE_EVERY_MS;
    const before = this.clock.now() - IDENTIFIER_MS;
    await this.#connection.write({ sql: sql.FREE_IDENTIFIERS, values: [before], isMade: REPEATABLE });
    return 0;
  }

  /** A statement is answered when it is committed. */
  async flushed(): Promise<void> {}

  due(by: UnixMs, limit: number, states: ReadonlySet<PaymentState>): Promise<readonly PaymentRecord[]> {
    return this.#records(sql.DUE, [by, limit, [...states]]);
  }

  list({ before, limit }: LedgerQuery): Promise<readonly PaymentRecord[]> {
    return this.#records(sql.LIST, [before ?? Number.MAX_SAFE_INTEGER, limit]);
  }

  /** Values of a change: $1 to $5. */
  #columnsOf(record: PaymentRecord): readonly unknown[] {
    const { version, state, dueAt = null, answerId = null } = record;
    return [version, state, dueAt, answerId, this.#json.write(record)];
  }

  async #records(statement: string, values: readonly unknown[]): Promise<readonly PaymentRecord[]> {
    const rows = await this.#connection.read(statement, values);
    return rows.map(({ record }) => this.#json.read(record));
  }

  /** A full disk is the server's to report: it refuses the write. */
  hasRoom(): boolean {
    return true;
  }

  answerBytes(): number {
    return this.#answerBytes;
  }

  close(): Promise<void> {
    clearInterval(this.#pulse);
    return this.#connection.close();
  }
}

/** Leaf and texts of receipts. */
const columnsOfReceipts = ({ official, answer }: SaleReceipts): readonly unknown[] => [
  leafHash(Buffer.from(answer)),
  official,
  answer,
];

const bytesOf = (key: string): Buffer => Buffer.from(key, 'hex');

/**
 * The condition of a change: version and state, and the answer by which one claim of a nonce differs from the
 * next.
 */
function stampOf({ key, claimedAt, version, state, answerId }: PaymentRecord): readonly unknown[] {
  return [bytesOf(key), claimedAt, version, state, answerId ?? null];
}
