import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { CollectLogger } from '../collect/logger.ts';
import {
  type Cells,
  type ConnectionRole,
  type HistoryStore,
  notStored,
  type Query,
  type Rows,
  type StoreResult,
} from './store.ts';
import { KEEP_REPLACED_PARTS } from './table-spec.ts';

const MIB = 2 ** 20;
/** Room that the engine needs for what it writes beside rows, whatever may be left free. */
export const MIN_ROOM_BYTES = 16 * MIB;
/** A disk with more room than this has refused nothing: each statement takes the engine a while on a busy machine. */
const AMPLE_BYTES = 1024 * MIB;
const LOOK_MS = 1000;

/** Counted by the engine since the process began; no row before the first. */
const FAILED_WRITES: Query = {
  sql: "SELECT value FROM system.events WHERE event = 'WriteBufferFromFileDescriptorWriteFailed'",
  params: {},
};
const SET_ASIDE: Query = {
  sql: "SELECT table, name, level FROM system.detached_parts WHERE reason = 'broken-on-start' AND database = currentDatabase()",
  params: {},
};
const UNKEPT: Query = {
  sql:
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MergeTree' " +
    "AND position(create_table_query, 'old_parts_lifetime') = 0",
  params: {},
};
const CLOSED = notStored('unavailable', 'the store is closed');
const DAMAGED = notStored('no_space', 'the disk of the history filled up while the engine was writing');

export interface GuardOptions {
  readonly path: string;
  /** With less room than this nothing is written. */
  readonly minFreeBytes: number;
  readonly logger: CollectLogger;
  /** Opens the engine again, when it has been closed. */
  readonly reopen: () => Promise<StoreResult<HistoryStore>>;
}

/**
 * The embedded engine, kept from a full disk. chdb takes a write that the disk refuses for done, where ClickHouse throws
 * (`WriteBufferFromFileDescriptor::nextImpl`, src/IO, chdb 3.4): rows that it acknowledges, and parts that it merges, are
 * then empty files. With little room, nothing is written, merged or removed. Where the disk filled up too fast for that,
 * the engine is opened again once there is room: it sets aside the parts that it cannot read, and takes those that a
 * merge had replaced.
 */
export class GuardedStore implements HistoryStore {
  readonly engine = 'embedded';
  readonly #options: GuardOptions;
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout;
  /** Undefined while it is opened again. */
  #store: HistoryStore | undefined;
  #isPaused = false;
  #isDamaged = false;
  #isClosed = false;
  #failedWrites = 0;
  /** Resolves when it is known what had failed before. */
  #begun: Promise<void> = Promise.resolve();
  /** Inserts that ended while the disk was full, with their table. */
  readonly #unacknowledged = new Map<string, string>();
  #looking: Promise<void> | undefined;

