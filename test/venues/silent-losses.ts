import { DATA_KINDS, type Decoded } from '../../src/domain/decoded.ts';
import { readNumber } from '../../src/domain/read.ts';

/** Mutations that leave a stated value unreadable; of all others a venue may mean that there is none. */
const UNREADABLE: ReadonlySet<string> = new Set(['wrong type', 'Infinity text', 'x1e30']);
/** Classes have names of which new ones come, and some fees follow from the class. */
const CLASS = 'instruments.assetClass';

/** The number of values of each field in a result. */
function countsOf(decoded: Decoded): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of DATA_KINDS) {
    for (const row of decoded[kind]) {
      for (const field of Object.keys(row))
        counts.set(`${kind}.${field}`, (counts.get(`${kind}.${field}`) ?? 0) + 1);
    }
  }
  return counts;
}

/** The values that the mutated payload changed or lost silently: their fields. */
export type SilentLosses = (after: Decoded, mutation: string, kept: unknown) => string[];

/** @param before of the payload as it was */
export function silentLosses(before: Decoded): SilentLosses {
  const counts = countsOf(before);
  const said = JSON.stringify(before.rejects);
  return (after, mutation, kept) => {
    if (!UNREADABLE.has(mutation) || kept === null || kept === undefined || kept === '') return [];
    // A text may be any text.
    if (mutation === 'Infinity text' && readNumber(kept) === undefined) return [];
    const left = countsOf(after);
    const lost = [...counts].filter(([field, count]) => count > (left.get(field) ?? 0));
    if (lost.length === 0 || lost.some(([field]) => field === CLASS)) return [];
    if (JSON.stringify(after.rejects) !== said) return [];
    return [`${lost.map(([field]) => field).join(', ')} lost without a reject`];
  };
}
