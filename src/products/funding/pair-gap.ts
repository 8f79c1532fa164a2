import Type, { type Static } from 'typebox';
import type { MarketRow } from '../../market/view.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import { integer, nullable, number, oneOf, text } from '../answer/schema.ts';
import type { LegBook } from '../books/leg-book.ts';
import { commonQuote, type QuoteRates } from '../rows/quote-rates.ts';
import { type PairPrices, PRICE_HOURS, type RatioRange } from '../statistics/pair-prices.ts';
import type { JudgedPair } from './chosen-signals.ts';

/** Share of the hours with marks that those with books have to reach, so that mids are what is usual. */
const LEAST_MID_SHARE = 0.5;

export const gapSchema = Type.Object(
  {
    executable_bps: nullable(
      number(
        '(short_price / long_price - 1) x 10000: above 0 where the short leg is sold dearer than the long one is bought',
      ),
    ),
    priced_at: nullable(
      oneOf(['size', 'touch'], {
        description:
          'size: mean fill prices of notional_usd, else of max_notional_usd; touch: best bid and best ask',
      }),
    ),
    short_price: nullable(number('A unit of the short leg, sold into the bids, in price_quote')),
    long_price: nullable(number('A unit of the long leg, bought from the asks, in price_quote')),
    price_quote: nullable(
      text('Quote currency of both legs, else the unit that quote currencies are measured in, USD or USDT'),
    ),
    basis: nullable(
      oneOf(['mid', 'mark'], {
        description:
          'What level_bps and the usual range are of: mids of books where the stored ones cover at least half as many hours as the marks, else marks',
      }),
    ),
    level_bps: nullable(
      number('The gap of mids or marks now: (short / long - 1) x 10000, without crossing a spread'),
    ),
    usual_bps: nullable(number('Its median over the known hours of the last seven days')),
    low_bps: nullable(number('Its 10th percentile over these')),
    high_bps: nullable(number('Its 90th percentile over these')),
    hours_known: nullable(integer('Hours of these in which both legs are stored')),
    hours_asked: integer('Whole hours of the last seven days', 1),
    cost_bps: nullable(
      number(
        'usual_bps - level_bps: lost when the gap goes back to what is usual; below 0 where that is gained',
      ),
    ),
    ...nullReasons,
  },
  {
    description:
      'Prices of the legs against each other, in one currency at the quote rates of now, the past too. Its cost counts in all_in_cost_bps where it is above 0',
  },
);
export type PairGap = Static<typeof gapSchema>;

interface LegPrices {
  readonly at: 'size' | 'touch';
  readonly short: number;
  readonly long: number;
}

/** A stored past, or the reason for which there is none. */
export type PastPrices = { readonly prices: PairPrices } | { readonly why: NullReason };

const bpsOf = (ratio: number): number => (ratio - 1) * 10_000;

/**
 * The gap between the legs of a pair. All prices are in one currency: the one that both are quoted in, else the unit of
 * `rates`; where no rate ties the two together nothing is compared. A fill price is mid x (1 -+ slippage / 10000).
 */
export function pairGap(judged: JudgedPair, past: PastPrices, rates: QuoteRates): PairGap {
  const { short, long } = judged.pair;
  const tie = tieOf(short, long, rates);
  const now = legPrices(judged);
  const prices = 'prices' in past ? past.prices : undefined;
  const { basis, ratio, range } = levelOf(judged, prices);
  const scaled = (value: number | undefined): number | null =>
    value === undefined || tie === undefined ? null : bpsOf(value * (tie.short / tie.long));
  const level = scaled(ratio);
  const usual = scaled(range?.median);
  const gap: PairGap = {
    executable_bps: now === undefined ? null : scaled(now.short / now.long),
    priced_at: now?.at ?? null,
    short_price: now === undefined || tie === undefined ? null : now.short * tie.short,
    long_price: now === undefined || tie === undefined ? null : now.long * tie.long,
    price_quote: tie?.quote ?? null,
    basis: basis ?? null,
    level_bps: level,
    usual_bps: usual,
    low_bps: scaled(range?.low),
    high_bps: scaled(range?.high),
    hours_known: prices === undefined ? null : (range?.hours ?? 0),
    hours_asked: PRICE_HOURS,
    cost_bps: level === null || usual === null ? null : usual - level,
  };
  return withReasons(gap, reasonsOf(tie !== undefined, unpricedOf(judged, now), past));
}

