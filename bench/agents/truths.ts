import type { UnixMs } from '../../src/domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/duration.ts';
import type { Truth, TruthTable } from '../../test/truth/truth-table.ts';
import { BOOK_DEPTH } from '../../test/world/world-books.ts';
import { interestShare, paidShare } from './past.ts';
import type { Given, Question } from './question.ts';

type Levels = readonly (readonly [price: number, size: number])[];

/** The simulated world itself, without any answer of the service. */
export interface TrueWorld {
  readonly table: TruthTable;
  readonly now: UnixMs;
}

const BPS = 1e4;
/** Slippage is that of levels within a hundredth of the mid. */
const WINDOW = 0.01;

/** Slippage of a size against one side of a book, bps of its mid; undefined where the side does not fill it. */
function slippageOf(levels: Levels, mid: number, sizeUsd: number): number | undefined {
  let left = sizeUsd;
  let base = 0;
  for (const [price, size] of levels) {
    if (Math.abs(price - mid) / mid > WINDOW) break;
    const taken = Math.min(left, price * size);
    base += taken / price;
    left -= taken;
  }
  return left > 1e-9 ? undefined : (Math.abs(sizeUsd / base - mid) / mid) * BPS;
}

function touchOf(row: Truth) {
  const { bids, asks } = row.book(BOOK_DEPTH);
  const bid = bids[0]?.[0] ?? Number.NaN;
  const ask = asks[0]?.[0] ?? Number.NaN;
  return { bids, asks, bid, ask, mid: (bid + ask) / 2 };
}

/** Venues that state a fee with each contract, which the world does not keep. */
const OWN_FEES = /^(deribit|hyperliquid-)/;

const extreme = (rows: readonly Truth[], figureOf: (row: Truth) => number, sign: 1 | -1): Truth | undefined =>
  rows.toSorted((a, b) => sign * (figureOf(b) - figureOf(a)))[0];

const weighted = (
  rows: readonly Truth[],
  figureOf: (row: Truth) => number,
  weightOf: (row: Truth) => number,
): number => sumOf(rows, (row) => figureOf(row) * weightOf(row)) / sumOf(rows, weightOf);

const sumOf = (rows: readonly Truth[], figureOf: (row: Truth) => number): number =>
  rows.reduce((sum, row) => sum + figureOf(row), 0);

/** The rows of a question's asset, and the one that it names. */
interface Asked {
  readonly rows: readonly Truth[];
  readonly row: Truth;
  readonly given: Given;
  readonly world: TrueWorld;
}

/** The venue on which an order costs least with its fee, and that cost in bps. */
function cheapest({ rows, given }: Asked) {
  const size = Number(given.notional_usd);
  const costs = rows.flatMap((row) => {
    const { bids, asks, mid } = touchOf(row);
    const slippage = slippageOf(given.side === 'buy' ? asks : bids, mid, size);
    if (slippage === undefined || row.takerFeeBps === undefined || OWN_FEES.test(row.venue)) return [];
    return [{ venue: row.venue, bps: slippage + row.takerFeeBps }];
  });
  return costs.sort((a, b) => a.bps - b.bps)[0];
}

function worseSlippage({ row, given }: Asked): number | undefined {
  const { bids, asks, mid } = touchOf(row);
  const size = Number(given.size_usd);
  const both = [bids, asks].map((levels) => slippageOf(levels, mid, size));
  return both.some((bps) => bps === undefined) ? undefined : Math.max(...both.map(Number));
}

const bestBid = ({ rows }: Asked): Truth | undefined => extreme(rows, (row) => touchOf(row).bid, 1);
const bestAsk = ({ rows }: Asked): Truth | undefined => extreme(rows, (row) => touchOf(row).ask, -1);
const highest = ({ rows }: Asked): Truth | undefined => extreme(rows, (row) => row.fundingRate, 1);
const lowest = ({ rows }: Asked): Truth | undefined => extreme(rows, (row) => row.fundingRate, -1);
const rate8h = (row: Truth | undefined): number => row?.rate8h ?? Number.NaN;

