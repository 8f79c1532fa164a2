import type { RootDatabase } from 'lmdb';

/** A write that the store did not take, while it took others. */
export interface RefusedWrite<Item> {
  readonly item: Item;
  readonly cause: unknown;
}

/** LMDB's message for a key that is too long for it, whatever the state of the store. */
const KEY_TOO_LONG = /key size/i;

const isOfTheItem = (cause: unknown): boolean => cause instanceof Error && KEY_TOO_LONG.test(cause.message);

/**
 * Makes writes in one transaction. Where that fails, each is made in one of its own, so that an item that cannot
 * be kept keeps none of the others out.
 *
 * @param write makes the writes of one item, with synchronous calls
 * @returns the items that were not taken
 * @throws what the store said, where it takes none and no item is the reason: a full disk, for one
 */
export function writeTogether<Item>(
  root: Pick<RootDatabase<Buffer, Buffer>, 'transactionSync'>,
  items: readonly Item[],
  write: (item: Item) => void,
): readonly RefusedWrite<Item>[] {
  try {
    root.transactionSync(() => {
      for (const item of items) write(item);
    });
    return [];
  } catch (cause) {
    const refused = writeEach(root, items, write);
    if (refused.length === items.length && !refused.every(({ cause: own }) => isOfTheItem(own))) throw cause;
    return refused;
  }
}

function writeEach<Item>(
  root: Pick<RootDatabase<Buffer, Buffer>, 'transactionSync'>,
  items: readonly Item[],
  write: (item: Item) => void,
): readonly RefusedWrite<Item>[] {
  const refused: RefusedWrite<Item>[] = [];
  for (const item of items) {
    try {
      root.transactionSync(() => write(item));
    } catch (cause) {
      refused.push({ item, cause });
    }
  }
  return refused;
}
