import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
} from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { answersAsOf } from '../../products/history/as-of.ts';
import type { HistoryWindow } from '../../products/history/buckets.ts';
import { nothingKnown, readerOf } from '../../products/history/stored.ts';
import { days, readWindow, requiredFrom, requiredTo } from '../../products/history/window.ts';
import { tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { feesField, feesNote, feesQuery, statedFees } from '../../products/rows/asked-fees.ts';
import { namedLegs, type SpreadLegs } from '../../products/statistics/spread-legs.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import example from './examples/backtest-pair.json' with { type: 'json' };
import { type LegFees, legFees, makerMoney, makerSumFields } from './leg-fees.ts';
import { legRow, legSchema } from './leg-row.ts';
import {
  LARGEST_STORED_USD,
  maxDrawdown,
  type PairQuestion,
  type PairTrade,
  sumOfFlows,
  tradePair,
} from './pair-backtest.ts';
import { readHistories } from './pair-history.ts';
import {
  day,
  dayRows,
  leftWhilePaying,
  money,
  moneyFields,
  reasonsOf,
  trade,
  tradeRow,
  usd,
} from './pair-money.ts';

const CAP_DAYS = 90;
/** A fee is a rebate at least, and no fee or slippage is more than the notional. Not in the schema: the challenge has no room for it. */
const BOUNDS_BPS = { fee_bps: [-100, 10_000], assumed_slippage_bps: [0, 10_000] } as const;

const query = Type.Object({
  ticker: tickerParameter,
  short: { ...venueParameter, description: 'Venue of the short leg' },
  long: { ...venueParameter, description: 'Venue of the long leg', examples: ['bybit'] },
  from: requiredFrom,
  to: requiredTo,
  enter_bps: Type.Number({
    default: 5,
    description: 'Entry spread, basis points per eight hours: enter where the settled one is at least this',
  }),
  exit_bps: Type.Number({
    default: 0,
    description: 'Exit spread, bps: leave where it is at most this, below enter_bps',
  }),
  max_hold_hours: Type.Integer({
    minimum: 1,
    default: 168,
    description: 'Longest hold, hours',
  }),
  size_usd: Type.Integer({
    minimum: 100,
    maximum: 1_000_000,
    default: 10_000,
    description: 'Notional of each leg, US dollars',
  }),
  leverage: Type.Number({
    minimum: 1,
    maximum: 50,
    default: 1,
    description: 'Leverage of a leg: its notional over the margin held for it',
  }),
  fee_bps: Type.Optional(
    Type.Number({
      description: 'Taker fee, basis points, of either leg, -100 to 10,000; default the public one of each',
    }),
  ),
  ...feesQuery,
  assumed_slippage_bps: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Slippage if unknown: bps, up to 10,000, of a fill of which no stored book gives it; without it such a trade is unknown',
    }),
  ),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  from_ts: timestamp('Start of the window'),
  to_ts: timestamp('End of the window'),
  short: legSchema,
  long: legSchema,
  size_usd: integer('Notional of each leg, US dollars'),
  capital_usd: usd('Margin of both legs: 2 x size_usd / leverage'),
  trades_count: integer('Trades'),
  won: integer('Trades whose net is known and above 0'),
  unknown: integer('Trades whose net is not known'),
  hit_rate_pct: nullable(number('won over the trades whose net is known, percent')),
  hours_held: integer('Hours in which the pair was held'),
  left_while_paying: integer('Trades that max_hold_hours closed while their spread still paid'),
  ...moneyFields,
  ...makerSumFields,
  ...feesField,
  return_pct: nullable(number('net_usd over capital_usd, percent')),
  max_drawdown_usd: nullable(usd('Largest fall of the running sum of all flows')),
  trades: Type.Array(trade),
  days: Type.Array(day, { description: 'Days with a flow' }),
  methodology: text('How the figures are made, and what they leave out'),
  ...nullReasons,
});

type PairBacktest = Static<typeof answer>;

