import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import { drawIcon } from '../icon.ts';

export const icon = defineRoute({
  id: 'icon',
  path: '/icon.png',
  access: 'free',
  summary: 'Icon of the service',
  description: 'The icon that catalogs show beside the paid resources: a PNG of 128 by 128 pixels.',
  tags: ['discovery'],
  freshness: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  contentType: 'image/png',
  query: NO_PARAMETERS,
  output: Type.Unknown(),
  resolve: () => ok(undefined),
  answer: () => ok({ content: { bytes: drawIcon(), contentType: 'image/png' } }),
});
