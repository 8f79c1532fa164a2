import { describe, expect, it } from 'vitest';
import type { Wire } from '../../src/domain/read.ts';
import { WORLD_AT } from '../world/world-market.ts';
import { BPS_PLACE, Findings, inner, items } from './near.ts';
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
const FEES = 'binance:1.7,bybit:2.5,okx:-0.4,gate:3.1,hyperliquid:2.2';
const MAKER = 'binance:0.2,bybit:-0.3,okx:0.1,gate:0.9,hyperliquid:0.7,kraken:1,mexc:0';

const feesOf = (text: string): ReadonlyMap<string, number> =>
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

const rowsOf = (body: Wire): readonly Row[] =>
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

/** The price at which a leg is entered: the mean fill where a size is filled, else the touch. */
async function entry(id: string, leg: Wire, side: 'sell' | 'buy', size: number) {
  const path = `/v1/orderbook/depth/${String(leg.venue)}/${encodeURIComponent(id)}`;
  const { body } = await api.get(path, { side, size_usd: size === 0 ? 1000 : size });
  const quote = inner(body, 'quote');
  if (quote.venue_symbol !== leg.venue_symbol) return undefined;
  const bid = Number(quote.best_bid);
  const ask = Number(quote.best_ask);
  const slip = Number(quote.est_slippage_for_size_usd_bps) / 1e4;
  const mid = (bid + ask) / 2;
  const touch = side === 'sell' ? bid : ask;
  const price = size === 0 ? touch : mid * (side === 'sell' ? 1 - slip : 1 + slip);
  return { fee: Number(quote.taker_fee_bps), slipBps: slip * 1e4, mid, price };
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
  const bps = (ratio: number | undefined): number | undefined =>
    factor === undefined || ratio === undefined ? undefined : (ratio * factor - 1) * 1e4;
  found.same(`${id} priced`, gap.priced_at, Number(item.max_notional_usd) > 0 ? 'size' : 'touch');
  found.number(`${id} gap`, gap.executable_bps, bps(sold.price / bought.price), NEAR_BPS);
  if (factor !== undefined)
    found.number(
      `${id} of prices`,
      Number(gap.short_price) / Number(gap.long_price),
      (sold.price / bought.price) * factor,
      1e-6,
    );
  const [ofShort, ofLong] = await Promise.all([pastOf(id, short.venue), pastOf(id, long.venue)]);
  const priceOf = ({ best_bid: bid, best_ask: ask }: Wire): number => (Number(bid) + Number(ask)) / 2;
  const other = new Map(ofLong.map((row) => [row.ts, priceOf(row)]));
  const from = Math.floor(WORLD_AT / HOUR) * HOUR - WEEK * HOUR;
  const ratios = ofShort.flatMap((row) => {
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

async function judgeRow(found: Findings, row: Row, body: Wire, isMine: boolean) {
  const { id, item, short, long } = row;
  const size = Number(item.max_notional_usd);
  const [sold, bought] = await Promise.all([entry(id, short, 'sell', size), entry(id, long, 'buy', size)]);
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
  const slip = size > 0 ? 2 * (sold.slipBps + bought.slipBps) : undefined;
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

describe('the costs of the funding signal, out of other answers', () => {
  it.each([false, true])('fees of the buyer %s: every row is as recomputed', async (isMine) => {
    const found = new Findings();
    const query = { min_diff: 0, limit: 100, include_below_1k: 'true', holding_days: 3 };
    const named = isMine ? { ...query, fees: FEES, maker: MAKER } : query;
    const { body } = await api.get('/v1/perp/arbitrage/funding-signal', named);
    let judged = 0;
    for (const row of rowsOf(body)) judged += await judgeRow(found, row, body, isMine);
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(judged).toBeGreaterThan(50);
  });

  it('fees of the buyer: all-in costs and ranks of every venue', async () => {
    const found = new Findings();
    const query = { ticker: 'BTC', size_usd: 10_000, rank_by: 'all_in' };
    const plain = items((await api.get('/v1/orderbook/multi-venue-slippage', query)).body, 'venues');
    const { body } = await api.get('/v1/orderbook/multi-venue-slippage', {
      ...query,
      fees: FEES,
      maker: MAKER,
    });
    const mine = feesOf(FEES);
    const list = items(body, 'venues');
    for (const row of list) {
      const before = plain.find(
        ({ venue, venue_symbol }) => venue === row.venue && venue_symbol === row.venue_symbol,
      );
      const fee = mine.get(String(row.venue)) ?? Number(before?.taker_fee_bps);
      const known = before?.taker_fee_bps === null && !mine.has(String(row.venue)) ? undefined : fee;
      found.number(`${row.venue} fee`, row.taker_fee_bps, known, BPS_PLACE);
      const slip = before?.slippage_bps;
      const all = typeof slip !== 'number' || known === undefined ? undefined : slip + known;
      found.number(`${row.venue} all in`, row.all_in_bps, all, 2 * BPS_PLACE);
      found.same(
        `${row.venue} maker`,
        row.maker_fee_bps ?? null,
        feesOf(MAKER).get(String(row.venue)) ?? null,
      );
    }
    const costs = list.map(({ all_in_bps: bps }) =>
      typeof bps === 'number' ? bps : Number.POSITIVE_INFINITY,
    );
    found.same(
      'order',
      costs,
      [...costs].sort((a, b) => (a === b ? 0 : a - b)),
    );
    const best = inner(
      (await api.get('/v1/orderbook/best-execution', { ...query, fees: FEES })).body,
      'best',
    );
    found.same('best', best.venue, list[0]?.venue);
    expect(found.list).toEqual([]);
  });
});
