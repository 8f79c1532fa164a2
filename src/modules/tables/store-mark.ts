import { randomBytes } from 'node:crypto';
import type { Soon } from './soon.ts';
import type { Table, Tables } from './tables.ts';

const MARK = 'mark';
const adoptedAs = (mark: string): string => `${MARK} ${mark}`;
/** Ids are one letter, the mark of the store that they were sold into, and what tells them apart. */
const markOf = (id: string): string => id.slice(1, 9);

/** Tells a store from those of other hosts, so that each hears of its own sales: eight hex digits in the ids of what is sold into it. */
export class StoreMark {
  readonly #tables: Tables;
  readonly #state: Table<unknown>;

  /** @param state table in which the mark is kept */
  constructor(tables: Tables, state: Table<unknown>) {
    this.#tables = tables;
    this.#state = state;
    const marked = tables.transact(() => this.keep());
    // A server that does not answer now is asked again by the next transaction that keeps the mark.
    if (marked instanceof Promise) marked.catch(() => {});
  }

  /** Empty until a server that hosts share has answered. */
  get text(): string {
    const known = this.#state.get(MARK);
    return typeof known === 'string' ? known : '';
  }

  /** Makes the mark where there is none yet. Within a transaction alone. */
  keep(): void {
    if (this.text === '') this.#state.put(MARK, randomBytes(4).toString('hex'));
  }

  /** True of an id that was sold into this store, or into one that it has adopted. */
  isOwn(id: string): boolean {
    return markOf(id) === this.text || this.#state.get(adoptedAs(markOf(id))) !== undefined;
  }

  /** Sales into the store of this mark are of this one from now on. */
  adopt(mark: string): Soon<void> {
    return this.#tables.transact(() => {
      if (this.#state.get(adoptedAs(mark)) === undefined) this.#state.put(adoptedAs(mark), mark);
    });
  }
}
