import Type, { type Static } from 'typebox';
import { MOST_NOTIONAL_USD } from '../../domain/depth-quote.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketView } from '../../market/view.ts';
import { listParameter, wordsOf } from '../../products/answer/list-parameter.ts';
import {
  canonicalIdName,
  integer,
  oneOf,
  text,
  tickerName,
  venueName,
} from '../../products/answer/schema.ts';
import { chosenCurrency } from '../../products/choice/chosen-market.ts';
import {
  assetsIn,
  choiceParameters,
  countFault,
  MOST_ASSETS,
  readChoice,
} from '../../products/choice/market-choice.ts';
import { TOPICS, type TopicName } from './topic-names.ts';

/** Assets that one paid minute a minute is for. */
const STEP_ASSETS = 50;
/** Assets with quotes that one more is for: these are read from order books, in each second. */
const STEP_QUOTES = 2;
/** The most assets that a stream names. */
const MOST_NAMED = 200;
/** Paid minutes that a minute of all assets takes, and of any selection at most. */
const MOST_USES = 10;
const DEFAULT_SIZE = 10_000;
/** Sizes of quotes, US dollars: few, so that streams share the rows of a book. */
const SIZES = [100, 250, 500, 1000, 2500, 5000, DEFAULT_SIZE, 25_000, 50_000, 100_000, MOST_NOTIONAL_USD];

export const selectionQuery = {
  topics: Type.Optional(
    listParameter(`What is told: ${TOPICS.join(', ')}; default funding`, { examples: ['funding,touches'] }),
  ),
  symbol: Type.Optional(
    listParameter(`Only these assets, at most ${MOST_NAMED}; default all`, { examples: ['BTC,ETH'] }),
  ),
  ...choiceParameters,
  size_usd: Type.Optional(
    Type.Integer({
      description: `Size of quotes, US dollars: ${SIZES.join(', ')}; default ${DEFAULT_SIZE}`,
    }),
  ),
};

const query = Type.Object(selectionQuery);
export type AskedSelection = Static<typeof query>;

/** A selection as it was understood: in answers, and as it is kept. */
export const selectionSchema = Type.Object(
  {
    topics: Type.Array(oneOf(TOPICS)),
    symbol: Type.Optional(Type.Array(tickerName, { description: 'Assets; left out: all' })),
    assets: Type.Optional(Type.Array(canonicalIdName, { description: 'Their identities' })),
    venues: Type.Optional(Type.Array(venueName, { description: 'Only these venues' })),
    exclude: Type.Optional(Type.Array(venueName, { description: 'Not these venues' })),
    quote: Type.Optional(
      Type.Array(text('Currency'), { description: 'Only contracts quoted in these currencies' }),
    ),
    size_usd: Type.Optional(integer('Size of quotes, US dollars', 1)),
    uses: integer(
      'Paid minutes that one minute takes: one for each fifty assets, one more for each two with quotes and one for signals; ten for all assets, and at most',
      1,
    ),
  },
  { description: 'What is streamed, as it was understood' },
);
export type Selection = Static<typeof selectionSchema>;

function topicsIn(list: string): Result<TopicName[]> {
  const words = wordsOf(list);
  const wrong = words.find((word) => !TOPICS.some((name) => name === word));
  if (words.length === 0 || wrong !== undefined)
    return fail(badParameter('topics', `"${wrong ?? list}" is none of ${TOPICS.join(', ')}`));
  return ok(TOPICS.filter((name) => words.includes(name)));
}

/**
 * Reads what is to be streamed. 400 of an unknown topic, currency or size and of more than 200 assets; 404 of names as products have them.
 */
export function readSelection(asked: AskedSelection, market: MarketView): Result<Selection> {
  const topics = topicsIn(asked.topics ?? 'funding');
  if (!topics.ok) return topics;
  const { venues, exclude, quote, symbol } = asked;
  const mismatch = topicFault(topics.value, asked);
  if (mismatch !== undefined) return fail(mismatch);
  const choice = readChoice(market, { venues, exclude, quote, symbol: undefined });
  if (!choice.ok) return choice;
  const assets = assetsIn(market, symbol, MOST_NAMED);
  if (!assets.ok) return assets;
  const named = assets.value;
  const unlisted = notListed(market, choice.value?.choice.venues, named?.ids);
  if (unlisted !== undefined) return fail(unlisted);
  return ok({
    topics: topics.value,
    ...(named !== undefined && { symbol: [...named.tickers], assets: [...named.ids] }),
    ...choice.value?.stated,
    ...(topics.value.includes('quotes') && { size_usd: asked.size_usd ?? DEFAULT_SIZE }),
    uses: usesOf(topics.value, named?.ids.length),
  });
}

