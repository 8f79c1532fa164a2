import Type, { type Static } from 'typebox';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { MarketView } from '../market/view.ts';
import { fundingTime, type ProductAnswer } from './answer/product-answer.ts';
import { integer, number, text } from './answer/schema.ts';
import { statedCoverage, venueCoverageFields } from './answer/venue-coverage.ts';
import { type LegBooks, legBooksOf } from './books/leg-book.ts';
import { notional } from './books/terms.ts';
import { choosesAssets } from './choice/chooses.ts';
import { defineProduct, type HistoryQueries } from './define-product.ts';
import example from './examples/perp-arbitrage-funding-signal.json' with { type: 'json' };
import { chooseSignals } from './funding/chosen-signals.ts';
import { type FundingPair, SIGNAL_METHODOLOGY, sizeNote } from './funding/funding-pair.ts';
import { legsToAsk } from './funding/signal-candidates.ts';
import { type SignalPasts, signalPair, signalPairSchema } from './funding/signal-pair.ts';
import { withPairTerms } from './funding/signal-terms.ts';
import { type AskedFees, feesField, feesNote, feesQuery, readFees, statedFees } from './rows/asked-fees.ts';
import { scanCoverage, scanTooNarrow } from './rows/enough-venues.ts';
import { legTermsParameter } from './rows/leg-terms.ts';
import { quoteRates } from './rows/quote-rates.ts';
import { scanAnswer, scanLimit } from './rows/scan.ts';
import { isRated, venueInfos } from './rows/select.ts';
import { readPairPrices } from './statistics/pair-prices.ts';
import { spreadHistories } from './statistics/spread-history.ts';

const query = Type.Object({
  min_diff: Type.Number({
    minimum: 0,
    default: 0.0001,
    description: 'Least difference of the rates scaled to eight hours, a fraction',
  }),
  limit: scanLimit,
  include_below_1k: Type.Boolean({
    default: false,
    description: 'Also thin pairs, whose books do not fill 1,000 USD or are not known',
  }),
  holding_days: Type.Number({
    minimum: 0.25,
    maximum: 365,
    default: 7,
    description: 'Days to hold, over which net_apr_pct spreads the cost of entry and exit',
  }),
  notional_usd: Type.Optional(
    notional('Size of a leg, USD: costs, gap and score are of it instead of at most 10,000'),
  ),
  ...feesQuery,
  contract_terms: legTermsParameter,
});

const count = (description: string) => integer(`Assets ${description}`);

const answer = Type.Object({
  count: integer('Opportunities returned'),
  ...venueCoverageFields,
  assessed: count('whose pair reaches min_diff and has both books'),
  unassessed: Type.Object(
    {
      single_venue: count('with fewer than two fresh comparable venues'),
      rate_unknown: count('with fewer than two venues whose rate is known and young enough'),
      interval_unknown: count('with fewer than two venues whose interval is known'),
      fee_unknown: count('with fewer than two venues whose taker fee is known'),
      depth_unknown: count('whose pair reaches min_diff while a leg has no fresh book'),
      below_min_diff: count('whose pair does not reach min_diff'),
    },
    { description: 'Assets that were not assessed, by reason' },
  ),
  holding_days: number('Days that net_apr_pct holds a position for'),
  notional_usd: Type.Optional(
    integer('Size of each leg that costs, gap and score are of, USD; only where it was asked for'),
  ),
  ...feesField,
  methodology: text('Inputs and exclusions'),
  opportunities: Type.Array(signalPairSchema),
});

type FundingSignal = Static<typeof answer>;

