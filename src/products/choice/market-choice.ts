import Type, { type Static } from 'typebox';
import { lowerAscii, upperAscii } from '../../domain/ascii-case.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketView } from '../../market/view.ts';
import { listParameter, wordsOf } from '../answer/list-parameter.ts';
import { quoteHint } from '../rows/name-hints.ts';
import { namingFailure, notReady, selectVenue, venueIds } from '../rows/select.ts';
import { chosenCurrency, type MarketChoice } from './chosen-market.ts';

/** Parameters by which an answer is held to a part of the market. */
export const choiceParameters = {
  venues: Type.Optional(listParameter('Only these venues, comma-separated')),
  exclude: Type.Optional(listParameter('Not these venues')),
  quote: Type.Optional(listParameter('Only these quote currencies: USDT,USDC')),
};

/** The same of a scan over all assets. */
export const assetsParameter = {
  symbol: Type.Optional(listParameter('Only these assets, at most 20')),
};

/** The most assets that one request names. */
export const MOST_ASSETS = 20;

/** The values of these parameters, as they were written. */
type AskedChoice = Readonly<Record<keyof typeof choiceParameters | 'symbol', string | undefined>>;

const listOf = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** The part of the market that an answer was held to, as it was understood. */
export const statedChoiceSchema = Type.Object(
  {
    venues: listOf('Only these venues'),
    exclude: listOf('Not these venues'),
    quote: listOf('Only contracts quoted in these currencies'),
    symbol: listOf('Only these assets'),
  },
  { description: 'Part of the market that the answer was held to; only where something was asked for' },
);
type StatedChoice = Static<typeof statedChoiceSchema>;

/**
 * 404 of a choice for a scan that leaves too few venues which are collected and list one of the assets.
 *
 * @param fewest 2 where venues are compared, else 1
 */
export function nothingToScan(market: MarketView, { symbol }: StatedChoice, fewest = 2): Failure | undefined {
  const venues = market.venues();
  const collected = venues.filter(({ isRetired }) => !isRetired);
  if (collected.length >= fewest) return undefined;
  const [only] = collected;
  const where = 'of the venues that the answer is held to';
  const what = symbol === undefined ? 'is collected' : `lists ${symbol.join(', ')}`;
  if (only !== undefined)
    return { code: 'single_venue', detail: `Only ${only.info.id} ${where} ${what}: nothing can be compared` };
  return {
    code: symbol === undefined || venues.length > 0 ? 'no_data' : 'not_listed',
    detail: `None ${where} ${what}`,
  };
}

/** A choice with the words in which the answer repeats it. */
export interface ReadChoice {
  readonly choice: MarketChoice;
  readonly stated: StatedChoice;
}

/**
 * Reads the choice of a request; undefined where none is made. Venues are those of `venues` without those of `exclude`.
 * 404 unknown_venue and unknown_ticker with the nearest names; 400 of an unknown quote, of more than 20 assets, of an empty
 * list, and of a choice that leaves no venue.
 */
export function readChoice(market: MarketView, asked: AskedChoice): Result<ReadChoice | undefined> {
  const venues = venuesIn(market, 'venues', asked.venues);
  if (!venues.ok) return venues;
  const exclude = venuesIn(market, 'exclude', asked.exclude);
  if (!exclude.ok) return exclude;
  const quote = quotesIn(market, asked.quote);
  if (!quote.ok) return quote;
  const assets = assetsIn(market, asked.symbol);
  if (!assets.ok) return assets;
  const stated: StatedChoice = {
    ...(venues.value !== undefined && { venues: [...venues.value] }),
    ...(exclude.value !== undefined && { exclude: [...exclude.value] }),
    ...(quote.value !== undefined && { quote: [...quote.value] }),
    ...(assets.value !== undefined && { symbol: [...assets.value.tickers] }),
  };
  if (Object.keys(stated).length === 0) return ok(undefined);
  const wanted = wantedVenues(market, venues.value, exclude.value);
  if (wanted?.size === 0) return fail(badParameter('exclude', 'leaves none of the venues'));
  return ok({
    stated,
    choice: {
      venues: wanted,
      currencies: quote.value && new Set(quote.value.map(chosenCurrency)),
      assets: assets.value && new Set(assets.value.ids),
    },
  });
}

