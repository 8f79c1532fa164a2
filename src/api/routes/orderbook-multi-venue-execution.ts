import Type from 'typebox';
import { multiVenueExecution } from '../../analytics/multi-venue-execution.ts';
import { quoteRates } from '../../analytics/quote-rates.ts';
import { splitExecution } from '../../analytics/split-execution.ts';
import { fail } from '../../domain/errors.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/orderbook-multi-venue-execution.json' with { type: 'json' };
import {
  canonicalIdName,
  integer,
  nullable,
  nullReasons,
  number,
  text,
  tickerName,
  tickerParameter,
} from '../schema.ts';
import {
  rankByField,
  rankByParameter,
  routeLegSchema,
  sideField,
  sideParameter,
  sizeParameter,
  splitSchema,
  type TermsInput,
  termsOf,
} from '../schema-book.ts';
import { aboutAsset } from './about.ts';

/** More than are tracked. */
const MOST_VENUES = 100;

interface RouteInput extends TermsInput {
  readonly split?: boolean;
  readonly venues_max?: number;
}

const about = aboutAsset<RouteInput>((asset, { books, market }, input) => {
  const terms = termsOf(input);
  if (input.split !== true) return multiVenueExecution(asset, books, terms);
  const venuesMax = input.venues_max ?? MOST_VENUES;
  return splitExecution(asset, books, { ...terms, venuesMax }, () => quoteRates(market));
});

export const orderbookMultiVenueExecution = defineRoute({
  id: 'orderbook-multi-venue-execution',
  path: '/v1/orderbook/multi-venue-execution',
  access: 'paid',
  summary: 'Route of a size over venues',
  description:
    'Greedy route of 1,000, 5,000 or 10,000 USD of a ticker: venues in the order of their slippage, each filled up to its visible depth until the size is filled, with slippage and taker fee of each leg at its allocation, the blend, and what stays unfilled. split=true routes by marginal all-in price over all books instead, stated against the best single venue.',
  tags: ['orderbook', 'execution', 'routing'],
  freshness: 'books',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    ticker: tickerParameter,
    size_usd: sizeParameter,
    side: sideParameter,
    rank_by: rankByParameter,
    split: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true: by marginal price with taker fee over the levels of all venues, whatever rank_by says, instead of venue after venue',
      }),
    ),
    venues_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_VENUES,
        description: 'With split=true: most venues that the route may use; all when not given',
      }),
    ),
  }),
  output: Type.Object({
    ticker: tickerName,
    canonical_id: canonicalIdName,
    size_usd: integer('Size in USD'),
    side: sideField,
    rank_by: rankByField,
    total_filled_usd: number('Filled by all legs'),
    unfilled_usd: number('Left over'),
    venues_used: integer('Legs', 1),
    blended_slippage_bps: number('Mean of the legs weighted by allocation'),
    blended_taker_fee_bps: nullable(number('The same of the taker fees; null where one is not known')),
    blended_all_in_bps: nullable(number('The same of slippage plus taker fee')),
    route: Type.Array(routeLegSchema),
    naive_note: text('What the figures leave out'),
    split: Type.Optional(splitSchema),
    ...nullReasons,
  }),
  example: { request: '/v1/orderbook/multi-venue-execution?ticker=BTC&size_usd=10000', answer: example },
  answer: about.answer,
  resolve: (input, services) => {
    if (input.venues_max === undefined || input.split === true) return about.resolve(input, services);
    const message = 'counts with split=true only';
    const errors = [{ parameter: 'venues_max', message }];
    return fail({ code: 'invalid_parameter', detail: `venues_max: ${message}`, errors });
  },
});
