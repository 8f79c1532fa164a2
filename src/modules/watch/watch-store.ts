import { randomBytes } from 'node:crypto';
import type { Database } from 'lmdb';
import { openStoreFolder, type StoreFormat } from '../../storage/store-folder.ts';
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
  acknowledge(id: string, seq: number): void;
  /**
   * Writes all or none, and returns when it is safe. @throws where the disk does not take it
   *
   * @param owner writes nothing, and returns false, where the holder is another one
   */
  save(changes: WatchChanges, owner?: string): boolean;
  /** Lets go of a watch's firings that were noted before a time, Unix ms. */
  trim(id: string, before: number): void;
  /**
   * Adds or changes one watch by what is stored of it, in a transaction that all processes wait for; undefined leaves it as it
   * is.
   */
  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): WatchRecord | undefined;
  /** Grows with every watch that a process has added or renewed. */
  readonly additions: number;
  readonly holder: Holder | undefined;
  /** Tells the store from those of other hosts: 8 hex digits, in the id of each watch that is sold into it. */
  readonly mark: string;
  /** Takes or keeps the place of the holder, where `may` says so of the one that is stored. */
  hold(next: Holder, may: (stored: Holder | undefined) => boolean): boolean;
  close(): Promise<void>;
}

const WATCH_FORMAT: StoreFormat = {
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

const PACKED = { encoding: 'msgpack', keyEncoding: 'ordered-binary' } as const;
const HOLDER = 'holder';
const ADDITIONS = 'additions';
const MARK = 'mark';
/** Beyond every number of a firing. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Opens the store of watches: one LMDB environment, which processes of one host may share.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export const openWatchStore = (path: string): WatchStore =>
  new LmdbWatches(openStoreFolder(path, WATCH_FORMAT));

class LmdbWatches implements WatchStore {
  readonly #root: ReturnType<typeof openStoreFolder>;
  readonly #watches: Database<WatchRecord, string>;
  readonly #firings: Database<Firing, [id: string, seq: number]>;
  readonly #acknowledged: Database<number, string>;
  readonly #state: Database<Holder | number | string, string>;
  readonly mark: string;

  constructor(root: ReturnType<typeof openStoreFolder>) {
    this.#root = root;
    this.#watches = root.openDB({ name: 'watches', ...PACKED });
    this.#firings = root.openDB({ name: 'firings', ...PACKED });
    this.#acknowledged = root.openDB({ name: 'acknowledged', ...PACKED });
    this.#state = root.openDB({ name: 'state', ...PACKED });
    this.mark = this.#keepMark(randomBytes(4).toString('hex'));
  }

  #keepMark(fresh: string): string {
    return this.#root.transactionSync(() => {
      const known = this.#state.get(MARK);
      if (typeof known === 'string') return known;
      this.#state.putSync(MARK, fresh);
      return fresh;
    });
  }

  get additions(): number {
    // Reads of one turn of the event loop see one moment, which may be before another process has written.
    this.#root.resetReadTxn();
    return Number(this.#state.get(ADDITIONS) ?? 0);
  }

  get holder(): Holder | undefined {
    const stored = this.#state.get(HOLDER);
    return typeof stored === 'object' ? stored : undefined;
  }

  watches(): Iterable<WatchRecord> {
    return [...this.#watches.getRange().map(({ value }) => value)];
  }

  watch(id: string): WatchRecord | undefined {
    return this.#watches.get(id);
  }

  firings(id: string, after: number, limit: number): readonly Firing[] {
    const range = this.#firings.getRange({ start: [id, after + 1], end: [id, LAST], limit });
    return [...range.map(({ value }) => value)];
  }

  acknowledged(id: string): number {
    return this.#acknowledged.get(id) ?? 0;
  }

  acknowledge(id: string, seq: number): void {
    this.#root.transactionSync(() => {
      if (seq > this.acknowledged(id)) this.#acknowledged.putSync(id, seq);
    });
  }

  save({ watches = [], firings = [], dropped = [] }: WatchChanges, owner?: string): boolean {
    return this.#root.transactionSync(() => {
      if (owner !== undefined && this.holder?.owner !== owner) return false;
      for (const watch of watches)
        this.#watches.putSync(watch.id, withRenewals(watch, this.#watches.get(watch.id)));
      for (const firing of firings) this.#firings.putSync([firing.watchId, firing.seq], firing);
      for (const id of dropped) this.#drop(id);
      return true;
    });
  }

  trim(id: string, before: number): void {
    this.#root.transactionSync(() => {
      for (const { value } of this.#firings.getRange({ start: [id, 0], end: [id, LAST] })) {
        if (value.at >= before) return;
        this.#firings.removeSync([id, value.seq]);
      }
    });
  }

  #drop(id: string): void {
    this.#watches.removeSync(id);
    this.#acknowledged.removeSync(id);
    for (const { seq } of this.firings(id, 0, LAST)) this.#firings.removeSync([id, seq]);
  }

  update(
    id: string,
    change: (stored: WatchRecord | undefined) => WatchRecord | undefined,
  ): WatchRecord | undefined {
    return this.#root.transactionSync(() => {
      const next = change(this.#watches.get(id));
      if (next === undefined) return undefined;
      this.#watches.putSync(id, next);
      this.#state.putSync(ADDITIONS, this.additions + 1);
      return next;
    });
  }

  hold(next: Holder, may: (stored: Holder | undefined) => boolean): boolean {
    return this.#root.transactionSync(() => {
      if (!may(this.holder)) return false;
      this.#state.putSync(HOLDER, next);
      return true;
    });
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
