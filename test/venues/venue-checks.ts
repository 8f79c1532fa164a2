import type { SimBook } from '@perpmeter/sim/world';
import type { BookLevel } from '../../src/domain/book.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { isFault } from '../../src/domain/reject.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import type { ContractTruth } from '../truth/contract-truth.ts';
import type { Run } from './sim-run.ts';

/** The input of a check. */
export interface CheckInput {
  readonly adapter: VenueAdapter;
  readonly run: Run;
  readonly truth: readonly ContractTruth[];
  readonly at: number;
  /** Best bid and ask of a contract as the world has them. */
  readonly topOf: (symbol: string) => SimBook | undefined;
}

/** A check returns its problems; no problem is an empty list. */
export interface VenueCheck {
  readonly name: string;
  readonly problems: (input: CheckInput) => string[];
}

/** Venues print rates with six decimals of a percent or more. */
const RATE_STEP = 2e-8;
/** Significant digits differ: five digits are good for half of 1e-4. */
const PRICE_SHARE = 1e-4;
const AMOUNT_SHARE = 0.01;

/** Compares each live contract's quote with its truth. */
function perContract(
  compare: (quote: QuotePatch, truth: ContractTruth, input: CheckInput) => string | undefined,
): (input: CheckInput) => string[] {
  return (input) => {
    const problems = new Set<string>();
    for (const quotes of [input.run.quotes, input.run.streamedLast]) {
      for (const truth of input.truth) {
        if (!truth.live) continue;
        const quote = quotes.get(truth.symbol);
        const problem = quote === undefined ? 'no quote' : compare(quote, truth, input);
        if (problem !== undefined) problems.add(`${truth.symbol}: ${problem}`);
      }
    }
    return [...problems];
  };
}

/** Undefined when `got` is near enough; else both values and their ratio. */
function differs(
  field: string,
  got: number | undefined,
  expected: number,
  within: number,
): string | undefined {
  if (got !== undefined && Math.abs(got - expected) <= within) return undefined;
  const ratio = got === undefined ? '' : ` (ratio ${Number((got / expected).toPrecision(4))})`;
  return `${field} ${got} instead of ${expected}${ratio}`;
}

function price(field: 'markPrice' | 'indexPrice', expected: (truth: ContractTruth) => number) {
  return perContract((quote, truth) => {
    const value = expected(truth);
    return differs(field, quote[field], value, value * PRICE_SHARE + truth.tick);
  });
}

function usdOf(
  usd: number | undefined,
  base: number | undefined,
  mark: number | undefined,
): number | undefined {
  if (usd !== undefined) return usd;
  return base === undefined || mark === undefined ? undefined : base * mark;
}

/** Half a lot and some, in USD: the venue's rounding of small amounts. */
const SLACK_USD = 20;

function openInterest(quote: QuotePatch, truth: ContractTruth): string | undefined {
  const { openInterestRaw, openInterestBase, openInterestUsd, markPrice } = quote;
  if (openInterestRaw === undefined) return 'no openInterestRaw';
  const usd = usdOf(openInterestUsd, openInterestBase, markPrice);
  const within = truth.openInterestUsd * AMOUNT_SHARE + SLACK_USD;
  const wrong = differs('open interest in USD', usd, truth.openInterestUsd, within);
  if (wrong !== undefined) return wrong;
  if (openInterestBase === undefined) return undefined;
  const wrongBase = differs(
    'openInterestBase',
    openInterestBase,
    truth.openInterestBase,
    truth.openInterestBase * AMOUNT_SHARE + SLACK_USD / truth.mark,
  );
  if (wrongBase !== undefined) return wrongBase;
  return openInterestRaw > 0 === openInterestBase > 0 ? undefined : 'raw and base disagree about zero';
}

function volume(quote: QuotePatch, truth: ContractTruth): string | undefined {
  const usd = usdOf(quote.volume24hUsd, quote.volume24hBase, quote.markPrice);
  const within = truth.volumeUsd * 2 * AMOUNT_SHARE + SLACK_USD;
  const wrong = differs('volume in USD', usd, truth.volumeUsd, within);
  if (wrong !== undefined) return wrong;
  if (quote.volume24hRaw === undefined) return 'no volume24hRaw';
  const { volume24hBase } = quote;
  if (volume24hBase === undefined) return undefined;
  return differs(
    'volume24hBase',
    volume24hBase,
    truth.volumeBase,
    truth.volumeBase * 2 * AMOUNT_SHARE + SLACK_USD / truth.mark,
  );
}

function nextFunding(quote: QuotePatch, truth: ContractTruth, input: CheckInput): string | undefined {
  const next = quote.nextFundingTime;
  const { at, adapter } = input;
  if (adapter.continuousFunding === true) {
    return next === undefined ? undefined : `nextFundingTime ${next} where funding accrues continuously`;
  }
  if (next === undefined) return 'no nextFundingTime';
  if (next <= at) return `nextFundingTime ${next} is not in the future`;
  if (next % HOUR_MS !== 0) return `nextFundingTime ${next} is not on a whole hour`;
  return differs('nextFundingTime', next, truth.nextFunding, 0);
}

function selection({ run, truth }: CheckInput): string[] {
  const live = new Set(truth.filter((row) => row.live).map((row) => row.symbol));
  const missing = [...live].filter((symbol) => !run.instruments.has(symbol));
  const extra = [...run.instruments.keys()].filter((symbol) => !live.has(symbol));
  return [
    ...missing.map((symbol) => `${symbol}: live and not selected`),
    ...extra.map((symbol) => `${symbol}: selected and no live linear perpetual`),
  ];
}

