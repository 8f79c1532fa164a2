import { DATA_KINDS, type Decoded } from '../../src/domain/decoded.ts';
import { isFault } from '../../src/domain/reject.ts';
import type { Mutation } from '../venues/mutate.ts';

/** Fields without which a row reads as live, because the venue leaves them out of rows that are. */
const LIVE_WITHOUT: Readonly<Record<string, readonly [field: string, why: string]>> = {
  hyperliquid: ['isDelisted', 'written only where it is true'],
  gate: ['status', 'rows of earlier years have none'],
  grvt: ['status', 'rows of earlier years have none'],
  extended: ['type', 'not on every row of a perpetual'],
  apex: ['isPrelaunch', 'not on every row of a live contract'],
};

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
  venue: string,
  dead: ReadonlySet<string>,
  decoded: Decoded,
  mutation: Mutation,
): string[] {
  if (dead.size === 0 || revives(venue, mutation)) return [];
  return rowsOf(decoded)
    .filter(({ symbol }) => dead.has(symbol))
    .map(({ symbol }) => `row of ${symbol}, which is dead`);
}

/** Whether what is left is what the venue writes of a live contract: then it is no damage. */
function revives(venue: string, { name, at }: Mutation): boolean {
  if (name === 'boolean') return true;
  const [family = ''] = venue.split('-');
  const [field] = LIVE_WITHOUT[family] ?? [];
  return field !== undefined && at.endsWith(`.${field}`) && (name === 'remove' || name === 'null');
}
