import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import type { BookSample } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { PastRow, PastTable } from '../market/delayed-table.ts';
import { type NullReason, nullReasons, withReasons } from './answer/null-reason.ts';
import type { PlainAnswer } from './answer/product-answer.ts';
import {
  assetClass,
  canonicalIdName,
  integer,
  nullable,
  number,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct, type Ports } from './define-product.ts';
import example from './examples/free-pair.json' with { type: 'json' };
import { firstTold, type PairPast } from './free/pair-past.ts';
import { tableOfThen } from './free/table-of-then.ts';
import { PAIR_FLOOR_USD, type WorkedPair, widestPairs } from './free/worked-pair.ts';
import { intervalHours } from './funding/funding-row.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { historyWindows, historyWindowsSchema } from './statistics/history-window.ts';

const SIZES = [1000, 5000, 10_000] as const;
/** Payments of eight hours in a day. */
const PERIODS = 3;

const leg = Type.Object({
  venue: venueName,
  ...contractFields,
  rate: nullable(number('Fraction per interval of the venue')),
  rate_8h: nullable(number('Rate scaled to eight hours')),
  funding_interval_hours: intervalHours,
  open_interest: nullable(number('Open interest, USD')),
  listed_at: nullable(timestamp('When the venue says that it listed the contract')),
  rate_updated_at: nullable(timestamp('Time of the rate')),
  ...nullReasons,
});

const cost = Type.Object({
  size_usd: integer('Size of each leg, USD'),
  short_slippage_bps: nullable(
    number('Slippage of the short leg in the last stored book, the worse of both sides'),
  ),
  long_slippage_bps: nullable(number('The same of the long leg')),
  cost_bps: nullable(number('round_trip_fee_bps + 2 x (short_slippage_bps + long_slippage_bps)')),
  days_to_breakeven: nullable(number('cost_bps / (3 x spread_8h_bps): days at the rates of as_of')),
  ...nullReasons,
});

const day = Type.Object({
  day_start: timestamp('Start of a whole day in UTC'),
  settled_spread_bps: nullable(
    number('Settled funding of the day, short less long, bps; null where an hour of it is not stored'),
  ),
});

const pair = Type.Object(
  {
    ticker: tickerName,
    canonical_id: canonicalIdName,
    asset_class: assetClass,
    aliases: Type.Array(Type.String(), { description: 'Further names of the asset' }),
    same_ticker: Type.Array(Type.String(), {
      description: 'Unrelated assets that have this ticker, too: never compared with it',
    }),
    venues: Type.Array(Type.String(), { description: 'Venues that listed the asset' }),
    short: leg,
    long: leg,
    spread_8h_bps: number('(rate_8h short - rate_8h long) x 10000'),
    round_trip_fee_bps: number('Taker fees of entry and exit on both legs'),
    costs: Type.Array(cost, { description: 'Cost of entry and exit at three sizes' }),
    windows: historyWindowsSchema,
    days: Type.Array(day, { description: 'The last 30 whole days' }),
  },
  { description: 'The worked pair; null while none is old enough, or none has the open interest' },
);

const answer = Type.Object({
  pair: nullable(pair),
  as_of: nullable(timestamp('Moment of the rates and books; null while none is old enough')),
  delay_seconds: integer('Least age of the rates and books'),
  min_open_interest_usd: number('Least open interest of each leg, USD'),
  paid_full_endpoint: text('Path of all ranked pairs of now'),
  note: text('How to read this'),
});
type FreePair = Static<typeof answer>;
type Pair = Static<typeof pair>;

