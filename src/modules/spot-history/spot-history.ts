import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { sinceListing } from '../../history/since-listing.ts';
import { nullReasons, withReasons } from '../../products/answer/null-reason.ts';
import type { ProductAnswer } from '../../products/answer/product-answer.ts';
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
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { bucketSymbol, type HistoryWindow, passedEnd, statedEnd } from '../../products/history/buckets.ts';
import { fromStore, readerOf } from '../../products/history/stored.ts';
import { date, days, readWindow } from '../../products/history/window.ts';
import { canonicalIdParameter, tickerParameter, venueParameter } from '../../products/rows/asked.ts';
import { selectAsset, selectVenue } from '../../products/rows/select.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { SPOT_SIDE } from '../spot-market/port.ts';
import example from './examples/spot-history.json' with { type: 'json' };
import {
  alignedPrices,
  arePrices,
  gapBps,
  PERP_PARTS,
  type PerpHour,
  perpHour,
} from './prices/aligned-prices.ts';
import { hourGaps, type UsualGap, usualGaps } from './prices/usual-gap.ts';
import { pastMarket, SPOT_QUOTES, spotPast } from './select-past.ts';
import type { SpotHour } from './store/spot-hour.ts';
import type { MarketPast } from './store/spot-past.ts';

const CAP_DAYS = 30;
const DEFAULT_DAYS = 1;
/** The usual gap is of so many days before the end of the window. */
const USUAL_DAYS = 30;

const query = Type.Object({
  ticker: tickerParameter,
  venue: { ...venueParameter, description: 'Venue of the spot market' },
  canonical_id: canonicalIdParameter,
  perp_venue: Type.Optional({
    ...venueParameter,
    description: 'Venue of the perpetual; default venue',
    examples: ['okx'],
  }),
  quote: Type.Optional(
    oneOf(SPOT_QUOTES, { description: 'Quote currency; default of the market with the most hours' }),
  ),
  from: Type.Optional(date(`Window start, floored to the hour; default ${DEFAULT_DAYS} day ago`)),
  to: Type.Optional(date('Window end, floored to the hour and not included; default now')),
});

const row = Type.Object({
  hour_start: timestamp('Start of the hour'),
  origin: oneOf(['observed', 'candle'], {
    description:
      'observed: seen by this service each minute; candle: trades, as the venue published them afterwards',
  }),
  price: number('Last price of the hour: the middle that was seen last, or the close of the candle'),
  mean_price: nullable(number('Mean of the samples; null of a candle')),
  open_price: nullable(number('First trade of a candle; null of an hour that was seen')),
  samples: integer('Samples, one a minute; 0 of a candle'),
  spread_bps: nullable(number('Ask less bid at the last sample, basis points of the middle')),
  bid_usd: nullable(number('Size of the best bid then, US dollars')),
  ask_usd: nullable(number('Size of the best ask then, US dollars')),
  borrow_hourly: nullable(
    number('Cost of borrowing the coin at the venue, fraction an hour, as first stated in this hour'),
  ),
  perp_price: nullable(number('The perpetual at the moment that gap_of names')),
  gap_bps: nullable(number('Perpetual above spot at one moment, basis points of spot')),
  gap_of: nullable(
    oneOf(['end', 'mean', 'start'], {
      description:
        'end: middles at the end of the hour; mean: means of samples; start: opens of the candles of both',
    }),
  ),
  ...nullReasons,
});

const usual = Type.Object({
  days: integer('Days before window_end', 1),
  hours: integer('Hours of them with a gap'),
  hours_apart: integer('Hours more that have none since they stand apart'),
  mean_bps: nullable(number('Mean gap, basis points; null where less than half of the hours are known')),
  lowest_bps: nullable(number('Lowest')),
  highest_bps: nullable(number('Highest')),
});

