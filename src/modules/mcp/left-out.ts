import type { Route } from '../../api/route.ts';
import type { CutList } from './fit.ts';

/** Characters of a token, roughly, of JSON in common models. */
export const TOKEN_CHARACTERS = 4;

/** Limits of an answer's size, and the words for asking on. */
export interface AnswerLimit {
  readonly route: Route | undefined;
  readonly maxTokens: number;
  /** Path and query that were asked. */
  readonly url: string;
  /** True if a server pays for its client, so that each further call is a purchase. */
  readonly pays: boolean;
}

const NARROWING = ['venue', 'ticker', 'symbol', 'limit', 'from', 'to', 'aggr', 'granularity', 'hours'];

/** An answer's statement about its own size. */
export interface LeftOut {
  readonly budget_tokens: number;
  readonly whole_tokens: number;
  readonly lists: readonly CutList[];
  readonly how: string;
}

function nextPage({ route, url }: AnswerLimit, cut: readonly CutList[]): string | undefined {
  const [first] = cut;
  if (route?.queryParameters.has('offset') !== true || first === undefined) return undefined;
  const asked = Number(new URL(url, 'http://localhost').searchParams.get('offset') ?? 0);
  return `offset=${asked + first.shown} goes on from here`;
}

/** @param wholeCharacters of the answer as it would have been without a limit */
export function leftOut(limit: AnswerLimit, cut: readonly CutList[], wholeCharacters: number): LeftOut {
  const { route, maxTokens, pays } = limit;
  const whole = Math.ceil(wholeCharacters / TOKEN_CHARACTERS);
  const narrowing = NARROWING.filter((name) => route?.queryParameters.has(name));
  const ways = [
    `max_tokens=${whole} gives all of it`,
    nextPage(limit, cut),
    narrowing.length === 0 ? undefined : `narrower: ${narrowing.join(', ')}`,
  ].filter((way) => way !== undefined);
  const isSold = route?.access === 'paid';
  const again = pays
    ? 'A further call is paid for again.'
    : 'The same call under the payment identifier of this one is answered again for ten minutes without a charge; another is a purchase of its own. The receipt is of the whole answer.';
  return {
    budget_tokens: maxTokens,
    whole_tokens: whole,
    lists: cut,
    how: `${ways.join('; ')}. Counts in data are of the whole answer.${isSold ? ` ${again}` : ''}`,
  };
}
