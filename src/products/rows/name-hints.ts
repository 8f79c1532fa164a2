import { lowerAscii } from '../../domain/ascii-case.ts';
import type { Correction, Failure } from '../../domain/errors.ts';
import { nearestWords } from '../../domain/nearest.ts';
import type { MarketView } from '../../market/view.ts';
import assetNames from './asset-names.json' with { type: 'json' };

/** Hints at what may have been meant by an unknown name. A hint is never answered in the name's place. */

const HINTS = 3;
/** Words that differ in more of their letters than one in this many do not mean each other. */
const ALIKE = 3;
const TICKERS: ReadonlyMap<string, string> = new Map(Object.entries(assetNames));

/** Known words that are spelled like a name, the nearest first. */
function alike(name: string, known: readonly string[]): readonly string[] {
  const typed = name.trim();
  return nearestWords(typed, known, HINTS, Math.max(1, Math.floor(typed.length / ALIKE)));
}

/** The end of a sentence, and what to ask instead. */
interface Hint extends Pick<Failure, 'corrections'> {
  readonly text: string;
}

function hintOf(name: string, words: readonly string[]): Hint {
  const [first] = words;
  if (first === undefined) return { text: '' };
  return { text: `; did you mean ${words.join(', ')}?`, corrections: [{ typed: name, value: first }] };
}

/** Names of venues that are like one. */
export const venueHint = (name: string, venues: readonly string[]): Hint => hintOf(name, alike(name, venues));

/** Names of quote currencies that are like one. */
export const quoteHint = (name: string, quotes: readonly string[]): Hint => hintOf(name, alike(name, quotes));

/** The ticker of an asset that was called by its name, else tickers that are spelled like it. */
export function tickerHint(view: MarketView, name: string, tickers: readonly string[]): Hint {
  const called = TICKERS.get(lowerAscii(name.trim()).replace(/[-_]/g, ' '));
  const isKnown = called !== undefined && view.resolve(called).kind !== 'unknown';
  return hintOf(name, isKnown ? [called] : alike(name, tickers));
}

/** Corrections of a request that has the name of a venue and that of an asset in each other's place. */
export function swapOf(venue: string, ticker: string): readonly Correction[] {
  return [
    { typed: venue, value: lowerAscii(ticker.trim()) },
    { typed: ticker, value: venue },
  ];
}
