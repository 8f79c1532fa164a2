import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { type FundingPage, fundingRows, oldestRate, writeFundingPage } from '../answers/funding-pages.ts';
import { defineRoute } from '../define-route.ts';
import { findIdentities, missingVenues } from '../request/asset.ts';
import type { Facts, Services } from '../route.ts';
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
} from '../schema.ts';

const query = Type.Object({
  symbol: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ['BTC'],
      description: 'Base asset, any case; all identities behind the ticker are returned. Omit for all assets',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Rows on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Rows to skip' }),
  include_uncomparable: Type.Boolean({
    default: false,
    description: 'true adds back the rows that failed the identity or dispersion checks, with the reason',
  }),
});

const row = Type.Object({
  source_id: integer('Number of the venue', 1),
  venue: venueName,
  symbol: tickerName,
  rate: number('Funding rate, fraction per interval of the venue; positive: longs pay shorts'),
  updated_at: timestamp('Time of the rate'),
  funding_interval_hours: nullable(number('Hours between settlements; null where the venue does not say')),
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  volume_24h: nullable(number('Traded in 24 hours, USD')),
  open_interest: nullable(number('Open interest, USD')),
  uncomparable_reason: Type.Optional(text('Why the row is not compared with other venues')),
});

const output = Type.Object({
  symbol: text('The ticker asked for, or ALL'),
  comparable_only: boolean('Whether rows that failed the checks were left out'),
  rates: Type.Array(row),
  total: integer('Rows that match, on all pages'),
  limit: integer('Rows on a page', 1),
  offset: integer('Rows skipped'),
  has_more: boolean('Whether there are rows after this page'),
});

type Input = Static<typeof query>;

interface Selection {
  /** Undefined = all assets. */
  readonly asset: { readonly ticker: string; readonly canonicalIds: readonly string[] } | undefined;
  readonly input: Input;
}

/** The rows asked for, before paging. A ticker of several assets gives the rows of all of them. */
function select({ asset, input }: Selection, { market, fundingPages }: Services): readonly MarketRow[] {
  const comparableOnly = !input.include_uncomparable;
  if (asset === undefined) return fundingPages.rows(comparableOnly);
  return fundingRows(
    asset.canonicalIds.flatMap((id) => market.rowsOf(id)),
    comparableOnly,
  );
}

/** Nothing to show is not sold: why, and whether coming back helps. */
function refuse({ asset, input }: Selection, total: number): Result<Facts> {
  if (total > 0) {
    return fail({ code: 'no_data', detail: `offset ${input.offset} lies behind the last of ${total} rows.` });
  }
  if (asset === undefined) {
    return fail({ code: 'not_ready', detail: 'No funding rates at the moment.', retryAfterSeconds: 10 });
  }
  const hint = input.include_uncomparable
    ? ''
    : ' Rows that failed the checks come with include_uncomparable=true.';
  return fail({ code: 'no_data', detail: `No funding rate of ${asset.ticker} at the moment.${hint}` });
}

/** Venues that could have had rows here: those that list the asset, or for the whole table those not live. */
function missing(
  { asset }: Selection,
  sources: readonly VenueId[],
  { market }: Services,
): readonly VenueId[] {
  if (asset !== undefined) return missingVenues(market, asset.canonicalIds, sources);
  return market
    .venues()
    .filter(({ status, info }) => status !== 'live' && !sources.includes(info.id))
    .map(({ info }) => info.id)
    .sort();
}

function answer(selection: Selection, services: Services): Result<Facts> {
  const { limit, offset, include_uncomparable } = selection.input;
  const matching = select(selection, services);
  const rows = matching.slice(offset, offset + limit);
  if (rows.length === 0) return refuse(selection, matching.length);
  const page: FundingPage = {
    symbol: selection.asset?.ticker,
    comparableOnly: !include_uncomparable,
    rows,
    total: matching.length,
    limit,
    offset,
  };
  const sources = [...new Set(rows.map(({ venue }) => venue))].sort();
  const absent = missing(selection, sources, services);
  return ok({
    content: { write: () => writeFundingPage(page) },
    asOf: oldestRate(rows),
    sources,
    missing: absent,
    basis: [matching.length, absent.join(), ...rows],
  });
}

export const fundingCurrent = defineRoute({
  id: 'funding-current',
  path: '/v1/funding/current',
  sale: 'paid',
  summary: 'Live funding rates',
  description:
    'Live funding rates of perpetual futures across all tracked venues, one row per venue and asset, with the venue interval, an 8h-equivalent rate, mark price, 24h volume and open interest in USD. Rows that fail identity or price-dispersion checks are left out unless asked for.',
  tags: ['funding', 'perpetual-futures', 'market-data'],
  freshness: 'table',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query,
  output,
  example: { request: '/v1/funding/current?symbol=BTC&limit=1', answer: {} },
  resolve: (input, { market }): Result<Selection> => {
    if (input.symbol === undefined) return ok({ asset: undefined, input });
    const found = findIdentities(market, input.symbol);
    return found.ok ? ok({ asset: found.value, input }) : found;
  },
  answer,
});
