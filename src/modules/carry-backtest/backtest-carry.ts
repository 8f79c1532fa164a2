import Type, { type Static } from 'typebox';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { oneOf } from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import type { HistoryWindow } from '../../products/history/buckets.ts';
import { nothingKnown, readerOf } from '../../products/history/stored.ts';
import { days, readWindow, requiredFrom, requiredTo } from '../../products/history/window.ts';
import { tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { feesQuery, readFees, takerFeeOf } from '../../products/rows/asked-fees.ts';
import { type Pair, selectPair, selectVenue } from '../../products/rows/select.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { LARGEST_STORED_USD } from '../pair-backtest/pair-backtest.ts';
import { spotVenueOf } from '../spot/registry.ts';
import { pastMarket, spotPast } from '../spot-history/select-past.ts';
import { SPOT_SIDE } from '../spot-market/port.ts';
import { type AskedCarry, answer, carryAnswer } from './answer/carry-answer.ts';
import { readPerpPast } from './carry-past.ts';
import example from './examples/backtest-carry.json' with { type: 'json' };
import { type CarryQuestion, DIRECTIONS } from './walk/carry-question.ts';

const CAP_DAYS = 90;
const HOURS_A_YEAR = 8760;
/** Beyond them a cost is no trade's; sums of such would be no numbers. */
const BOUNDS = {
  spot_fee_bps: [-100, 10_000],
  assumed_slippage_bps: [0, 10_000],
  assumed_borrow_apr_pct: [0, 1_000],
} as const;

const query = Type.Object({
  ticker: tickerParameter,
  spot: { ...venueParameter, description: 'Venue of the spot leg' },
  perp: { ...venueParameter, description: 'Venue of the perpetual', examples: ['bybit'] },
  from: requiredFrom,
  to: requiredTo,
  direction: oneOf(DIRECTIONS, {
    default: 'long_spot',
    description: 'long_spot: short the perpetual; short_spot: long it, the coin is borrowed',
  }),
  enter_bps: Type.Number({
    default: 5,
    description: 'Enter where the settled carry, bps per eight hours, is at least this',
  }),
  exit_bps: Type.Number({ default: 0, description: 'Leave where it is at most this, below enter_bps' }),
  max_hold_hours: Type.Integer({ minimum: 1, default: 168, description: 'Longest hold, hours' }),
  size_usd: Type.Integer({
    minimum: 100,
    maximum: 1_000_000,
    default: 10_000,
    description: 'Notional of each leg, US dollars',
  }),
  leverage: Type.Number({ minimum: 1, maximum: 50, default: 1, description: 'Leverage of the perpetual' }),
  spot_fee_bps: Type.Optional(Type.Number({ description: 'Taker fee of spot, bps; default the public one' })),
  fees: feesQuery.fees,
  assumed_slippage_bps: Type.Optional(
    Type.Number({ minimum: 0, description: 'Slippage, bps, of fills that nothing stored tells' }),
  ),
  assumed_borrow_apr_pct: Type.Optional(
    Type.Number({ description: 'Borrowing, percent a year, in hours without a stored rate' }),
  ),
});

interface Found {
  readonly asked: AskedCarry;
  readonly row: MarketRow;
  readonly window: HistoryWindow;
  readonly feeBps: number;
  readonly spotFeeBps: number;
}

export const backtestCarry = defineProduct({
  id: 'backtest-carry',
  path: '/v1/backtest/carry',
  access: 'paid',
  summary: 'Backtest of spot against a perpetual',
  description:
    'Spot against a perpetual traded by rule over up to 90 days: settled funding, borrowing, fees, slippage, price gap; by trade and day, with drawdown and what is unknown.',
  tags: ['backtest', 'cash-and-carry', 'spot'],
  dependsOn: 'history',
  revisedAt: '2026-11-30T02:00:00.000Z',
  query,
  answer,
  example: {
    request:
      '/v1/backtest/carry?ticker=BTC&spot=binance&perp=okx&from=2026-11-19T20:00:00Z&to=2026-11-20T18:00:00Z&enter_bps=0.1&assumed_slippage_bps=2',
    answer: example,
  },
  find: (asked, ports): Result<Found> => {
    const { market, clock, readPort } = ports;
    const fault = beyondBounds(asked);
    if (fault !== undefined) return fault;
    const perp = selectPair(market, { ticker: asked.ticker, venue: asked.perp });
    if (!perp.ok) return perp;
    const venue = selectVenue(market, asked.spot);
    if (!venue.ok) return venue;
    const past = spotPast(readPort);
    if (!past.ok) return past;
    const fees = chargedFees(asked, market, perp.value, venue.value.info.id);
    if (!fees.ok) return fees;
    const rule = { capMs: days(CAP_DAYS), defaultMs: 0 };
    const window = readWindow({ aggregation: '1h', from: asked.from, to: asked.to }, rule, clock.now());
    if (!window.ok) return window;
    if (endOf(window.value) <= window.value.from)
      return fail(badParameter('from', 'must be at least one whole hour in the past'));
    const { row, canonicalId, ticker } = perp.value;
    const names = { ticker, canonicalId, spotVenue: venue.value.info.id, leverage: asked.leverage };
    const { feeBps, spotFeeBps, ...stated } = fees.value;
    return ok({ asked: { ...names, ...stated }, row, window: window.value, feeBps, spotFeeBps });
  },
  compute: backtest,
});

/** The costs and the rule of a request. */
type AskedRule = Pick<
  Static<typeof query>,
  | 'direction'
  | 'enter_bps'
  | 'exit_bps'
  | 'max_hold_hours'
  | 'size_usd'
  | 'assumed_slippage_bps'
  | 'assumed_borrow_apr_pct'
>;

async function backtest(
  found: Found,
  ports: Ports,
  asked: AskedRule,
): Promise<Result<ReturnType<typeof carryAnswer>>> {
  const { row, window } = found;
  const { canonicalId, spotVenue, isPerpFeeAsked } = found.asked;
  // The rates that are known at the start were paid up to two intervals before; prices and borrow rates are of the hour before.
  const span = { from: asMs(window.from - DAY_MS), to: window.to };
  const past = spotPast(ports.readPort);
  if (!past.ok) return past;
  const spot = pastMarket(past.value, { venue: spotVenue, canonicalId, ...span });
  if (!spot.ok) return spot;
  const reader = readerOf(ports);
  const perp = await readPerpPast(reader, row, span, !isPerpFeeAsked);
  if (!perp.ok) return perp;
  if (perp.value.payments.length === 0)
    return nothingKnown(reader, { ...span, canonicalId, venues: [row.venue] }, 'settled', 'funding payment');
  const apr = asked.assumed_borrow_apr_pct;
  const question: CarryQuestion = {
    from: window.from,
    to: endOf(window),
    sizeUsd: asked.size_usd,
    direction: asked.direction,
    rule: { enterBps: asked.enter_bps, exitBps: asked.exit_bps, maxHoldHours: asked.max_hold_hours },
    perp: { ...perp.value, feeBps: found.feeBps },
    spot: {
      hours: spot.value.hours,
      borrow: borrowRates(ports, spotVenue, spot.value.ticker, span),
      feeBps: found.spotFeeBps,
    },
    assumedSlippageBps: asked.assumed_slippage_bps,
    assumedBorrowHourly: apr === undefined ? undefined : apr / 100 / HOURS_A_YEAR,
  };
  const made = carryAnswer(found.asked, row, spot.value, question);
  if (made.body.trades.length === 0 || made.body.trades.some(({ net_usd: net }) => net !== null))
    return ok(made);
  return fail({ code: 'no_data', detail: NOTHING_KNOWN });
}

interface ChargedFees extends Pick<AskedCarry, 'named' | 'isPerpFeeAsked' | 'isSpotFeeAsked'> {
  readonly feeBps: number;
  readonly spotFeeBps: number;
}

/** The fees that fills are charged, basis points. 400 of a venue without a public one; failures as of `readFees`. */
function chargedFees(
  asked: { readonly fees?: string | undefined; readonly spot_fee_bps?: number | undefined },
  market: MarketView,
  { row, venue }: Pair,
  spotVenue: string,
): Result<ChargedFees> {
  const read = readFees({ fees: asked.fees }, market);
  if (!read.ok) return read;
  const named = read.value;
  const feeBps = takerFeeOf(row, venue, named);
  if (feeBps === undefined) return fail(badParameter('fees', 'the venue publishes no taker fee: name one'));
  const spotFeeBps = asked.spot_fee_bps ?? spotVenueOf(spotVenue)?.takerFeeBps;
  if (spotFeeBps === undefined)
    return fail(badParameter('spot', `the spot side of ${spotVenue} is not read`));
  const isPerpFeeAsked = named.taker.has(row.venue);
  return ok({ feeBps, spotFeeBps, named, isPerpFeeAsked, isSpotFeeAsked: asked.spot_fee_bps !== undefined });
}

const NOTHING_KNOWN =
  'Of no trade the net is known: slippage, a price or a borrow rate is not stored. assumed_slippage_bps and assumed_borrow_apr_pct name costs in their place; nothing is charged';

/** The end of what had been known: an hour that goes on decides nothing. */
const endOf = ({ to, knownTo }: HistoryWindow): UnixMs =>
  asMs(Math.min(to, Math.floor(knownTo / HOUR_MS) * HOUR_MS));

const borrowRates = (
  { readPort }: Ports,
  venue: string,
  ticker: string,
  { from, to }: { readonly from: UnixMs; readonly to: UnixMs },
): ReadonlyMap<number, number> => readPort(SPOT_SIDE)?.borrow.hoursOf(venue, ticker, from, to) ?? new Map();

type Bounded = Partial<Record<keyof typeof BOUNDS, number>>;

/** 400 of thresholds in the wrong order, of a cost that no trade has, and of a size that no stored book tells the slippage of. */
function beyondBounds(
  asked: Bounded & { readonly enter_bps: number; readonly exit_bps: number; readonly size_usd: number },
): Result<never> | undefined {
  if (asked.exit_bps >= asked.enter_bps) return fail(badParameter('exit_bps', 'must be below enter_bps'));
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const value = asked[name as keyof typeof BOUNDS] ?? 0;
    if (value < least) return fail(badParameter(name, `must be at least ${least}`));
    if (value > most) return fail(badParameter(name, `must be at most ${most}`));
  }
  if (asked.size_usd <= LARGEST_STORED_USD || asked.assumed_slippage_bps !== undefined) return undefined;
  const message = `must be at most ${LARGEST_STORED_USD} without assumed_slippage_bps: no stored book tells the slippage of more`;
  return fail({
    ...badParameter('size_usd', message),
    corrections: [{ parameter: 'size_usd', value: String(LARGEST_STORED_USD) }],
  });
}
