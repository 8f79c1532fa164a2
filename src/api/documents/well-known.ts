import Type, { type TSchema } from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { HttpItem, McpItem } from '../../pay/catalog-item.ts';
import { wellKnownX402, wellKnownX402Json } from '../../pay/discovery.ts';
import { oneOf, text } from '../../products/answer/schema.ts';
import { defineProduct, type Product } from '../../products/define-product.ts';
import { withPlacedFields } from '../../runtime/placed.ts';
import { catalogOf, protectedRoutes, sellerOf } from '../catalog.ts';
import type { Services } from '../route.ts';
import type { DiscoveryPart } from './discovery-part.ts';

const FIELDS = {
  x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
  serviceName: text('Name of the service'),
  iconUrl: text('Address of its icon'),
  data: oneOf(['live', 'simulated'], { description: 'Whether the venues behind the data are real' }),
  changelog: text('Address of the price changelog'),
  items: Type.Array(Type.Unsafe<HttpItem>({ type: 'object' }), { description: 'Paths that are sold' }),
  mcp_items: Type.Array(Type.Unsafe<McpItem>({ type: 'object' }), {
    description: 'Tools of /mcp that sell the same answers',
  }),
};

/**
 * The discovery document with the fields of modules.
 *
 * @throws Error where a field is there twice, or follows one that is not there: a fault of the program
 */
export function wellKnownCatalogWith(parts: readonly DiscoveryPart[]): Product<Services> {
  return defineProduct({
    id: 'well-known-x402-json',
    path: '/.well-known/x402.json',
    access: 'free',
    summary: 'Discovery document',
    description:
      'Who sells here and what: name of the service, whether its data is live or simulated, the full catalog of paid resources with their payment requirements, and where price changes are announced.',
    tags: ['payments', 'discovery'],
    dependsOn: 'document',
    revisedAt: '2026-11-28T00:00:00.000Z',
    answer: Type.Object(withPlacedFields<TSchema>(FIELDS, parts)),
    compute: (_, services: Services) => {
      const { data, baseUrl } = services.service;
      const json = wellKnownX402Json(catalogOf(services), {
        seller: sellerOf(services),
        data,
        changelogUrl: `${baseUrl}/v1/pricing/changelog`,
      });
      const more = Object.assign({}, ...parts.map(({ read }) => read(services)));
      return ok({ content: { json: { ...json, ...more } } });
    },
  });
}

/** The core's own. */
export const wellKnownCatalog = wellKnownCatalogWith([]);

export const wellKnownFanOut = defineProduct({
  id: 'well-known-x402',
  path: '/.well-known/x402',
  access: 'free',
  summary: 'Addresses of the paid resources',
  description:
    'Addresses of all paid resources as a plain list, in the shape that x402 indexers read to register a service, with trial values for what they require. Each of them answers an unpaid request with a challenge.',
  tags: ['payments', 'discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  answer: Type.Object({
    version: Type.Integer({ const: 1, description: 'Version of this shape' }),
    resources: Type.Array(Type.String(), { description: 'Absolute addresses with trial values' }),
    instructions: text('Where to read more'),
  }),
  compute: (_, { routes, payments, service }: Services) => {
    const sold = payments.seller === undefined ? [] : protectedRoutes(routes);
    const json = {
      ...wellKnownX402(service.baseUrl, sold),
      instructions: `Parameters, answers and prices: ${service.baseUrl}/openapi.json`,
    };
    return ok({ content: { json } });
  },
});
