import Type from 'typebox';
import {
  boolean,
  contractFields,
  integer,
  nullable,
  nullReasons,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from './schema.ts';

/** USD size of a sized quote. */
export const sizeParameter = Type.Optional(
  Type.Unsafe<1000 | 5000 | 10_000>({
    type: 'integer',
    enum: [1000, 5000, 10_000],
    default: 10_000,
    description: 'Size in USD that the quote is for',
  }),
);

const SIDES = ['buy', 'sell', 'worse'] as const;
const RANKS = ['slippage', 'all_in'] as const;

export const sideParameter = Type.Optional(
  oneOf(SIDES, {
    default: 'worse',
    description: 'What is done at market: buy takes asks, sell takes bids, worse is the dearer of both',
  }),
);

export const rankByParameter = Type.Optional(
  oneOf(RANKS, {
    default: 'slippage',
    description: 'What venues are ordered by: slippage alone, or with the public taker fee',
  }),
);

/** How a size is to be traded, as a request says it. */
export interface TermsInput {
  readonly ticker: string;
  readonly size_usd?: 1000 | 5000 | 10_000;
  readonly side?: (typeof SIDES)[number];
  readonly rank_by?: (typeof RANKS)[number];
}

export const termsOf = ({
  size_usd: size = 10_000,
  side = 'worse',
  rank_by: rankBy = 'slippage',
}: Omit<TermsInput, 'ticker'>) => ({
  size,
  side,
  rankBy,
});

/** What was asked for, in an answer. */
export const sideField = oneOf(SIDES, { description: 'The side that costs are of' });
export const rankByField = oneOf(RANKS, { description: 'What venues are ordered by' });

export const quoteLineage = {
  source: oneOf(['stream', 'rest'], {
    description: 'stream: every message since a whole book; rest: one whole book',
  }),
  updated_at: timestamp('When the venue last confirmed the book'),
};

const touch = {
  best_bid: number('Quote currency per unit of the base asset'),
  best_ask: number('Quote currency per unit of the base asset'),
};

const depth = {
  spread_bps: number('(best_ask - best_bid) / mid x 10000'),
  bid_depth_usd: number('Visible bids within 100 bps of the mid, USD'),
  ask_depth_usd: number('Visible asks within 100 bps of the mid, USD'),
};

const maxFillable = number(
  'min(bid_depth_usd, ask_depth_usd, 10000); of the side alone where side is buy or sell',
);

const cost = {
  ...contractFields,
  taker_fee_bps: nullable(number('Public taker fee of the contract, base tier')),
  all_in_bps: nullable(number('Slippage plus taker fee; null where either is')),
};

export const depthQuoteSchema = Type.Object({
  venue: venueName,
  ...cost,
  ...touch,
  est_slippage_for_size_usd_bps: nullable(
    number('Fill price against the mid, of the side or the worse of both, bps; null above max_fillable_usd'),
  ),
  ...depth,
  max_fillable_usd: maxFillable,
  ...quoteLineage,
  ...nullReasons,
});

export const venueSlippageSchema = Type.Object({
  venue: venueName,
  ...cost,
  ...touch,
  ...depth,
  slippage_bps: nullable(
    number(
      'Fill price against the venue’s mid, of the side or the worse of both, bps; null where it does not fill',
    ),
  ),
  ...quoteLineage,
  ...nullReasons,
});

export const routeLegSchema = Type.Object({
  venue: venueName,
  ...cost,
  allocated_usd: number('Part of the size that goes here'),
  slippage_bps: number('At the allocation, of the side or the worse of both'),
  ...touch,
  max_fillable_usd: maxFillable,
  average_price: Type.Optional(
    number(
      'With split=true: what a unit costs on average before the fee, in the quote currency of the venue',
    ),
  ),
  ...quoteLineage,
  ...nullReasons,
});

export const splitSchema = Type.Object(
  {
    side: oneOf(['buy', 'sell'], { description: 'The side that was split; with side=worse the dearer one' }),
    reference_price: number('Mean of the highest bid and the lowest ask of the venues taken into account'),
    reference_quote: nullable(
      text('Currency of reference_price; null where unlike quote currencies are compared as they are'),
    ),
    quote_adjusted: boolean('False where quote currencies differ and no measured rate ties them together'),
    all_in_bps: number('Mean price with taker fees against reference_price; can be negative'),
    best_single: nullable(
      Type.Object(
        { venue: venueName, all_in_bps: number('The same for all of the size on this venue') },
        { description: 'The cheapest venue that fills the size alone; null where none does' },
      ),
    ),
    saved_bps: nullable(number('best_single.all_in_bps - all_in_bps, at least 0')),
    venues_max: integer('Most venues that the route may use', 1),
    venues_without_fee: Type.Array(venueName, {
      description: 'Venues left out, as their taker fee is not public',
    }),
    ...nullReasons,
  },
  { description: 'Only with split=true: what the split achieves' },
);