export const backtestPair = answersAsOf(
  defineProduct({
    id: 'backtest-pair',
    path: '/v1/backtest/pair',
    access: 'paid',
    summary: 'Backtest of a funding pair',
    description:
      'Two legs of one asset traded by rule over up to 90 days: settled funding, fees, slippage from stored books, price gap; by trade and day, with drawdown and what is unknown.',
    tags: ['backtest', 'funding', 'spread'],
    dependsOn: 'history',
    revisedAt: '2026-11-29T06:45:00.000Z',
    query,
    answer,
    example: {
      request:
        '/v1/backtest/pair?ticker=BTC&short=binance&long=okx&from=2026-11-19T00:00:00Z&to=2026-11-20T12:00:00Z&enter_bps=0.1&assumed_slippage_bps=2',
      answer: example,
    },
    find: (asked, { market, clock }) => {
      if (asked.exit_bps >= asked.enter_bps) return fail(badParameter('exit_bps', 'must be below enter_bps'));
      const beyond = beyondBounds(asked);
      if (beyond !== undefined) return beyond;
      const legs = namedLegs(market, asked);
      if (!legs.ok) return legs;
      const fees = legFees(market, legs.value, asked);
      if (!fees.ok) return fees;
      const { from, to } = asked;
      const rule = { capMs: days(CAP_DAYS), defaultMs: 0 };
      const window = readWindow({ aggregation: '1h', from, to }, rule, clock.now());
      if (!window.ok) return window;
      if (endOf(window.value) <= window.value.from) {
        return fail(badParameter('from', 'must be at least one whole hour in the past'));
      }
      if (asked.size_usd > LARGEST_STORED_USD && asked.assumed_slippage_bps === undefined) {
        return fail({
          ...badParameter('size_usd', TOO_LARGE),
          corrections: [{ parameter: 'size_usd', value: String(LARGEST_STORED_USD) }],
        });
      }
      return ok({ legs: legs.value, fees: fees.value, window: window.value });
    },
    compute: async ({ legs, fees, window }, ports, asked) => {
      const reader = readerOf(ports);
      const { canonicalId, short, long } = legs;
      // The rates that are known at the start were paid up to two intervals before; the books, in the hour before.
      const span = { from: asMs(window.from - DAY_MS), to: window.to };
      const read = await readHistories(reader, legs, span, (leg) => !fees.isAsked(leg));
      if (!read.ok) return read;
      const { ofShort, ofLong } = read.value;
      const question: PairQuestion = {
        from: window.from,
        to: endOf(window),
        sizeUsd: asked.size_usd,
        rule: { enterBps: asked.enter_bps, exitBps: asked.exit_bps, maxHoldHours: asked.max_hold_hours },
        short: { ...ofShort, feeBps: fees.shortFeeBps },
        long: { ...ofLong, feeBps: fees.longFeeBps },
        assumedSlippageBps: asked.assumed_slippage_bps,
      };
      const unpaid = ofShort.payments.length === 0 ? short : ofLong.payments.length === 0 ? long : undefined;
      if (unpaid !== undefined) {
        const scope = { ...span, canonicalId, venues: [unpaid.venue] };
        return nothingKnown(reader, scope, 'settled', 'funding payment');
      }
      const made = pairBacktest(legs, question, fees, asked.leverage);
      return saysSomething(made.body) ? ok(made) : fail({ code: 'no_data', detail: nothingFilled(legs) });
    },
  }),
  'asset',
);

const METHODOLOGY =
  'Once an hour the rates that were last settled on both legs, and known by then, decide; rates shown, or paid later, never do. max_hold_hours closes a pair whatever its spread: left_while_paying says where that still paid. A payment counts that is made after the entry and not after the exit, on a notional that stays size_usd. Slippage is that of the last stored book of the hour before on each leg, the worse of both sides, at the smallest stored size (1,000, 5,000, 10,000 USD) that holds size_usd; where there is none the trade is unknown, or assumed_slippage_bps counts. price_usd is size_usd x (long exit / entry - short exit / entry) of the mids of these books, else of mean marks. Where an asset had another name, its contract of then on a venue counts up to the first payment of the present one, prices in the present unit. Fees are the public taker fees of each time as they were noted (before fees_noted_from the first of them; where none is noted, that of today), or those asked for. Margin earns nothing, no leg is liquidated. Not a profit forecast.';

