import { DAY_MS } from '../../runtime/duration.ts';
import type { StoreFormat } from '../../storage/store-folder.ts';
import { FolderTables } from '../tables/folder-tables.ts';
import type { Soon } from '../tables/soon.ts';
import { StoreMark } from '../tables/store-mark.ts';
import type { Table, Tables } from '../tables/tables.ts';
import { shifted } from './meter.ts';
import type { AliveAt } from './minute-servers.ts';
import { type CreditReason, credited, type StreamRecord } from './stream-record.ts';

/** A sale of minutes: it counts once, however often it is announced. */
export interface MinuteSale {
  readonly key: string;
  /** Unix ms. */
  readonly claimedAt: number;
}

/** A process's clock was set by so many ms; the number counts from one in each process. */
export interface ClockSet {
  readonly number: number;
  readonly byMs: number;
}

/** Keys of sales are kept for longer than their answers are stored, from which they could be heard of again. */
const SALES_KEPT_MS = 2 * DAY_MS;
/** A stream is forgotten so long after its last payment and its last minute. */
export const KEPT_MS = 30 * DAY_MS;

/** Rows that are let go of in one transaction. */
const PART = 500;

const shiftsOf = (owner: string): string => `shifts ${owner}`;

export const STREAM_FORMAT: StoreFormat = {
  name: 'the store of paid streams',
  whenLost: 'minutes that were sold before are not there any more then.',
  tables: ['streams', 'sales', 'processes', 'state'],
  upgrades: [],
};

/**
 * Opens the store of streams in a folder, which processes of one host may share.
 *
 * @param path directory of the environment; made when missing
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export const openStreamStore = (path: string): StreamStore =>
  new StreamStore(new FolderTables(path, STREAM_FORMAT));

/**
 * Keeps streams with their meters in tables that processes share. A meter is changed in a transaction that all of them wait for, by
 * what is stored of it then: whichever of them serves, no minute begins twice.
 */
