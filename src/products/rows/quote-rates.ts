import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { median } from '../../domain/median.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { integer, number, text, timestamp, venueName } from '../answer/schema.ts';
import { currencyOf } from './currency.ts';
import { isUsable } from './select.ts';

/** Assets whose contracts in two quote currencies of one venue are compared: the most traded ones. */
const REFERENCES = ['crypto:BTC', 'crypto:ETH', 'crypto:SOL'];
/** Currencies that have perpetuals of their own. */
const COINS = ['crypto:USDT', 'crypto:USDC', 'crypto:USD1', 'crypto:USDE'];
/** Two marks further apart in time say nothing of a rate. */
const TOGETHER_MS = MINUTE_MS;

/** The value of one unit of a quote currency. */
export interface QuoteRate {
  readonly quote: string;
  /** In `unit` of the rates. */
  readonly rate: number;
  /** Comparisons of marks that the median is of; on the way to the unit the fewest. */
  readonly samples: number;
  readonly venues: readonly string[];
  /** Time of the oldest mark used. */
  readonly updatedAt: UnixMs;
}

export interface QuoteRates {
  readonly unit: string;
  /** Worth of a quote currency, by any of its names, in the unit; undefined where no venue's prices tell. */
  of(quote: string): number | undefined;
  readonly list: readonly QuoteRate[];
}

/** Rates as they leave the service. */
export const statedRatesSchema = Type.Object(
  {
    unit: text('What the rates are in: USD where a venue ties USDT to it, else USDT'),
    rates: Type.Array(
      Type.Object({
        quote: text('Quote currency'),
        rate: number('Worth of one in the unit'),
        samples: integer('Comparisons that the rate is the median of', 1),
        venues: Type.Array(venueName),
        updated_at: timestamp('Time of the oldest mark used'),
      }),
    ),
  },
  {
    description:
      'What quote currencies are worth, by contracts of one asset in two of them on one venue and by perpetuals of the currencies themselves; one that is not named is not known',
  },
);

export function statedRates({ unit, list }: QuoteRates): Static<typeof statedRatesSchema> {
  const rates = list.map(({ quote, rate, samples, venues, updatedAt }) => ({
    quote,
    rate,
    samples,
    venues: [...venues],
    updated_at: iso(updatedAt),
  }));
  return { unit, rates };
}

/** The rates between quote currencies by the own prices of all venues now, also where an answer is to rest on some of them. */
export function quoteRates(view: MarketView): QuoteRates {
  const { whole = view } = view;
  return ratesOf([...REFERENCES, ...COINS].flatMap((id) => whole.contractsOf(id)));
}

interface Sample {
  /** `to` per unit of `from`. */
  readonly value: number;
  readonly venue: string;
  readonly at: UnixMs;
}

/**
 * Rates of quote currencies. Two contracts of one asset on one venue, quoted in A and B, give 1 A = mark in B /
 * mark in A; a perpetual of A itself gives its mark. The rate between two currencies is the median of all that
 * venues give; one that is not compared with the unit goes by way of one that is. No venue's prices: no rate.
 *
 * @param rows contracts of reference assets and of the currencies themselves; such that are not fresh and comparable, or
 * a minute older than the youngest of their venue, do not count
 */
export function ratesOf(rows: readonly MarketRow[]): QuoteRates {
  const links = linksOf(rows);
  // Dollars where a venue ties the most used coin to them, else that coin.
  const dollars = ratesIn('USD', links);
  return dollars.of('USDT') === undefined ? ratesIn('USDT', links) : dollars;
}

function ratesIn(unit: string, links: Links): QuoteRates {
  const known = new Map<string, QuoteRate>();
  let reached = [unit];
  while (reached.length > 0) {
    const next: string[] = [];
    for (const to of reached) {
      for (const [from, samples] of links.get(to) ?? []) {
        if (from === unit || known.has(from)) continue;
        known.set(from, rateOf(from, samples, known.get(to)));
        next.push(from);
      }
    }
    reached = next;
  }
  const of = (quote: string): number | undefined => {
    const currency = currencyOf(quote);
    return currency === unit ? 1 : known.get(currency)?.rate;
  };
  const list = [...known.values()].sort((a, b) => (a.quote < b.quote ? -1 : 1));
  return { unit, of, list };
}

function rateOf(quote: string, samples: readonly Sample[], way: QuoteRate | undefined): QuoteRate {
  const venues = new Set([...samples.map(({ venue }) => venue), ...(way?.venues ?? [])]);
  return {
    quote,
    rate: median(samples.map(({ value }) => value)) * (way?.rate ?? 1),
    samples: Math.min(samples.length, way?.samples ?? samples.length),
    venues: [...venues].sort(),
    updatedAt: asMs(Math.min(...samples.map(({ at }) => at), way?.updatedAt ?? Number.POSITIVE_INFINITY)),
  };
}

/** Per currency those that venues compare it with, and by what. */
type Links = Map<string, Map<string, Sample[]>>;

function linksOf(rows: readonly MarketRow[]): Links {
  const links: Links = new Map();
  const link = (from: string, to: string, value: number, venue: string, at: UnixMs): void => {
    const of = links.get(to) ?? new Map<string, Sample[]>();
    links.set(to, of);
    const samples = of.get(from) ?? [];
    of.set(from, samples);
    samples.push({ value, venue, at });
  };
  const compare = (from: string, to: string, value: number, venue: string, at: UnixMs): void => {
    link(from, to, value, venue, at);
    link(to, from, 1 / value, venue, at);
  };
  const usable = rows.filter((row) => isUsable(row) && row.markPrice !== undefined);
  for (const listed of groupBy(usable, ({ venue, canonicalId }) => `${venue} ${canonicalId}`).values()) {
    const youngest = Math.max(...listed.map(({ updatedAt }) => updatedAt));
    const together = listed.filter(({ updatedAt }) => youngest - updatedAt <= TOGETHER_MS);
    for (const [i, a] of together.entries()) {
      const { ticker, venue, updatedAt, markPrice = Number.NaN } = a;
      const quote = currencyOf(a.quote);
      if (COINS.includes(a.canonicalId)) compare(ticker, quote, markPrice, venue, updatedAt);
      for (const b of together.slice(i + 1)) {
        const other = currencyOf(b.quote);
        if (other === quote || b.markPrice === undefined) continue;
        const at = asMs(Math.min(updatedAt, b.updatedAt));
        compare(quote, other, b.markPrice / markPrice, venue, at);
      }
    }
  }
  return links;
}

/** Factors that bring prices of some quote currencies to one. */
export interface CommonQuote {
  /**
   * The currency of the converted prices: the one quote that all share, or the unit of the rates; null where
   * they are left as they are.
   */
  readonly quote: string | null;
  /** False where quotes differ and a rate between them is not known: prices are then compared as they are. */
  readonly adjusted: boolean;
  readonly factor: (quote: string) => number;
}

/** A common currency in which prices in these quote currencies can be compared. */
export function commonQuote(quotes: readonly string[], rates: QuoteRates): CommonQuote {
  const [first, other] = new Set(quotes.map(currencyOf));
  if (first !== undefined && other === undefined) {
    return { quote: first, adjusted: true, factor: () => 1 };
  }
  if (quotes.every((quote) => rates.of(quote) !== undefined)) {
    return { quote: rates.unit, adjusted: true, factor: (quote) => rates.of(quote) ?? 1 };
  }
  return { quote: null, adjusted: false, factor: () => 1 };
}
