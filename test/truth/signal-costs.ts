import type { Wire } from '../../src/domain/read.ts';
import { WORLD_AT } from '../world/world-market.ts';
import { BPS_PLACE, type Findings, inner, items } from './near.ts';
import { api } from './truth-api.ts';

/**
 * Recomputes what a row of the funding signal says of costs out of the answers of other products: fees and fills of
 * sized quotes, quote rates of the price scan, marks, books and payments of the back-test data.
 */

const HOUR = 3_600_000;
const HOURS_BACK = 30 * 24;
const WEEK = 7 * 24;
/** Answers state bps to four places: of sums of several of them, and of products. */
const SUM_BPS = 6 * BPS_PLACE;
const NEAR_BPS = 2e-3;
export const FEES = 'binance:1.7,bybit:2.5,okx:-0.4,gate:3.1,hyperliquid:2.2';
export const MAKER = 'binance:0.2,bybit:-0.3,okx:0.1,gate:0.9,hyperliquid:0.7,kraken:1,mexc:0';

export const feesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(text.split(',').map((entry) => [entry.split(':')[0] ?? '', Number(entry.split(':')[1])]));

const end = Math.ceil(WORLD_AT / HOUR) * HOUR;
const pasts = new Map<string, Promise<readonly Wire[]>>();

/** Hours of a contract over thirty days. */
function pastOf(id: string, venue: unknown): Promise<readonly Wire[]> {
  const key = `${id} ${String(venue)}`;
  const asked =
    pasts.get(key) ??
    api
      .get('/v1/backtest/data', {
        venue: String(venue),
        ticker: id,
        from: new Date(end - HOURS_BACK * HOUR).toISOString(),
        to: new Date(end).toISOString(),
        include_orderbook: 'true',
      })
      .then(({ body }) => items(body, 'data'));
  pasts.set(key, asked);
  return asked;
}

/** Fraction per hour by the start of the hour: a payment is for the hours of its interval before it. */
function hourlyOf(rows: readonly Wire[]): ReadonlyMap<number, number> {
  const hourly = new Map<number, number>();
  for (const { ts, settled_sum: paid, funding_interval_hours: hours } of rows) {
    if (typeof paid !== 'number' || typeof hours !== 'number') continue;
    const at = Date.parse(String(ts));
    for (let back = 1; back <= hours; back++) hourly.set(at - back * HOUR, paid / hours);
  }
  return hourly;
}

function percentile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place % 1);
}

interface Row {
  readonly id: string;
  readonly item: Wire;
  readonly short: Wire;
  readonly long: Wire;
}

export const rowsOf = (body: Wire): readonly Row[] =>
  items(body, 'opportunities').map((item) => ({
    id: String(item.canonical_id),
    item,
    short: inner(item, 'short'),
    long: inner(item, 'long'),
  }));

/** Worth of a quote currency; undefined where no venue ties it to the others. */
async function worth(): Promise<(quote: unknown) => number | undefined> {
  const { body } = await api.get('/v1/perp/arbitrage/price', { limit: 1 });
  const stated = inner(body, 'quote_rates');
  const rates = new Map(items(stated, 'rates').map(({ quote, rate }) => [quote, Number(rate)]));
  rates.set(stated.unit, 1);
  return (quote) => rates.get(quote === 'USDT0' ? 'USDT' : quote);
}

/** A row is judged by fees and a size of the buyer's own, the size in USD. */
interface Terms {
  readonly isMine: boolean;
  readonly own?: number;
}

/**
 * The price at which a leg is entered: the mean fill where a size is filled, else the touch; at a size of the buyer's own
 * none where the smaller side of the book does not fill it.
 */
async function entry(id: string, leg: Wire, side: 'sell' | 'buy', size: number, own: number | undefined) {
  const path = `/v1/orderbook/depth/${String(leg.venue)}/${encodeURIComponent(id)}`;
  const { body } = await api.get(
    path,
    own === undefined ? { side, size_usd: size === 0 ? 1000 : size } : { side, notional_usd: own },
  );
  const quote = inner(body, 'quote');
  if (quote.venue_symbol !== leg.venue_symbol) return undefined;
  const bid = Number(quote.best_bid);
  const ask = Number(quote.best_ask);
  const fills = Math.min(own ?? size, Number(quote.bid_depth_usd), Number(quote.ask_depth_usd));
  const isFilled = own === undefined ? size > 0 : fills === own;
  const slip = Number(quote.est_slippage_for_size_usd_bps) / 1e4;
  const mid = (bid + ask) / 2;
  const touch = side === 'sell' ? bid : ask;
  const fill = mid * (side === 'sell' ? 1 - slip : 1 + slip);
  const price = isFilled ? fill : own === undefined ? touch : undefined;
  return {
    fee: Number(quote.taker_fee_bps),
    slipBps: isFilled ? slip * 1e4 : undefined,
    fills,
    mid,
    price,
  };
}

