import Type from 'typebox';
import { contractFields, nullable, number, oneOf, timestamp, venueName } from './schema.ts';

/** USD size of a sized quote. */
export const sizeParameter = Type.Optional(
  Type.Unsafe<1000 | 5000 | 10_000>({
    type: 'integer',
    enum: [1000, 5000, 10_000],
    default: 10_000,
    description: 'Size in USD that the quote is for',
  }),
);

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

export const maxFillable = number('min(bid_depth_usd, ask_depth_usd, 10000)');

export const depthQuoteSchema = Type.Object({
  venue: venueName,
  ...touch,
  est_slippage_for_size_usd_bps: nullable(
    number('Fill price against the mid, the worse of both sides, bps; null above max_fillable_usd'),
  ),
  ...depth,
  max_fillable_usd: maxFillable,
  ...contractFields,
  ...quoteLineage,
});

export const venueSlippageSchema = Type.Object({
  venue: venueName,
  ...touch,
  ...depth,
  slippage_bps: nullable(
    number('Fill price against the venue’s mid, the worse of both sides, bps; null where it does not fill'),
  ),
  ...quoteLineage,
});

export const routeLegSchema = Type.Object({
  venue: venueName,
  allocated_usd: number('Part of the size that goes here'),
  slippage_bps: number('At the allocation, the worse of both sides'),
  ...touch,
  max_fillable_usd: maxFillable,
  ...quoteLineage,
});
