import { iso } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { RowSnapshots } from '../market/row-snapshots.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { type FundingRow, fundingRow } from './funding-row.ts';
import { fundingTime, oldestOf, type ProductAnswer, productAnswer } from './product-answer.ts';
import { venueInfos } from './select.ts';

/** Assets of the free preview; the market keeps their past rows. */
export const PREVIEW_ASSETS = [
  'crypto:BTC',
  'crypto:ETH',
  'crypto:SOL',
  'crypto:XRP',
  'crypto:DOGE',
] as const;
export const PREVIEW_DELAY_SECONDS = 60;
const VENUES_PER_ASSET = 3;
const DIGITS = 4;

export interface PreviewFundingCurrent {
  readonly preview: true;
  readonly rates: readonly FundingRow[];
  /** Time of the oldest rate; null while the list is empty. */
  readonly as_of: string | null;
  readonly delay_seconds: number;
  readonly withheld_in_preview: readonly string[];
  readonly paid_full_endpoint: string;
  readonly note: string;
}

const WITHHELD = [
  'present values',
  'full precision',
  'all other venues of these tickers',
  'all other tickers',
  'rows that failed the comparability checks',
];

/** A number to four significant digits. */
function fourDigits(x: number): number;
function fourDigits(x: number | null): number | null;
function fourDigits(x: number | null): number | null {
  return x === null ? null : Number(x.toPrecision(DIGITS));
}

/**
 * Funding of five coins on their three most traded venues, as it was 60 s ago, to four significant digits. Times are
 * those of the values, not blurred. The list is empty until rows are that old.
 */
export function previewFundingCurrent(
  view: MarketView & RowSnapshots,
  now: UnixMs,
): ProductAnswer<PreviewFundingCurrent> {
  const then = asMs(now - PREVIEW_DELAY_SECONDS * 1000);
  const rows = PREVIEW_ASSETS.flatMap((id) => mostTraded(view.rowsAsOf(id, then) ?? []));
  const oldest = oldestOf(rows, fundingTime);
  const venues = venueInfos(view);
  const body: PreviewFundingCurrent = {
    preview: true,
    rates: rows.map((row) => coarse(row, venues.get(row.venue))),
    as_of: oldest === undefined ? null : iso(oldest),
    delay_seconds: PREVIEW_DELAY_SECONDS,
    withheld_in_preview: WITHHELD,
    paid_full_endpoint: '/v1/funding/current',
    note: 'Delayed and rounded; empty during the first minute after a start. Rates are raw fractions per interval of each venue; not a profit forecast.',
  };
  return productAnswer(body, rows, [], fundingTime);
}

function mostTraded(rows: readonly MarketRow[]): readonly MarketRow[] {
  return rows
    .filter((row) => row.comparable && row.fundingRate !== undefined)
    .sort((a, b) => (b.volume24hUsd ?? 0) - (a.volume24hUsd ?? 0) || a.sourceId - b.sourceId)
    .slice(0, VENUES_PER_ASSET);
}

function coarse(row: MarketRow, venue: VenueInfo | undefined): FundingRow {
  const full = fundingRow(row, venue);
  return {
    ...full,
    rate: fourDigits(full.rate),
    rate_8h: fourDigits(full.rate_8h),
    mark_price: fourDigits(full.mark_price),
    volume_24h: fourDigits(full.volume_24h),
    open_interest: fourDigits(full.open_interest),
  };
}
