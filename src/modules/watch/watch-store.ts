import { randomBytes } from 'node:crypto';
import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from '../tables/folder-tables.ts';
import type { Soon } from '../tables/soon.ts';
import type { Table, Tables } from '../tables/tables.ts';
import type { Firing } from '../webhook/firing.ts';
import { reopened } from './look.ts';
import type { WatchRecord } from './watch-record.ts';

/** The process that holds the watches of a store, and until when nobody else may. */
export interface Holder {
  readonly owner: string;
  /** Unix ms. */
  readonly until: number;
  /** When it last had looked at all watches, Unix ms. */
  readonly aliveAt: number;
  /** Watches that it holds. */
  readonly held: number;
}

/** Changes that are written together. */
export interface WatchChanges {
  readonly watches?: readonly WatchRecord[];
  readonly firings?: readonly Firing[];
  /** Ids of watches that go with all their firings. */
  readonly dropped?: readonly string[];
}

/** Keeps watches, what they told, and what their receivers have confirmed. */
export interface WatchStore {
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
   * @param owner writes nothing, and returns false, where the holder is another one
   */
  save(changes: WatchChanges, owner?: string): Soon<boolean>;
  /** Lets go of a watch's firings that were noted before a time, Unix ms. */
  trim(id: string, before: number): Soon<void>;
  /**
   * Adds or changes one watch by what is stored of it, in a transaction that all processes wait for; undefined leaves it as it
   * is.
   */
  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): Soon<WatchRecord | undefined>;
  /** Grows with every watch that a process has added or renewed. */
  readonly additions: number;
  readonly holder: Holder | undefined;
  /**
   * Tells the store from others: 8 hex digits, in the id of each watch that is sold into it. Empty until a server that hosts share
   * has answered.
   */
  readonly mark: string;
  /** Puts what `next` makes of the stored holder in its place, unless that is undefined; true where it is. */
  hold(next: (stored: Holder | undefined) => Holder | undefined): Soon<boolean>;
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
const MARK = 'mark';
const newMark = (): string => randomBytes(4).toString('hex');
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
  readonly #state: Table<Holder | number | string>;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#watches = tables.table('watches');
    this.#firings = tables.table('firings');
    this.#acknowledged = tables.table('acknowledged');
    this.#state = tables.table('state');
    const marked = this.#keepMark();
    // A server that does not answer now is asked again by the process that takes the watches.
    if (marked instanceof Promise) marked.catch(() => {});
  }

  #keepMark(): Soon<void> {
    return this.#tables.transact(() => {
      if (this.mark === '') this.#state.put(MARK, newMark());
    });
  }

  get mark(): string {
    const known = this.#state.get(MARK);
    return typeof known === 'string' ? known : '';
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

  save({ watches = [], firings = [], dropped = [] }: WatchChanges, owner?: string): Soon<boolean> {
    return this.#tables.transact(() => {
      if (owner !== undefined && this.holder?.owner !== owner) return false;
      for (const watch of watches)
        this.#watches.put(watch.id, withRenewals(watch, this.#watches.get(watch.id)));
      for (const firing of firings) this.#firings.put([firing.watchId, firing.seq], firing);
      for (const id of dropped) this.#drop(id);
      return true;
    });
  }

  trim(id: string, before: number): Soon<void> {
    return this.#tables.transact(() => {
      for (const { value } of this.#firings.range({ start: [id, 0], end: [id, LAST] })) {
        if (value.at >= before) return;
        this.#firings.remove([id, value.seq]);
      }
    });
  }

  #drop(id: string): void {
    this.#watches.remove(id);
    this.#acknowledged.remove(id);
    for (const { seq } of this.firings(id, 0, LAST)) this.#firings.remove([id, seq]);
  }

  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): Soon<WatchRecord | undefined> {
    return this.#tables.transact(() => {
      const next = change(this.#watches.get(id));
      if (next === undefined) return undefined;
      this.#watches.put(id, next);
      this.#state.put(ADDITIONS, Number(this.#state.get(ADDITIONS) ?? 0) + 1);
      return next;
    });
  }

  hold(next: (stored: Holder | undefined) => Holder | undefined): Soon<boolean> {
    return this.#tables.transact(() => {
      const holder = next(this.holder);
      if (holder === undefined) return false;
      if (this.mark === '') this.#state.put(MARK, newMark());
      this.#state.put(HOLDER, holder);
      return true;
    });
  }

  close(): Promise<void> {
    return this.#tables.close();
  }
}
