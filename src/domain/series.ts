import type { Bps, Price, RatePerInterval, UnixMs, Usd } from './units.ts';
import type { VenueId } from './venue.ts';

/** Names of measures with stored history. */
export const MEASURES = ['rate', 'mark', 'index', 'interest', 'interestUsd', 'volumeUsd'] as const;

/**
 * `rate` fraction per interval; `mark`, `index` quote currency per base unit; `interest` base units; `interestUsd`,
 * `volumeUsd` (rolling 24 h) US dollars.
 */
export type Measure = (typeof MEASURES)[number];

/** Mean over the samples that know a value; an hour that the venue reported afterwards weighs as much as one of sixty samples. */
export interface Mean {
  readonly samples: number;
  readonly mean: number;
  /** Minutes that these samples stand for, where it was asked for: an hour that the venue reported counts as whole. */
  readonly minutes?: number;
}

/** The order book at the last sample of a bucket that knew it. Absent = unknown, or not fillable. */
export interface BookSample {
  readonly bestBid: Price;
  readonly bestAsk: Price;
  readonly bidDepthUsd: Usd | undefined;
  readonly askDepthUsd: Usd | undefined;
  readonly slippage1kBps: Bps | undefined;
  readonly slippage5kBps: Bps | undefined;
  readonly slippage10kBps: Bps | undefined;
}

/** The contract that a series is about, and since when it was listed: series of two listings are never joined. */
export interface Listing {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  /** The canonical id under which it is stored, where the asset has another one now. */
  readonly formerId?: string | undefined;
}

/** Open interest of an asset on a venue, US dollars, as it was stated at a time. */
export interface StatedInterest {
  readonly canonicalId: string;
  readonly venue: VenueId;
  readonly at: UnixMs;
  readonly usd: number;
}

/** A contract in one text. */
export const contractKey = (venue: VenueId, symbol: string): string => `${venue} ${symbol}`;

/**
 * Statistics of one contract in a span of whole hours. An hour with a sample of our own rests on those alone.
 */
export interface SeriesBucket extends Listing {
  readonly start: UnixMs;
  /** Time of the last sample. */
  readonly lastAt: UnixMs;
  /** Samples of our own, one a minute at most. */
  readonly sampled: number;
  /** Values that the venue reported afterwards, in the hours without a sample. */
  readonly backfilled: number;
  /** Hours that rest on such values. */
  readonly backfilledHours: number;
  readonly means: Readonly<Partial<Record<Measure, Mean>>>;
  readonly book: BookSample | undefined;
  /** Last known rate, and its interval in hours. */
  readonly lastRate: RatePerInterval | undefined;
  readonly lastIntervalHours: number | undefined;
  /** Interval that the rates came with, where it is the same for all; only where rates are asked for so. */
  readonly intervalHours?: number | undefined;
  /** The rates came with several intervals. */
  readonly intervalChanged?: boolean | undefined;
}

/** The funding payments of one contract in a bucket. */
export interface SettledBucket extends Listing {
  readonly start: UnixMs;
  readonly lastAt: UnixMs;
  readonly payments: number;
  readonly meanRate: RatePerInterval;
  /** Sum of their rates: a position held through the bucket was paid this fraction of its notional. */
  readonly rateSum: number;
  /** Mean of the marks stated with the payments. */
  readonly meanMark: number | undefined;
  /** Payments that were asked for afterwards. */
  readonly backfilled: number;
  /** Hours that each is for, as `FundingPayment` has them, to the minute; undefined where they differ or are not known. */
  readonly intervalHours?: number | undefined;
  /** They are for different numbers of hours. */
  readonly intervalChanged?: boolean | undefined;
}

/** Funding payments of one contract, added up over spans that end with its last one. */
export interface SettledSpans {
  readonly canonicalId: string;
  /** The canonical id under which it is stored, where the asset has another one now. */
  readonly formerId?: string | undefined;
  readonly venue: VenueId;
  readonly symbol: string;
  readonly lastAt: UnixMs;
  readonly spans: readonly SettledSpan[];
}

export interface SettledSpan {
  readonly days: number;
  readonly payments: number;
  /** Sum of the rates of which the hours are known, fractions per interval. */
  readonly rateSum: number;
  /** Hours that these are for, each as `FundingPayment` has it. */
  readonly hours: number;
  /** Payments of which nothing tells the hours. */
  readonly unknown: number;
}

/** One funding payment of a contract. */
export interface FundingPayment extends Listing {
  readonly canonicalId: string;
  readonly at: UnixMs;
  readonly rate: RatePerInterval;
  /** Hours that it pays for: the stated interval, never more than the time since the payment before. */
  readonly hours: number | undefined;
}

/** A rate as the service sampled it at a full minute. */
export interface RateAt extends Listing {
  readonly at: UnixMs;
  readonly rate: RatePerInterval;
  readonly intervalHours: number | undefined;
}

/** Mean settled funding of a contract in a bucket. */
export interface SettledMean extends Listing {
  readonly canonicalId: string;
  readonly start: UnixMs;
  /** Fraction per eight hours, weighted by the hours that the payments are for. */
  readonly rate8h: number;
  readonly hours: number;
  /** Time of the last of them. */
  readonly lastAt: UnixMs;
}

/** A taker fee that a contract had from a time on. */
export interface TakerFee {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly since: UnixMs;
  readonly takerBps: Bps;
}

/** A single past value. */
export interface HistoricalValue extends Listing {
  readonly at: UnixMs;
  readonly value: number;
  readonly valueUsd: number | undefined;
  readonly origin: 'sampled' | 'backfilled';
  /** Time to the nearest value of the same origin, ms; undefined where there is no other. */
  readonly spacingMs: number | undefined;
}

/** The usual level of a contract: median and median absolute deviation of hourly means. */
export interface Baseline extends Listing {
  readonly canonicalId: string;
  readonly hours: number;
  readonly median: number;
  readonly mad: number;
}

/** First and last moment of which something is known. */
export interface KnownRange {
  readonly from: UnixMs;
  readonly to: UnixMs;
}
