import { chmodSync, mkdirSync } from 'node:fs';
import { type Database, open } from 'lmdb';
import { type Clock, systemClock } from '../domain/clock.ts';
import { isWire } from '../domain/read.ts';
import { Ledger } from './ledger.ts';
import { type LedgerStore, LedgerUnwritten } from './ledger-store.ts';
import { createOwner } from './owner.ts';
import type { PaymentRecord } from './record.ts';
import { readRecord, recordText } from './record-codec.ts';
import type { HttpReply } from './types.ts';
import { WriteBatch } from './write-batch.ts';

const TIME_BYTES = 6;
const KEY_BYTES = 20;
const PRESENT = Buffer.of(1);
/**
 * Batching by event turn would put a promise of its own around each batch, which nobody holds: where the commit fails, as
 * on a full disk, its rejection would end the process. What belongs together is written under one condition anyway.
 */
const WRITING = { eventTurnBatching: false, txnStartThreshold: 1000 };
/** Space is counted anew after this long. */
const COUNT_MS = 20;

/**
 * Payments under their time of claiming: those that are changed lie side by side, so that a commit writes few pages.
 * A payment is found by its nonce through `nonces`. Versions are LMDB's own: a change that comes too late is turned
 * away by the writing thread, and no transaction ever runs in this one.
 */
interface Tables {
  readonly root: ReturnType<typeof open>;
  readonly payments: Database<string, Buffer>;
  /** Key -> time of claiming. */
  readonly nonces: Database<Buffer, Buffer>;
  readonly answers: Database<Buffer, Buffer>;
  /** Due time and id of everything the reconciler has to look at. */
  readonly due: Database<Buffer, Buffer>;
}

/**
 * Payments in an LMDB folder, shared by all processes of one host. The folder is readable by its owner only: it
 * holds signatures that may not have been used yet.
 */
export function openLmdbStore(folder: string): LedgerStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const tables = openTables(folder);
  const { root, payments, nonces, answers, due } = tables;
  const space = countSpace(answers);
  const batch = new WriteBatch();
  const recordOf = (id: Buffer): PaymentRecord | undefined => {
    const stored = payments.get(id);
    return stored === undefined ? undefined : readRecord(stored);
  };
  return {
    read(key) {
      const bytes = Buffer.from(key, 'hex');
      const time = nonces.get(bytes);
      return time === undefined ? undefined : recordOf(Buffer.concat([time, bytes]));
    },
    readAnswer(record) {
      const bytes = answers.get(idOf(record));
      return bytes === undefined ? undefined : readAnswer(bytes);
    },
    insert(record, answer) {
      space.add(record.storedBytes);
      return batch.add(() => insert(tables, record, answer));
    },
    replace(before, next, answer) {
      space.add(next.storedBytes - before.storedBytes);
      return batch.add(() => replace(tables, before, next, answer));
    },
    remove(record) {
      space.add(-record.storedBytes);
      return batch.add(() => remove(tables, record));
    },
    flushed: async () => {
      await root.flushed;
    },
    due: (by, limit) =>
      [...due.getKeys({ end: timeBytes(by + 1), limit })]
        .map((entry) => recordOf(entry.subarray(TIME_BYTES)))
        .filter((record) => record !== undefined),
    list: ({ before, limit }) => {
      const start = before === undefined ? {} : { start: timeBytes(before) };
      return [...payments.getRange({ ...start, reverse: true, limit })].map(({ value }) => readRecord(value));
    },
    answerBytes: space.used,
    close: () => root.close(),
  };
}

/** The ledger in a folder: for the service, and for listings beside it. */
export function openLedger(folder: string, clock: Clock = systemClock): Ledger {
  return new Ledger({ store: openLmdbStore(folder), clock, owner: createOwner() });
}

function openTables(folder: string): Tables {
  const root = open({
    ...{ path: folder, maxDbs: 8, encoding: 'binary', keyEncoding: 'binary' },
    ...WRITING,
  });
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  return {
    root,
    payments: root.openDB({ name: 'ledger', encoding: 'string', keyEncoding: 'binary', useVersions: true }),
    nonces: root.openDB({ name: 'nonces', ...binary }),
    answers: root.openDB({ name: 'held', ...binary }),
    due: root.openDB({ name: 'queue', ...binary }),
  };
}

/** Time as six bytes, so that keys sort by it. */
function timeBytes(at: number): Buffer {
  const bytes = Buffer.allocUnsafe(TIME_BYTES);
  bytes.writeUIntBE(at, 0, TIME_BYTES);
  return bytes;
}

