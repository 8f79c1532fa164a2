import Type from 'typebox';
import { fundingSignal } from '../../analytics/funding-signal.ts';
import { legBooksOf } from '../../analytics/leg-book.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-arbitrage-funding-signal.json' with { type: 'json' };
import {
  assetClass,
  boolean,
  canonicalIdName,
  contractFields,
  integer,
  markTimeField,
  nullable,
  nullReasons,
  number,
  oneOf,
  rateTimeField,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';
import { scanLimit } from '../schema-scan.ts';

const count = (description: string) => integer(`Assets ${description}`);

const leg = (description: string) =>
  Type.Object(
    {
      venue: venueName,
      ...contractFields,
      rate: nullable(number('Funding rate per interval, a fraction')),
      funding_interval_hours: nullable(number('Hours between two payments')),
      rate_8h: nullable(number('The rate scaled to eight hours')),
      next_funding_time: nullable(
        timestamp('Next settlement; null where it is not known, or funding is continuous'),
      ),
      mark_price: nullable(number('Mark price per unit of the base asset')),
      best_bid: nullable(number('Best bid')),
      best_ask: nullable(number('Best ask')),
      taker_fee_bps: number('Public taker fee of the contract, base tier'),
      slippage_1k_bps: nullable(number('Of entering 1,000 USD, against the mid')),
      slippage_5k_bps: nullable(number('Of entering 5,000 USD')),
      slippage_10k_bps: nullable(number('Of entering 10,000 USD')),
      updated_at: timestamp('Time of the rate'),
      ...rateTimeField,
      ...markTimeField,
      ...nullReasons,
    },
    { description },
  );

const opportunity = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  short_venue: venueName,
  long_venue: venueName,
  gross_funding_spread_bps: number('Raw rate difference of the two legs'),
  normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
  apr_spread_pct: nullable(number('The normalized spread over a year, percent')),
  round_trip_fee_bps: number('Public taker fees of entry and exit on both legs'),
  net_of_fees_positive: boolean('gross_funding_spread_bps > round_trip_fee_bps'),
  funding_periods_to_breakeven: nullable(
    number(
      'Eight-hour periods until the spread has paid fees and slippage; null without books that fill 1,000',
    ),
  ),
  max_notional_usd: nullable(
    integer('Largest of 1000, 5000 and 10000 that both books fill, else 0; null where a book is not known'),
  ),
  entry_slippage_bps: nullable(number('Both legs together at that size; null without books')),
  net_apr_pct: nullable(
    number('apr_spread_pct less fees and slippage of entry and exit, spread over holding_days'),
  ),
  depth_class: oneOf(['deep', 'medium', 'thin', 'none', 'unknown'], {
    description:
      'deep: 10,000 USD at no more than 5 bps on each leg; medium: 10,000; thin: 1,000; none: less; unknown: a leg has no fresh book',
  }),
  signal_score: nullable(number('Ranks the rows; null where a book is not known')),
  clears_costs: nullable(boolean('Whether the score is above 0; rows where it is not come after all others')),
  venues_count: integer('Venues compared'),
  updated_at: timestamp('Time of the older leg'),
  short: leg('Sold: the venue with the higher rate'),
  long: leg('Bought: the venue with the lower rate'),
  ...nullReasons,
});

export const perpArbitrageFundingSignal = defineRoute({
  id: 'perp-arbitrage-funding-signal',
  path: '/v1/perp/arbitrage/funding-signal',
  access: 'paid',
  summary: 'Funding arbitrage net of fees, sized to books',
  description:
    'Ranked funding pairs: per asset the two venues between which eight-hour funding differs most, net of public round-trip taker fees and sized to live order-book depth at 1,000, 5,000 and 10,000 USD, with entry slippage and periods to break even. A derived outcome from present values, not a profit forecast.',
  tags: ['arbitrage', 'funding', 'signal', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: Type.Object({
    min_diff: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 0.0001,
        description: 'Least difference of the rates scaled to eight hours, a fraction',
      }),
    ),
    limit: scanLimit,
    include_below_1k: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also pairs whose books do not fill 1,000 USD, or are not known',
      }),
    ),
    holding_days: Type.Optional(
      Type.Number({
        minimum: 0.25,
        maximum: 365,
        default: 7,
        description: 'Days over which net_apr_pct spreads the cost of entry and exit',
      }),
    ),
  }),
  output: Type.Object({
    count: integer('Opportunities returned'),
    assessed: count('whose pair reaches min_diff and has both books'),
    unassessed: Type.Object(
      {
        single_venue: count('with fewer than two fresh comparable venues'),
        rate_unknown: count('with fewer than two venues whose rate is known and young enough'),
        interval_unknown: count('with fewer than two venues whose interval is known'),
        fee_unknown: count('with fewer than two venues whose taker fee is known'),
        depth_unknown: count('whose pair reaches min_diff while a leg has no fresh book'),
        below_min_diff: count('whose pair does not reach min_diff'),
      },
      { description: 'Assets that were not assessed, by reason' },
    ),
    holding_days: number('Days that net_apr_pct holds a position for'),
    methodology: text('Inputs and exclusions'),
    opportunities: Type.Array(opportunity),
  }),
  example: { request: '/v1/perp/arbitrage/funding-signal?limit=2', answer: example },
  resolve: (input) => ok(input),
  answer: (
    {
      min_diff: minDiff = 0.0001,
      limit = 50,
      include_below_1k: includeBelow1k = false,
      holding_days: holdingDays = 7,
    },
    { market, books },
  ) =>
    handlerResult(
      ok(fundingSignal(market, legBooksOf(books.passive), { minDiff, limit, includeBelow1k, holdingDays })),
    ),
});
