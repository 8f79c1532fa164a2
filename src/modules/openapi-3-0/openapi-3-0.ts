import Type from 'typebox';
import { openApiDocument } from '../../api/documents/openapi.ts';
import type { Services } from '../../api/route.ts';
import { ok } from '../../domain/errors.ts';
import { defineProduct } from '../../products/define-product.ts';
import { asOpenApi30 } from './as-openapi-3-0.ts';

export const openapi30Document = defineProduct({
  id: 'openapi-3-0',
  path: '/openapi-3.0.json',
  access: 'free',
  summary: 'OpenAPI 3.0 document',
  description:
    'The same interface as an OpenAPI 3.0.3 document, for generators that do not read version 3.1: what may be null is nullable.',
  tags: ['discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-30T00:00:00.000Z',
  answer: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }),
  compute: (_, services: Services) => ok({ content: { json: asOpenApi30(openApiDocument(services)) } }),
});
