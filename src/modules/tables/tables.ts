import type { Clock } from '../../domain/clock.ts';
import type { StoreFormat } from '../../storage/store-folder.ts';
import type { Soon } from './soon.ts';

/** A key of a table: its rows are in the order of their keys. */
export type TableKey = string | readonly (string | number)[];

export interface TableRow<V, K> {
  readonly key: K;
  readonly value: V;
}

/** Keys from `start` to before `end`; left out: all. */
export interface TableRange<K> {
  readonly start?: K;
  readonly end?: K;
  readonly limit?: number;
}

/** A table whose rows are plain data, as JSON can hold it; a field that is undefined is absent. */
export interface Table<V, K extends TableKey = string> {
  get(key: K): V | undefined;
  range(range?: TableRange<K>): readonly TableRow<V, K>[];
  readonly count: number;
  /** Within a transaction alone. */
  put(key: K, value: V): void;
  /** Within a transaction alone. */
  remove(key: K): void;
}

/**
 * Tables that processes share: of one host in a folder, or of several hosts on a server. Reads are of this host, and see what was
 * written here before; what another process has written they see at the next `refresh`, or a moment later where it is another host.
 */
export interface Tables {
  table<V, K extends TableKey = string>(name: string): Table<V, K>;
  /**
   * Writes all that a body puts and removes, or nothing: no other process writes between its reads and its writes. It may be
   * called several times, so that it changes nothing but tables. The answer of a body that was made is safe on the disk.
   *
   * @throws, or rejects, where the store does not take it: then a server may have taken it all the same
   */
  transact<T>(body: () => T): Soon<T>;
  /** Reads of one turn of the event loop see one moment: from now on they see what other processes have written. */
  refresh(): void;
  /** Time since the server of a copy last answered, ms: infinite until it does. 0 of tables in a folder. */
  readonly silentMs: number;
  /** Time of the server, by which hosts grant each other leases; undefined of tables in a folder. */
  readonly serverClock?: Clock;
  close(): Promise<void>;
}

/** Tables of several hosts, where there are such. */
export interface TablesPlace {
  /**
   * @param space name of these tables on the server
   * @param folder of the copy that reads are of; made when missing
   * @throws StoreOpenError where the tables cannot be used
   */
  open(space: string, folder: string, format: StoreFormat): Promise<Tables>;
}
