import { ABORT, type Database } from 'lmdb';
import { openStoreFolder, type StoreFormat } from '../../storage/store-folder.ts';
import type { Table, TableKey, TableRange, TableRow, Tables } from './tables.ts';

const PACKED = { encoding: 'msgpack', keyEncoding: 'ordered-binary' } as const;

type Keys<K> = K extends string ? string : (string | number)[];

/** Tables in one LMDB environment, which processes of one host may share. */
export class FolderTables implements Tables {
  readonly silentMs = 0;
  readonly #root: ReturnType<typeof openStoreFolder>;

  /**
   * @param path directory of the environment; made when missing
   * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
   */
  constructor(path: string, format: StoreFormat) {
    this.#root = openStoreFolder(path, format);
  }

  table<V, K extends TableKey = string>(name: string): Table<V, K> {
    return new FolderTable(this.#root.openDB<V, Keys<K>>({ name, ...PACKED }));
  }

  transact<T>(body: () => T): T {
    return this.#root.transactionSync(body);
  }

  /** Returns what a body returns, and writes nothing of what it has put and removed. */
  rehearse<T>(body: () => T): T {
    let made: { readonly result: T } | undefined;
    this.#root.transactionSync(() => {
      made = { result: body() };
      return ABORT;
    });
    if (made === undefined) throw new Error('a body was not called');
    return made.result;
  }

  refresh(): void {
    this.#root.resetReadTxn();
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}

class FolderTable<V, K extends TableKey> implements Table<V, K> {
  readonly #rows: Database<V, Keys<K>>;

  constructor(rows: Database<V, Keys<K>>) {
    this.#rows = rows;
  }

  get(key: K): V | undefined {
    return this.#rows.get(key as unknown as Keys<K>);
  }

  range({ start, end, limit }: TableRange<K> = {}): readonly TableRow<V, K>[] {
    const range = this.#rows.getRange({
      ...(start !== undefined && { start: start as unknown as Keys<K> }),
      ...(end !== undefined && { end: end as unknown as Keys<K> }),
      ...(limit !== undefined && { limit }),
    });
    return [...range] as unknown as readonly TableRow<V, K>[];
  }

  get count(): number {
    return this.#rows.getCount();
  }

  put(key: K, value: V): void {
    this.#rows.putSync(key as unknown as Keys<K>, value);
  }

  remove(key: K): void {
    this.#rows.removeSync(key as unknown as Keys<K>);
  }
}