/** Time of claiming, then the key. */
function idOf({ key, claimedAt }: PaymentRecord): Buffer {
  const id = Buffer.allocUnsafe(TIME_BYTES + KEY_BYTES);
  id.writeUIntBE(claimedAt, 0, TIME_BYTES);
  id.write(key, TIME_BYTES, 'hex');
  return id;
}

function insert(tables: Tables, record: PaymentRecord, answer: HttpReply): Promise<boolean> {
  const { payments, nonces, answers, due } = tables;
  const id = idOf(record);
  const key = id.subarray(TIME_BYTES);
  // The puts share the fate of the condition, which is what is awaited.
  return committed(
    nonces.ifNoExists(key, () => {
      void nonces.put(key, id.subarray(0, TIME_BYTES));
      void payments.put(id, recordText(record), record.version);
      void answers.put(id, answerBytes(answer));
      if (record.dueAt !== undefined) void due.put(dueKey(record.dueAt, id), PRESENT);
    }),
  );
}

function replace(
  { payments, answers, due }: Tables,
  before: PaymentRecord,
  next: PaymentRecord,
  answer: 'drop' | undefined,
): Promise<boolean> {
  const id = idOf(before);
  const write = payments.ifVersion(id, before.version, () => {
    void payments.put(id, recordText(next), next.version);
    if (answer === 'drop') void answers.remove(id);
    if (before.dueAt === next.dueAt) return;
    if (before.dueAt !== undefined) void due.remove(dueKey(before.dueAt, id));
    if (next.dueAt !== undefined) void due.put(dueKey(next.dueAt, id), PRESENT);
  });
  return committed(write);
}

function remove({ payments, nonces, answers, due }: Tables, record: PaymentRecord): Promise<boolean> {
  const id = idOf(record);
  const write = payments.ifVersion(id, record.version, () => {
    void payments.remove(id);
    void nonces.remove(id.subarray(TIME_BYTES));
    if (record.storedBytes > 0) void answers.remove(id);
    if (record.dueAt !== undefined) void due.remove(dueKey(record.dueAt, id));
  });
  return committed(write);
}

/** The fate of a write. A commit that fails rejects a second promise too, which nobody else would look at. */
async function committed(write: Promise<boolean>): Promise<boolean> {
  try {
    return await write;
  } catch (cause) {
    const why = cause instanceof Error && 'commitError' in cause ? cause.commitError : undefined;
    if (!(why instanceof Promise)) throw new LedgerUnwritten(cause);
    throw new LedgerUnwritten(await why.catch((reason: unknown) => reason));
  }
}

function dueKey(at: number, id: Buffer): Buffer {
  const key = Buffer.allocUnsafe(TIME_BYTES + id.length);
  key.writeUIntBE(at, 0, TIME_BYTES);
  key.set(id, TIME_BYTES);
  return key;
}

/** One answer may be sold many times. */
const answersAsBytes = new WeakMap<HttpReply, Buffer>();

/** An answer as bytes: length of its head, the head as JSON, the body. */
function answerBytes(answer: HttpReply): Buffer {
  const known = answersAsBytes.get(answer);
  if (known !== undefined) return known;
  const { status, headers, body } = answer;
  const head = Buffer.from(JSON.stringify({ status, headers }));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length);
  const bytes = Buffer.concat([length, head, body]);
  answersAsBytes.set(answer, bytes);
  return bytes;
}

function readAnswer(bytes: Buffer): HttpReply {
  const bodyAt = 4 + bytes.readUInt32BE();
  const head = JSON.parse(bytes.toString('utf8', 4, bodyAt)) as Omit<HttpReply, 'body'>;
  return { ...head, body: bytes.subarray(bodyAt) };
}

/**
 * Bytes that the answers take: the pages of their table, which is true for all processes, also after one of them was
 * killed. Between two looks at them, what this process adds and removes.
 */
function countSpace(table: Tables['answers']): { used: () => number; add: (bytes: number) => void } {
  let bytes = 0;
  let until = 0;
  return {
    used() {
      const now = performance.now();
      if (now >= until) {
        until = now + COUNT_MS;
        bytes = pageBytes(table.getStats());
      }
      return bytes;
    },
    add(more) {
      bytes += more;
    },
  };
}

function pageBytes(stats: unknown): number {
  const count = (name: string): number => Number(isWire(stats) ? (stats[name] ?? 0) : 0);
  const pages = count('treeBranchPageCount') + count('treeLeafPageCount') + count('overflowPages');
  return pages * count('pageSize');
}
