/** Stands after another entry of a list, by that one's name: modules so add to lists whose order does not change. */
export interface Placed {
  /** Name of the entry before. */
  readonly after: string;
}

/**
 * A list with what modules add to it. Additions after the same entry keep their order.
 *
 * @param list names and values of the core, in order
 * @param added named values, each after an entry of the core or one that was added before
 * @throws Error where a name is there twice, or nothing has the name that one is to follow: a fault of the program
 */
export function withPlaced<T>(
  list: Iterable<readonly [name: string, value: T]>,
  added: Iterable<readonly [name: string, value: T, after: string]>,
): readonly (readonly [name: string, value: T])[] {
  const entries = [...list];
  const follows = new Map<string, string>();
  for (const [name, value, after] of added) {
    if (entries.some(([known]) => known === name)) throw new Error(`${name} is there twice`);
    let at = entries.findIndex(([known]) => known === after);
    if (at < 0) throw new Error(`${name} is to follow ${after}, which is not there`);
    while (isAfter(entries[at + 1]?.[0], after, follows)) at += 1;
    entries.splice(at + 1, 0, [name, value]);
    follows.set(name, after);
  }
  return entries;
}

/** True of an entry that was added after `root`, or after one that was. */
function isAfter(name: string | undefined, root: string, follows: ReadonlyMap<string, string>): boolean {
  for (let at = name; at !== undefined; at = follows.get(at)) if (follows.get(at) === root) return true;
  return false;
}

/** Fields in order, with those of each addition behind the one that it names. */
export function withPlacedFields<T>(
  fields: Readonly<Record<string, T>>,
  added: readonly (Placed & { readonly fields: Readonly<Record<string, T>> })[],
): Record<string, T> {
  const chained = added.flatMap(({ after, fields: own }) =>
    Object.entries(own).map(([name, value], i, all) => [name, value, all[i - 1]?.[0] ?? after] as const),
  );
  return Object.fromEntries(withPlaced(Object.entries(fields), chained));
}
