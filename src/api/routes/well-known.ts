import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { catalogItems, probeAddress } from '../catalog.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import type { CatalogItem } from '../payments.ts';
import { oneOf, text } from '../schema.ts';

export const wellKnownCatalog = defineRoute({
  id: 'well-known-x402-json',
  path: '/.well-known/x402.json',
  sale: 'free',
  summary: 'Discovery document',
  description:
    'Who sells here and what: name of the service, whether its data is live or simulated, the full catalog of paid resources with their payment requirements, and where price changes are announced.',
  tags: ['payments', 'discovery'],
  freshness: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Object({
    x402Version: Type.Integer({ const: 2, description: 'Protocol version' }),
    name: text('Name of the service'),
    data: oneOf(['live', 'simulated'], { description: 'Whether the venues behind the data are real' }),
    changelog: text('Address of the price changelog'),
    openapi: text('Address of the OpenAPI document'),
    items: Type.Array(Type.Unsafe<CatalogItem>({ type: 'object' }), { description: 'Paid resources' }),
  }),
  example: { request: '/.well-known/x402.json', answer: {} },
  resolve: () => ok(undefined),
  answer: (_nothing, services) => {
    const { name, data, baseUrl } = services.service;
    const json = {
      x402Version: 2,
      name,
      data,
      changelog: `${baseUrl}/v1/pricing/changelog`,
      openapi: `${baseUrl}/openapi.json`,
      items: catalogItems(services),
    };
    return ok({ content: { json } });
  },
});

export const wellKnownFanOut = defineRoute({
  id: 'well-known-x402',
  path: '/.well-known/x402',
  sale: 'free',
  summary: 'Addresses of the paid resources',
  description:
    'Addresses of all paid resources as a plain list, in the shape that x402 indexers read to register a service. Each of them answers an unpaid request with a challenge.',
  tags: ['payments', 'discovery'],
  freshness: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Object({
    version: Type.Integer({ const: 1, description: 'Version of this shape' }),
    resources: Type.Array(Type.String(), { description: 'Absolute addresses, path names filled in' }),
    instructions: text('Where to read more'),
  }),
  example: { request: '/.well-known/x402', answer: {} },
  resolve: () => ok(undefined),
  answer: (_nothing, { routes, payments, service }) => {
    const sold = payments.mode === 'off' ? [] : routes.filter(({ sale }) => sale === 'paid');
    const json = {
      version: 1,
      resources: sold.map((route) => probeAddress(route, service.baseUrl)),
      instructions: `Parameters, answers and prices: ${service.baseUrl}/openapi.json`,
    };
    return ok({ content: { json } });
  },
});