export const freePair = defineProduct({
  id: 'free-pair',
  path: '/v1/free/pair',
  access: 'free',
  summary: 'One worked pair, delayed',
  description:
    'The widest funding spread with a stored past of two liquid contracts of one asset as it was at least 15 minutes ago, worked out: identity of both contracts, cost of entry and exit at 1,000, 5,000 and 10,000 USD, days to break even, and its settled past day by day. Simulated data is delayed by one minute.',
  tags: ['preview', 'funding'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T14:00:00.000Z',
  answer,
  example: { request: '/v1/free/pair', answer: example },
  compute: (_, ports) => {
    const table = tableOfThen(ports);
    const answer = (found: Awaited<typeof table>): Made | Promise<Made> =>
      found.ok ? answerOf(found.value, ports) : found;
    return table instanceof Promise ? table.then(answer) : answer(table);
  },
});

type Made = Result<PlainAnswer<FreePair>>;

/** The pair of a table is worked out once. A past that could not be read is read again. */
const worked = new WeakMap<PastTable, Promise<Made>>();

function answerOf(table: PastTable | undefined, ports: Ports): Made | Promise<Made> {
  if (table === undefined) return ok({ body: bodyOf(ports, null, undefined) });
  const known = worked.get(table);
  if (known !== undefined) return known;
  const made = workOut(table, ports);
  worked.set(table, made);
  void made.then((result) => result.ok || worked.delete(table));
  return made;
}

async function workOut(table: PastTable, ports: Ports): Promise<Made> {
  const pairs = widestPairs(table.rows, ports.market);
  // Names are read before the store is waited for: all of an answer is of one moment.
  const names = new Map(pairs.map((pair) => [pair, namesOf(pair, ports)]));
  const empty = bodyOf(ports, null, table.at);
  const { history } = ports;
  const told = history === undefined ? undefined : await firstTold(history.reader, pairs, table.at);
  if (told?.ok === false) return told;
  const chosen = told?.value?.pair ?? pairs[0];
  const named = chosen && names.get(chosen);
  if (chosen === undefined || named === undefined) return ok({ body: empty, asOf: table.at });
  const used = [chosen.short.venue, chosen.long.venue];
  const body = { ...empty, pair: pairOf(chosen, told?.value?.past, named) };
  return ok({ body, asOf: table.at, sources: { used, missing: [] } });
}

const bodyOf = ({ market }: Ports, shown: Pair | null, at: UnixMs | undefined): FreePair => ({
  pair: shown,
  as_of: at === undefined ? null : iso(at),
  delay_seconds: market.delayed.delayMs / 1000,
  min_open_interest_usd: PAIR_FLOOR_USD,
  paid_full_endpoint: '/v1/perp/arbitrage/funding-signal',
  note: 'Delayed, of stored books and payments. Price differences between the legs, margin and changes of the rates are left out; not a profit forecast.',
});

type Names = Pick<Pair, 'ticker' | 'canonical_id' | 'asset_class' | 'aliases' | 'same_ticker' | 'venues'>;

function namesOf({ short, rows }: WorkedPair, { market }: Ports): Names {
  const { ticker, canonicalId } = short;
  return {
    ticker,
    canonical_id: canonicalId,
    asset_class: short.assetClass,
    aliases: [...market.aliasesOf(canonicalId)],
    same_ticker: market.identitiesOf(ticker).filter((id) => id !== canonicalId),
    venues: rows.map(({ venue }) => venue),
  };
}

function pairOf(chosen: WorkedPair, past: PairPast | undefined, names: Names): Pair {
  const { short, long, spreadBps, feeBps } = chosen;
  return {
    ...names,
    short: legOf(short),
    long: legOf(long),
    spread_8h_bps: spreadBps,
    round_trip_fee_bps: feeBps,
    costs: SIZES.map((size) => costOf(size, chosen, past)),
    windows: past === undefined ? [] : historyWindows(past.hours, spreadBps, 'unknown'),
    days: (past?.days ?? []).map(({ start, bps }) => ({ day_start: iso(start), settled_spread_bps: bps })),
  };
}

function legOf(row: PastRow): Static<typeof leg> {
  const { listedAt, fundingUpdatedAt } = row;
  return withReasons(
    {
      venue: row.venue,
      ...contractName(row),
      rate: row.fundingRate ?? null,
      rate_8h: row.rate8h ?? null,
      funding_interval_hours: row.fundingIntervalHours ?? null,
      open_interest: row.openInterestUsd ?? null,
      listed_at: listedAt === undefined ? null : iso(listedAt),
      rate_updated_at: fundingUpdatedAt === undefined ? null : iso(asMs(fundingUpdatedAt)),
    },
    { listed_at: 'not_stated' },
  );
}

const slippageOf = (book: BookSample | undefined, size: (typeof SIZES)[number]): number | undefined =>
  ({ 1000: book?.slippage1kBps, 5000: book?.slippage5kBps, 10000: book?.slippage10kBps })[size];

function costOf(
  size: (typeof SIZES)[number],
  { feeBps, spreadBps }: WorkedPair,
  past: PairPast | undefined,
): Static<typeof cost> {
  const short = slippageOf(past?.shortBook, size);
  const long = slippageOf(past?.longBook, size);
  const whole = short === undefined || long === undefined ? undefined : feeBps + 2 * (short + long);
  const why = (book: BookSample | undefined): NullReason =>
    book === undefined ? 'not_followed' : 'too_thin';
  const whyShort = why(past?.shortBook);
  const whyWhole = short === undefined ? whyShort : why(past?.longBook);
  return withReasons(
    {
      size_usd: size,
      short_slippage_bps: short ?? null,
      long_slippage_bps: long ?? null,
      cost_bps: whole ?? null,
      days_to_breakeven: whole === undefined ? null : whole / (PERIODS * spreadBps),
    },
    {
      short_slippage_bps: whyShort,
      long_slippage_bps: why(past?.longBook),
      cost_bps: whyWhole,
      days_to_breakeven: whyWhole,
    },
  );
}
