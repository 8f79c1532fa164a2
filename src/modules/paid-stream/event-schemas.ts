import Type, { type TProperties } from 'typebox';
import { nullReasons } from '../../products/answer/null-reason.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { fundingRowSchema, uncomparableField } from '../../products/funding/funding-row.ts';
import { signalPairSchema } from '../../products/funding/signal-pair.ts';
import { contractFields } from '../../products/rows/contract-name.ts';
import { TOPICS, type TopicName } from './topic-names.ts';

const named = { venue: venueName, symbol: tickerName, canonical_id: canonicalIdName, ...contractFields };
const rate = fundingRowSchema.properties;
const updated = { updated_at: nullable(timestamp('Time of the values')) };
const touch = {
  best_bid: nullable(number('Quote currency')),
  best_ask: nullable(number('Quote currency')),
};

const funding = Type.Object({
  ...named,
  rate: rate.rate,
  rate_settled: rate.rate_settled,
  funding_interval_hours: rate.funding_interval_hours,
  rate_8h: rate.rate_8h,
  annualized_pct: rate.annualized_pct,
  next_funding_time: rate.next_funding_time,
  market_open: rate.market_open,
  opens_at: rate.opens_at,
  ...uncomparableField,
  ...nullReasons,
  rate_updated_at: nullable(timestamp('Time of the rate')),
});

const touches = Type.Object({
  ...named,
  ...touch,
  bid_size: Type.Optional(nullable(number('Base asset; only of a book'))),
  ask_size: Type.Optional(nullable(number('Base asset; only of a book'))),
  source: oneOf(['stream', 'rest', 'list'], {
    description: 'The book by its stream or by requests, or the list',
  }),
  mark_price: rate.mark_price,
  index_price: rate.index_price,
  ...uncomparableField,
  ...nullReasons,
  ...updated,
});

const quotes = Type.Object({
  ...named,
  size_usd: integer('Size of the order, US dollars', 1),
  ...touch,
  spread_bps: nullable(number('Between bid and ask, bps of the mid')),
  buy_slippage_bps: nullable(number('Of buying the size, bps of the mid; null where the book is too thin')),
  sell_slippage_bps: nullable(number('Of selling it')),
  taker_fee_bps: nullable(number('Public fee of the base tier')),
  bid_depth_usd: number('Within 100 bps of the mid'),
  ask_depth_usd: number('Within 100 bps of the mid'),
  max_fillable_usd: number('The largest size that fills'),
  source: oneOf(['stream', 'rest'], { description: 'The book by its stream or by requests' }),
  ...nullReasons,
  ...updated,
});

const ROWS = { funding, touches, quotes, signals: signalPairSchema } satisfies Readonly<
  Record<TopicName, unknown>
>;

const topics = Type.Object(
  Object.fromEntries(
    TOPICS.map((topic) => {
      const rows = Type.Array(ROWS[topic], { description: 'New and changed rows, whole' });
      const gone = Type.Array(Type.String(), { description: 'Names of rows that are gone' });
      return [topic, Type.Optional(Type.Object({ rows, gone }))];
    }),
  ),
  { description: 'The topics that were bought' },
);

const at = timestamp('When it was looked at');
const sums = {
  paid: integer('Paid minutes bought so far'),
  credited: integer('Paid minutes given back'),
  used: integer('Paid minutes of all minutes that have begun'),
  left: Type.Integer({ description: 'paid + credited - used; negative: owed' }),
};
const extend = text('Request that buys the next minute');
const summed = <P extends TProperties>(fields: P) => Type.Object({ ...fields, ...sums });
const because = <const R extends string>(...reasons: readonly R[]) => oneOf(reasons, { description: 'Why' });

/** Events of a paid stream by name, each with its data. */
export const STREAM_EVENTS = {
  snapshot: Type.Object({
    at,
    reason: because('start', 'unknown_id', 'too_old', 'behind', 'paused'),
    topics,
  }),
  change: Type.Object({ at, topics }),
  conflated: Type.Object({ at, looks: integer('Looks that it stands for', 1), topics }),
  due: summed({ ends_at: timestamp('End of what is paid'), extend }),
  paused: summed({ reason: because('unpaid', 'no_data'), extend }),
  resumed: summed({ reason: because('unpaid', 'no_data') }),
  credited: summed({ at, minutes: integer('Paid minutes', 1), reason: because('shutdown', 'killed') }),
  closing: summed({ reason: because('shutdown', 'replaced', 'unpaid', 'no_data') }),
};