function identity({ run, truth, adapter }: CheckInput): string[] {
  const problems: string[] = [];
  for (const row of truth) {
    const instrument = run.instruments.get(row.symbol);
    if (!row.live || instrument === undefined) continue;
    const { ticker, multiplier, quote, assetClass } = instrument;
    const say = (text: string) => problems.push(`${row.symbol}: ${text}`);
    if (instrument.venue !== adapter.id) say(`venue ${instrument.venue}`);
    if (ticker !== row.ticker) say(`ticker ${ticker} instead of ${row.ticker}`);
    if (multiplier !== row.multiplier) say(`multiplier ${multiplier} instead of ${row.multiplier}`);
    if (quote !== row.quote) say(`quote ${quote} instead of ${row.quote}`);
    if (assetClass !== undefined && assetClass !== 'unknown' && assetClass !== row.label) {
      say(`class ${assetClass} instead of ${row.label}`);
    }
  }
  return problems;
}

/** Rows of the instrument list that are no live linear perpetual must leave a reject with a reason. */
function outOfScopeRows({ run, truth }: CheckInput): string[] {
  const lists = run.calls.filter((exchange) => exchange.kind === 'instruments');
  const rejected = new Set(lists.flatMap((list) => list.decoded.rejects.map((reject) => reject.symbol)));
  const listed = lists.map((list) => list.text).join('\n');
  return truth
    .filter((row) => !row.live && listed.includes(`"${row.symbol}"`) && !rejected.has(row.symbol))
    .map((row) => `${row.symbol} (${row.kind}, ${row.status}): left out without a reject`);
}

function cleanWorld({ run }: CheckInput): string[] {
  const faults = run.rejects.filter(isFault);
  const said = faults.map((reject) => `${reject.symbol}: ${reject.reason} ${reject.detail ?? ''}`);
  return [...run.problems, ...said];
}

function books(input: CheckInput): string[] {
  const problems: string[] = [];
  for (const book of input.run.books) {
    if (book.kind === 'delta') continue;
    const top = input.topOf(book.symbol);
    if (top === undefined) {
      problems.push(`${book.symbol}: book of a contract that is not listed`);
      continue;
    }
    const found = [
      ...levelProblems('bid', book.bids[0], top.bids[0]),
      ...levelProblems('ask', book.asks[0], top.asks[0]),
    ];
    const bid = book.bids[0]?.[0];
    const ask = book.asks[0]?.[0];
    if (bid !== undefined && ask !== undefined && bid >= ask) found.push(`crossed, bid ${bid} ask ${ask}`);
    problems.push(...found.map((text) => `${book.symbol}: ${text}`));
  }
  return problems;
}

function levelProblems(side: string, got: BookLevel | undefined, expected: BookLevel | undefined): string[] {
  if (expected === undefined) return got === undefined ? [] : [`${side} of an empty side`];
  if (got === undefined) return [`no ${side}`];
  const [price, size] = expected;
  return [
    differs(`best ${side}`, got[0], price, price * PRICE_SHARE),
    differs(`size of best ${side}`, got[1], size, size * AMOUNT_SHARE),
  ].filter((problem) => problem !== undefined);
}

const touch = perContract((quote, truth) => {
  const { bestBid, bestAsk } = quote;
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  if (bestBid >= bestAsk) return `crossed: bid ${bestBid} ask ${bestAsk}`;
  return differs('middle of bid and ask', (bestBid + bestAsk) / 2, truth.mark, truth.mark * 0.02);
});

function indexCheck(input: CheckInput): string[] {
  if (input.adapter.hasIndex) return price('indexPrice', (truth) => truth.index)(input);
  return perContract((quote) =>
    quote.indexPrice === undefined ? undefined : `index ${quote.indexPrice} of a venue that has none`,
  )(input);
}

function interval({ run, truth }: CheckInput): string[] {
  const problems: string[] = [];
  for (const row of truth) {
    if (!row.live) continue;
    const got =
      run.quotes.get(row.symbol)?.fundingIntervalHours ??
      run.instruments.get(row.symbol)?.fundingIntervalHours;
    if (got !== row.intervalHours) {
      problems.push(`${row.symbol}: interval ${got} instead of ${row.intervalHours}`);
    }
  }
  return problems;
}

/** The checks that compare with the truth. */
export const VENUE_CHECKS: readonly VenueCheck[] = [
  { name: 'selects exactly the live linear perpetuals', problems: selection },
  { name: 'names ticker, multiplier, quote and class', problems: identity },
  { name: 'rejects delisted, dated and other out-of-scope rows with a reason', problems: outOfScopeRows },
  { name: 'finds no fault in a clean world', problems: cleanWorld },
  {
    name: 'reads the funding rate as a fraction per interval, with its sign',
    problems: perContract((quote, truth) =>
      differs(
        'fundingRate',
        quote.fundingRate,
        truth.fundingRate,
        RATE_STEP + Math.abs(truth.fundingRate) * 1e-3,
      ),
    ),
  },
  { name: 'reads the interval', problems: interval },
  { name: 'gives the next funding in the future, on the grid', problems: perContract(nextFunding) },
  { name: 'reads the mark per ticker unit', problems: price('markPrice', (truth) => truth.mark) },
  { name: 'reads the index per ticker unit', problems: indexCheck },
  { name: 'reads open interest: raw, base and USD agree', problems: perContract(openInterest) },
  { name: 'reads the 24 h volume', problems: perContract(volume) },
  { name: 'reads bid and ask, never crossed', problems: touch },
  { name: 'reads books, never crossed', problems: books },
];
