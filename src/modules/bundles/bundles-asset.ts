import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import { listParameter, wordsOf } from '../../products/answer/list-parameter.ts';
import { oneOf, venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { tickerParameter } from '../../products/rows/asked.ts';
import { selectVenue } from '../../products/rows/select.ts';
import {
  beginParts,
  bodyOf,
  booksOf,
  bundled,
  bundleFields,
  listFault,
  type PlannedBundle,
  planBundle,
} from './bundle.ts';
import example from './examples/bundles-asset.json' with { type: 'json' };
import { beginPart } from './part.ts';
import { ASSET_ROUTES, costPaths, fundingPath, SPANS, seriesPaths, snapshotPath } from './paths.ts';
import { venuesIn } from './snapshot-venues.ts';

const FIRST_VENUES = 3;
const MOST_VENUES = 6;

const query = Type.Object({
  ticker: tickerParameter,
  span: oneOf(SPANS, { default: '3d', description: 'Length of the history' }),
  history_venues: Type.Optional(
    listParameter(
      `Venues of the history: those whose open interest and volume over time are in it, up to ${MOST_VENUES}; default the ${FIRST_VENUES} of the largest open interest`,
    ),
  ),
});

const answer = Type.Object({
  history_venues: Type.Array(venueName, {
    description: 'Venues whose open interest and volume over time are parts',
  }),
  ...bundleFields(ASSET_ROUTES),
});

type Asked = Static<typeof query>;

interface AssetBundle extends PlannedBundle {
  /** Undefined: the largest of the snapshot. */
  readonly venues: readonly string[] | undefined;
}

export const bundlesAsset = defineProduct({
  id: 'bundles-asset',
  path: '/v1/bundles/asset',
  access: 'paid',
  summary: 'All of one asset',
  description:
    'All that the page shows of one asset, bought at once for less than its parts: the snapshot of all venues, slippage of three sizes with the ladder of each book, funding over time, and open interest and volume over time of some venues. Each part is the whole answer of the call that it names, rates and books of one moment; a part that has none says why.',
  tags: ['bundle', 'snapshot', 'orderbook', 'history', 'perpetual-futures'],
  dependsOn: 'books',
  revisedAt: '2026-11-29T18:10:00.000Z',
  query,
  answer,
  example: {
    request: '/v1/bundles/asset?ticker=index:SPX&span=30d&history_venues=hyperliquid-xyz',
    answer: example,
  },
  find: findAsset,
  books: booksOf,
  compute: ({ main, others, venues }: AssetBundle, services: Services, { ticker, span }) => {
    const now = services.clock.now();
    const first = beginPart(main, services.clock);
    const named = venues ?? largest(bodyOf(first));
    const series = seriesPaths(ticker, span, named, now);
    const known = others.map((part) => beginPart(part, services.clock));
    return bundled({ history_venues: named }, [first, ...known, ...beginParts(series, services)]);
  },
});

/** 400 of several assets and of too many venues, 404 of one that is not tracked; else the failure of the snapshot. */
function findAsset({ ticker, span, history_venues: list }: Asked, services: Services): Result<AssetBundle> {
  const several = listFault(ticker);
  if (several !== undefined) return fail(several);
  const venues = list === undefined ? undefined : wordsOf(list);
  if (venues !== undefined && (venues.length === 0 || venues.length > MOST_VENUES))
    return fail(badParameter('history_venues', `takes one to ${MOST_VENUES} venues`));
  for (const venue of venues ?? []) {
    const found = selectVenue(services.market, venue);
    if (!found.ok) return found;
  }
  const others = [...costPaths(ticker), fundingPath(ticker, span, services.clock.now())];
  const planned = planBundle(snapshotPath(ticker), others, services);
  return planned.ok ? ok({ ...planned.value, venues }) : planned;
}

/** The venues of a snapshot with the largest open interest, as the page chooses them. */
const largest = (snapshot: unknown): readonly string[] =>
  venuesIn(snapshot)
    .sort((a, b) => (b.interest ?? 0) - (a.interest ?? 0))
    .slice(0, FIRST_VENUES)
    .map(({ venue }) => venue);
