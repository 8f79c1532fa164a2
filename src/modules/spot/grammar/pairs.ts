import { baseName } from '../../../domain/ticker.ts';
import type { SpotContext, SpotReason } from '../spot-rows.ts';
import { noCoin } from './left-out.ts';

/**
 * Quote currencies in which an amount is one of dollars. Other stablecoins (FDUSD, USD1, USDE, GUSD, USDH, USDT0) are
 * currencies of their own here, since they trade beside a dollar.
 */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);

export const isDollar = (quote: string | undefined): boolean => quote !== undefined && DOLLARS.has(quote);

/** Base and quote of a symbol as far as its spelling tells them. */
export interface SpelledPair {
  readonly base: string;
  /** Undefined where the symbol has no separator: only the list of markets tells it. */
  readonly quote?: string;
}

export type SpellPair = (symbol: string) => SpelledPair | undefined;

/** Symbols with a separator, cut at the last one: a base may have one, too. */
export const separated =
  (separator: string): SpellPair =>
  (symbol) => {
    const at = symbol.lastIndexOf(separator);
    if (at <= 0 || at === symbol.length - separator.length) return undefined;
    return { base: symbol.slice(0, at), quote: symbol.slice(at + separator.length) };
  };

/** Endings of symbols without a separator, longer ones first. They say where a base may end, never in what it is quoted. */
const ENDINGS = /(?:FDUSD|USDT|USDC|USDE|USD1|GUSD|TUSD|BUSD|USD|EUR|TRY|BRL|BTC|ETH|BNB)$/i;

/** Symbols without a separator: a name that counts units or is leveraged is known by its beginning. */
export const joined: SpellPair = (symbol) => {
  const base = symbol.replace(ENDINGS, '');
  return base === '' ? undefined : { base };
};

/** The units of a market, and its quote currency where that is known. */
export interface PairUnits {
  readonly multiplier: number;
  readonly ticker?: string;
  readonly quote?: string;
}

/**
 * The units of a row's market: by the list of markets, and by the spelling as long as there is none.
 *
 * @param assetOf the asset of a base that has another name at the venue alone
 * @returns the reason for which the row is left out
 */
export function unitsOfPair(
  context: SpotContext,
  symbol: string,
  spell: SpellPair,
  assetOf: (base: string) => string = String,
): PairUnits | SpotReason {
  const listed = context.markets.get(symbol);
  if (listed !== undefined) return listed;
  if (context.markets.size > 0) return 'not_listed';
  const pair = spell(symbol);
  if (pair === undefined) return { multiplier: 1 };
  const reason = noCoin(pair.base);
  if (reason !== undefined) return reason;
  const { multiplier, ticker } = baseName(assetOf(pair.base));
  return pair.quote === undefined ? { multiplier } : { multiplier, ticker, quote: assetOf(pair.quote) };
}
