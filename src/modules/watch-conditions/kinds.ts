import { isWire } from '../../domain/read.ts';
import type { QuoteField } from '../../market/contract.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { EventKind } from '../calendar/event.ts';
import type { AskedText, ConditionKind } from './condition-kind.ts';
import {
  basisReading,
  firstOf,
  type KindTerms,
  NO_SIGN,
  netReading,
  ofVenue,
  percentileOf,
  rateRow,
  reading,
  restatedRate,
  spreadReading,
} from './kind-readings.ts';
import { volumeChange } from './volume-change.ts';

const SWEEP_MS = 10 * SECOND_MS;
/** Answers over all venues of an asset cost the most: with the turn, this stays within two seconds of a change. */
const ASSET = { mode: 'level', about: 'asset', everyMs: 1500, restMs: SWEEP_MS } as const;
const STORED = { mode: 'level', about: 'contract', everyMs: MINUTE_MS, restMs: MINUTE_MS } as const;
const RATE: readonly QuoteField[] = ['fundingRate', 'fundingIntervalHours'];
const VOLUME: readonly QuoteField[] = ['volume24hUsd', 'volume24hBase', 'volume24hRaw'];

const currentRate = ({ ticker, venues }: KindTerms): AskedText => ({
  query: { symbol: ticker, venue: venues[0] ?? '', fresh: 'true', include_uncomparable: 'true', limit: '1' },
});
/** Kinds that read the row of one contract, as the rates of now have it. */
const ofRate = {
  product: 'funding-current',
  about: 'contract',
  asks: currentRate,
  moves: RATE,
  everyMs: 200,
  restMs: SWEEP_MS,
  standsMs: MINUTE_MS,
  restated: restatedRate,
} as const;
const among = (venues: readonly string[]) => (venues.length > 0 ? { venues: venues.join() } : {});
const ofVenues = ({ ticker, venues }: KindTerms) => ({ query: { ticker, ...among(venues) } });
const ofContract = ({ ticker, venues }: KindTerms) => ({ ticker, venue: venues[0] ?? '' });

const quoteOf = (body: unknown) => (isWire(body) ? body.quote : undefined);
const LEVEL = ['above', 'below', 'reset', 'for_minutes'] as const;

/** An event of the calendar: a contract that is listed, delisted, halted or renamed, as seen or announced. */
const eventKind = (event: EventKind): ConditionKind => ({
  product: 'perp-calendar',
  field: `events of kind ${event}`,
  unit: 'an event',
  mode: 'event',
  about: 'calendar',
  takes: [],
  asks: () => ({ query: {} }),
  read: () => ({ value: null, values: {} }),
  moves: [],
  everyMs: SECOND_MS,
  restMs: SECOND_MS,
});

