import { chmodSync, mkdirSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';
import { asMs, type UnixMs } from '../domain/units.ts';
import { noteVersion, openStoreFolder, type StoreFormat } from '../storage/store-folder.ts';
import { ANSWER_KEY_BYTES } from './answer-references.ts';
import type { PaymentRecord } from './record.ts';
import { createRecordCodec, type RecordCodec } from './record-codec.ts';
import { openSaleLogTables, SALE_LOG_TABLES, type SaleLogTables } from './sale-log-lmdb.ts';
import type { SchemeFormat } from './scheme.ts';

const TIME_BYTES = 6;
const KEY_BYTES = 20;

/**
 * Batching by event turn would put a promise of its own around each batch, which nobody holds: where the commit
 * fails, as on a full disk, its rejection would end the process. Writes that belong together are made under one
 * condition anyway.
 */
const WRITING = { eventTurnBatching: false, txnStartThreshold: 1000 };

/**
 * Payments under their time of claiming: those that are changed lie side by side, so that a commit writes few pages.
 * A payment is found by its nonce through `nonces`. Versions are LMDB's own: a change that comes too late is turned
 * away by the writing thread, and no transaction ever runs in this one.
 */
export interface Tables {
  readonly codec: RecordCodec;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly payments: Database<Buffer, Buffer>;
  /** Key -> time of claiming. */
  readonly nonces: Database<Buffer, Buffer>;
  /** Id of a settled payment -> when its answer arrived: a payment is not written again for that. */
  readonly arrivals: Database<Buffer, Buffer>;
  /** Hash of a payment identifier -> id of the payment that has it, in the version of that payment's key. */
  readonly purchases: Database<Buffer, Buffer>;
  readonly answers: Database<Buffer, Buffer>;
  /** Id of a settled payment -> its receipts. */
  readonly receipts: Database<Buffer, Buffer>;
  readonly log: SaleLogTables;
  /** Id of a running account -> its row, in the account's version. */
  readonly accounts: Database<Buffer, Buffer>;
  /** Due time and id of everything the reconciler has to look at -> key of its answer, where it has one. */
  readonly due: Database<Buffer, Buffer>;
}

export const LEDGER_FORMAT: StoreFormat = {
  name: 'the payment ledger',
  whenLost:
    'payments of before are not known then. The chain refuses a used authorization once more, but one under way is not closed, and a paid answer that was not delivered is not given out.',
  tables: [
    'payments',
    'locks',
    'arrivals',
    'shelf',
    'due',
    'receipts',
    'purchases',
    'accounts',
    ...SALE_LOG_TABLES,
  ],
  // From 2 to 3 tables of receipts are added; payments of version 2 are read as they are, and have none.
  // From 3 to 4 a table of payment identifiers is added: those of version 3 were of one authorization each, and
  // have no entry.
  // From 4 to 5 a table of running accounts is added, which payments of version 4 have none of.
  // From 5 to 6 hex and receipts are written as bytes; rows of version 5 are read as they are.
  upgrades: [noteVersion, noteVersion, noteVersion, noteVersion, noteVersion],
};

/** Opens the tables in a folder, which is made, and is for its owner only. Throws `StoreOpenError`. */
export function openTables(folder: string, formats: readonly SchemeFormat[]): Tables {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = openStoreFolder(folder, LEDGER_FORMAT, WRITING);
  // Names on disk stay those of the first version.
  return {
    codec: createRecordCodec(formats),
    root,
    payments: root.openDB({ name: 'payments', ...binary, useVersions: true }),
    nonces: root.openDB({ name: 'locks', ...binary }),
    arrivals: root.openDB({ name: 'arrivals', ...binary }),
    purchases: root.openDB({ name: 'purchases', ...binary, useVersions: true }),
    answers: root.openDB({ name: 'shelf', ...binary }),
    due: root.openDB({ name: 'due', ...binary }),
    receipts: root.openDB({ name: 'receipts', ...binary }),
    log: openSaleLogTables(root),
    accounts: root.openDB({ name: 'accounts', ...binary, useVersions: true }),
  };
}

/** Time as six bytes, so that keys sort by it. */
export function timeBytes(at: number): Buffer {
  const bytes = Buffer.allocUnsafe(TIME_BYTES);
  bytes.writeUIntBE(at, 0, TIME_BYTES);
  return bytes;
}

export const timeOf = (bytes: Buffer): UnixMs => asMs(bytes.readUIntBE(0, TIME_BYTES));

/** Time of claiming, then the key. */
export function idOf({ key, claimedAt }: PaymentRecord): Buffer {
  const id = Buffer.allocUnsafe(TIME_BYTES + KEY_BYTES);
  id.writeUIntBE(claimedAt, 0, TIME_BYTES);
  id.write(key, TIME_BYTES, 'hex');
  return id;
}

/** The same, of a payment whose time of claiming was looked up. */
export function idWith(time: Buffer, key: Buffer): Buffer {
  return Buffer.concat([time, key]);
}

/** Version of what names a payment: nobody finds two payments with one. */
export const versionOf = (id: Buffer): number => id.readUIntBE(TIME_BYTES, 6);

/** The two parts of an id: what finds a payment by its nonce, and what this finds. */
export const keyIn = (id: Buffer): Buffer => id.subarray(TIME_BYTES);
export const timeIn = (id: Buffer): Buffer => id.subarray(0, TIME_BYTES);

/** Due time, then the id. */
export function dueKey(at: number, id: Buffer): Buffer {
  const key = Buffer.allocUnsafe(TIME_BYTES + id.length);
  key.writeUIntBE(at, 0, TIME_BYTES);
  key.set(id, TIME_BYTES);
  return key;
}

export const idInDue = (entry: Buffer): Buffer => entry.subarray(TIME_BYTES);

const NO_ANSWER = Buffer.of(0);

/** Beside a due time stands the key of the answer that is held until then. */
export function dueValue({ answerId }: PaymentRecord): Buffer {
  return answerId === undefined ? NO_ANSWER : Buffer.from(answerId, 'hex');
}

/** The answer that a due payment holds; undefined where it holds none. */
export function answerInDue(value: Buffer): string | undefined {
  return value.length === ANSWER_KEY_BYTES ? value.toString('hex') : undefined;
}
