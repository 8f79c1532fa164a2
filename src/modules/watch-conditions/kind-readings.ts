import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketView } from '../../market/view.ts';
import { fundingTime } from '../../products/answer/product-answer.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import type { WatchedValues } from '../webhook/firing.ts';

/** A condition's parameters as a kind reads them; every text is that of a request. */
export interface KindTerms {
  readonly ticker: string;
  readonly venues: readonly string[];
  readonly hours: number;
  readonly days: number;
  readonly sizeUsd: number;
  readonly fees: string | undefined;
}

/** The part of a product's answer that a condition rests on. */
export interface Reading {
  /** The value that is judged; null where it is not known. */
  readonly value: number | string | null;
  /** Present where the value itself is not known, and that it is no greater than this is. */
  readonly atMost?: number;
  /** Present where the value is not known for another reason than that its field is null. */
  readonly reason?: string;
  /** Fields of the answer that a firing states. */
  readonly values: WatchedValues;
  /** Time of the oldest data of these fields, Unix ms; absent where it is that of the whole answer. */
  readonly rowsAt?: UnixMs;
}

export const scalar = (value: unknown): number | string | boolean | null =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;

/** The first item of a list in an answer; an empty object where there is none. */
export function firstOf(body: unknown, list: string) {
  const items = isWire(body) ? wireArray(body[list]) : undefined;
  const [first] = items ?? [];
  return isWire(first) ? first : {};
}

/** The item of a list that is of the venue which the condition names; an empty object where there is none. */
export function ofVenue(list: unknown, { venues }: KindTerms) {
  const found = wireArray(list)?.find((each) => isWire(each) && each.venue === venues[0]);
  return isWire(found) ? found : {};
}

/** Reads a field of an object, with others that a firing states beside it. */
export function reading(from: unknown, field: string, ...beside: readonly string[]): Reading {
  const object = isWire(from) ? from : {};
  const values = Object.fromEntries([field, ...beside].map((name) => [name, scalar(object[name])]));
  return { value: readNumber(object[field]) ?? readText(object[field]) ?? null, values };
}

/** The sign of a rate of zero: the one before it stays. */
export const NO_SIGN = 'none';

/** The row of a venue, with the rate as it is shown there. */
export const rateRow = (body: unknown, field: string): Reading =>
  reading(firstOf(body, 'rates'), field, 'rate', 'funding_interval_hours', 'rate_updated_at');

/** The time of a venue's rate, where it is fresh and the one that was read before. */
export function restatedRate(
  market: MarketView,
  { ticker, venues: [venue = ''] }: KindTerms,
  before: WatchedValues,
): UnixMs | undefined {
  const row = market.row(venue, ticker) ?? market.contract(venue, ticker);
  if (row === undefined || !row.fresh || !row.rateFresh) return undefined;
  const isSame =
    publicNumbers(row.fundingRate, 'rate') === before.rate &&
    row.fundingIntervalHours === before.funding_interval_hours;
  return isSame ? fundingTime(row) : undefined;
}

/** Names of the two venues of a spread, beside its figure. */
export function spreadReading(body: unknown): Reading {
  const pair = isWire(body) && isWire(body.normalized) ? body.normalized : {};
  const venueOf = (leg: unknown) => (isWire(leg) ? scalar(leg.venue) : null);
  const { value, values } = reading(pair, 'spread_8h_bps', 'apr_spread_pct');
  return { value, values: { ...values, short: venueOf(pair.short), long: venueOf(pair.long) } };
}

/**
 * The asset's best pair, net. The product lists no pair whose rates are equal, and counts it: such a spread pays nothing, so that
 * net of its costs, which are not stated then, it yields 0 at most.
 */
export function netReading(body: unknown): Reading {
  const { value, values } = reading(
    firstOf(body, 'opportunities'),
    'net_apr_pct',
    ...['short_venue', 'long_venue', 'normalized_spread_8h_bps', 'round_trip_fee_bps', 'entry_slippage_bps'],
  );
  const counts = isWire(body) && isWire(body.unassessed) ? body.unassessed : {};
  const isEqual = values.short_venue === null && (readNumber(counts.below_min_diff) ?? 0) > 0;
  return { value, values, ...(isEqual && { atMost: 0 }) };
}

/** The percentile of the present rate in a window of some days, of the venue's row. */
export const percentileOf = (body: unknown, { days }: KindTerms): Reading => {
  const row = firstOf(body, 'venues');
  const window = wireArray(row.windows)?.find((each) => isWire(each) && each.days === days);
  const { value, values } = reading(window, 'percentile', 'mean_8h_bps', 'coverage_pct');
  return { value, values: { ...values, rate: scalar(row.rate) } };
};

/** The basis of the one contract: what stands beside it in the answer, as other venues and spot, is of other times. */
export function basisReading(body: unknown, terms: KindTerms): Reading {
  const item = ofVenue(isWire(body) ? body.items : undefined, terms);
  const { value, values } = reading(item, 'basis_bps', 'mark_price', 'index_price');
  const isReliable = item.basis_reliable === true;
  const times = [item.updated_at, item.index_updated_at].flatMap((time) => readText(time) ?? []);
  return {
    value: isReliable ? value : null,
    values: { ...values, basis_reliable: isReliable },
    ...(times.length > 0 && { rowsAt: asMs(Math.min(...times.map((time) => Date.parse(time)))) }),
  };
}
