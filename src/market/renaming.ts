import type { Renames } from './registry/renames.ts';
import { bareNames } from './resolve.ts';
import type { Renaming, Resolution } from './view.ts';

/** The renaming that led from a name to the asset it was resolved to; undefined for a present name. */
export function renamingOf(renames: Renames, name: string, found: Resolution): Renaming | undefined {
  if (found.kind !== 'one') return undefined;
  const { canonicalId, ticker } = found;
  for (const asked of bareNames(name)) {
    const way = renames.wayOf(asked, canonicalId);
    const [first] = way;
    const last = way.at(-1);
    if (first === undefined || last === undefined) continue;
    const old = first.state === 'announced' ? first.to : first.from;
    const isId = asked === old.toUpperCase();
    const factor = way.reduce((product, rename) => product * rename.factor, 1);
    return { asked: isId ? old : asked, canonicalId, ticker, day: last.day, factor, state: last.state };
  }
  return undefined;
}
