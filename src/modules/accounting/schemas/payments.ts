import Type, { type Static } from 'typebox';
import {
  boolean,
  counts,
  integer,
  nullable,
  number,
  text,
  timestamp,
} from '../../../products/answer/schema.ts';

const way = {
  scheme: text('Scheme of x402'),
  network: text('CAIP-2 network'),
};

export const facilitator = Type.Object({
  name: text('Host of the facilitator'),
  ...way,
  ok: nullable(boolean('True if it last answered sensibly; null before the first answer')),
  resting: boolean('True while its circuit breaker is open'),
});

/** Fields of a payment of the ledger, without what was signed. */
export const paymentFields = {
  claimed_at: timestamp('When it was presented'),
  state: text('State in the ledger'),
  route_id: text('Route that it is for'),
  path: text('Path and query that were asked'),
  usd: text('Price, US dollars'),
  amount: text('Price, atomic units of the token'),
  network: text('CAIP-2 network'),
  asset: text('Token contract'),
  pay_to: text('Receiver'),
  payer: text('Who pays'),
  nonce: text('Nonce of the authorization'),
  transaction: nullable(text('Hash of the transaction')),
  proof: nullable(text('What proves that it was settled')),
  reason: nullable(text('Why it is in this state')),
  settled_at: nullable(timestamp('When it was settled')),
  delivered_at: nullable(timestamp('When its answer was delivered')),
  closed_at: nullable(timestamp('When it was closed')),
};

/** A payment with something left to do. */
export const openPayment = Type.Object({
  ...paymentFields,
  attempts: integer('Looks at its outcome'),
  next_look_at: nullable(timestamp('When it is looked at next')),
});

const REASON =
  'Why it is null: no_declared_fee (FACILITATOR_FEE_USD), no_coin_price (COIN_PRICES_USD), nothing_settled or nothing_sold since the start';

/** The cost of one sale of a scheme. */
export const callCost = Type.Object({
  ...way,
  transactions: integer('Transactions of settlements since the start'),
  sales: integer('Settled sales since the start'),
  usd: nullable(number('Cost of one sale, US dollars')),
  reason: nullable(text(REASON)),
});

/** The node through which a network is seen. */
export const node = Type.Object({
  network: text('CAIP-2 network'),
  behind: nullable(boolean('True where its newest block is too old; null before the first look')),
  block_at: nullable(timestamp('Time of its newest block')),
  seen_at: nullable(timestamp('When it has shown that')),
});

/** The gas of the operator's account on a network, in mode self. */
export const gas = Type.Object({
  network: text('CAIP-2 network'),
  address: text('The account that pays the gas'),
  transactions: nullable(integer('Largest transactions that it can pay for at the price of now')),
  low: nullable(boolean('True below twenty: no channel is opened or filled')),
  short: nullable(boolean('True below ten: nothing is sold')),
  seen_at: timestamp('When it was seen'),
  reason: nullable(text('not_seen: the node has not shown it for five minutes, and sales go on')),
});

/** The margin of one sale of a route under a scheme. */
export const routeMargin = Type.Object({
  route: text('Id of the route'),
  ...way,
  usd: nullable(number('What is left of the price, US dollars; negative where the settlement costs more')),
  reason: nullable(text(REASON)),
});

/** `/operator/payments`: what became of payments, which are open, and what one costs. */
export const paymentsSchema = Type.Object({
  allows_actions: boolean('True where the port lets its page act'),
  mode: text('Mode of payments'),
  facilitator_ok: nullable(boolean('True if a facilitator last answered sensibly')),
  settlement_proof: nullable(text('How settlements are proven')),
  ledger: nullable(text('Where the ledger is kept')),
  ledger_ok: nullable(boolean('True if it last answered')),
  node_behind: nullable(boolean('True if the node of some network is behind its chain')),
  challenged: integer('Answers that named a price'),
  presented: integer('Requests with a payment'),
  verified: integer('Payments that were found good'),
  settled: integer('Payments that were settled'),
  outcomes: counts('Requests with a payment, by how they ended'),
  closed: counts('Payments that were closed in the background, by state'),
  facilitators: Type.Array(facilitator),
  nodes: Type.Array(node),
  gas: Type.Array(gas),
  costs: Type.Array(callCost),
  margins: Type.Array(routeMargin),
  chain: nullable(
    Type.Object({
      compared_to: timestamp('Up to when ledger and chain were compared'),
      differences: counts('Differences, by kind'),
    }),
  ),
  answer_bytes: nullable(integer('Sold answers that are held until they are delivered')),
  open: Type.Array(openPayment),
});

export type OperatorPayments = Static<typeof paymentsSchema>;
export type Facilitator = Static<typeof facilitator>;
export type Gas = Static<typeof gas>;
export type Node = Static<typeof node>;
export type OpenPayment = Static<typeof openPayment>;
export type CallCostRow = Static<typeof callCost>;
