import { upperAscii } from '../domain/ascii-case.ts';
import type { Renames } from './registry/renames.ts';
import { bareNames } from './resolve.ts';
import type { Renaming, Resolution } from './view.ts';

/**
 * Finds the way in which the asset of a name came by its present name; undefined where neither the name nor the id that
 * was asked for beside it is one of before.
 */
export function renamingOf(
  renames: Renames,
  name: string,
  found: Resolution,
  askedId?: string,
): Renaming | undefined {
  if (found.kind !== 'one') return undefined;
  const { canonicalId, ticker } = found;
  for (const asked of [...bareNames(name), ...(askedId === undefined ? [] : [upperAscii(askedId.trim())])]) {
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
