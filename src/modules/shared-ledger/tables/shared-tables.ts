import type { Clock } from '../../../domain/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../../runtime/duration.ts';
import { StoreUnreachable, StoreWriteError } from '../../../storage/remote-state.ts';
import type { StoreFormat } from '../../../storage/store-folder.ts';
import { FolderTables } from '../../tables/folder-tables.ts';
import type { Table, TableKey, TableRange, TableRow, Tables } from '../../tables/tables.ts';
import type { Position, SharedRow, SharedRows } from './shared-rows.ts';
import { differencesOf } from './whole-copy.ts';

/** Other hosts' changes are asked for so often, also where none was announced. */
const POLL_MS = SECOND_MS;
/** Transactions of others that come between the reads and the writes of one, before it is given up. */
const MOST_TRIES = 50;

const POSITION = 'position';

/** Rows that a body puts and removes, by table and key. */
class Recorded {
  readonly #rows = new Map<string, SharedRow>();

  note(name: string, key: TableKey, row: unknown): void {
    const text = JSON.stringify(key);
    this.#rows.set(`${name} ${text}`, { name, key: text, row });
  }

  get rows(): readonly SharedRow[] {
    return [...this.#rows.values()];
  }
}

export interface SharedTablesOptions {
  readonly rows: Pick<SharedRows, 'news' | 'change' | 'trim'>;
  /** Time of the server. */
  readonly clock: Clock;
  /** Of the copy. */
  readonly folder: string;
  readonly format: StoreFormat;
}

/**
 * Tables of several hosts on a server, with a copy in a folder, which reads are of. A transaction is tried on the copy, and what it
 * writes is taken by the server where nobody has changed anything since: else it is tried on what is there now. So each
 * transaction sees all those before it, of whichever host.
 */
export class SharedTables implements Tables {
  readonly #rows: SharedTablesOptions['rows'];
  readonly #copy: FolderTables;
  readonly #positions: Table<Position>;
  readonly #tables = new Map<string, Table<unknown, TableKey>>();
  readonly #names: readonly string[];
  readonly #timers: NodeJS.Timeout[];
  #recorded: Recorded | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;
  /** Steady time at which the copy was last brought up to date. */
  #followedAt = Number.NEGATIVE_INFINITY;

  readonly serverClock: Clock;

  /** @throws StoreOpenError where the copy cannot be opened */
  constructor({ rows, clock, folder, format }: SharedTablesOptions) {
    this.#rows = rows;
    this.serverClock = clock;
    this.#names = format.tables;
    this.#copy = new FolderTables(folder, { ...format, tables: [...format.tables, POSITION] });
    this.#positions = this.#copy.table(POSITION);
    this.#timers = [
      setInterval(() => this.look(), POLL_MS).unref(),
      setInterval(() => void this.#inTurn(() => this.#rows.trim()).catch(ignored), HOUR_MS).unref(),
    ];
  }

  table<V, K extends TableKey = string>(name: string): Table<V, K> {
    const known = this.#copied(name) as unknown as Table<V, K>;
    return new RecordingTable(known, (key, row) => {
      if (this.#recorded === undefined) throw new Error(`${name} is changed outside of a transaction`);
      this.#recorded.note(name, key, row);
    });
  }

  #copied(name: string): Table<unknown, TableKey> {
    const known = this.#tables.get(name) ?? this.#copy.table<unknown, TableKey>(name);
    this.#tables.set(name, known);
    return known;
  }

  /** Rejects with `StoreUnreachable` where the server gives no answer: what was to be written may be written all the same. */
  transact<T>(body: () => T): Promise<T> {
    return this.#inTurn(() => this.#transact(body));
  }

  async #transact<T>(body: () => T): Promise<T> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await this.#follow();
      const { result, rows, from } = this.#rehearse(body);
      if (rows.length === 0) return result;
      if (await this.#rows.change(from, rows)) {
        this.#take(rows, { run: from.run, revision: from.revision + 1 }, from);
        return result;
      }
    }
    throw new StoreWriteError('the store that hosts share', new Error('others change it all the time'));
  }

  #rehearse<T>(body: () => T): {
    readonly result: T;
    readonly rows: readonly SharedRow[];
    readonly from: Position;
  } {
    const recorded = new Recorded();
    this.#recorded = recorded;
    try {
      return this.#copy.rehearse(() => {
        const from = this.#position;
        if (from === undefined) throw new Error('the copy has no position');
        return { result: body(), rows: recorded.rows, from };
      });
    } finally {
      this.#recorded = undefined;
    }
  }

  /** One at a time: reads of a transaction are not changed while it is under way. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => {
      if (this.#isClosed)
        throw new StoreUnreachable('the store that hosts share', new Error('it is closed'), false);
      return work();
    });
    this.#waiting += 1;
    this.#last = done.catch(ignored).finally(() => {
      this.#waiting -= 1;
    });
    return done;
  }

  /** Reads what others have changed, unless that is going to be done. */
  look(): void {
    if (this.#waiting < 2) this.follow().catch(ignored);
  }

  /** Reads what others have changed. Rejects with `StoreUnreachable`, or as the server's check does. */
  follow(): Promise<void> {
    return this.#inTurn(() => this.#follow());
  }

  async #follow(): Promise<void> {
    this.#copy.refresh();
    for (let hasMore = true; hasMore; ) {
      const from = this.#position;
      const news = await this.#rows.news(from);
      this.#followedAt = performance.now();
      hasMore = news.hasMore;
      if (from?.run === news.to.run && from.revision === news.to.revision) continue;
      const rows = news.isWhole ? await differencesOf(this.#copiedTables, news.rows) : news.rows;
      this.#take(rows, news.to, from);
    }
  }

  get #copiedTables(): ReadonlyMap<string, Table<unknown, TableKey>> {
    return new Map(this.#names.map((name) => [name, this.#copied(name)]));
  }

  get #position(): Position | undefined {
    return this.#positions.get(POSITION);
  }

  /** Brings the copy from one position to the next, unless another process of this host has done so. */
  #take(rows: readonly SharedRow[], to: Position, from: Position | undefined): void {
    this.#copy.transact(() => {
      const now = this.#position;
      if (now?.run !== from?.run || now?.revision !== from?.revision) return;
      for (const { name, key, row } of rows) {
        const table = this.#copied(name);
        const read = JSON.parse(key) as TableKey;
        if (row === null || row === undefined) table.remove(read);
        else table.put(read, row);
      }
      this.#positions.put(POSITION, to);
    });
    this.#copy.refresh();
  }

  get silentMs(): number {
    return performance.now() - this.#followedAt;
  }

  refresh(): void {
    this.#copy.refresh();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#isClosed = true;
    await this.#last;
    await this.#copy.close();
  }
}

/** A fault of what nobody waits for: it is met again by who does. */
const ignored = (): void => {};

/** A table of the copy, which notes what is changed in it. */
class RecordingTable<V, K extends TableKey> implements Table<V, K> {
  readonly #table: Table<V, K>;
  readonly #note: (key: K, row: V | null) => void;

  constructor(table: Table<V, K>, note: (key: K, row: V | null) => void) {
    this.#table = table;
    this.#note = note;
  }

  get(key: K): V | undefined {
    return this.#table.get(key);
  }

  range(range?: TableRange<K>): readonly TableRow<V, K>[] {
    return this.#table.range(range);
  }

  get count(): number {
    return this.#table.count;
  }

  put(key: K, value: V): void {
    this.#note(key, value);
    this.#table.put(key, value);
  }

  remove(key: K): void {
    this.#note(key, null);
    this.#table.remove(key);
  }
}
