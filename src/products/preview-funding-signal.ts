import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok } from '../domain/errors.ts';
import type { MarketView } from '../market/view.ts';
import { fundingTime, type ProductAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  boolean,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { statedCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/preview-funding-signal.json' with { type: 'json' };
import { clearsFees, type FundingPair, fundingPairs, SIGNAL_METHODOLOGY } from './funding/funding-pair.ts';
import { aprSpreadPct } from './funding/legs.ts';
import { scanCoverage } from './rows/enough-venues.ts';
import { byWidth, scanAnswer } from './rows/scan.ts';
import { isRated } from './rows/select.ts';

const signal = Type.Object(
  {
    ticker: tickerName,
    canonical_id: canonicalIdName,
    asset_class: assetClass,
    short_venue: venueName,
    long_venue: venueName,
    gross_funding_spread_bps: number('Raw rate difference of the two legs'),
    round_trip_fee_bps: number('Public taker fees of entry and exit on both legs'),
    normalized_spread_8h_bps: number('The same legs, both scaled to eight hours'),
    apr_spread_pct: nullable(number('normalized_spread_8h_bps x 10.95')),
    net_of_fees_positive: boolean(
      'One payment pays the fees: gross_funding_spread_bps > round_trip_fee_bps; slippage does not count',
    ),
    short_interval_hours: nullable(integer('Funding interval of the short leg')),
    long_interval_hours: nullable(integer('Funding interval of the long leg')),
    venues_count: integer('Venues compared'),
    as_of: timestamp('Real time of the older leg'),
  },
  { description: 'The top pair that clears its fees; null while there is none' },
);

const answer = Type.Object({
  preview: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true' }),
  signal: nullable(signal),
  ...venueCoverageFields,
  withheld_in_preview: Type.Array(Type.String(), { description: 'What only the paid answer has' }),
  ranked_by: text('How the preview and the paid answer rank'),
  methodology: text('Inputs and exclusions'),
  note: text('How to read this'),
  paid_full_endpoint: text('Path of the paid answer'),
});

type PreviewFundingSignal = Static<typeof answer>;

export const previewFundingSignal = defineProduct({
  id: 'preview-funding-signal',
  path: '/v1/preview/funding-signal',
  access: 'free',
  summary: 'Preview of the funding signal',
  description:
    'Free sample of the funding signal: the one pair of venues with the largest gross funding spread among those that clear their round-trip fees, and what the paid answer has beyond it.',
  tags: ['preview'],
  dependsOn: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  answer,
  example: { request: '/v1/preview/funding-signal', answer: example },
  compute: (_, { market }) => ok(previewSignal(market)),
});

const WITHHELD = [
  'depth-sized max notional at 1k/5k/10k',
  'liquidity depth_class and entry slippage',
  'funding_periods_to_breakeven',
  'depth-adjusted signal_score ranking',
  'every other ranked pair',
];

/** The one pair with the largest gross spread among those that clear their fees; `signal` is null without one. */
export function previewSignal(view: MarketView): ProductAnswer<PreviewFundingSignal> {
  const clearing = fundingPairs(view)
    .filter(clearsFees)
    .map((pair) => ({ pair, ticker: pair.short.ticker, canonical_id: pair.short.canonicalId }));
  const top = byWidth(clearing, ({ pair }) => pair.grossBps)[0]?.pair;
  const body: PreviewFundingSignal = {
    preview: true,
    signal: top === undefined ? null : previewOf(top),
    ...statedCoverage(scanCoverage(view, isRated)),
    withheld_in_preview: WITHHELD,
    ranked_by:
      'The preview ranks by gross_funding_spread_bps among fee-clearing pairs; the paid call ranks by depth-adjusted signal_score.',
    methodology: SIGNAL_METHODOLOGY,
    note: 'One pair, present values, naive baseline; as_of is the real age of the older leg. Not a profit forecast.',
    paid_full_endpoint: '/v1/perp/arbitrage/funding-signal',
  };
  return scanAnswer(view, body, top?.rows ?? [], fundingTime);
}

function previewOf(pair: FundingPair): Static<typeof signal> {
  const { short, long } = pair;
  return {
    ticker: short.ticker,
    canonical_id: short.canonicalId,
    asset_class: short.assetClass,
    short_venue: short.venue,
    long_venue: long.venue,
    gross_funding_spread_bps: pair.grossBps,
    round_trip_fee_bps: pair.feeBps,
    normalized_spread_8h_bps: pair.normalizedBps,
    apr_spread_pct: aprSpreadPct(pair.normalizedBps),
    net_of_fees_positive: clearsFees(pair),
    short_interval_hours: short.fundingIntervalHours ?? null,
    long_interval_hours: long.fundingIntervalHours ?? null,
    venues_count: pair.rows.length,
    as_of: iso(pair.updatedAt),
  };
}
