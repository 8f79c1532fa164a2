import { PROBLEM_ERRORS } from '../../domain/errors.ts';
import { PAYMENT_ERRORS } from '../../domain/payment-errors.ts';
import { PROBLEM_TYPE } from '../problem.ts';
import type { NamedSchemas } from './named-schemas.ts';
import type { SoldHeader } from './sold-header.ts';

type Json = Readonly<Record<string, unknown>>;

const candidate = {
  type: 'object',
  required: ['canonical_id', 'asset_class', 'venues'],
  properties: {
    canonical_id: { type: 'string', description: 'Asset identity to ask with' },
    asset_class: { type: 'string', description: 'What kind of asset it is' },
    venues: { type: 'array', items: { type: 'string' }, description: 'Venues that list it' },
  },
};

/** The document of RFC 9457, as every error but 402 answers. */
const problem = {
  type: 'object',
  description: 'Problem document (RFC 9457)',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'Reference of the kind of problem' },
    title: { type: 'string', description: 'The kind of problem in words' },
    status: { type: 'integer', description: 'HTTP status' },
    detail: { type: 'string', description: 'What happened here, and what to do' },
    code: {
      type: 'string',
      enum: Object.keys(PROBLEM_ERRORS),
      description: 'The kind of problem for programs',
    },
    errors: {
      type: 'array',
      description: 'On 400: each faulty parameter',
      items: {
        type: 'object',
        required: ['parameter', 'message'],
        properties: { parameter: { type: 'string' }, message: { type: 'string' } },
      },
    },
    instead: {
      type: 'string',
      description: 'Path and query of the nearest request that is served, where one is known',
    },
    candidates: {
      type: 'array',
      description: 'On an ambiguous ticker: the assets it names',
      items: candidate,
    },
    transaction: {
      type: ['string', 'null'],
      description: 'On already_paid: the transaction that paid; null where none was named',
    },
    paid_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'On already_paid: when that was found settled',
    },
  },
};

const challenge = {
  type: 'object',
  description: 'Challenge of the first protocol generation; the second one is in the header payment-required',
  required: ['x402Version', 'error', 'accepts'],
  properties: {
    x402Version: { type: 'integer', description: 'Protocol version of this body' },
    error: { type: 'string', description: 'Why the request was not served' },
    code: {
      type: 'string',
      enum: Object.keys(PAYMENT_ERRORS),
      description: 'The reason for programs; /errors/{code} explains it',
    },
    detail: { type: 'string', description: 'What to do' },
    accepts: {
      type: 'array',
      items: { type: 'object' },
      description: 'Payment requirements, one of which to meet',
    },
    extensions: { type: 'object', description: 'Signed offers, of the x402 extension offer-receipt' },
  },
};

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const problemResponse = (description: string, headers?: object) => ({
  description,
  ...(headers !== undefined && { headers }),
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
});

const answerHeaders = {
  AnsweredAsOf: {
    description: 'The moment of `as_of`: the answer is the one of then. Absent of an answer of now',
    schema: { type: 'string', format: 'date-time' },
  },
  DataAsOf: {
    description:
      'Time of the oldest value used; of an answer about the past, the oldest of the venues’ newest samples',
    schema: { type: 'string', format: 'date-time' },
  },
  Renamed: {
    description:
      'Only where the asset goes by another name than the one asked for: `MATIC=POL; day=2024-09-04; factor=1`, with the first day of the present name and the units of it that one unit of the old one became',
    schema: { type: 'string' },
  },
  DataSources: {
    description: 'Venues used, comma-separated; after a semicolon the venues that could not be used',
    schema: { type: 'string' },
  },
};

const replyHeaders = {
  RetryAfter: { description: 'Seconds after which to come back', schema: { type: 'integer' } },
  PaymentRequired: {
    description: 'The challenge of the second protocol generation: base64 of JSON',
    schema: { type: 'string', contentEncoding: 'base64' },
  },
};

/** The schemas and responses that all operations of the OpenAPI document share. */
export const COMPONENTS = {
  schemas: { Problem: problem, Challenge: challenge },
  responses: {
    BadRequest: problemResponse('A parameter is unknown, missing or out of range. Not charged.'),
    NotFound: problemResponse(
      'The venue or ticker is unknown, or there is no data for the request. Not charged.',
    ),
    Conflict: problemResponse(
      'The ticker names several assets, the payment is already being processed, or its identifier stands for another purchase or for one that was paid for. Not charged.',
    ),
    Unavailable: problemResponse(
      'No fresh data, the ledger of payments does not answer, or the payment could not be brought to an end. The detail says which.',
      retryAfter,
    ),
    TooManyRequests: problemResponse(
      'Too many free requests, or too many worthless payments, from this address or payer. Not charged.',
      retryAfter,
    ),
    NotModified: { description: 'The answer has not changed since the ETag that was sent.' },
    PaymentRequired: {
      description: 'No payment came with the request, or it cannot be read or was not accepted. Not charged.',
      headers: { 'payment-required': { $ref: '#/components/headers/PaymentRequired' } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Challenge' } } },
    },
  },
} as const;

/**
 * The parts that all operations of the OpenAPI document share. A payment is no security scheme: clients read one as a key
 * that they would need besides.
 *
 * @param soldHeaders headers that modules add to sold answers
 * @param named the schemas of all operations and responses
 */
export function componentsWith(soldHeaders: readonly SoldHeader[], named: NamedSchemas): Json {
  const sold = soldHeaders.map(({ component, description }) => [
    component,
    { description, schema: { type: 'string' } },
  ]);
  const headers = { ...answerHeaders, ...Object.fromEntries(sold), ...replyHeaders };
  return { schemas: named.all, headers, responses: COMPONENTS.responses };
}
