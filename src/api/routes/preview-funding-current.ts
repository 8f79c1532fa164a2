import Type from 'typebox';
import { previewFundingCurrent as previewRates } from '../../analytics/preview-funding-current.ts';
import { ok } from '../../domain/errors.ts';
import { handlerResult } from '../answers/handler-result.ts';
import { defineRoute, NO_PARAMETERS } from '../define-route.ts';
import example from '../examples/preview-funding-current.json' with { type: 'json' };
import { integer, nullable, text, timestamp } from '../schema.ts';
import { fundingRowSchema } from '../schema-funding.ts';

const output = Type.Object({
  preview: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true' }),
  rates: Type.Array(fundingRowSchema),
  as_of: nullable(timestamp('Time of the oldest rate; null while the list is empty')),
  delay_seconds: integer('How long the rates are held back'),
  withheld_in_preview: Type.Array(Type.String(), { description: 'What only the paid answer has' }),
  paid_full_endpoint: text('Path of the paid answer'),
  note: text('How to read this'),
});

export const previewFundingCurrent = defineRoute({
  id: 'preview-funding-current',
  path: '/v1/preview/funding-current',
  access: 'free',
  summary: 'Preview of live funding rates',
  description:
    'Free sample of the live funding rates: BTC, ETH, SOL, XRP and DOGE on three venues each, one minute late and rounded to four significant digits, with the field names of the paid answer.',
  tags: ['preview'],
  freshness: 'second',
  revisedAt: '2026-11-22T09:00:00.000Z',
  query: NO_PARAMETERS,
  output,
  example: { request: '/v1/preview/funding-current', answer: example },
  resolve: () => ok(undefined),
  answer: (_nothing, { market, clock }) => handlerResult(ok(previewRates(market, clock.now()))),
});
