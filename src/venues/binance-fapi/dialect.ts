import type { Published } from '../../domain/amount.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { VenueId } from '../../domain/venue.ts';

/** What differs between the venues that speak the Binance futures API. */
export interface FapiDialect {
  readonly venue: VenueId;
  /** What its open interest and volume count. */
  readonly published: Published;
  /** Dollar currencies that a live perpetual may be quoted and margined in; also its symbol's ending. */
  readonly quotes: readonly string[];
  /** `contractType` of perpetuals. */
  readonly perpetualTypes: readonly string[];
}

/** Why a symbol is none of ours: `BTCUSDT_250328`, `BTCUSD_PERP`, `BTC-250328-60000-C`, `BTCBUSD`. */
function outOfScopeSymbol(symbol: string): OutOfScopeReason {
  if (/_\d{6}$/.test(symbol)) return 'dated';
  if (symbol.endsWith('USD_PERP')) return 'inverse';
  if (/-[CP]$/.test(symbol)) return 'option';
  return symbol.includes('_') ? 'not_listed' : 'foreign_quote';
}

/** The named base of a symbol (`1000PEPE` of `1000PEPEUSDT`); undefined for dated or foreign-quoted symbols. */
export function baseOfSymbol(symbol: string, dialect: FapiDialect): string | undefined {
  if (symbol.includes('_')) return undefined;
  for (const quote of dialect.quotes) {
    if (symbol.length > quote.length && symbol.endsWith(quote)) return symbol.slice(0, -quote.length);
  }
  return undefined;
}

/**
 * Ticker units in one named base unit of a contract, or why its row is left out. With a list of contracts only
 * those on it count; without one the symbol itself must show a perpetual in a known quote.
 */
export function multiplierOf(
  symbol: string,
  instruments: ReadonlyMap<string, Instrument>,
  dialect: FapiDialect,
): number | OutOfScopeReason {
  const listed = instruments.get(symbol);
  if (listed !== undefined) return listed.multiplier;
  const base = baseOfSymbol(symbol, dialect);
  if (base === undefined) return outOfScopeSymbol(symbol);
  return instruments.size > 0 ? 'not_listed' : baseName(base).multiplier;
}