/** Paid minutes that a minute of so many assets takes; undefined: of all. */
function usesOf(topics: readonly TopicName[], count: number | undefined): number {
  if (count === undefined) return MOST_USES;
  const quotes = topics.includes('quotes') ? Math.ceil(count / STEP_QUOTES) : 0;
  const signals = topics.includes('signals') ? 1 : 0;
  return Math.min(MOST_USES, Math.ceil(count / STEP_ASSETS) + quotes + signals);
}

/** 400 of parameters that a topic lacks, or does not take. */
function topicFault(topics: readonly TopicName[], asked: AskedSelection): Failure | undefined {
  const hasQuotes = topics.includes('quotes');
  if (hasQuotes && asked.symbol === undefined)
    return badParameter('symbol', `topics=quotes reads order books: name at most ${MOST_ASSETS} assets`);
  if (hasQuotes && asked.symbol !== undefined) {
    const wrong = countFault('symbol', wordsOf(asked.symbol));
    if (wrong !== undefined) return wrong;
  }
  if (!hasQuotes && asked.size_usd !== undefined)
    return badParameter('size_usd', 'is the size of topics=quotes: name that topic, or leave it out');
  const { size_usd: size = DEFAULT_SIZE } = asked;
  if (!SIZES.includes(size)) return badParameter('size_usd', `must be one of ${SIZES.join(', ')}`);
  if (!topics.includes('signals')) return undefined;
  const narrowed = (['venues', 'exclude', 'quote'] as const).find((name) => asked[name] !== undefined);
  return narrowed && badParameter(narrowed, 'topics=signals are the best pairs of all venues: leave it out');
}

/** 404 of assets that none of the venues lists. */
function notListed(
  market: MarketView,
  venues: ReadonlySet<string> | undefined,
  assets: readonly string[] | undefined,
): Failure | undefined {
  if (venues === undefined || assets === undefined) return undefined;
  if (assets.some((id) => [...venues].some((venue) => market.lists(venue, id)))) return undefined;
  return { code: 'not_listed', detail: 'None of these venues lists any of these assets' };
}

/** 400 of a selection whose minute takes more than is bought. */
export function tooLarge({ topics, uses }: Selection, minutes: number): Failure | undefined {
  if (minutes >= uses) return undefined;
  const isByTopic = topics.includes('quotes') || topics.includes('signals');
  return badParameter(
    isByTopic ? 'topics' : 'symbol',
    `a minute of this selection takes ${uses} paid minutes, and ${minutes} would be bought: buy /v1/stream/ten-minutes, or ask for less`,
  );
}

/** A contract whose row may be told. */
export interface Told {
  /** Canonical id. */
  readonly asset: string;
  readonly venue: string;
  /** Currency of its quote, as choices name it. */
  readonly currency: string;
  /** Size of a quote, US dollars. */
  readonly sizeUsd?: number;
}

/** Tells which rows a stream takes. */
export interface Filter {
  readonly topics: readonly TopicName[];
  /** Canonical ids; undefined: all. */
  readonly assets: readonly string[] | undefined;
  /** Size of its quotes, US dollars; undefined where it has none. */
  readonly sizeUsd: number | undefined;
  /** Names its choice of venues and currencies: equal for filters of equal choices. */
  readonly choice: string;
  /** Asked of rows of these assets alone. */
  readonly takes: (row: Told) => boolean;
  /** Equal for streams of equal rows. */
  readonly key: string;
}

export function filterOf(selection: Selection): Filter {
  const { topics, assets, size_usd: size } = selection;
  const venues = selection.venues && new Set(selection.venues);
  const exclude = new Set(selection.exclude);
  const currencies = selection.quote && new Set(selection.quote.map(chosenCurrency));
  return {
    topics,
    assets,
    sizeUsd: size,
    choice: JSON.stringify([selection.venues, selection.exclude, selection.quote]),
    takes: ({ venue, currency, sizeUsd = size }) =>
      sizeUsd === size &&
      (venues?.has(venue) ?? true) &&
      !exclude.has(venue) &&
      (currencies?.has(currency) ?? true),
    key: JSON.stringify(selection),
  };
}