function reasonsOf(
  isTied: boolean,
  unpriced: NullReason | undefined,
  past: PastPrices,
): Partial<Record<keyof PairGap, NullReason>> {
  const price = unpriced ?? (isTied ? 'not_followed' : 'rate_unknown');
  const why = 'why' in past ? past.why : 'past_too_short';
  const stored = isTied ? why : 'rate_unknown';
  return {
    executable_bps: price,
    priced_at: unpriced ?? 'not_followed',
    short_price: price,
    long_price: price,
    price_quote: 'rate_unknown',
    level_bps: isTied ? 'unknown' : 'rate_unknown',
    usual_bps: stored,
    low_bps: stored,
    high_bps: stored,
    hours_known: why,
    cost_bps: stored,
  };
}

/** Worth of both quote currencies in one; undefined where no rate ties them together. */
function tieOf(short: MarketRow, long: MarketRow, rates: QuoteRates) {
  const { quote, factor } = commonQuote([short.quote, long.quote], rates);
  return quote === null ? undefined : { quote, short: factor(short.quote), long: factor(long.quote) };
}

const midOf = ({ bestBid, bestAsk }: LegBook): number => (bestBid + bestAsk) / 2;

/** The reason for which the pair has no price now; undefined where it has one. */
function unpricedOf({ short, long }: JudgedPair, prices: LegPrices | undefined): NullReason | undefined {
  if (prices !== undefined) return undefined;
  return short?.asked === undefined || long?.asked === undefined ? 'not_followed' : 'too_thin';
}

/**
 * Prices at which both legs are entered now, each in its own quote currency. A size that was asked for is not replaced by
 * the touch.
 */
function legPrices({ pair, short, long, depth }: JudgedPair): LegPrices | undefined {
  const { entry } = depth;
  if (short !== undefined && long !== undefined && entry !== undefined) {
    const sold = midOf(short) * (1 - entry.saleBps / 10_000);
    return { at: 'size', short: sold, long: midOf(long) * (1 + entry.purchaseBps / 10_000) };
  }
  if (short?.asked !== undefined && long?.asked !== undefined) return undefined;
  const bid = short?.bestBid ?? pair.short.bestBid;
  const ask = long?.bestAsk ?? pair.long.bestAsk;
  return bid === undefined || ask === undefined || !(ask > 0)
    ? undefined
    : { at: 'touch', short: bid, long: ask };
}

interface Level {
  readonly basis: 'mid' | 'mark' | undefined;
  /** Short over long now, each in its own quote currency. */
  readonly ratio: number | undefined;
  readonly range: RatioRange | undefined;
}

/** Mids where enough of them are stored and both are known now, else marks: the present and the past are of one kind. */
function levelOf({ pair, short, long }: JudgedPair, prices: PairPrices | undefined): Level {
  const { mid, mark } = prices ?? {};
  const mids = short === undefined || long === undefined ? undefined : midOf(short) / midOf(long);
  const isUsual = mid !== undefined && mid.hours >= LEAST_MID_SHARE * (mark?.hours ?? 0);
  if (mids !== undefined && isUsual) return { basis: 'mid', ratio: mids, range: mid };
  const { markPrice: sold } = pair.short;
  const { markPrice: bought } = pair.long;
  const ratio = sold === undefined || bought === undefined ? undefined : sold / bought;
  return { basis: ratio === undefined ? undefined : 'mark', ratio, range: mark };
}
