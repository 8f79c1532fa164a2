import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { matchesFilter } from '../../pay/catalog-search.ts';
import { catalogPage } from '../../pay/discovery.ts';
import { catalogOf } from '../catalog.ts';
import { defineRoute } from '../define-route.ts';
import { integer } from '../schema.ts';
import { FILTER, resourceList } from './discovery-filter.ts';

const query = Type.Object({
  ...FILTER,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Items on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Items to skip' }),
});

const output = Type.Object({
  x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
  items: resourceList,
  pagination: Type.Object(
    {
      limit: integer('Items on a page', 1),
      offset: integer('Items skipped'),
      total: integer('Items that match'),
    },
    { description: 'Place of this page' },
  ),
});

export const discoveryResources = defineRoute({
  id: 'x402-discovery-resources',
  path: '/v1/x402/discovery/resources',
  access: 'free',
  summary: 'Catalog of paid resources',
  description:
    'Catalog of everything that is sold here in the shape of the x402 discovery interface: payment requirements of both protocol generations, parameters, an example answer and the date of the last change of each resource.',
  tags: ['payments', 'discovery'],
  freshness: 'document',
  revisedAt: '2026-11-22T00:00:00.000Z',
  query,
  output,
  resolve: (input) => ok(input),
  answer: (input, services) => {
    const items = catalogOf(services).filter((item) => matchesFilter(item, input));
    return ok({ content: { json: catalogPage(items, input) } });
  },
});
