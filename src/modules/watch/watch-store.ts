import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from '../tables/folder-tables.ts';
import { type Holder, isTenureOf, type LeaseStore, type Tenure } from '../tables/lease.ts';
import type { Soon } from '../tables/soon.ts';
import { StoreMark } from '../tables/store-mark.ts';
import type { Table, Tables } from '../tables/tables.ts';
import type { Firing } from '../webhook/firing.ts';
import { reopened } from './look.ts';
import type { WatchRecord } from './watch-record.ts';

/** A watch that was added or renewed. */
export interface Addition {
  readonly record: WatchRecord;
  /** The store's number of additions with this one; undefined where it was counted before. */
  readonly additions: number | undefined;
}

/** Changes that are written together. */
export interface WatchChanges {
  readonly watches?: readonly WatchRecord[];
  readonly firings?: readonly Firing[];
}

/** Keeps watches, what they told, and what their receivers have confirmed. */
export interface WatchStore extends LeaseStore {
  watches(): Iterable<WatchRecord>;
  watch(id: string): WatchRecord | undefined;
  /** Firings behind a number, the earliest first. */
  firings(id: string, after: number, limit: number): readonly Firing[];
  acknowledged(id: string): number;
  acknowledge(id: string, seq: number): Soon<void>;
  /**
   * Writes all or none, and returns when it is safe. @throws where the disk does not take it; rejects where a server does not
   * answer, which may have taken it all the same
   *
   * @param tenure writes nothing, and returns false, where the watches are held in another one
   */
  save(changes: WatchChanges, tenure?: Tenure): Soon<boolean>;
  /**
   * Lets go of watches with all their firings. Returns those that are gone.
   *
   * @param most rows, two or more: the next call goes on behind them
   */
  drop(ids: readonly string[], most: number, tenure: Tenure): Soon<readonly string[]>;
  /**
   * Lets go of a watch's firings that were noted before a time, Unix ms.
   *
   * @param most firings; true where there may be more
   */
  trim(id: string, before: number, most: number): Soon<boolean>;
  /**
   * Adds or changes one watch by what is stored of it, in a transaction that all processes wait for; undefined leaves it as it
   * is.
   */
  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): Soon<Addition | undefined>;
  /** Grows with every watch that a process has added or renewed. */
  readonly additions: number;
  /**
   * Tells the store from others: 8 hex digits, in the id of each watch that is sold into it. Empty until a server that hosts share
   * has answered.
   */
  readonly mark: string;
  /** Time since the server of a copy last answered, ms; 0 of a store in a folder. */
  readonly silentMs: number;
  /** True of a watch that was sold into this store, or into one that it has adopted. */
  isOwn(id: string): boolean;
  /** Sales into the store of this mark are of this one from now on. */
  adopt(mark: string): Soon<void>;
  close(): Promise<void>;
}

export const WATCH_FORMAT: StoreFormat = {
  name: 'the store of watches',
  whenLost: 'watches that were sold before are not held any more then.',
  tables: ['watches', 'firings', 'acknowledged', 'state'],
  upgrades: [],
};

/** Another process may have sold a renewal since the holder has read the watch. */
function withRenewals(watch: WatchRecord, stored: WatchRecord | undefined): WatchRecord {
  if (stored === undefined || stored.sales.length <= watch.sales.length) return watch;
  return { ...reopened(watch, watch.seenAt), sales: stored.sales, endsAt: stored.endsAt };
}

