import { isWire } from '../domain/read.ts';
import type { Tables } from './ledger-tables.ts';

/** Space is counted again after this long. */
const COUNT_MS = 20;

/**
 * Bytes that the answers take: the pages of their table, which is true for all processes, also after one of them was
 * killed. Between two looks at them, what this process adds and removes.
 */
export class HeldResponseSpace {
  readonly #table: Tables['answers'];
  #bytes = 0;
  #until = 0;

  constructor(table: Tables['answers']) {
    this.#table = table;
  }

  used(): number {
    const now = performance.now();
    if (now >= this.#until) {
      this.#until = now + COUNT_MS;
      this.#bytes = pageBytes(this.#table.getStats());
    }
    return this.#bytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }
}

function pageBytes(stats: unknown): number {
  const count = (name: string): number => Number(isWire(stats) ? (stats[name] ?? 0) : 0);
  const pages = count('treeBranchPageCount') + count('treeLeafPageCount') + count('overflowPages');
  return pages * count('pageSize');
}