/** The sum of what a contract paid in a window, of the rate that the past has at each payment. */
function paid({ row, given }: Asked): number {
  const step = Number(row.intervalHours) * HOUR_MS;
  const until = Date.parse(String(given.to));
  let sum = 0;
  for (let at = Date.parse(String(given.from)); at < until; at += step)
    sum += row.fundingRate * paidShare(at);
  return sum;
}

/** The asset whose stated rates lie farthest apart. */
function widestGap({ world }: Asked): string | undefined {
  const gaps = [...world.table.byAsset].map(([id, rows]) => {
    const rates = rows.map(({ fundingRate }) => fundingRate);
    return { id, gap: Math.max(...rates) - Math.min(...rates) };
  });
  return gaps.sort((a, b) => b.gap - a.gap)[0]?.id;
}

/** The ways in which truths are found in the world. */
const TRUTHS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  cheapestVenue: (asked) => cheapest(asked)?.venue,
  cheapestCost: (asked) => cheapest(asked)?.bps,
  slippage: worseSlippage,
  bestBid: (asked) => touchOf(bestBid(asked) ?? asked.row).bid,
  bestAsk: (asked) => touchOf(bestAsk(asked) ?? asked.row).ask,
  bestBidVenue: (asked) => bestBid(asked)?.venue,
  bestAskVenue: (asked) => bestAsk(asked)?.venue,
  touchBid: ({ row }) => touchOf(row).bid,
  touchAsk: ({ row }) => touchOf(row).ask,
  rate: ({ row }) => row.fundingRate,
  annualPercent: ({ row }) => row.fundingRate * (24 / Number(row.intervalHours)) * 365 * 100,
  highestRateVenue: (asked) => highest(asked)?.venue,
  lowestRateVenue: (asked) => lowest(asked)?.venue,
  spread8h: (asked) => (rate8h(highest(asked)) - rate8h(lowest(asked))) * BPS,
  nextFunding: ({ row }) => row.nextFunding,
  interest: ({ row }) => row.openInterestUsd,
  totalInterest: ({ rows }) => sumOf(rows, (row) => row.venueTotals.openInterestUsd),
  volume: ({ row }) => row.volumeUsd,
  totalVolume: ({ rows }) => sumOf(rows, (row) => row.venueTotals.volumeUsd),
  basis: ({ row }) => ((row.mark - row.index) / row.index) * BPS,
  index: ({ row }) => row.index,
  mark: ({ row }) => row.mark,
  weightedMark: ({ rows }) =>
    weighted(
      rows,
      (row) => row.mark,
      (row) => row.volumeUsd,
    ),
  rateDeviation: ({ rows, row }) => (rate8h(row) - weighted(rows, rate8h, (each) => each.volumeUsd)) * BPS,
  listedVenues: ({ rows }) => rows.length,
  hours: ({ row }) => row.intervalHours,
  takerFee: ({ row }) => row.takerFeeBps,
  health: () => 'live',
  paidFunding: paid,
  interestChange: ({ world: { now } }) => (1 / interestShare(now - DAY_MS) - 1) * 100,
  widestGapAsset: widestGap,
};

/** Finds the answer of a question in the world. A question that names no asset is of a venue: any of its rows will do. */
export function truthOf({ truth, given, among }: Question, world: TrueWorld): unknown {
  const ticker = given.ticker ?? given.q;
  const all = world.table.all();
  const rows = ticker === undefined ? all : world.table.of(`crypto:${ticker}`);
  const row = rows.find(({ venue }) => among.venue === undefined || venue === among.venue);
  const find = TRUTHS[truth];
  if (row === undefined || find === undefined) throw new Error(`nothing is known of ${truth} ${ticker}`);
  return find({ rows, row, given, world });
}
