import Type, { type Static } from 'typebox';
import { boolean, integer, nullable, number, text, timestamp } from '../../../products/answer/schema.ts';

const sum = {
  payments: integer('Settled payments'),
  usd: text('Their sum, US dollars'),
  margin_usd: nullable(
    number('What is left of it after the settlements; null where their cost is not known'),
  ),
};

const daySum = Type.Object({
  day: text('Day of UTC'),
  ...sum,
  new_payers: integer('Payers who had bought nothing before, as far as was looked back'),
  returning_payers: integer('Payers who had'),
});

const routeSum = Type.Object({ route: text('Id of the route'), ...sum });

const waySum = Type.Object({
  scheme: text('Scheme of x402'),
  network: text('CAIP-2 network'),
  ...sum,
});

const payerSum = Type.Object({
  payer: text('Who pays'),
  ...sum,
  first: timestamp('When the first of them was settled'),
  last: timestamp('When the last of them was settled'),
  is_new: boolean('True where the first of them was settled within seven days'),
});

/** Settled payments of a day and a route. */
const earning = Type.Object({ day: text('Day of UTC'), route: text('Id of the route'), ...sum });

const week = Type.Object({
  from: timestamp('Its beginning'),
  to: timestamp('Its end'),
  ...sum,
  payers: integer('Different payers'),
});

/** `/operator/earnings`: what settled payments brought, of at most 35 days. */
export const earningsSchema = Type.Object({
  at: timestamp('When it was summed'),
  looked: integer('Payments of the ledger that were looked at, newest first'),
  since: timestamp('All settled payments that were presented since then are summed'),
  cut: boolean('True where the ledger has more payments of these days than one request looks at'),
  total: Type.Object(sum),
  days: Type.Array(daySum),
  routes: Type.Array(routeSum),
  ways: Type.Array(waySum),
  payers: Type.Array(payerSum),
  payers_total: integer('Different payers: those that brought most are listed'),
  earnings: Type.Array(earning),
  this_week: nullable(week),
  last_week: nullable(week),
});

export type OperatorEarnings = Static<typeof earningsSchema>;
export type DaySum = Static<typeof daySum>;
export type RouteSum = Static<typeof routeSum>;
export type WaySum = Static<typeof waySum>;
export type PayerSum = Static<typeof payerSum>;
export type Earning = Static<typeof earning>;
export type WeekSum = Static<typeof week>;
