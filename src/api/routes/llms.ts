import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import { llmsText } from '../llms-text.ts';

export const llms = defineRoute({
  id: 'llms-txt',
  path: '/llms.txt',
  access: 'free',
  summary: 'The service in words, for agents',
  description:
    'What is sold here, at which price, with which parameters, and how to pay for it: one page of Markdown for language models, made from the same table as everything else.',
  tags: ['discovery'],
  freshness: 'document',
  revisedAt: '2026-11-21T00:00:00.000Z',
  contentType: 'text/plain; charset=utf-8',
  query: NO_PARAMETERS,
  output: Type.String(),
  resolve: () => ok(undefined),
  answer: (_nothing, services) =>
    ok({ content: { bytes: Buffer.from(llmsText(services)), contentType: 'text/plain; charset=utf-8' } }),
});
