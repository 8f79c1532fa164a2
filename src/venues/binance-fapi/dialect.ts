import type { Published } from '../../domain/amount.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ForeignReason } from '../../domain/reject.ts';
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

/** Dated futures carry their expiry behind an underscore: `BTCUSDT_250328`. */
function isDated(symbol: string): boolean {
  return symbol.includes('_');
}

/** The named base of a symbol (`1000PEPE` of `1000PEPEUSDT`); undefined for dated or foreign-quoted symbols. */
export function baseOfSymbol(symbol: string, dialect: FapiDialect): string | undefined {
  if (isDated(symbol)) return undefined;
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
): number | ForeignReason {
  if (instruments.size > 0) {
    const listed = instruments.get(symbol);
    if (listed !== undefined) return listed.multiplier;
    return isDated(symbol) ? 'dated' : 'not_listed';
  }
  const base = baseOfSymbol(symbol, dialect);
  if (base !== undefined) return baseName(base).multiplier;
  return isDated(symbol) ? 'dated' : 'foreign_quote';
}
