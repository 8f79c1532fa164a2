import { randomBytes } from 'node:crypto';
import type { Database } from 'lmdb';
import { DAY_MS } from '../../runtime/duration.ts';
import { openStoreFolder, type StoreFormat } from '../../storage/store-folder.ts';
import { shifted } from './meter.ts';
import { type CreditReason, credited, type StreamRecord } from './stream-record.ts';

/** A sale of minutes: it counts once, however often it is announced. */
export interface MinuteSale {
  readonly key: string;
  /** Unix ms. */
  readonly claimedAt: number;
}

/** Keys of sales are kept for longer than their answers are stored, from which they could be heard of again. */
const SALES_KEPT_MS = 2 * DAY_MS;
/** A stream is forgotten so long after its last payment and its last minute. */
export const KEPT_MS = 30 * DAY_MS;

const FORMAT: StoreFormat = {
  name: 'the store of paid streams',
  whenLost: 'minutes that were sold before are not there any more then.',
  tables: ['streams', 'sales', 'processes', 'state'],
  upgrades: [],
};

const PACKED = { encoding: 'msgpack', keyEncoding: 'ordered-binary' } as const;
const MARK = 'mark';

/**
 * Keeps streams with their meters: one LMDB environment, which processes of one host may share. A meter is changed in a
 * transaction that all of them wait for.
 */
export class StreamStore {
  readonly #root: ReturnType<typeof openStoreFolder>;
  readonly #streams: Database<StreamRecord, string>;
  readonly #sales: Database<string, [claimedAt: number, key: string]>;
  /** When each process with minutes that may run was last there, Unix ms. */
  readonly #processes: Database<number, string>;
  /** Tells the store from those of other hosts: 8 hex digits, in the id of each stream that is sold into it. */
  readonly mark: string;

  /**
   * @param path directory of the environment; made when missing
   * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
   */
  constructor(path: string) {
    this.#root = openStoreFolder(path, FORMAT);
    this.#streams = this.#root.openDB({ name: 'streams', ...PACKED });
    this.#sales = this.#root.openDB({ name: 'sales', ...PACKED });
    this.#processes = this.#root.openDB({ name: 'processes', ...PACKED });
    const state: Database<string, string> = this.#root.openDB({ name: 'state', ...PACKED });
    this.mark = this.#root.transactionSync(() => {
      const known = state.get(MARK) ?? randomBytes(4).toString('hex');
      state.putSync(MARK, known);
      return known;
    });
  }

  /** Streams that are kept. */
  get size(): number {
    return this.#streams.getCount();
  }

  /** Reads of one turn of the event loop see one moment: from now on they see what other processes have written. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  find(id: string): StreamRecord | undefined {
    return this.#streams.get(id);
  }

  /** Adds or changes a stream by a sale; undefined where the sale has counted before, or nothing is to change. */
  sell(
    { key, claimedAt }: MinuteSale,
    id: string,
    change: (stored: StreamRecord | undefined) => StreamRecord | undefined,
  ): StreamRecord | undefined {
    return this.#root.transactionSync(() => {
      if (this.#sales.get([claimedAt, key]) !== undefined) return undefined;
      const next = change(this.#streams.get(id));
      if (next === undefined) return undefined;
      this.#sales.putSync([claimedAt, key], id);
      this.#streams.putSync(id, next);
      return next;
    });
  }

  /**
   * Changes some streams together, each by what is stored of it, and returns when that is safe.
   *
   * @param owner the process that serves them, from now on known to be there
   * @throws where the disk does not take it
   */
  update(
    owner: string,
    now: number,
    ids: Iterable<string>,
    change: (stored: StreamRecord) => StreamRecord,
  ): void {
    this.#root.transactionSync(() => {
      this.#processes.putSync(owner, now);
      for (const id of ids) {
        const stored = this.#streams.get(id);
        if (stored === undefined) continue;
        const next = change(stored);
        if (next !== stored) this.#streams.putSync(id, next);
      }
    });
  }

  /** Notes that a process serves, so that what it has begun is credited where it is killed. */
  beat(owner: string, now: number): void {
    this.#root.transactionSync(() => this.#processes.putSync(owner, now));
  }

  /** Notes that no minute of a process runs, so that its silence means nothing. */
  rest(owner: string): void {
    this.#root.transactionSync(() => this.#processes.removeSync(owner));
  }

  /** Moves the times of what a process has begun, and when it was last there, because its clock was set by so many ms. */
  shift(owner: string, now: number, byMs: number): void {
    this.#root.transactionSync(() => {
      if (this.#processes.get(owner) !== undefined) this.#processes.putSync(owner, now);
      for (const { key, value } of [...this.#streams.getRange()])
        if (value.servedBy === owner)
          this.#streams.putSync(key, { ...value, meter: shifted(value.meter, byMs) });
    });
  }

  /** Credits what this process has begun and breaks off now; the number of paid minutes. */
  leave(owner: string, now: number): number {
    return this.#root.transactionSync(() => {
      this.#processes.removeSync(owner);
      return this.#creditAll(new Map([[owner, now]]), now, 'shutdown');
    });
  }

  /**
   * Credits the minutes that ran when a process was killed; the number of paid minutes.
   *
   * @param isOver true of a process that runs no more, by its name and when it was last there, Unix ms
   */
  recover(own: string, now: number, isOver: (owner: string, aliveAt: number) => boolean): number {
    return this.#root.transactionSync(() => {
      const gone = new Map<string, number>();
      for (const { key, value } of this.#processes.getRange())
        if (key !== own && isOver(key, value)) gone.set(key, value);
      if (gone.size === 0) return 0;
      const count = this.#creditAll(gone, now, 'killed');
      for (const owner of gone.keys()) this.#processes.removeSync(owner);
      return count;
    });
  }

  #creditAll(gone: ReadonlyMap<string, number>, now: number, reason: CreditReason): number {
    let count = 0;
    for (const { key, value } of [...this.#streams.getRange()]) {
      const aliveAt = gone.get(value.servedBy ?? '');
      const next = aliveAt === undefined ? undefined : credited(value, aliveAt, now, reason);
      if (next === undefined) continue;
      this.#streams.putSync(key, next);
      count += value.selection.uses;
    }
    return count;
  }

  /** Lets go of what is old. */
  trim(now: number): void {
    this.#root.transactionSync(() => {
      for (const key of [...this.#sales.getKeys({ end: [now - SALES_KEPT_MS, ''] })])
        this.#sales.removeSync(key);
      for (const { key, value } of [...this.#streams.getRange()])
        if (now > keptUntil(value)) this.#streams.removeSync(key);
    });
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}

/** Until when a stream is kept, Unix ms. */
export const keptUntil = ({ paidAt, meter }: StreamRecord): number =>
  Math.max(paidAt, meter.endsAt ?? 0) + KEPT_MS;
