import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { matchesFilter, searchCatalog } from '../../pay/catalog-search.ts';
import { searchPage } from '../../pay/discovery.ts';
import { catalogOf } from '../catalog.ts';
import { defineRoute } from '../define-route.ts';
import { boolean, integer, nullable } from '../schema.ts';
import { FILTER, resourceList } from './discovery-filter.ts';

const query = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 256,
    examples: ['funding rates across venues'],
    description: 'Words to look for in description, tags and path of each resource',
  }),
  ...FILTER,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Resources on a page' }),
  cursor: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The cursor of the page before' }),
  ),
});

const output = Type.Object({
  x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
  resources: resourceList,
  partialResults: boolean('Whether there is a further page'),
  pagination: Type.Object(
    {
      limit: integer('Resources on a page', 1),
      cursor: nullable(Type.String({ description: 'Where the next page begins; null on the last one' })),
    },
    { description: 'Place of this page' },
  ),
});

export const discoverySearch = defineRoute({
  id: 'x402-discovery-search',
  path: '/v1/x402/discovery/search',
  access: 'free',
  summary: 'Search of paid resources',
  description:
    'The resources of the catalog in which words of the query occur, best match first, in the shape of the x402 discovery interface. Rare words weigh more than common ones, and words of path and tags more than those of the description.',
  tags: ['payments', 'discovery'],
  freshness: 'document',
  revisedAt: '2026-11-22T00:00:00.000Z',
  query,
  output,
  resolve: (input) => ok(input),
  answer: (input, services) => {
    const wanted = catalogOf(services).filter((item) => matchesFilter(item, input));
    const json = searchPage(searchCatalog(wanted, input.query), input.limit, input.cursor);
    return ok({ content: { json } });
  },
});
