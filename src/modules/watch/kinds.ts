import { isWire } from '../../domain/read.ts';
import type { QuoteField } from '../../market/contract.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { EventKind } from '../calendar/event.ts';
import {
  basisReading,
  firstOf,
  type KindTerms,
  ofVenue,
  percentileOf,
  type Reading,
  rateRow,
  reading,
  spreadReading,
} from './kind-readings.ts';

/** Parameters of a condition beside its kind. */
export type ConditionParameter =
  | 'ticker'
  | 'venue'
  | 'above'
  | 'below'
  | 'reset'
  | 'hours'
  | 'days'
  | 'size_usd'
  | 'fees'
  | 'for_minutes';

/** The text of a question to a product: its path's and its query's parameters. */
export interface AskedText {
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * A kind of condition over one field of one product's answer. `level`: the field is above or below a value. `change`: it is
 * another one than before. `state`: it is not the word that is good. `event`: the calendar has a new event.
 */
export interface ConditionKind {
  /** The product whose answer it reads, by id. */
  readonly product: string;
  /** Name of the judged field in the answer. */
  readonly field: string;
  readonly unit: string;
  readonly mode: 'level' | 'change' | 'state' | 'event';
  /** Venues that it names: of one contract, of a pair, of any number, or of none but one venue. */
  readonly about: 'contract' | 'asset' | 'venue' | 'calendar';
  /** Further parameters that it takes. */
  readonly takes: readonly ConditionParameter[];
  readonly asks: (terms: KindTerms) => AskedText;
  readonly read: (body: unknown, terms: KindTerms) => Reading;
  /** Values of a contract whose change may change the answer; none where it rests on more than rows. */
  readonly moves: readonly QuoteField[];
  /** Least time between two looks, ms. */
  readonly everyMs: number;
  /** A look is made after so long without a change, ms: data grows old without one. */
  readonly restMs: number;
  /** True where the answer is wanted of the present alone, without what is stored. */
  readonly ofNow?: boolean;
}

const SWEEP_MS = 10 * SECOND_MS;
const ROW = { everyMs: 200, restMs: SWEEP_MS };
/** Answers over all venues of an asset cost the most: with the turn, this stays within two seconds of a change. */
const ASSET = { everyMs: 1500, restMs: SWEEP_MS };
const STORED = { everyMs: MINUTE_MS, restMs: MINUTE_MS };
const RATE: readonly QuoteField[] = ['fundingRate', 'fundingIntervalHours'];

const currentRate = ({ ticker, venues }: KindTerms): AskedText => ({
  query: {
    symbol: ticker,
    venue: venues[0] ?? '',
    fresh: 'true',
    include_uncomparable: 'true',
    limit: '1',
  },
});
const ofVenues = ({ ticker, venues }: KindTerms): AskedText => ({
  query: { ticker, ...(venues.length > 0 && { venues: venues.join() }) },
});
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

/** Every kind of condition: each reads the field of the product that it names, and computes nothing of its own. */
export const KINDS = {
  funding: {
    product: 'funding-current',
    field: 'rate_8h',
    unit: 'fraction per eight hours',
    mode: 'level',
    about: 'contract',
    takes: LEVEL,
    asks: currentRate,
    read: (body) => rateRow(body, 'rate_8h'),
    moves: RATE,
    ...ROW,
  },
  funding_apr: {
    product: 'funding-current',
    field: 'annualized_pct',
    unit: 'percent a year',
    mode: 'level',
    about: 'contract',
    takes: LEVEL,
    asks: currentRate,
    read: (body) => rateRow(body, 'annualized_pct'),
    moves: RATE,
    ...ROW,
  },
  flip: {
    product: 'funding-current',
    field: 'sign of rate',
    unit: 'positive or negative',
    mode: 'change',
    about: 'contract',
    takes: [],
    asks: currentRate,
    read: (body) => {
      const { value, values } = rateRow(body, 'rate');
      // A rate of zero has no sign: the one before it stays.
      return { value: typeof value !== 'number' || value === 0 ? null : signOf(value), values };
    },
    moves: RATE,
    ...ROW,
  },
  interval: {
    product: 'funding-current',
    field: 'funding_interval_hours',
    unit: 'hours',
    mode: 'change',
    about: 'contract',
    takes: [],
    asks: currentRate,
    read: (body) => rateRow(body, 'funding_interval_hours'),
    moves: RATE,
    ...ROW,
  },
  spread: {
    product: 'perp-funding-spread',
    field: 'normalized.spread_8h_bps',
    unit: 'bps per eight hours',
    mode: 'level',
    about: 'asset',
    takes: LEVEL,
    asks: ofVenues,
    read: spreadReading,
    moves: RATE,
    ...ASSET,
  },
  net_apr: {
    product: 'perp-arbitrage-funding-signal',
    field: 'net_apr_pct',
    unit: 'percent a year, net of fees and slippage',
    mode: 'level',
    about: 'asset',
    takes: [...LEVEL, 'fees', 'size_usd'],
    asks: ({ ticker, venues, fees, sizeUsd }) => ({
      query: {
        symbol: ticker,
        ...(venues.length > 0 && { venues: venues.join() }),
        ...(fees !== undefined && { fees }),
        notional_usd: String(sizeUsd),
        min_diff: '0',
        include_below_1k: 'true',
        limit: '1',
      },
    }),
    read: (body) =>
      reading(
        firstOf(body, 'opportunities'),
        'net_apr_pct',
        'short_venue',
        'long_venue',
        'normalized_spread_8h_bps',
        'round_trip_fee_bps',
        'entry_slippage_bps',
      ),
    moves: RATE,
    ofNow: true,
    ...ASSET,
  },
  price_gap: {
    product: 'perp-arbitrage-price',
    field: 'spread_bps',
    unit: 'bps of the mean price',
    mode: 'level',
    about: 'asset',
    takes: LEVEL,
    asks: ({ ticker, venues }) => ({
      query: {
        symbol: ticker,
        ...(venues.length > 0 && { venues: venues.join() }),
        min_diff_bps: '0',
        limit: '1',
      },
    }),
    read: (body) =>
      reading(
        firstOf(body, 'opportunities'),
        'spread_bps',
        'max_venue',
        'min_venue',
        'max_price',
        'min_price',
      ),
    moves: ['markPrice'],
    ...ASSET,
  },
  basis: {
    product: 'perp-basis',
    field: 'basis_bps',
    unit: 'bps of the index price',
    mode: 'level',
    about: 'contract',
    takes: LEVEL,
    asks: ({ ticker }) => ({ query: { ticker } }),
    read: basisReading,
    moves: ['markPrice', 'indexPrice'],
    ...ASSET,
  },
  percentile: {
    product: 'perp-funding-stats',
    field: 'percentile',
    unit: 'percentile of the hours of the window',
    mode: 'level',
    about: 'contract',
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
    mode: 'level',
    about: 'contract',
    takes: [...LEVEL, 'hours'],
    asks: (terms) => ({ query: { ...ofContract(terms), lookback_hours: String(terms.hours) } }),
    read: (body) => reading(body, 'delta_pct', 'current_oi', 'past_oi', 'current_ts', 'past_ts'),
    moves: ['openInterestRaw', 'openInterestBase'],
    ...STORED,
  },
  volume_ratio: {
    product: 'perp-volume-anomalies',
    field: 'ratio',
    unit: 'volume over its median of seven days',
    mode: 'level',
    about: 'contract',
    takes: LEVEL,
    asks: (terms) => ({ query: { ...ofContract(terms), min_z: '0', limit: '1' } }),
    read: (body) =>
      reading(firstOf(body, 'anomalies'), 'ratio', 'volume_24h_usd', 'baseline_median_usd', 'z_score'),
    moves: ['volume24hUsd', 'volume24hBase', 'volume24hRaw'],
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

const signOf = (rate: number): string => (rate > 0 ? 'positive' : 'negative');

/** The kind of a name, as all of them are read. */
export const kindOf = (name: KindName): ConditionKind => KINDS[name];