const TOO_LARGE = `must be at most ${LARGEST_STORED_USD} without assumed_slippage_bps: no stored book tells the slippage of more`;

/** True where a sum is known: of a rule that traded, of one trade at least. */
const saysSomething = ({ trades }: PairBacktest): boolean =>
  trades.length === 0 || trades.some(({ net_without_price_usd: net }) => net !== null);

const nothingFilled = ({ short, long, canonicalId }: SpreadLegs): string =>
  `Of no trade of ${canonicalId} on ${short.venue} and ${long.venue} the slippage is known: no stored book fills the size at entry and exit. assumed_slippage_bps names one; nothing is charged`;

/** The end of what had been known: an hour that goes on decides nothing. */
const endOf = ({ to, knownTo }: HistoryWindow): UnixMs =>
  asMs(Math.min(to, Math.floor(knownTo / HOUR_MS) * HOUR_MS));

/** Refuses a fee or slippage that no trade has; sums of such would be no numbers. */
function beyondBounds(asked: Partial<Record<keyof typeof BOUNDS_BPS, number>>): Result<never> | undefined {
  for (const name of ['fee_bps', 'assumed_slippage_bps'] as const) {
    const [least, most] = BOUNDS_BPS[name];
    const value = asked[name] ?? 0;
    if (value < least) return fail(badParameter(name, `must be at least ${least}`));
    if (value > most) return fail(badParameter(name, `must be at most ${most}`));
  }
  return undefined;
}

type Tally = Pick<
  PairBacktest,
  'trades_count' | 'won' | 'unknown' | 'hit_rate_pct' | 'hours_held' | 'left_while_paying'
>;

function tally(trades: readonly PairTrade[]): Tally {
  const nets = trades.flatMap((trade) => (trade.unknown.length > 0 ? [] : [sumOfFlows(trade.flows)]));
  const won = nets.filter((net) => net > 0).length;
  return {
    trades_count: trades.length,
    won,
    unknown: trades.length - nets.length,
    hit_rate_pct: nets.length === 0 ? null : (won / nets.length) * 100,
    hours_held: trades.reduce((sum, { openedAt, closedAt }) => sum + (closedAt - openedAt) / HOUR_MS, 0),
    left_while_paying: trades.filter(leftWhilePaying).length,
  };
}

/** Trades of a rule over a window, their sums, and the same by day. */
export function pairBacktest(
  legs: SpreadLegs,
  question: PairQuestion,
  charged: LegFees,
  leverage: number,
): ProductAnswer<PairBacktest> {
  const { short, long, ticker, canonicalId } = legs;
  const trades = tradePair(question);
  const flows = trades.flatMap((trade) => trade.flows);
  const unknown = new Set(trades.flatMap((trade) => trade.unknown));
  const capital = (2 * question.sizeUsd) / leverage;
  const sums = money(flows, unknown);
  const body: PairBacktest = {
    ticker,
    canonical_id: canonicalId,
    from_ts: iso(question.from),
    to_ts: iso(question.to),
    short: legRow(short, question.short, question, charged),
    long: legRow(long, question.long, question, charged),
    size_usd: question.sizeUsd,
    capital_usd: capital,
    ...tally(trades),
    ...sums,
    ...makerMoney(legs, charged.named, question.sizeUsd, trades.length, sums),
    ...statedFees(charged.named),
    return_pct: sums.net_usd === null ? null : (sums.net_usd / capital) * 100,
    max_drawdown_usd: unknown.size > 0 ? null : maxDrawdown(flows),
    trades: trades.map(tradeRow),
    days: [...dayRows(trades)],
    methodology: METHODOLOGY + feesNote(charged.named),
  };
  const { net_usd: why, ...reasons } = reasonsOf(unknown);
  const known = withReasons(body, {
    ...reasons,
    net_usd: why,
    maker_net_usd: why,
    return_pct: why,
    max_drawdown_usd: why,
    hit_rate_pct: trades.length === 0 ? 'no_precedent' : why,
  });
  const last = [question.short, question.long].map(({ payments }) => payments.at(-1)?.at ?? question.from);
  const sources = { used: [short.venue, long.venue], missing: [] };
  return { body: known, asOf: asMs(Math.min(...last)), sources };
}