const answer = Type.Object({
  ticker: tickerName,
  canonical_id: canonicalIdName,
  venue: venueName,
  venue_symbol: text("The venue's symbol of the spot pair"),
  quote: text('Currency of the spot prices'),
  relation: oneOf(['same', 'wrapped'], {
    description: 'wrapped: a bridged claim on the coin, and not that coin',
  }),
  perp_venue: venueName,
  perp_symbol: nullable(bucketSymbol),
  window_start: timestamp('Start of the window'),
  window_end: timestamp('End of the window, not included; now where it goes on'),
  hours_known: integer('Hours with a row'),
  hours_missing: integer(
    'Hours of the window, as far as it has passed, of which nothing is known: they have no row',
  ),
  hours_apart: integer(
    'Hours with a row whose price was more than 3 % from the index of the perpetual then: they have no gap',
  ),
  usual_gap: Type.Array(usual, { description: 'gap_bps over 1, 7 and 30 days before window_end' }),
  hours: Type.Array(row),
  note: text('How the figures are made, and what they leave out'),
});

const NOTE =
  'Left out are hours in which the market did not stand at the price of its perpetuals, or was not read: nothing is filled in. A candle has trades, no bid and no ask. gap_bps compares prices of one moment only, and none where the spot price is more than 3 % from the index of the perpetual. Borrow rates are those of the lowest tier. No forecast.';

interface Found {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly venue: string;
  readonly perpVenue: string;
  readonly quote: string | undefined;
  readonly window: HistoryWindow;
}

export const spotHistory = defineProduct({
  id: 'spot-history',
  path: '/v1/spot/history',
  access: 'paid',
  summary: 'Spot market in the past',
  description:
    'A spot market hour by hour, up to 30 days: price, spread, sizes at the touch, borrow rate, the perpetual beside it and the gap between both, with its usual range. Gaps stay gaps.',
  tags: ['spot', 'basis', 'history'],
  dependsOn: 'history',
  revisedAt: '2026-11-30T01:00:00.000Z',
  query,
  answer,
  example: {
    request: '/v1/spot/history?ticker=BTC&venue=binance&from=2026-11-20T12:00:00Z&to=2026-11-20T15:00:00Z',
    answer: example,
  },
  find: (asked, { market, clock, readPort }) => {
    const asset = selectAsset(market, asked);
    if (!asset.ok) return asset;
    const venue = selectVenue(market, asked.venue);
    if (!venue.ok) return venue;
    const perp = selectVenue(market, asked.perp_venue ?? asked.venue);
    if (!perp.ok) return perp;
    const past = spotPast(readPort);
    if (!past.ok) return past;
    const rule = { capMs: days(CAP_DAYS), defaultMs: days(DEFAULT_DAYS) };
    const window = readWindow({ aggregation: '1h', from: asked.from, to: asked.to }, rule, clock.now());
    if (!window.ok) return window;
    const { ticker, canonicalId } = asset.value;
    const venues = { venue: venue.value.info.id, perpVenue: perp.value.info.id };
    return ok({ ticker, canonicalId, ...venues, quote: asked.quote, window: window.value } satisfies Found);
  },
  compute: readHistory,
});

async function readHistory(
  found: Found,
  ports: Ports,
): Promise<Result<ProductAnswer<Static<typeof answer>>>> {
  const { canonicalId, venue, quote, window } = found;
  const past = spotPast(ports.readPort);
  if (!past.ok) return past;
  const span = { from: asMs(Math.min(window.from, window.to - USUAL_DAYS * DAY_MS)), to: window.to };
  const scope = { venue, canonicalId, quote };
  const own = pastMarket(past.value, { ...scope, from: window.from, to: window.to });
  if (!own.ok) return own;
  const whole = past.value.pastOf(venue, canonicalId, span.from, span.to);
  const hours = whole.find(({ symbol }) => symbol === own.value.symbol)?.hours ?? own.value.hours;
  const perp = await perpHours(found, span, ports);
  if (!perp.ok) return perp;
  const borrow =
    ports.readPort(SPOT_SIDE)?.borrow.hoursOf(venue, own.value.ticker, window.from, window.to) ?? new Map();
  return ok(historyAnswer(found, { ...own.value, hours }, perp.value, borrow));
}

interface PerpPast {
  readonly symbol: string | undefined;
  readonly hours: ReadonlyMap<number, PerpHour>;
}