function wantedVenues(
  market: MarketView,
  venues: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (venues === undefined && exclude === undefined) return undefined;
  const without = new Set(exclude);
  return new Set((venues ?? venueIds(market.venues())).filter((id) => !without.has(id)));
}

const NOTHING = 'must name at least one, separated by commas';

/** The failure of one word of a list, with the whole list mended. */
export function inList(failure: Failure, parameter: string, words: readonly string[], word: string): Failure {
  const meant = failure.corrections?.find(
    (correction) => 'typed' in correction && correction.typed === word,
  )?.value;
  const { corrections: _, ...rest } = failure;
  if (meant === undefined) return rest;
  const mended = wordsOf(words.map((each) => (each === word ? meant : each)).join());
  return { ...rest, corrections: [{ parameter, value: mended.join() }] };
}

function venuesIn(
  market: MarketView,
  parameter: 'venues' | 'exclude',
  list: string | undefined,
): Result<readonly string[] | undefined> {
  if (list === undefined) return ok(undefined);
  const words = wordsOf(list);
  if (words.length === 0) return fail(badParameter(parameter, NOTHING));
  const ids: string[] = [];
  for (const word of words) {
    const found = selectVenue(market, word);
    if (!found.ok) return fail(inList(found.error, parameter, words, word));
    ids.push(found.value.info.id);
  }
  return ok([...new Set(ids)]);
}

function quotesIn(market: MarketView, list: string | undefined): Result<readonly string[] | undefined> {
  if (list === undefined) return ok(undefined);
  const words = wordsOf(list);
  if (words.length === 0) return fail(badParameter('quote', NOTHING));
  const known = [...new Set(market.rows().map(({ quote }) => chosenCurrency(quote)))].sort();
  // While nothing is known of any contract, nothing is known to be unknown.
  if (known.length === 0) return fail(notReady('No contract is known yet', market.venues()));
  for (const word of words) {
    if (known.includes(chosenCurrency(word))) continue;
    const { text, corrections } = quoteHint(word, known);
    const unknown = badParameter(
      'quote',
      `no contract is quoted in "${word}"${text || `; known: ${known.join(', ')}`}`,
    );
    return fail(inList({ ...unknown, ...(corrections && { corrections }) }, 'quote', words, word));
  }
  return ok([...new Set(words.map(upperAscii))]);
}

interface NamedAssets {
  readonly tickers: readonly string[];
  readonly ids: readonly string[];
}

/** Assets that are named; of a name that several have, all of them. */
export function assetsIn(
  market: MarketView,
  list: string | undefined,
  most: number = MOST_ASSETS,
): Result<NamedAssets | undefined> {
  if (list === undefined) return ok(undefined);
  const words = wordsOf(list);
  const wrong = countFault('symbol', words, most);
  if (wrong !== undefined) return fail(wrong);
  const tickers: string[] = [];
  const ids: string[] = [];
  for (const word of words) {
    const found = market.resolve(word);
    if (found.kind === 'one') {
      tickers.push(found.ticker);
      ids.push(found.canonicalId);
    } else if (found.kind === 'ambiguous') {
      tickers.push(upperAscii(word));
      ids.push(...found.candidates.map(({ canonical_id }) => canonical_id));
    } else return fail(inList(namingFailure(market, word, { kind: 'unknown' }), 'symbol', words, word));
  }
  return ok({ tickers: [...new Set(tickers)], ids });
}

/** 400 of a list of assets without any, or with too many. */
export function countFault(
  parameter: string,
  words: readonly string[],
  most: number = MOST_ASSETS,
): Failure | undefined {
  if (words.length === 0) return badParameter(parameter, NOTHING);
  if (words.length <= most) return undefined;
  const correction = { parameter, value: words.slice(0, most).join() };
  const message = `names ${words.length} assets; a request takes at most ${most}`;
  return { ...badParameter(parameter, message), corrections: [correction] };
}

/** 400 of a venue that the request names elsewhere and leaves out by its choice. */
export function contradiction(
  { venues }: MarketChoice,
  asked: Readonly<Record<string, unknown>>,
): Failure | undefined {
  for (const name of ['venue', 'short', 'long']) {
    const venue = asked[name];
    if (typeof venue !== 'string' || venues === undefined || venues.has(lowerAscii(venue.trim()))) continue;
    return badParameter(name, `"${venue}" is not one of the venues that the answer is held to`);
  }
  return undefined;
}
