import { DATA_KINDS, type Decoded } from '../../src/domain/decoded.ts';
import { isFault } from '../../src/domain/reject.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import type { Mutation } from '../venues/mutate.ts';

/** Contracts that a payload itself calls dead or out-of-scope, by their symbols. */
export function deadIn(decoded: Decoded): ReadonlySet<string> {
  const dead = new Set<string>();
  for (const reject of decoded.rejects) {
    if (reject.symbol !== null && !isFault(reject)) dead.add(reject.symbol);
  }
  for (const { symbol } of rowsOf(decoded)) dead.delete(symbol);
  return dead;
}

const rowsOf = (decoded: Decoded): readonly { readonly symbol: string }[] =>
  DATA_KINDS.flatMap((kind): readonly { readonly symbol: string }[] => decoded[kind]);

/** Rows of dead contracts among what a mutated payload gave. */
export function deadRows(
  liveWithout: VenueAdapter['liveWithout'],
  dead: ReadonlySet<string>,
  decoded: Decoded,
  mutation: Mutation,
): string[] {
  if (dead.size === 0 || revives(liveWithout, mutation)) return [];
  return rowsOf(decoded)
    .filter(({ symbol }) => dead.has(symbol))
    .map(({ symbol }) => `row of ${symbol}, which is dead`);
}

/** True if the rest is a live contract's row as the venue writes it: then it is no damage. */
function revives(liveWithout: VenueAdapter['liveWithout'], { name, at }: Mutation): boolean {
  if (name === 'boolean') return true;
  if (liveWithout === undefined || !liveWithout.fields.some((field) => at.endsWith(`.${field}`)))
    return false;
  const isBlank = name === 'empty text' || name === 'NaN text';
  return name === 'remove' || name === 'null' || (isBlank && liveWithout.orBlank === true);
}