/** Every kind of condition: each reads a field of the product that it names; a change over hours is the one figure of its own. */
export const KINDS = {
  funding: {
    ...ofRate,
    field: 'rate_8h',
    unit: 'fraction per eight hours',
    mode: 'level',
    takes: LEVEL,
    read: (body) => rateRow(body, 'rate_8h'),
  },
  funding_apr: {
    ...ofRate,
    field: 'annualized_pct',
    unit: 'percent a year',
    mode: 'level',
    takes: LEVEL,
    read: (body) => rateRow(body, 'annualized_pct'),
  },
  flip: {
    ...ofRate,
    field: 'sign of rate',
    unit: 'positive or negative',
    mode: 'change',
    takes: [],
    read: (body) => {
      const { value, values } = rateRow(body, 'rate');
      return { value: typeof value === 'number' ? signOf(value) : null, values };
    },
  },
  interval: {
    ...ofRate,
    field: 'funding_interval_hours',
    unit: 'hours',
    mode: 'change',
    takes: [],
    read: (body) => rateRow(body, 'funding_interval_hours'),
  },
  spread: {
    product: 'perp-funding-spread',
    field: 'normalized.spread_8h_bps',
    unit: 'bps per eight hours',
    takes: LEVEL,
    asks: ofVenues,
    read: spreadReading,
    moves: RATE,
    standsMs: MINUTE_MS,
    ...ASSET,
  },
  net_apr: {
    product: 'perp-arbitrage-funding-signal',
    field: 'net_apr_pct',
    unit: 'percent a year, net of fees and slippage',
    takes: [...LEVEL, 'fees', 'size_usd'],
    asks: ({ ticker, venues, fees, sizeUsd }) => ({
      query: {
        symbol: ticker,
        ...among(venues),
        ...(fees !== undefined && { fees }),
        notional_usd: String(sizeUsd),
        min_diff: '0',
        include_below_1k: 'true',
        limit: '1',
      },
    }),
    read: netReading,
    moves: RATE,
    ofNow: true,
    ...ASSET,
  },
  price_gap: {
    product: 'perp-arbitrage-price',
    field: 'spread_bps',
    unit: 'bps of the mean price',
    takes: LEVEL,
    asks: ({ ticker, venues }) => ({
      query: { symbol: ticker, ...among(venues), min_diff_bps: '0', limit: '1' },
    }),
    read: (body) => {
      const beside = ['max_venue', 'min_venue', 'max_price', 'min_price'];
      return reading(firstOf(body, 'opportunities'), 'spread_bps', ...beside);
    },
    moves: ['markPrice'],
    ...ASSET,
  },
  basis: {
    product: 'perp-basis',
    field: 'basis_bps',
    unit: 'bps of the index price',
    ...ASSET,
    about: 'contract',
    takes: LEVEL,
    asks: ({ ticker }) => ({ query: { ticker } }),
    read: basisReading,
    moves: ['markPrice', 'indexPrice'],
  },
  percentile: {
    product: 'perp-funding-stats',
    field: 'percentile',
    unit: 'percentile of the hours of the window',
    takes: [...LEVEL, 'days'],
    asks: (terms) => ({ query: ofContract(terms) }),
    read: percentileOf,
    moves: RATE,
    ...STORED,
  },
  oi_change: {
    product: 'perp-oi-delta',
    field: 'delta_pct',
    unit: 'percent',
    takes: [...LEVEL, 'hours'],
    asks: (terms) => ({ query: { ...ofContract(terms), lookback_hours: String(terms.hours) } }),
    read: (body) => reading(body, 'delta_pct', 'current_oi', 'past_oi', 'current_ts', 'past_ts'),
    moves: ['openInterestRaw', 'openInterestBase'],
    ...STORED,
  },
  volume_change: {
    product: 'perp-volume-history',
    field: 'value_change_pct',
    unit: 'percent',
    takes: [...LEVEL, 'hours'],
    asks: (terms) => ({ query: ofContract(terms) }),
    read: volumeChange,
    moves: VOLUME,
    ...STORED,
  },
  volume_ratio: {
    product: 'perp-volume-anomalies',
    field: 'ratio',
    unit: 'volume over its median of seven days',
    takes: LEVEL,
    asks: (terms) => ({ query: { ...ofContract(terms), min_z: '0', limit: '1' } }),
    read: (body) =>
      reading(firstOf(body, 'anomalies'), 'ratio', 'volume_24h_usd', 'baseline_median_usd', 'z_score'),
    moves: VOLUME,
    ...STORED,
  },
  slippage: {
    product: 'orderbook-depth',
    field: 'quote.est_slippage_for_size_usd_bps',
    unit: 'bps of the mid',
    mode: 'level',
    about: 'contract',
    takes: [...LEVEL, 'size_usd'],
    asks: ({ ticker, venues, sizeUsd }) => ({
      path: { venue: venues[0] ?? '', symbol: ticker },
      query: { notional_usd: String(sizeUsd) },
    }),
    read: (body) =>
      reading(quoteOf(body), 'est_slippage_for_size_usd_bps', 'spread_bps', 'max_fillable_usd', 'updated_at'),
    moves: ['bestBid', 'bestAsk', 'markPrice'],
    everyMs: SECOND_MS,
    restMs: 2 * SECOND_MS,
  },
  venue_not_live: {
    product: 'venues-health',
    field: 'status',
    unit: 'live, stale or down',
    mode: 'state',
    about: 'venue',
    takes: ['for_minutes'],
    asks: () => ({ query: {} }),
    read: (body, terms) => {
      const { value, values } = reading(ofVenue(body, terms), 'status', 'last_update_at', 'last_error');
      // A service that has just started has not heard of any venue.
      return { value: values.last_update_at === null ? null : value, values };
    },
    moves: [],
    everyMs: SECOND_MS,
    restMs: SECOND_MS,
  },
  listed: eventKind('listed'),
  delisted: eventKind('delisted'),
  halted: eventKind('halted'),
  renamed: eventKind('renamed'),
} satisfies Readonly<Record<string, ConditionKind>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

const signOf = (rate: number): string => (rate === 0 ? NO_SIGN : rate > 0 ? 'positive' : 'negative');

/** The kind of a name, as all of them are read. */
export const kindOf = (name: KindName): ConditionKind => KINDS[name];
