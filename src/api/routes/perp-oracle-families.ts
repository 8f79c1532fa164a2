import Type from 'typebox';
import { oracleFamilies } from '../../analytics/oracle-families.ts';
import { selectAsset, selectVenue } from '../../analytics/select.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { TrackedVenue } from '../../market/view.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute } from '../define-route.ts';
import example from '../examples/perp-oracle-families.json' with { type: 'json' };
import type { Services } from '../route.ts';
import { nullable, number, oneOf, text, tickerParameter, venueName, venueParameter } from '../schema.ts';

const member = Type.Object({
  venue: venueName,
  evidence: oneOf(['documented', 'measured', 'unknown'], { description: 'What the classification rests on' }),
  source: text('What the venue publishes of its index'),
  correlation: nullable(
    number('Of index moves with the family; null where samples are coarser than a second'),
  ),
  lead_lag_ms: nullable(number('Positive: ahead of the family; null as above')),
  resolution_ms: nullable(number('Mean distance of changes of the index; null as above')),
});

interface Asked {
  readonly venue?: string | undefined;
  readonly ticker?: string | undefined;
}

/** The venues a request is about: one, those that list an asset, or all. */
function chosen({ venue, ticker }: Asked, { market }: Services): Result<readonly TrackedVenue[]> {
  const found = venue === undefined ? undefined : selectVenue(market, venue);
  if (found?.ok === false) return found;
  const named = found === undefined ? market.venues() : [found.value];
  if (ticker === undefined) return ok(named);
  const asset = selectAsset(market, { ticker });
  if (!asset.ok) return asset;
  const listing = new Set(asset.value.listedBy.map(({ info }) => info.id));
  return ok(named.filter(({ info }) => listing.has(info.id)));
}

export const perpOracleFamilies = defineRoute({
  id: 'perp-oracle-families',
  path: '/v1/perp/oracle-families',
  access: 'paid',
  summary: 'Where index prices come from',
  description:
    'Which venues derive their index price from the same upstream feed: oracle families with their venues, what each classification rests on, and the venues without an index of their own. Prices of one family are not independent of each other.',
  tags: ['oracle', 'index-price', 'perpetual-futures'],
  freshness: 'table',
  revisedAt: '2026-11-21T09:00:00.000Z',
  query: Type.Object({ venue: Type.Optional(venueParameter), ticker: Type.Optional(tickerParameter) }),
  output: Type.Object({
    families: Type.Array(
      Type.Object({
        family: text('Name of the family'),
        upstream: nullable(text('The feed behind it, where one is named')),
        description: text('What the family is'),
        venues: Type.Array(member),
      }),
    ),
    venues_without_index: Type.Array(venueName),
    methodology: text('How venues are grouped'),
  }),
  example: { request: '/v1/perp/oracle-families?ticker=BTC', answer: example },
  resolve: (asked, services) => {
    const venues = chosen(asked, services);
    return venues.ok ? ok(asked) : venues;
  },
  answer: (asked, services) => {
    const venues = chosen(asked, services);
    return venues.ok ? handlerResult(oracleFamilies(venues.value, services.indexMoves?.())) : venues;
  },
});
