import Type from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import { oldestRate } from '../answers/funding-pages.ts';
import { fundingTime } from '../answers/funding-row.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import type { Facts, Services } from '../route.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../schema.ts';

/** What the preview shows; the market keeps past rows of these. */
export const PREVIEW_ASSETS = [
  'crypto:BTC',
  'crypto:ETH',
  'crypto:SOL',
  'crypto:XRP',
  'crypto:DOGE',
] as const;
const DELAY_SECONDS = 60;
const VENUES_PER_ASSET = 3;
const DIGITS = 4;

const WITHHELD = [
  'all other assets and venues',
  'rates of the last minute',
  'full precision',
  'mark_price, volume_24h and open_interest',
  'uncomparable rows with their reasons',
] as const;

const row = Type.Object({
  source_id: integer('Number of the venue', 1),
  venue: venueName,
  symbol: tickerName,
  rate: number('Funding rate, fraction per interval of the venue, four significant digits'),
  updated_at: timestamp('Time of the rate'),
  funding_interval_hours: nullable(number('Hours between settlements')),
  rate_8h: nullable(number('Rate scaled to eight hours, four significant digits')),
  canonical_id: canonicalIdName,
  asset_class: assetClass,
});

const output = Type.Object({
  preview: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true' }),
  rates: Type.Array(row),
  as_of: nullable(timestamp('When these rates stood; null in the first minute after a start')),
  delay_seconds: integer('How long the rates are held back'),
  withheld_in_preview: Type.Array(Type.String(), { description: 'What only the paid answer has' }),
  paid_full_endpoint: text('Address of the paid answer'),
  note: text('How to read this'),
});

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Number(value.toPrecision(DIGITS));

const byVolume = (a: MarketRow, b: MarketRow): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || a.sourceId - b.sourceId;

/** The asset's rows a minute ago, on the venues where it was traded most. */
function pastRows(canonicalId: string, { past, clock }: Services): readonly MarketRow[] {
  const rows = past.rowsAsOf(canonicalId, asMs(clock.now() - DELAY_SECONDS * 1000)) ?? [];
  return rows
    .filter((candidate) => candidate.comparable && candidate.fundingRate !== undefined)
    .sort(byVolume)
    .slice(0, VENUES_PER_ASSET);
}

function entry(from: MarketRow) {
  return {
    source_id: from.sourceId,
    venue: from.venue,
    symbol: from.ticker,
    rate: rounded(from.fundingRate),
    updated_at: iso(fundingTime(from)),
    funding_interval_hours: from.fundingIntervalHours ?? null,
    rate_8h: rounded(from.rate8h),
    canonical_id: from.canonicalId,
    asset_class: from.assetClass,
  };
}

function answer(services: Services): Result<Facts> {
  const rows = PREVIEW_ASSETS.flatMap((id) => pastRows(id, services));
  const asOf = oldestRate(rows);
  const json = {
    preview: true,
    rates: rows.map(entry),
    as_of: asOf === undefined ? null : iso(asOf),
    delay_seconds: DELAY_SECONDS,
    withheld_in_preview: WITHHELD,
    paid_full_endpoint: `${services.service.baseUrl}/v1/funding/current`,
    note: `Five assets on three venues each, ${DELAY_SECONDS} seconds late, ${DIGITS} significant digits. The list is empty during the first minute after a start.`,
  };
  const sources = [...new Set(rows.map(({ venue }) => venue))].sort();
  return ok({ content: { json }, ...(rows.length > 0 && { asOf, sources }) });
}

export const previewFundingCurrent = defineRoute({
  id: 'preview-funding-current',
  path: '/v1/preview/funding-current',
  sale: 'free',
  summary: 'Preview of live funding rates',
  description:
    'Free sample of the live funding rates: BTC, ETH, SOL, XRP and DOGE on three venues each, one minute late and rounded to four significant digits. It has the field names of the paid answer.',
  tags: ['funding', 'preview'],
  freshness: 'second',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output,
  example: { request: '/v1/preview/funding-current', answer: {} },
  resolve: () => ok(undefined),
  answer: (_nothing, services) => answer(services),
});
