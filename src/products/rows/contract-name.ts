import Type from 'typebox';
import type { MarketRow } from '../../market/view.ts';
import { text } from '../answer/schema.ts';

/** The contract of a row's numbers. */
export const contractFields = {
  venue_symbol: text("The venue's own symbol of the contract"),
  quote: text('Currency that its prices are quoted in'),
  multiplier: Type.Number({
    description: 'Units of the ticker in one unit of the base as the venue names it',
  }),
};

export const contractName = ({
  symbol,
  quote,
  multiplier,
}: Pick<MarketRow, 'symbol' | 'quote' | 'multiplier'>) => ({
  venue_symbol: symbol,
  quote,
  multiplier,
});