const HOLDER = 'holder';
const ADDITIONS = 'additions';
/** A watch, and what its receiver has confirmed. */
const ROWS_OF_WATCH = 2;
/** Beyond every number of a firing. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Opens the store of watches in a folder, which processes of one host may share.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export const openWatchStore = (path: string): WatchStore =>
  new WatchTables(new FolderTables(path, WATCH_FORMAT));

/** The store of watches in tables that processes share. */
export class WatchTables implements WatchStore {
  readonly #tables: Tables;
  readonly #watches: Table<WatchRecord>;
  readonly #firings: Table<Firing, readonly [id: string, seq: number]>;
  readonly #acknowledged: Table<number>;
  readonly #state: Table<Holder | number>;
  readonly #mark: StoreMark;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#watches = tables.table('watches');
    this.#firings = tables.table('firings');
    this.#acknowledged = tables.table('acknowledged');
    this.#state = tables.table('state');
    this.#mark = new StoreMark(tables, this.#state);
  }

  get mark(): string {
    return this.#mark.text;
  }

  get silentMs(): number {
    return this.#tables.silentMs;
  }

  isOwn(id: string): boolean {
    return this.#mark.isOwn(id);
  }

  adopt(mark: string): Soon<void> {
    return this.#mark.adopt(mark);
  }

  get additions(): number {
    this.#tables.refresh();
    return Number(this.#state.get(ADDITIONS) ?? 0);
  }

  get holder(): Holder | undefined {
    const stored = this.#state.get(HOLDER);
    return typeof stored === 'object' ? stored : undefined;
  }

  watches(): Iterable<WatchRecord> {
    return this.#watches.range().map(({ value }) => value);
  }

  watch(id: string): WatchRecord | undefined {
    return this.#watches.get(id);
  }

  firings(id: string, after: number, limit: number): readonly Firing[] {
    const range = this.#firings.range({ start: [id, after + 1], end: [id, LAST], limit });
    return range.map(({ value }) => value);
  }

  acknowledged(id: string): number {
    return this.#acknowledged.get(id) ?? 0;
  }

  acknowledge(id: string, seq: number): Soon<void> {
    return this.#tables.transact(() => {
      if (seq > this.acknowledged(id)) this.#acknowledged.put(id, seq);
    });
  }

  save({ watches = [], firings = [] }: WatchChanges, tenure?: Tenure): Soon<boolean> {
    return this.#tables.transact(() => {
      if (tenure !== undefined && !isTenureOf(this.holder, tenure)) return false;
      for (const watch of watches)
        this.#watches.put(watch.id, withRenewals(watch, this.#watches.get(watch.id)));
      for (const firing of firings) this.#firings.put([firing.watchId, firing.seq], firing);
      return true;
    });
  }

  drop(ids: readonly string[], most: number, tenure: Tenure): Soon<readonly string[]> {
    return this.#tables.transact(() => {
      const gone: string[] = [];
      if (!isTenureOf(this.holder, tenure)) return gone;
      let left = most;
      for (const id of ids) {
        const firings = this.firings(id, 0, left);
        for (const { seq } of firings) this.#firings.remove([id, seq]);
        left -= firings.length;
        if (left < ROWS_OF_WATCH) return gone;
        this.#watches.remove(id);
        this.#acknowledged.remove(id);
        left -= ROWS_OF_WATCH;
        gone.push(id);
      }
      return gone;
    });
  }

  trim(id: string, before: number, most: number): Soon<boolean> {
    return this.#tables.transact(() => {
      const old = this.firings(id, 0, most).filter(({ at }) => at < before);
      for (const { seq } of old) this.#firings.remove([id, seq]);
      return old.length === most;
    });
  }

  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): Soon<Addition | undefined> {
    return this.#tables.transact(() => {
      const record = change(this.#watches.get(id));
      if (record === undefined) return undefined;
      const additions = Number(this.#state.get(ADDITIONS) ?? 0) + 1;
      this.#watches.put(id, record);
      this.#state.put(ADDITIONS, additions);
      return { record, additions };
    });
  }

  hold(next: (stored: Holder | undefined) => Holder | undefined): Soon<boolean> {
    return this.#tables.transact(() => {
      const holder = next(this.holder);
      if (holder === undefined) return false;
      this.#mark.keep();
      this.#state.put(HOLDER, holder);
      return true;
    });
  }

  close(): Promise<void> {
    return this.#tables.close();
  }
}
