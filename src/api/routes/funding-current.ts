import Type, { type Static } from 'typebox';
import { FUNDING_SORTS, type FundingCurrentQuery, fundingPage } from '../../analytics/funding-current.ts';
import { namingFailure, selectVenue, venueInfos } from '../../analytics/select.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { writeFundingPage } from '../answers/funding-page.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/funding-current.json' with { type: 'json' };
import type { HandlerResult, Services } from '../route.ts';
import { ASSET_CLASSES, boolean, integer, oneOf, text, venueParameter } from '../schema.ts';
import { fundingRowSchema } from '../schema-funding.ts';

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
  venue: Type.Optional(venueParameter),
  asset_class: Type.Optional(oneOf(ASSET_CLASSES, { description: 'Only assets of this class' })),
  sort: Type.Optional(
    oneOf(FUNDING_SORTS, {
      description:
        'Order of the rows, ascending, descending with a - in front, null last; without it by canonical_id and venue',
    }),
  ),
  fresh: Type.Boolean({
    default: false,
    description: 'true leaves out rows whose mark or rate is older than what is compared',
  }),
  include_uncomparable: Type.Boolean({
    default: false,
    description: 'true adds back the rows that failed the identity or dispersion checks, with the reason',
  }),
});

const output = Type.Object({
  symbol: text('The ticker asked for, or ALL'),
  comparable_only: boolean('Whether rows that failed the checks were left out'),
  rates: Type.Array(fundingRowSchema),
  total: integer('Rows that match, on all pages'),
  limit: integer('Rows on a page', 1),
  offset: integer('Rows skipped'),
  has_more: boolean('Whether there are rows after this page'),
});

function answer(asked: FundingCurrentQuery, { market }: Services): Result<HandlerResult> {
  const page = fundingPage(market, asked);
  if (!page.ok) return page;
  const { body, asOf, sources } = page.value;
  if (body.rows.length === 0) {
    const detail = `offset ${body.offset} lies behind the last of ${body.total} rows; an empty page is not sold.`;
    return fail({ code: 'no_data', detail });
  }
  return ok({
    content: { write: () => writeFundingPage(body, venueInfos(market)) },
    asOf,
    sources: sources.used,
    missing: sources.missing,
    basis: [body.total, sources.missing.join(), ...body.rows],
  });
}

/** Names that lead nowhere are refused before a payment is looked at. */
function resolve(asked: Static<typeof query>, { market }: Services): Result<FundingCurrentQuery> {
  const {
    symbol,
    venue,
    asset_class: assetClass,
    include_uncomparable: includeUncomparable,
    ...rest
  } = asked;
  const found = venue === undefined ? undefined : selectVenue(market, venue);
  if (found?.ok === false) return found;
  const resolution = symbol === undefined ? undefined : market.resolve(symbol);
  if (symbol !== undefined && resolution?.kind === 'unknown') {
    const here = found === undefined ? resolution : market.resolve(symbol, { venue: found.value.info.id });
    if (here.kind === 'unknown') return fail(namingFailure(market, symbol, here, found?.value));
  }
  return ok({ symbol, venue: found?.value.info.id, assetClass, includeUncomparable, ...rest });
}

export const fundingCurrent = defineRoute({
  id: 'funding-current',
  path: '/v1/funding/current',
  access: 'paid',
  summary: 'Live funding rates',
  description:
    'Live funding rates of perpetual futures across all tracked venues, one row per venue and asset, with the venue interval, an 8h-equivalent rate, mark price, 24h volume and open interest in USD. Rows that fail identity or price-dispersion checks are left out unless asked for.',
  tags: ['funding', 'perpetual-futures', 'market-data'],
  freshness: 'table',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query,
  output,
  example: { request: '/v1/funding/current?symbol=BTC&limit=2', answer: example },
  resolve,
  answer,
});
