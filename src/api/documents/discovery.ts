import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { CatalogItem, McpItem } from '../../pay/catalog-item.ts';
import { matchesFilter, searchCatalog } from '../../pay/catalog-search.ts';
import { catalogPage, searchPage } from '../../pay/discovery.ts';
import { boolean, integer, nullable } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { catalogOf } from '../catalog.ts';
import type { Services } from '../route.ts';

/** Filters that the list and the search of the catalog share. */
const FILTER = {
  type: Type.Optional(
    Type.String({ maxLength: 32, description: 'Only resources of this kind: http, or mcp for tools' }),
  ),
  payTo: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources paid to this address' })),
  scheme: Type.Optional(Type.String({ maxLength: 32, description: 'Only resources sold by this scheme' })),
  network: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources sold on this network' })),
  extensions: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only resources with this extension; all have bazaar' }),
  ),
};

const mcpItems = Type.Array(Type.Unsafe<McpItem>({ type: 'object' }), {
  description: 'Tools of /mcp that sell the same answers; empty where a type was asked for',
});

const resourceList = Type.Array(Type.Unsafe<CatalogItem>({ type: 'object' }), {
  description: 'Paid resources',
});

const listQuery = Type.Object({
  ...FILTER,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Items on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Items to skip' }),
});

const listAnswer = Type.Object({
  x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
  items: Type.Array(Type.Unsafe<CatalogItem>({ type: 'object' }), {
    description: 'Paths that are sold; with type=mcp the tools',
  }),
  mcp_items: mcpItems,
  pagination: Type.Object(
    {
      limit: integer('Items on a page', 1),
      offset: integer('Items skipped'),
      total: integer('Items that match'),
    },
    { description: 'Place of this page' },
  ),
});

export const discoveryResources = defineProduct({
  id: 'x402-discovery-resources',
  path: '/v1/x402/discovery/resources',
  access: 'free',
  summary: 'Catalog of paid resources',
  description:
    'Catalog of everything that is sold here in the shape of the x402 discovery interface: payment requirements of both protocol generations, parameters, an example answer and the date of the last change of each resource.',
  tags: ['payments', 'discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-28T00:00:00.000Z',
  query: listQuery,
  answer: listAnswer,
  compute: (input, services: Services) => ok({ content: { json: catalogPage(catalogOf(services), input) } }),
});

const searchQuery = Type.Object({
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

const searchAnswer = Type.Object({
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

export const discoverySearch = defineProduct({
  id: 'x402-discovery-search',
  path: '/v1/x402/discovery/search',
  access: 'free',
  summary: 'Search of paid resources',
  description:
    'The resources of the catalog in which words of the query occur, best match first, in the shape of the x402 discovery interface. Rare words weigh more than common ones, and words of path and tags more than those of the description.',
  tags: ['payments', 'discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-22T00:00:00.000Z',
  query: searchQuery,
  answer: searchAnswer,
  compute: (input, services: Services) => {
    const { http, mcp } = catalogOf(services);
    const wanted = [...http, ...mcp].filter((item) => matchesFilter(item, input));
    const json = searchPage(searchCatalog(wanted, input.query), input.limit, input.cursor);
    return ok({ content: { json } });
  },
});
