import type { Database, RootDatabase } from 'lmdb';
import {
  type DayRoot,
  type DayTree,
  dayNumber,
  HASH_BYTES,
  type Leaves,
  leafHash,
  type SaleLog,
} from './sale-log.ts';

const DAY_BYTES = 4;
const LAST_DAY = 2 ** 32 - 1;
const NOTED = Buffer.of(1);

/** Leaves of all days, and the trees of those that are closed. Days are numbers as four bytes, so that they sort. */
export interface SaleLogTables {
  /** Day and hash of an issued text, until the day has its tree. */
  readonly leaves: Database<Buffer, Buffer>;
  /** Days that take no further text. */
  readonly closed: Database<Buffer, Buffer>;
  /** Day -> its signed root. */
  readonly roots: Database<Buffer, Buffer>;
  /** Day -> hashes of its texts, sorted. */
  readonly trees: Database<Buffer, Buffer>;
  /** Day -> hashes of the blocks of its tree. */
  readonly blocks: Database<Buffer, Buffer>;
}

/** Names on disk stay those of the first version. */
const NAMES = {
  leaves: 'receipt-leaves',
  closed: 'receipt-days',
  roots: 'receipt-roots',
  trees: 'receipt-trees',
  blocks: 'receipt-blocks',
} as const;

export const SALE_LOG_TABLES = Object.values(NAMES);

export function openSaleLogTables(root: RootDatabase<Buffer, Buffer>): SaleLogTables {
  const table = (name: string): Database<Buffer, Buffer> =>
    root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
  return {
    leaves: table(NAMES.leaves),
    closed: table(NAMES.closed),
    roots: table(NAMES.roots),
    trees: table(NAMES.trees),
    blocks: table(NAMES.blocks),
  };
}

function dayKey(day: number): Buffer {
  const key = Buffer.allocUnsafe(DAY_BYTES);
  key.writeUInt32BE(day);
  return key;
}

/** Adds an issued text to its day and does what belongs to it, as one; false where the day is closed. */
export function addToLog(
  { leaves, closed }: SaleLogTables,
  text: string,
  issuedAt: number,
  write: () => void,
): Promise<boolean> {
  const day = dayKey(dayNumber(issuedAt));
  const leaf = Buffer.concat([day, leafHash(Buffer.from(text))]);
  return closed.ifNoExists(day, () => {
    void leaves.put(leaf, NOTED);
    write();
  });
}

/** The log of all days in an LMDB folder, shared by all processes of a host. */
export class LmdbSaleLog implements SaleLog {
  readonly #tables: SaleLogTables;

  constructor(tables: SaleLogTables) {
    this.#tables = tables;
  }

  firstOpen(): number | undefined {
    const [first] = [...this.#tables.leaves.getKeys({ limit: 1 })];
    return first?.readUInt32BE();
  }

  async close(day: number): Promise<void> {
    const { closed } = this.#tables;
    const from = (this.rootBefore(day)?.day ?? day - 1) + 1;
    const days = Array.from({ length: day - from + 1 }, (_, i) => from + i);
    await Promise.all(days.map((day) => closed.put(dayKey(day), NOTED)));
  }

  leavesOf(day: number): Leaves {
    const keys = this.#tables.leaves.getKeys({ start: dayKey(day), end: dayKey(day + 1) });
    const hashes = Buffer.concat([...keys].map((key) => key.subarray(DAY_BYTES)));
    return { hashes };
  }

  async seal({ day, statement }: DayRoot, { hashes, blocks }: Leaves): Promise<void> {
    const { leaves, roots, trees, blocks: stored } = this.#tables;
    const key = dayKey(day);
    await roots.ifNoExists(key, () => {
      void roots.put(key, Buffer.from(statement, 'latin1'));
      void trees.put(key, hashes);
      if (blocks !== undefined) void stored.put(key, blocks);
    });
    await roots.flushed;
    const done: Promise<boolean>[] = [];
    for (let at = 0; at < hashes.length; at += HASH_BYTES) {
      done.push(leaves.remove(Buffer.concat([key, hashes.subarray(at, at + HASH_BYTES)])));
    }
    await Promise.all(done);
  }

  rootBefore(day: number): DayRoot | undefined {
    return this.roots({ before: day, limit: 1 })[0];
  }

  roots({ before, limit }: { readonly before: number; readonly limit: number }): readonly DayRoot[] {
    if (before < 1) return [];
    const range = this.#tables.roots.getRange({
      start: dayKey(Math.min(before - 1, LAST_DAY)),
      reverse: true,
      limit,
    });
    return [...range].map(({ key, value }) => ({
      day: key.readUInt32BE(),
      statement: value.toString('latin1'),
    }));
  }

  tree(day: number): DayTree | undefined {
    if (day < 0 || day > LAST_DAY) return undefined;
    const { roots, trees, blocks } = this.#tables;
    const key = dayKey(day);
    const statement = roots.get(key);
    const hashes = trees.get(key);
    const ofBlocks = blocks.get(key);
    if (statement === undefined || hashes === undefined) return undefined;
    const leaves = { hashes, ...(ofBlocks !== undefined && { blocks: ofBlocks }) };
    return { day, statement: statement.toString('latin1'), leaves };
  }
}