export class StreamStore {
  readonly #tables: Tables;
  readonly #streams: Table<StreamRecord>;
  readonly #sales: Table<string, readonly [claimedAt: number, key: string]>;
  /** When each process with minutes that may run was last there, Unix ms. */
  readonly #processes: Table<number>;
  readonly #mark: StoreMark;
  /** The number of the last setting of each process's clock that was made. */
  readonly #shifts: Table<unknown>;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#streams = tables.table('streams');
    this.#sales = tables.table('sales');
    this.#processes = tables.table('processes');
    this.#shifts = tables.table('state');
    this.#mark = new StoreMark(tables, this.#shifts);
  }

  /**
   * Tells the store from others: 8 hex digits, in the id of each stream that is sold into it. Empty until a server that hosts share
   * has answered.
   */
  get mark(): string {
    return this.#mark.text;
  }

  /** Time since the server of a copy last answered, ms; 0 of a store in a folder. */
  get silentMs(): number {
    return this.#tables.silentMs;
  }

  /** True of a stream that was sold into this store, or into one that it has adopted. */
  isOwn(id: string): boolean {
    return this.#mark.isOwn(id);
  }

  /** Makes the mark, where a server did not answer before. */
  keepMark(): Soon<void> {
    if (this.mark === '') return this.#tables.transact(() => this.#mark.keep());
  }

  /** Sales into the store of this mark are of this one from now on. */
  adopt(mark: string): Soon<void> {
    return this.#mark.adopt(mark);
  }

  /** Streams that are kept. */
  get size(): number {
    return this.#streams.count;
  }

  /** Reads of one turn of the event loop see one moment: from now on they see what other processes have written. */
  refresh(): void {
    this.#tables.refresh();
  }

  find(id: string): StreamRecord | undefined {
    return this.#streams.get(id);
  }

  /** Adds or changes a stream by a sale; undefined where the sale has counted before, or nothing is to change. */
  sell(
    { key, claimedAt }: MinuteSale,
    id: string,
    change: (stored: StreamRecord | undefined) => StreamRecord | undefined,
  ): Soon<StreamRecord | undefined> {
    return this.#tables.transact(() => {
      if (this.#sales.get([claimedAt, key]) !== undefined) return undefined;
      const next = change(this.#streams.get(id));
      if (next === undefined) return undefined;
      this.#sales.put([claimedAt, key], id);
      this.#streams.put(id, next);
      return next;
    });
  }

  /**
   * Changes some streams together, each by what is stored of it, and returns when that is safe.
   *
   * @param owner the process that serves them, from now on known to be there
   * @param now the time when it is tried, Unix ms: a server may be waited for before
   * @param change called again where others have written meanwhile; undefined of a stream that is not stored any more
   * @throws where the disk does not take it; rejects where a server does not answer, which may have taken it all the same
   */
  update(
    owner: string,
    now: () => number,
    ids: readonly string[],
    change: (id: string, stored: StreamRecord | undefined) => StreamRecord | undefined,
  ): Soon<void> {
    return this.#tables.transact(() => {
      this.#processes.put(owner, now());
      for (const id of ids) {
        const stored = this.#streams.get(id);
        const next = change(id, stored);
        if (next !== undefined && next !== stored) this.#streams.put(id, next);
      }
    });
  }

  /** When a process was last there that has minutes which may run, Unix ms; undefined of any other. */
  readonly aliveAt: AliveAt = (owner) => this.#processes.get(owner);

  /** Notes that a process serves, so that what it has begun is credited where it is killed. */
  beat(owner: string, now: () => number): Soon<void> {
    return this.#tables.transact(() => this.#processes.put(owner, now()));
  }

  /** Notes that no minute of a process runs, so that its silence means nothing. */
  rest(owner: string): Soon<void> {
    return this.#tables.transact(() => this.#processes.remove(owner));
  }

  /**
   * Moves the times of what a process has begun, and when it was last there, because its clock was set. Minutes that were over before
   * and are so by the new time stay as they are.
   *
   * @param set made once for each number of the process, however often a server is asked for it
   */
  shift(owner: string, now: () => number, { number, byMs }: ClockSet): Soon<void> {
    return this.#tables.transact(() => {
      const done = this.#shifts.get(shiftsOf(owner));
      if (typeof done === 'number' && done >= number) return;
      this.#shifts.put(shiftsOf(owner), number);
      const time = now();
      if (this.aliveAt(owner) !== undefined) this.#processes.put(owner, time);
      const overBefore = Math.min(time, time - byMs);
      for (const { key, value } of this.#streams.range()) {
        const isMoved = value.servedBy === owner && (value.meter.endsAt ?? 0) > overBefore;
        // It is there now, by whichever clock: it has broken off none of these.
        const former = value.former?.filter(({ by }) => by !== owner) ?? [];
        if (!isMoved && former.length === (value.former?.length ?? 0)) continue;
        this.#streams.put(key, {
          ...value,
          former,
          meter: isMoved ? shifted(value.meter, byMs) : value.meter,
        });
      }
    });
  }

  /** Credits what this process has begun and breaks off now; the number of paid minutes. */
  leave(owner: string, now: () => number): Soon<number> {
    return this.#tables.transact(() => {
      const time = now();
      this.#forget(owner);
      return this.#creditAll(new Map([[owner, time]]), time, 'shutdown');
    });
  }

  #forget(owner: string): void {
    this.#processes.remove(owner);
    if (this.#shifts.get(shiftsOf(owner)) !== undefined) this.#shifts.remove(shiftsOf(owner));
  }

  /**
   * Credits the minutes that ran when a process was killed; the number of paid minutes.
   *
   * @param isOver true of a process that runs no more, by its name and when it was last there, Unix ms. One that says meanwhile that
   * it is there is none.
   */
  recover(own: string, now: number, isOver: (owner: string, aliveAt: number) => boolean): Soon<number> {
    const over = this.#processes.range().filter(({ key, value }) => key !== own && isOver(key, value));
    if (over.length === 0) return 0;
    return this.#tables.transact(() => {
      const gone = over.filter(({ key, value }) => this.#processes.get(key) === value);
      const count = this.#creditAll(new Map(gone.map(({ key, value }) => [key, value])), now, 'killed');
      for (const { key } of gone) this.#forget(key);
      return count;
    });
  }

  #creditAll(gone: ReadonlyMap<string, number>, now: number, reason: CreditReason): number {
    let count = 0;
    for (const { key, value } of this.#streams.range()) {
      const next = credited(value, { gone, now, reason, aliveAt: this.aliveAt });
      if (next === undefined) continue;
      this.#streams.put(key, next);
      count += next.meter.credited - value.meter.credited;
    }
    return count;
  }

  /**
   * Lets go of what is old.
   *
   * @param most rows; true where there may be more
   */
  trim(now: number, most = PART): Soon<boolean> {
    return this.#tables.transact(() => {
      const sales = this.#sales.range({ end: [now - SALES_KEPT_MS, ''], limit: most });
      for (const { key } of sales) this.#sales.remove(key);
      if (sales.length === most) return true;
      const streams = this.#streams.range().filter(({ value }) => now > keptUntil(value));
      const over = streams.slice(0, most - sales.length);
      for (const { key } of over) this.#streams.remove(key);
      return sales.length + over.length === most;
    });
  }

  close(): Promise<void> {
    return this.#tables.close();
  }
}

/** Until when a stream is kept, Unix ms. */
export const keptUntil = ({ paidAt, meter }: StreamRecord): number =>
  Math.max(paidAt, meter.endsAt ?? 0) + KEPT_MS;
