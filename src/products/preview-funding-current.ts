import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok } from '../domain/errors.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import type { RowSnapshots } from '../market/row-snapshots.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { fourDigits } from './answer/four-digits.ts';
import { fundingTime, oldestOf, type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import { integer, nullable, text, timestamp } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/preview-funding-current.json' with { type: 'json' };
import { type FundingRow, fundingRow, fundingRowSchema } from './funding/funding-row.ts';
import { PREVIEW_ASSETS } from './rows/preview-assets.ts';
import { isRated, venueInfos } from './rows/select.ts';

const answer = Type.Object({
  preview: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true' }),
  rates: Type.Array(fundingRowSchema),
  as_of: nullable(timestamp('Time of the oldest rate; null while the list is empty')),
  delay_seconds: integer('How long the rates are held back'),
  withheld_in_preview: Type.Array(Type.String(), { description: 'What only the paid answer has' }),
  paid_full_endpoint: text('Path of the paid answer'),
  note: text('How to read this'),
});

type PreviewFundingCurrent = Static<typeof answer>;

export const previewFundingCurrent = defineProduct({
  id: 'preview-funding-current',
  path: '/v1/preview/funding-current',
  access: 'free',
  summary: 'Preview of live funding rates',
  description:
    'Free sample of the live funding rates: BTC, ETH, SOL, XRP and DOGE on three venues each, one minute late and rounded to four significant digits, with the field names of the paid answer.',
  tags: ['preview'],
  dependsOn: 'second',
  revisedAt: '2026-11-27T15:00:00.000Z',
  answer,
  example: { request: '/v1/preview/funding-current', answer: example },
  compute: (_, { market, clock }) => ok(previewRates(market, clock.now())),
});

const PREVIEW_DELAY_SECONDS = 60;
const VENUES_PER_ASSET = 3;

const WITHHELD = [
  'present values',
  'full precision',
  'all other venues of these tickers',
  'all other tickers',
  'rows that failed the comparability checks',
];

/**
 * Funding of five coins on their three most traded venues, as it was 60 s ago, to four significant digits. Times are
 * those of the values, not blurred. The list is empty until rows are that old.
 */
export function previewRates(
  view: MarketView & RowSnapshots,
  now: UnixMs,
): ProductAnswer<PreviewFundingCurrent> {
  const then = asMs(now - PREVIEW_DELAY_SECONDS * 1000);
  const rows = PREVIEW_ASSETS.flatMap((id) => mostTraded(view.rowsAsOf(id, then) ?? []));
  const oldest = oldestOf(rows, fundingTime);
  const venues = venueInfos(view);
  const body: PreviewFundingCurrent = {
    preview: true,
    rates: rows.map((row) => coarse(row, now, venues.get(row.venue))),
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
    .filter(isRated)
    .sort((a, b) => (b.volume24hUsd ?? 0) - (a.volume24hUsd ?? 0) || a.sourceId - b.sourceId)
    .slice(0, VENUES_PER_ASSET);
}

/** The paid row with every value of the market rounded: from one that is not, the rate could be worked out. */
function coarse(row: MarketRow, now: UnixMs, venue: VenueInfo | undefined): FundingRow {
  const full = fundingRow(row, now, venue);
  return {
    ...full,
    rate: fourDigits(full.rate),
    rate_8h: fourDigits(full.rate_8h),
    mark_price: fourDigits(full.mark_price),
    volume_24h: fourDigits(full.volume_24h),
    open_interest: fourDigits(full.open_interest),
    index_price: fourDigits(full.index_price),
    annualized_pct: fourDigits(full.annualized_pct),
  };
}
