import type { MarketRow } from '../market/view.ts';

/** Which contract the numbers of a row are of. */
export interface ContractName {
  /** The venue's own symbol. */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in. */
  readonly quote: string;
  /** Ticker units in one unit of the base as the venue names it: 1000 for `1000PEPE`. */
  readonly multiplier: number;
}

export function contractName({ symbol, quote, multiplier }: MarketRow): ContractName {
  return { venue_symbol: symbol, quote, multiplier };
}