type Entry = NonNullable<Awaited<ReturnType<typeof entry>>>;

/** The gap of now, and its usual level over the last seven days, by mids. */
async function judgeGap(
  found: Findings,
  { id, item, short, long }: Row,
  [sold, bought]: readonly [Entry, Entry],
  factor: number | undefined,
): Promise<number | undefined> {
  const gap = inner(item, 'gap');
  const { price: ofShort } = sold;
  const { price: ofLong } = bought;
  const ratio = ofShort === undefined || ofLong === undefined ? undefined : ofShort / ofLong;
  const isAtSize = sold.slipBps !== undefined && bought.slipBps !== undefined;
  const bps = (ratio: number | undefined): number | undefined =>
    factor === undefined || ratio === undefined ? undefined : (ratio * factor - 1) * 1e4;
  found.same(`${id} priced`, gap.priced_at, ratio === undefined ? null : isAtSize ? 'size' : 'touch');
  found.number(`${id} gap`, gap.executable_bps, bps(ratio), NEAR_BPS);
  if (ratio === undefined) found.same(`${id} why`, inner(gap, 'null_reasons').executable_bps, 'too_thin');
  if (factor !== undefined && ratio !== undefined)
    found.number(`${id} of prices`, Number(gap.short_price) / Number(gap.long_price), ratio * factor, 1e-6);
  const [pastShort, pastLong] = await Promise.all([pastOf(id, short.venue), pastOf(id, long.venue)]);
  const priceOf = ({ best_bid: bid, best_ask: ask }: Wire): number => (Number(bid) + Number(ask)) / 2;
  const other = new Map(pastLong.map((row) => [row.ts, priceOf(row)]));
  const from = Math.floor(WORLD_AT / HOUR) * HOUR - WEEK * HOUR;
  const ratios = pastShort.flatMap((row) => {
    const at = Date.parse(String(row.ts));
    const base = other.get(row.ts);
    return base === undefined || at < from || at >= from + WEEK * HOUR ? [] : [priceOf(row) / base];
  });
  // Of a contract of which nothing is stored, marks of now stand alone.
  const isMid = ratios.length > 0;
  found.same(`${id} basis`, gap.basis, isMid ? 'mid' : 'mark');
  found.same(`${id} hours`, [gap.hours_known, gap.hours_asked], [ratios.length, WEEK]);
  const marks = Number(short.mark_price) / Number(long.mark_price);
  const level = bps(isMid ? sold.mid / bought.mid : marks);
  const usual = bps(percentile(ratios, 0.5));
  found.number(`${id} level`, gap.level_bps, level, NEAR_BPS);
  found.number(`${id} usual`, gap.usual_bps, usual, NEAR_BPS);
  found.number(`${id} low`, gap.low_bps, bps(percentile(ratios, 0.1)), NEAR_BPS);
  found.number(`${id} high`, gap.high_bps, bps(percentile(ratios, 0.9)), NEAR_BPS);
  const cost = level === undefined || usual === undefined ? undefined : usual - level;
  found.number(`${id} cost of gap`, gap.cost_bps, cost, 2 * NEAR_BPS);
  return cost;
}

