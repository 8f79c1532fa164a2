import Type, { type Static } from 'typebox';
import { boolean, integer, nullable, oneOf, text, timestamp } from '../../../products/answer/schema.ts';
import { paymentFields } from './payments.ts';

/** A payment of the ledger. */
export const listedPayment = Type.Object({
  key: text('Names it on this port'),
  scheme: text('Scheme of x402'),
  ...paymentFields,
});

/** `/operator/ledger`: payments of the ledger that were searched for, newest first. */
export const ledgerSchema = Type.Object({
  payments: Type.Array(listedPayment),
  looked: integer('Payments that were looked at for it'),
  cut: boolean('True where the search ended because it had looked at as many as one request may'),
  next: nullable(text('Where the next page begins (`after`); null where nothing older can match')),
  routes: Type.Array(text('Id of a route that is sold')),
  schemes: Type.Array(text('Scheme in which payments are taken')),
});

const step = Type.Object({
  at: timestamp('When it was'),
  step: oneOf(['presented', 'asked', 'settled', 'delivered', 'refused', 'given_up', 'next_look', 'over']),
  said: nullable(text('By whom, with which result')),
});

const heldAnswer = Type.Object({
  sha256: text('SHA-256 of its body, base64url, as receipts have it'),
  bytes: integer('Size of its body'),
  type: nullable(text('Its content type')),
  until: nullable(timestamp('Until when it is held')),
});

const issuedReceipts = Type.Object({
  official: text('That of the extension offer-receipt, as compact JWS'),
  answer: text('The one that names the answer, as compact JWS'),
});

const soldBody = Type.Object({
  body_sha256: text('SHA-256 of the body that was sold, base64url, as its receipt states it'),
  json_sha256: nullable(text('SHA-256 of its canonical JSON (RFC 8785), base64url; null where it has none')),
  day: text('UTC day whose signed root has the receipt'),
  leaf: text('Hash of the receipt in the tree of that day, hex'),
  proof: text('Path of the proof for it on the public port, once the day is closed'),
  keys: text('Path of the keys that verify both receipts, on the public port'),
});

/** One payment with all that the ledger knows of it. */
export const paymentStory = Type.Object({
  payment: listedPayment,
  resource: text('Path and query that were asked'),
  facilitator: nullable(text('The facilitator that was asked to settle it')),
  attempts: integer('Looks at its outcome'),
  has_identifier: boolean('True if the buyer gave a payment identifier'),
  steps: Type.Array(step),
  answer: nullable(heldAnswer),
  receipts: nullable(issuedReceipts),
  sold: nullable(soldBody),
  receipts_gap: nullable(
    oneOf(['not_sold', 'not_kept'], {
      description:
        'Reason for which there are no receipts: nothing was sold, or none are kept (issued by a build that let them go with the answer, or none could be issued)',
    }),
  ),
});

/** `/operator/ledger/payment`: one payment by its key. */
export const storySchema = Type.Object({
  found: nullable(paymentStory),
});

/** Payments of the ledger that brought nothing, of one state and reason. */
const failedPayments = Type.Object({
  state: text('State in the ledger'),
  reason: nullable(text('Why; null where the ledger states none')),
  meaning: nullable(text('What the reason means; null where it is a word of a facilitator')),
  payments: integer('How many'),
  usd: text('Their sum, US dollars'),
  payers: integer('Different payers'),
  newest: timestamp('When the newest was presented'),
});

/** Requests with a payment that ended before the ledger had it, or without a sale. */
const failedRequests = Type.Object({
  outcome: text('How they ended'),
  reason: nullable(text('Why; null where none was stated')),
  meaning: nullable(text('What the reason means; null where it is a word of a facilitator')),
  requests: integer('How many since the start'),
  newest: timestamp('When the newest came'),
});

/** `/operator/ledger/failures`: why payments brought nothing. */
export const failuresSchema = Type.Object({
  payments: Type.Array(failedPayments),
  looked: integer('Payments of the ledger that were looked at, newest first'),
  complete: boolean('False where the ledger has more'),
  requests: Type.Array(failedRequests),
});

export type OperatorLedger = Static<typeof ledgerSchema>;
export type ListedPayment = Static<typeof listedPayment>;
export type OperatorStory = Static<typeof storySchema>;
export type PaymentStory = Static<typeof paymentStory>;
export type SoldBody = Static<typeof soldBody>;
export type StoryStep = Static<typeof step>;
export type OperatorFailures = Static<typeof failuresSchema>;
export type FailedPayments = OperatorFailures['payments'][number];
export type FailedRequests = OperatorFailures['requests'][number];
