import { iso } from '../domain/clock.ts';
import type { MarketView } from '../market/view.ts';
import { clearsFees, type FundingPair, fundingPairs } from './funding-pair.ts';
import { SIGNAL_METHODOLOGY } from './funding-signal.ts';
import { aprSpreadPct } from './legs.ts';
import { fundingTime, type ProductAnswer } from './product-answer.ts';
import { byWidth, scanAnswer } from './scan.ts';

export interface PreviewFundingSignal {
  readonly preview: true;
  readonly signal: PreviewSignal | null;
  readonly withheld_in_preview: readonly string[];
  readonly ranked_by: string;
  readonly methodology: string;
  readonly note: string;
  readonly paid_full_endpoint: string;
}

export interface PreviewSignal {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly asset_class: string;
  readonly short_venue: string;
  readonly long_venue: string;
  readonly gross_funding_spread_bps: number;
  readonly round_trip_fee_bps: number;
  readonly normalized_spread_8h_bps: number;
  readonly apr_spread_pct: number | null;
  readonly net_of_fees_positive: boolean;
  readonly short_interval_hours: number | null;
  readonly long_interval_hours: number | null;
  readonly venues_count: number;
  readonly as_of: string;
}

const WITHHELD = [
  'depth-sized max notional at 1k/5k/10k',
  'liquidity depth_class and entry slippage',
  'funding_periods_to_breakeven',
  'depth-adjusted signal_score ranking',
  'every other ranked pair',
];

/** The one pair with the largest gross spread among those that clear their fees; `signal` is null without one. */
export function previewFundingSignal(view: MarketView): ProductAnswer<PreviewFundingSignal> {
  const clearing = fundingPairs(view)
    .filter(clearsFees)
    .map((pair) => ({ pair, ticker: pair.short.ticker, canonical_id: pair.short.canonicalId }));
  const top = byWidth(clearing, ({ pair }) => pair.grossBps)[0]?.pair;
  const body: PreviewFundingSignal = {
    preview: true,
    signal: top === undefined ? null : previewOf(top),
    withheld_in_preview: WITHHELD,
    ranked_by:
      'The preview ranks by gross_funding_spread_bps among fee-clearing pairs; the paid call ranks by depth-adjusted signal_score.',
    methodology: SIGNAL_METHODOLOGY,
    note: 'One pair, present values, naive baseline; as_of is the real age of the older leg. Not a profit forecast.',
    paid_full_endpoint: '/v1/perp/arbitrage/funding-signal',
  };
  return scanAnswer(view, body, top?.rows ?? [], fundingTime);
}

function previewOf(pair: FundingPair): PreviewSignal {
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
