import type { Decoded } from '../../../domain/decoded.ts';
import type { FundingPoint, HistoryPoint, QuotePatch } from '../../../domain/quote.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import { rollingVolume } from '../../../history/rolling-volume.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { ComparedField } from './field-rules.ts';
import type { Readings } from './shown-readings.ts';

/** Facts about a contract besides the answer. */
export interface ContractNow {
  readonly symbol: string;
  /** The mark that is shown: turns amounts of quote currency into base units. */
  readonly markPrice: number | undefined;
  /** The interval and the next settlement that are shown. */
  readonly intervalHours: number | undefined;
  readonly nextFundingTime: UnixMs | undefined;
}

/** Payments are stamped up to some minutes late. */
const LATE_PAYMENT_MS = 10 * MINUTE_MS;

type Put = (field: ComparedField, value: number | undefined, at: UnixMs) => void;

/** A second way's values of one contract: the newest value of each field. */
export function secondReadings(decoded: Decoded, contract: ContractNow, receivedAt: UnixMs): Readings {
  const readings: Readings = {};
  const put: Put = (field, value, at) => {
    const held = readings[field];
    if (value !== undefined && (held === undefined || held.at < at)) readings[field] = { value, at };
  };
  const { symbol } = contract;
  for (const patch of decoded.quotes) if (patch.symbol === symbol) putQuote(patch, contract, receivedAt, put);
  const points = decoded.history.filter((point) => point.symbol === symbol);
  for (const point of rollingVolume(points, receivedAt)) {
    if (point.time <= receivedAt) putPoint(point, contract, put);
  }
  const payments = decoded.funding.filter((point) => point.symbol === symbol && point.time <= receivedAt);
  for (const { rate, time, observed, intervalHours } of payments) {
    if (observed !== true) continue;
    put('funding_rate', rate, time);
    put('funding_interval_hours', intervalHours, time);
  }
  const paid = payments.filter(({ observed }) => observed !== true);
  const interval = intervalOf(paid, contract, receivedAt);
  if (interval !== undefined) put('funding_interval_hours', interval, receivedAt);
  return readings;
}

function baseOf(base: number | undefined, usd: number | undefined, mark: number | undefined) {
  return base ?? (usd === undefined || mark === undefined ? undefined : usd / mark);
}

function putQuote(patch: QuotePatch, { markPrice }: ContractNow, receivedAt: UnixMs, put: Put): void {
  const at = asMs(Math.min(patch.venueTime ?? receivedAt, receivedAt));
  const mark = patch.markPrice ?? markPrice;
  put('funding_rate', patch.fundingRate, at);
  put('funding_interval_hours', patch.fundingIntervalHours, at);
  put('next_funding_time', patch.nextFundingTime, at);
  put('mark_price', patch.markPrice, at);
  put('index_price', patch.indexPrice, at);
  put('open_interest', baseOf(patch.openInterestBase, patch.openInterestUsd, mark), at);
  put('volume_24h', baseOf(patch.volume24hBase, patch.volume24hUsd, mark), at);
}

function putPoint(point: HistoryPoint, { markPrice }: ContractNow, put: Put): void {
  const { time } = point;
  const mark = point.markPrice ?? markPrice;
  put('mark_price', point.markPrice, time);
  put('index_price', point.indexPrice, time);
  put('open_interest', baseOf(point.openInterestBase, point.openInterestUsd, mark), time);
  put('volume_24h', baseOf(undefined, point.volumeUsd, mark), time);
}

/**
 * The interval that payments show. The shown interval is taken as confirmed where the next settlement follows
 * the last payment by it: a venue that has just changed the interval has not paid by the new one yet.
 */
function intervalOf(
  payments: readonly FundingPoint[],
  { intervalHours, nextFundingTime }: ContractNow,
  now: UnixMs,
): number | undefined {
  const times = [...new Set(payments.map(({ time }) => Math.round(time / MINUTE_MS) * MINUTE_MS))];
  const [last, before] = times.sort((a, b) => b - a);
  if (last === undefined || before === undefined) return undefined;
  const paid = (last - before) / HOUR_MS;
  // A payment is overdue: nothing follows from what is missing.
  if (now - last > paid * HOUR_MS + LATE_PAYMENT_MS) return undefined;
  const isAnnounced =
    intervalHours !== undefined &&
    nextFundingTime !== undefined &&
    Math.abs(nextFundingTime - last - intervalHours * HOUR_MS) <= LATE_PAYMENT_MS;
  return isAnnounced ? intervalHours : roundedHours(paid);
}

/** Stamps come seconds late: intervals are whole hours, or parts of one. */
const roundedHours = (hours: number): number => (hours >= 1 ? Math.round(hours) : hours);
