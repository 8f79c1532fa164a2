import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../../domain/clock.ts';
import type { UnixMs } from '../../../domain/units.ts';
import type { AccountChange } from '../../../pay/account.ts';
import { answerBytes, readAnswer } from '../../../pay/answer-references.ts';
import type {
  InsertOptions,
  LedgerQuery,
  LedgerStore,
  StoredWith,
  Unanswered,
} from '../../../pay/ledger-store.ts';
import { readReceiptBytes } from '../../../pay/receipt-bytes.ts';
import { IDENTIFIER_MS, type PaymentRecord, type PaymentState } from '../../../pay/record.ts';
import { createRecordJson, type RecordJson } from '../../../pay/record-json.ts';
import type { SaleReceipts } from '../../../pay/sale.ts';
import type { SchemeFormat } from '../../../pay/scheme.ts';
import { arrivedRecord } from '../../../pay/transition.ts';
import type { HttpReply } from '../../../pay/types.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { type RemoteState, StoreUnreachable } from '../../../storage/remote-state.ts';
import { Connection, REPEATABLE, type UncheckedServer, type Write } from '../server/connection.ts';
import { ServerClock } from '../server/server-clock.ts';
import { PostgresAccounts } from './accounts.ts';
import { dayOf } from './change-statement.ts';
import { bytesOf, insertion, removal, replacement } from './changes.ts';
import { PostgresReceiptLog } from './receipt-log.ts';
import { LEDGER_SERVER } from './schema.ts';

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
  readonly accounts: PostgresAccounts;
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
    this.accounts = new PostgresAccounts(connection);
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

  async readReceipts(record: PaymentRecord): Promise<SaleReceipts | undefined> {
    const [row] = await this.#connection.read(sql.READ_RECEIPTS, [bytesOf(record.key)]);
    if (Buffer.isBuffer(row?.bytes)) return readReceiptBytes(record, row.bytes);
    if (typeof row?.official !== 'string' || typeof row.answer !== 'string') return undefined;
    return { official: row.official, answer: row.answer };
  }

  async insert(
    unanswered: Unanswered,
    answer: HttpReply,
    options: InsertOptions = {},
  ): Promise<PaymentRecord | undefined> {
    const record = { ...unanswered, answerId: randomBytes(ID_BYTES).toString('hex') };
    const added = { record, answer: answerBytes(answer), json: this.#json };
    const isInserted = await this.#write(record, options, () => insertion(added, options));
    if (isInserted) this.#answerBytes += record.storedBytes;
    return isInserted ? record : undefined;
  }

  async replace(before: PaymentRecord, next: PaymentRecord, stored: StoredWith = {}): Promise<boolean> {
    const changed = { before, next, json: this.#json };
    const isWritten = await this.#write(next, stored, () => replacement(changed, stored));
    if (isWritten && before.answerId !== undefined && next.answerId === undefined) this.#release(before);
    return isWritten;
  }

  arrive(record: PaymentRecord, at: UnixMs): Promise<boolean> {
    return this.replace(record, arrivedRecord(record, at));
  }

  async remove(record: PaymentRecord, account?: AccountChange): Promise<boolean> {
    const isRemoved = await this.#write(record, { account }, () => removal(record, account));
    if (isRemoved) this.#release(record);
    return isRemoved;
  }

  /** Writes where the rows are that its conditions lock: those of a new day and of a new account are made before. */
  async #write(sold: PaymentRecord, { receipts, account }: StoredWith, make: () => Write): Promise<boolean> {
    const day = receipts && dayOf(sold);
    if (day !== undefined) await this.#openDay(day);
    if (account !== undefined) await this.accounts.open(account);
    const isWritten = await this.#connection.write(make());
    // Where a fail-over has lost the day's row, the next attempt makes it again.
    if (day !== undefined && !isWritten) this.#days.delete(day);
    return isWritten;
  }

  /** Its answer was deleted with the change. */
  #release({ storedBytes }: PaymentRecord): void {
    this.#answerBytes = Math.max(0, this.#answerBytes - storedBytes);
  }

  /** A day needs a row before a receipt can hold it open. */
  async #openDay(day: number): Promise<void> {
    if (this.#days.has(day)) return;
    const isMade = { sql: 'SELECT FROM perpmeter.receipt_days WHERE day = $1', values: [day] };
    await this.#connection.write({ sql: sql.OPEN_DAY, values: [day], isMade });
    this.#days.add(day);
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
