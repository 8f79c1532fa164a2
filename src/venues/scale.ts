import type { ForeignReason } from '../domain/reject.ts';
import { baseName } from '../domain/ticker.ts';
import type { DecodeContext } from './adapter.ts';

/** What turns a venue's numbers of one contract into ticker units. */
export interface Scale {
  /** Ticker units in one unit of the base as named; divides prices, multiplies base amounts. */
  readonly multiplier: number;
  /** Ticker units in one contract; undefined where no instrument list has told it. */
  readonly perContract: number | undefined;
}

/** What a symbol spells: the base of a linear perpetual, or why it is none of ours. */
export type Spelling = { readonly base: string } | ForeignReason;

/** The base of a spelling, where there is one. */
export function spelledBase(spelling: Spelling): string | undefined {
  return typeof spelling === 'object' ? spelling.base : undefined;
}

/**
 * Scale of a contract: from the instrument list where there is one, else from what the symbol spells.
 *
 * @param contractSize base units in one contract where that needs no list (1 at venues that count in base)
 * @returns why the contract is left out when it is not on the list, or not spelled as one of ours
 */
export function scaleOf(
  context: DecodeContext,
  symbol: string,
  spell: (symbol: string) => Spelling,
  contractSize?: number,
): Scale | ForeignReason {
  const listed = context.instruments.get(symbol);
  if (listed !== undefined) {
    const { multiplier } = listed;
    return { multiplier, perContract: multiplier * listed.contractSize };
  }
  const spelling = spell(symbol);
  if (typeof spelling === 'string') return spelling;
  if (context.instruments.size > 0) return 'not_listed';
  const { multiplier } = baseName(spelling.base);
  return { multiplier, perContract: contractSize === undefined ? undefined : multiplier * contractSize };
}

/** The scale of amounts in units of which the list of contracts says how many base units they are; one, as a rule. */
export function byContract({ multiplier, perContract = multiplier }: Scale): Scale {
  return { multiplier: perContract, perContract };
}