async function judgeShares(found: Findings, { id, item, short, long }: Row, per8h: number | undefined) {
  const sold = hourlyOf(await pastOf(id, short.venue));
  const bought = hourlyOf(await pastOf(id, long.venue));
  for (const { days, share_pct: share, hours_known: known, hours_asked: asked } of items(
    item,
    'above_costs',
  )) {
    let count = 0;
    let above = 0;
    let nearly = 0;
    for (let at = end - Number(days) * 24 * HOUR; at < end; at += HOUR) {
      const a = sold.get(at);
      const b = bought.get(at);
      if (a === undefined || b === undefined) continue;
      count += 1;
      const spread = (a - b) * 8e4;
      if (per8h === undefined) continue;
      if (Math.abs(spread - per8h) < NEAR_BPS) nearly += 1;
      else if (spread > per8h) above += 1;
    }
    found.same(`${id} ${days} d`, [known, asked], [count, Number(days) * 24]);
    const least = per8h === undefined || count === 0 ? undefined : (above / count) * 100;
    const tolerance = (nearly / Math.max(1, count)) * 100 + 1e-3;
    found.number(`${id} ${days} d share`, share, least, tolerance);
  }
}

/** Judges slippage and fills of the legs at the buyer's own size. */
function judgeSize(
  found: Findings,
  { id, item, short, long }: Row,
  [sold, bought]: readonly [Entry, Entry],
  slip: number | undefined,
) {
  for (const [leg, at] of [
    [short, sold],
    [long, bought],
  ] as const) {
    found.number(`${id} ${leg.venue} slippage`, leg.slippage_notional_bps, at.slipBps, NEAR_BPS);
    found.number(`${id} ${leg.venue} fills`, leg.fills_usd, at.fills, 1);
  }
  const entered = slip === undefined ? undefined : slip / 2;
  found.number(`${id} entry`, item.entry_slippage_bps, entered, NEAR_BPS);
  const score = Number(item.signal_score);
  if (slip === undefined) found.same(`${id} score`, score, 0);
}

export async function judgeRow(found: Findings, row: Row, body: Wire, { isMine, own }: Terms) {
  const { id, item, short, long } = row;
  const size = Number(item.max_notional_usd);
  const [sold, bought] = await Promise.all([
    entry(id, short, 'sell', size, own),
    entry(id, long, 'buy', size, own),
  ]);
  if (sold === undefined || bought === undefined || item.max_notional_usd === null) return 0;
  const mine = isMine ? feesOf(FEES) : new Map<string, number>();
  const feeOf = (leg: Wire, known: number): number => mine.get(String(leg.venue)) ?? known;
  const fees = 2 * (feeOf(short, sold.fee) + feeOf(long, bought.fee));
  found.number(`${id} fees`, item.round_trip_fee_bps, fees, SUM_BPS);
  const worthOf = await worth();
  const values = [worthOf(short.quote), worthOf(long.quote)] as const;
  const isTied = values[0] !== undefined && values[1] !== undefined;
  const factor = short.quote === long.quote ? 1 : isTied ? Number(values[0]) / Number(values[1]) : undefined;
  const cost = await judgeGap(found, row, [sold, bought], factor);
  const ofGap = cost === undefined ? undefined : Math.max(0, cost);
  const isFilled = sold.slipBps !== undefined && bought.slipBps !== undefined;
  const slip = isFilled ? 2 * (Number(sold.slipBps) + Number(bought.slipBps)) : undefined;
  if (own !== undefined) judgeSize(found, row, [sold, bought], slip);
  const all = slip === undefined || ofGap === undefined ? undefined : fees + slip + ofGap;
  const spread = Number(item.normalized_spread_8h_bps);
  const days = (bps: number | undefined) => (bps === undefined ? undefined : Math.max(0, bps) / (3 * spread));
  found.number(`${id} all in`, item.all_in_cost_bps, all, 3 * NEAR_BPS);
  const per8h = all === undefined ? undefined : all / (3 * Number(body.holding_days));
  found.number(`${id} per 8 h`, item.cost_8h_bps, per8h, NEAR_BPS);
  found.number(`${id} days`, item.days_to_breakeven, days(all), 1e-2);
  await judgeShares(found, row, per8h);
  const a = feesOf(MAKER).get(String(short.venue));
  const b = feesOf(MAKER).get(String(long.venue));
  if (!isMine || a === undefined || b === undefined) {
    found.same(`${id} no maker`, item.maker_all_in_cost_bps ?? null, null);
    return 1;
  }
  const rested = ofGap === undefined ? undefined : 2 * (a + b) + ofGap;
  found.number(`${id} maker`, item.maker_all_in_cost_bps, rested, 3 * NEAR_BPS);
  found.number(`${id} maker days`, item.maker_days_to_breakeven, days(rested), 1e-2);
  return 1;
}
