import type { Instrument } from '../../domain/instrument.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';

/** Coin-margined dated futures: `BTCUSDM23` (month letter and year). */
const INVERSE_DATED = /USD[FGHJKMNQUVXZ]\d\d$/;
/** `BTC-26DEC25-60000-C`, `BTC-26DEC25-60000-C-USDT`. */
const OPTION = /-[CP](?:-USDT)?$/;

/** Base of a linear perpetual's symbol: `BTCUSDT` settles in USDT, `BTCPERP` in USDC. */
export function baseOfSymbol(symbol: string): string | undefined {
  if (symbol.includes('-')) return undefined;
  if (!symbol.endsWith('USDT') && !symbol.endsWith('PERP')) return undefined;
  return symbol.length > 4 ? symbol.slice(0, -4) : undefined;
}

/** Why a symbol is no linear perpetual. Dated ones carry an expiry: `BTC-26DEC25`, `BTCUSDT-26DEC25`. */
function outOfScopeSymbol(symbol: string): OutOfScopeReason {
  if (OPTION.test(symbol)) return 'option';
  if (symbol.includes('-') || INVERSE_DATED.test(symbol)) return 'dated';
  return symbol.endsWith('USD') ? 'inverse' : 'foreign_quote';
}

/**
 * Ticker units in one named base unit, or why the row is left out. With a list of contracts only those on it
 * count; without one the symbol itself must show a linear perpetual.
 */
export function multiplierOf(
  symbol: string,
  instruments: ReadonlyMap<string, Instrument>,
): number | OutOfScopeReason {
  if (instruments.size > 0) {
    const listed = instruments.get(symbol);
    if (listed !== undefined) return listed.multiplier;
    const base = baseOfSymbol(symbol);
    return base === undefined ? outOfScopeSymbol(symbol) : 'not_listed';
  }
  const base = baseOfSymbol(symbol);
  return base === undefined ? outOfScopeSymbol(symbol) : baseName(base).multiplier;
}

/** Why everything of a category is left out; undefined for the linear one. */
export function outOfScopeCategory(category: unknown): OutOfScopeReason | undefined {
  if (category === 'inverse') return 'inverse';
  if (category === 'spot') return 'spot';
  return category === 'option' ? 'option' : undefined;
}
