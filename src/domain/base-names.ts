import file from './base-names.json' with { type: 'json' };

/**
 * Two readings of a name that is not in the table: as a multiplier contract by the rule of prefixes, or as
 * itself though it begins with a number.
 */
export type NameReading = 'ruled_multiplier' | 'unknown_number';

/** Ticker and multiplier of a venue's base name. */
export interface BaseName {
  readonly ticker: string;
  /** Ticker units in one unit of the named base. */
  readonly multiplier: number;
  /** Absent of a known name, and of one without a number. */
  readonly nameReading?: NameReading;
}

/** Tickers whose contracts count so many units under one name. */
interface MultiplierBlock {
  readonly multiplier: number;
  /** The part before the ticker: `1000` in `1000PEPE`. */
  readonly prefix?: string;
  /** The part behind it: `1000` in `SHIB1000`, as some venues write it. */
  readonly suffix?: string;
  /** By the instrument lists of venues. */
  readonly tickers: readonly string[];
}

const MULTIPLIERS: readonly MultiplierBlock[] = file.multipliers;

/**
 * Names that begin or end with a number and count nothing: coins under these tickers on several venues, and the
 * index of the thousand largest companies.
 */
export const PLAIN_NAMES: ReadonlySet<string> = new Set(file.plainNames);

/** Names that mean a coin on every venue besides its ticker. Those of single venues are in the market's registry. */
export const otherNamesOf = (ticker: string): readonly string[] =>
  file.otherNames.filter((other) => other.ticker === ticker).map(({ name }) => name);

function build(): ReadonlyMap<string, BaseName> {
  const names = new Map<string, BaseName>();
  for (const { multiplier, prefix = '', suffix = '', tickers } of MULTIPLIERS) {
    for (const ticker of tickers) names.set(`${prefix}${ticker}${suffix}`, { ticker, multiplier });
  }
  for (const { name, ticker } of file.otherNames) names.set(name, { ticker, multiplier: 1 });
  return names;
}

/** Multiplier contracts and other names by the name that venues list. */
export const BASE_NAMES: ReadonlyMap<string, BaseName> = build();
