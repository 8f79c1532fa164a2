import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import { openApiDocument } from '../openapi.ts';

export const openapi = defineRoute({
  id: 'openapi',
  path: '/openapi.json',
  access: 'free',
  summary: 'OpenAPI document',
  description:
    'This interface as an OpenAPI 3.1 document, made from the same table that serves it: parameters, answers with nullable fields, errors, prices and the challenge of every paid operation.',
  tags: ['discovery'],
  freshness: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  query: NO_PARAMETERS,
  output: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }),
  resolve: () => ok(undefined),
  answer: (_nothing, services) => ok({ content: { json: openApiDocument(services) } }),
});