  private constructor(store: HistoryStore, options: GuardOptions) {
    this.#store = store;
    this.#options = options;
    this.#limit = Math.max(options.minFreeBytes, MIN_ROOM_BYTES);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  /** Takes over an engine that is open. The start of a service does not wait for its first statements. */
  static over(store: HistoryStore, options: GuardOptions): GuardedStore {
    const guarded = new GuardedStore(store, options);
    guarded.#begun = guarded.#begin(store);
    void guarded.#begun.then(() => guarded.#look()).then(() => guarded.#keepReplaced(store));
    return guarded;
  }

  async select(query: Query, role?: ConnectionRole): Promise<StoreResult<readonly Cells[]>> {
    return this.#store?.select(query, role) ?? CLOSED;
  }

  async selectOnNodes(
    query: Parameters<HistoryStore['selectOnNodes']>[0],
  ): Promise<StoreResult<readonly Cells[]>> {
    return this.#store?.selectOnNodes(query) ?? CLOSED;
  }

  async insert(rows: Rows): Promise<StoreResult<void>> {
    const key = keyOf(rows);
    // The engine knows the block by its content, and has set aside the part that it wrote it to.
    const named = this.#unacknowledged.has(key) ? { ...rows, token: randomUUID() } : rows;
    const result = await this.#write(this.#limit, (store) => store.insert(named));
    if (result === DAMAGED) this.#unacknowledged.set(key, rows.table);
    else if (result.ok) this.#unacknowledged.delete(key);
    return result;
  }

  run(query: Query, role?: ConnectionRole): Promise<StoreResult<void>> {
    return this.#write(this.#limit, (store) => store.run(query, role));
  }

  /** Dropping old rows makes room and needs little. */
  runOnNodes(sql: Parameters<HistoryStore['runOnNodes']>[0]): Promise<StoreResult<void>> {
    return this.#write(MIN_ROOM_BYTES, (store) => store.runOnNodes(sql));
  }

  async deliver(table: string): Promise<StoreResult<void>> {
    return this.#store?.deliver(table) ?? CLOSED;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
    await this.#store?.close();
  }

  async #write(
    needed: number,
    work: (store: HistoryStore) => Promise<StoreResult<void>>,
  ): Promise<StoreResult<void>> {
    if (this.#isDamaged) return DAMAGED;
    const full = await noRoomFault(this.#options.path, needed);
    if (full !== undefined) return full;
    const store = this.#store;
    if (store === undefined) return CLOSED;
    const result = await work(store);
    const isNearlyFull =
      (await noRoomFault(this.#options.path, Math.max(AMPLE_BYTES, this.#limit))) !== undefined;
    if (isNearlyFull) await this.#countFailedWrites(store);
    return this.#isDamaged ? DAMAGED : result;
  }

  /** One look at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#act().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #act(): Promise<void> {
    const free = await freeBytesAt(this.#options.path);
    if (free === undefined || this.#isClosed) return;
    const store = this.#store;
    if (store !== undefined && (free < this.#limit || this.#isPaused)) await this.#countFailedWrites(store);
    if (free < this.#limit) await this.#pause();
    else if (this.#isDamaged) await this.#reopen();
    else if (this.#isPaused) await this.#resume();
  }

  async #countFailedWrites(store: HistoryStore): Promise<void> {
    await this.#begun;
    const failed = await failedWritesOf(store);
    if (failed <= this.#failedWrites) return;
    this.#failedWrites = failed;
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    await this.#pause();
    this.#options.logger.warn(
      { failed },
      'the disk of the history filled up while the engine was writing: it is opened again when there is room',
    );
  }

  /** Ends merges that are under way, and keeps what they have replaced. */
  async #pause(): Promise<void> {
    if (this.#isPaused) return;
    this.#isPaused = true;
    for (const what of ['MERGES', 'CLEANUP'])
      this.#isPaused &&= (await this.#control(`SYSTEM STOP ${what}`)).ok;
  }

  async #resume(): Promise<void> {
    this.#isPaused = false;
    for (const what of ['MERGES', 'CLEANUP'])
      this.#isPaused ||= !(await this.#control(`SYSTEM START ${what}`)).ok;
  }

  async #control(sql: string): Promise<StoreResult<void>> {
    return (await this.#store?.run({ sql, params: {} }, 'control')) ?? CLOSED;
  }

  async #reopen(): Promise<void> {
    const { reopen, logger } = this.#options;
    const before = this.#store;
    this.#store = undefined;
    await before?.close();
    const opened = await reopen();
    if (!opened.ok) {
      logger.warn({ reason: opened.fault.message }, 'the history cannot be opened again');
      return;
    }
    this.#store = opened.value;
    this.#isDamaged = false;
    this.#isPaused = false;
    await this.#begin(opened.value);
    logger.warn({}, 'the history is open again');
  }

  /** Tables of older builds; where it fails the next start tries again. */
  async #keepReplaced(store: HistoryStore): Promise<void> {
    const unkept = await store.select(UNKEPT, 'control');
    let fault = unkept.ok ? undefined : unkept.fault;
    for (const [table] of unkept.ok ? unkept.value : []) {
      const sql = `ALTER TABLE ${table} MODIFY SETTING ${KEEP_REPLACED_PARTS}`;
      const kept = await this.runOnNodes(() => sql);
      if (!kept.ok) fault = kept.fault;
    }
    if (fault === undefined || this.#isClosed) return;
    this.#options.logger.warn(
      { reason: fault.message },
      'replaced parts of the history are not kept for long',
    );
  }

  async #begin(store: HistoryStore): Promise<void> {
    this.#failedWrites = await failedWritesOf(store);
    const read = await store.select(SET_ASIDE, 'control');
    const aside = read.ok ? read.value : [];
    const emptied = new Set(aside.filter(([, , level]) => Number(level) === 0).map(([table]) => table));
    for (const [key, table] of this.#unacknowledged)
      if (!emptied.has(table)) this.#unacknowledged.delete(key);
    if (aside.length === 0) return;
    const parts = aside.map(([table, part]) => `${table} ${part}`);
    this.#options.logger.warn({ parts }, 'parts of the history that could not be read were set aside');
  }
}

const keyOf = ({ table, lines }: Rows): string => [table, lines.length, lines[0], lines.at(-1)].join('\n');

async function failedWritesOf(store: HistoryStore): Promise<number> {
  const read = await store.select(FAILED_WRITES, 'control');
  return read.ok ? Number(read.value[0]?.[0] ?? 0) : 0;
}

/** Says so where the disk of a folder has less room than is needed, in bytes. */
export async function noRoomFault(path: string, needed: number): Promise<StoreResult<never> | undefined> {
  const free = await freeBytesAt(path);
  if (free === undefined || free >= needed) return undefined;
  return notStored('no_space', `${Math.floor(free / MIB)} MB left on the disk of the history`);
}

/** Room on the disk of a folder, bytes; undefined where it cannot be known. */
async function freeBytesAt(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