export const perpArbitrageFundingSignal = defineProduct({
  id: 'perp-arbitrage-funding-signal',
  path: '/v1/perp/arbitrage/funding-signal',
  access: 'paid',
  summary: 'Funding arbitrage net of fees, sized to books',
  description:
    'Ranked funding pairs: per asset the two venues between which eight-hour funding differs most, net of public round-trip taker fees and sized to live order-book depth at 1,000, 5,000 and 10,000 USD, with entry slippage and periods to break even. A derived outcome from present values, not a profit forecast.',
  tags: ['arbitrage', 'funding', 'signal', 'perpetual-futures'],
  dependsOn: 'table',
  choice: choosesAssets,
  revisedAt: '2026-11-29T11:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/perp/arbitrage/funding-signal?limit=2', answer: example },
  find: (asked, { market }) => {
    const fees = readFees(asked, market);
    if (!fees.ok) return fees;
    const legs = () => legsToAsk(market, asked, fees.value);
    return ok({ fees: fees.value, legs });
  },
  books: ({ legs }) => legs(),
  compute: ({ fees }, { market, books, history, clock }, asked) => {
    const legBooks = legBooksOf(books.passive, asked.notional_usd);
    const found = signalNow(market, legBooks, asked, clock.now(), fees);
    if (!found.ok) return found;
    const signal = found.value;
    const infos = venueInfos(market);
    const shown = (pasts?: SignalPasts) => {
      const { body, ...lineage } = signal.answer(pasts);
      const opportunities =
        asked.contract_terms === true ? withPairTerms(body, signal.pairs, infos) : body.opportunities;
      return ok({ ...lineage, body: { ...body, opportunities } });
    };
    if (history === undefined) return shown();
    return readPasts(history.reader, signal).then(shown);
  },
});

/** Without its past a signal is what it was before there was one: the store's trouble is no reason to refuse it. */
async function readPasts(reader: HistoryQueries, { pairs, now }: PresentSignal): Promise<SignalPasts> {
  const legs = pairs.flatMap(({ short, long }) => [short, long]);
  const [payments, prices] = await Promise.all([
    reader.recentPayments(legs),
    readPairPrices(reader, pairs, now),
  ]);
  return { spreads: payments.ok ? spreadHistories(payments.value, now) : undefined, prices };
}

/** All that a signal says of the present, read at one moment; its past may come later. */
interface PresentSignal {
  readonly now: UnixMs;
  readonly pairs: readonly FundingPair[];
  readonly answer: (pasts?: SignalPasts) => ProductAnswer<FundingSignal>;
}

/**
 * Funding pairs net of fees, sized to the books, by score. Costs = round_trip_fee_bps + 2 x entry_slippage_bps;
 * funding_periods_to_breakeven = costs / normalized_spread_8h_bps; signal_score = (3 x normalized_spread_8h_bps -
 * costs / 7) x sqrt(max_notional_usd / 10000), 0 where the books do not fill 1,000 USD; where notional_usd is asked for,
 * slippage, size and score are of it; net_apr_pct =
 * apr_spread_pct - costs / 100 x 365 / holding_days. All four are null where a book is not known, and such pairs
 * come last. 503 not_ready where fewer than two venues have a fresh rate.
 */
export function signalNow(
  view: MarketView,
  books: LegBooks | undefined,
  asked: Static<typeof query>,
  now: UnixMs,
  fees: AskedFees,
): Result<PresentSignal> {
  const coverage = scanCoverage(view, isRated);
  const narrow = scanTooNarrow(coverage, 'comparable funding rate');
  if (narrow !== undefined) return fail(narrow);
  const { shown, used, counts } = chooseSignals(view, books, asked, fees);
  const { asOf, sources } = scanAnswer(view, undefined, used, fundingTime);
  const { holding_days, notional_usd } = asked;
  const context = {
    holdingDays: holding_days,
    notionalUsd: notional_usd,
    now,
    venues: venueInfos(view),
    fees,
    // Quote currencies are worth what the whole market says.
    rates: quoteRates(view.whole ?? view),
  };
  return ok({
    now,
    pairs: shown.map(({ pair }) => pair),
    answer: (pasts = {}) => {
      const opportunities = shown.map((judged) => signalPair(judged, context, pasts));
      const body: FundingSignal = {
        count: opportunities.length,
        ...statedCoverage(coverage),
        ...counts,
        holding_days,
        ...(notional_usd !== undefined && { notional_usd }),
        ...statedFees(fees),
        methodology: SIGNAL_METHODOLOGY + sizeNote(notional_usd) + feesNote(fees),
        opportunities,
      };
      return { body, asOf, sources };
    },
  });
}
