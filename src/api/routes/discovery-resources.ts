import Type, { type Static } from 'typebox';
import { lowerAscii } from '../../domain/ascii-case.ts';
import { ok } from '../../domain/errors.ts';
import { type CatalogItem, catalogPage } from '../../pay/discovery.ts';
import { catalogOf } from '../catalog.ts';
import { defineRoute } from '../define-route.ts';
import { integer, oneOf } from '../schema.ts';

const query = Type.Object({
  type: Type.Optional(oneOf(['http'], { description: 'Kind of resource; all of them are http' })),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Items on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Items to skip' }),
  payTo: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources paid to this address' })),
  scheme: Type.Optional(Type.String({ maxLength: 32, description: 'Only resources sold by this scheme' })),
  network: Type.Optional(Type.String({ maxLength: 64, description: 'Only resources sold on this network' })),
});

const output = Type.Object({
  x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
  items: Type.Array(Type.Unsafe<CatalogItem>({ type: 'object' }), { description: 'Paid resources' }),
  pagination: Type.Object(
    {
      limit: integer('Items on a page', 1),
      offset: integer('Items skipped'),
      total: integer('Items that match'),
    },
    { description: 'Place of this page' },
  ),
});

/** Whether the item is sold on the terms asked for; text is compared without case. */
function matches({ accepts }: CatalogItem, { payTo, scheme, network }: Static<typeof query>): boolean {
  const same = (wanted: string | undefined, actual: string): boolean =>
    wanted === undefined || lowerAscii(wanted) === lowerAscii(actual);
  const anything = payTo === undefined && scheme === undefined && network === undefined;
  return (
    anything ||
    accepts.some(
      (entry) => same(payTo, entry.payTo) && same(scheme, entry.scheme) && same(network, entry.network),
    )
  );
}

export const discoveryResources = defineRoute({
  id: 'x402-discovery-resources',
  path: '/v1/x402/discovery/resources',
  sale: 'free',
  summary: 'Catalog of paid resources',
  description:
    'Catalog of everything that is sold here in the shape of the x402 discovery interface: payment requirements of both protocol generations, parameters, an example answer and the date of the last change of each resource.',
  tags: ['payments', 'discovery'],
  freshness: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query,
  output,
  resolve: (input) => ok(input),
  answer: (input, services) => {
    const items = catalogOf(services).filter((item) => matches(item, input));
    return ok({ content: { json: catalogPage(items, input) } });
  },
});