/** The hours of the contract that the venue's row of the asset shows; none where it has no row. */
async function perpHours(
  { canonicalId, perpVenue }: Found,
  span: { readonly from: UnixMs; readonly to: UnixMs },
  ports: Ports,
): Promise<Result<PerpPast>> {
  const shown = ports.market.row(perpVenue, canonicalId);
  if (shown === undefined) return ok({ symbol: undefined, hours: new Map() });
  const scope = { ...span, canonicalId, venues: [perpVenue] };
  const read = fromStore(await readerOf(ports).buckets(scope, PERP_PARTS, HOUR_MS));
  if (!read.ok) return read;
  const own = sinceListing(read.value, shown);
  return ok({ symbol: shown.symbol, hours: new Map(own.map((bucket) => [bucket.start, perpHour(bucket)])) });
}

/** The hours of a window, and the usual gap before its end. @param market with the hours of the thirty days before, too */
export function historyAnswer(
  { ticker, canonicalId, venue, perpVenue, window }: Found,
  market: MarketPast,
  perp: PerpPast,
  borrow: ReadonlyMap<number, number>,
): ProductAnswer<Static<typeof answer>> {
  const end = passedEnd(window);
  const gaps = hourGaps(market.hours, perp.hours);
  const rows = [...market.hours.values()]
    .filter(({ start }) => start >= window.from && start < window.to)
    .sort((a, b) => a.start - b.start);
  const body: Static<typeof answer> = {
    ticker,
    canonical_id: canonicalId,
    venue,
    venue_symbol: market.symbol,
    quote: market.quote,
    relation: market.relation ?? 'same',
    perp_venue: perpVenue,
    perp_symbol: perp.symbol ?? null,
    window_start: iso(window.from),
    window_end: statedEnd(window),
    hours_known: rows.length,
    hours_missing: Math.max(0, Math.ceil((end - window.from) / HOUR_MS) - rows.length),
    hours_apart: gaps.apart.filter((start) => start >= window.from && start < window.to).length,
    usual_gap: usualGaps(gaps, end).map(usualRow),
    hours: rows.map((hour) => hourRow(hour, perp.hours.get(hour.start), borrow.get(hour.start))),
    note: NOTE,
  };
  const last = rows.at(-1);
  const lastAt =
    last === undefined ? window.from : last.origin === 'observed' ? last.lastAt : last.start + HOUR_MS;
  const sources = { used: [...new Set([venue, perpVenue])], missing: [] };
  return { body, asOf: asMs(Math.min(lastAt, end)), sources };
}

const usualRow = ({ days: count, hours, apart, mean, lowest, highest }: UsualGap): Static<typeof usual> => ({
  days: count,
  hours,
  hours_apart: apart,
  mean_bps: mean ?? null,
  lowest_bps: lowest ?? null,
  highest_bps: highest ?? null,
});

function hourRow(hour: SpotHour, perp: PerpHour | undefined, borrow: number | undefined): Static<typeof row> {
  const seen = hour.origin === 'observed' ? hour : undefined;
  const found = alignedPrices(hour, perp);
  const prices = arePrices(found) ? found : undefined;
  const made: Static<typeof row> = {
    hour_start: iso(hour.start),
    origin: hour.origin,
    price: hour.last,
    mean_price: seen?.mean ?? null,
    open_price: hour.origin === 'candle' ? hour.open : null,
    samples: seen?.samples ?? 0,
    spread_bps: seen?.spreadBps ?? null,
    bid_usd: seen?.bidUsd ?? null,
    ask_usd: seen?.askUsd ?? null,
    borrow_hourly: borrow ?? null,
    perp_price: prices?.perp ?? null,
    gap_bps: prices === undefined ? null : gapBps(prices),
    gap_of: prices?.moment ?? null,
  };
  const none = 'not_stored_then';
  const noGap = arePrices(found) ? none : found;
  return withReasons(made, {
    mean_price: 'not_published',
    open_price: 'not_published',
    spread_bps: 'not_published',
    bid_usd: 'not_published',
    ask_usd: 'not_published',
    borrow_hourly: none,
    perp_price: noGap,
    gap_bps: noGap,
    gap_of: noGap,
  });
}
