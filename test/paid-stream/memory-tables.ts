import type { Table, TableKey, TableRow, Tables } from '../../src/modules/tables/tables.ts';

/** Tables in memory, for many short lives of a store: all who open them see what each wrote. */
export class MemoryTables implements Tables {
  readonly silentMs = 0;
  readonly #tables = new Map<string, Map<string, string>>();

  table<V, K extends TableKey = string>(name: string): Table<V, K> {
    const rows = this.#tables.get(name) ?? new Map<string, string>();
    this.#tables.set(name, rows);
    return new MemoryTable(rows);
  }

  transact<T>(body: () => T): T {
    return body();
  }

  refresh(): void {}

  async close(): Promise<void> {}
}

/** Rows as the JSON that a server would be sent. */
class MemoryTable<V, K extends TableKey> implements Table<V, K> {
  readonly #rows: Map<string, string>;

  constructor(rows: Map<string, string>) {
    this.#rows = rows;
  }

  get(key: K): V | undefined {
    const row = this.#rows.get(JSON.stringify(key));
    return row === undefined ? undefined : JSON.parse(row);
  }

  /** @throws where a part of them is asked for: they are in no order */
  range(part?: object): readonly TableRow<V, K>[] {
    if (part !== undefined) throw new Error('rows in memory have no order');
    return [...this.#rows].map(([key, row]) => ({ key: JSON.parse(key), value: JSON.parse(row) }));
  }

  get count(): number {
    return this.#rows.size;
  }

  put(key: K, value: V): void {
    this.#rows.set(JSON.stringify(key), JSON.stringify(value));
  }

  remove(key: K): void {
    this.#rows.delete(JSON.stringify(key));
  }
}
