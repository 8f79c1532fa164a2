/**
 * How a name was read that is not known: as a multiplier contract by the rule of prefixes, or as itself though it begins with
 * a number.
 */
export type NameReading = 'ruled_multiplier' | 'unknown_number';

/** What a venue's base name stands for. */
export interface BaseName {
  readonly ticker: string;
  /** Ticker units in one unit of the named base. */
  readonly multiplier: number;
  /** Absent of a known name, and of one without a number. */
  readonly nameReading?: NameReading;
}

/** Multiplier contracts by name: unit count, then the tickers listed under it. Evidence: venues' instrument lists. */
const BLOCKS: readonly (readonly [prefix: string, multiplier: number, tickers: string])[] = [
  [
    '1000',
    1000,
    'PEPE SHIB BONK FLOKI LUNC XEC SATS RATS CAT CHEEMS WHY X BTT NEIROCTO TURBO LADYS IQ50 BEER CATS MUMU APU TAG TOSHI STARL AIDOGE MOG BABYDOGE NEIRO PONKE HYPER ELON KISHU VOLT QUACK WEN COQ NFT BOB VINU CORGIAI BABY MEME DOGS HAMSTER BOME MEW POPCAT SLERF FIO XYM JST TRX SPELL PUMP',
  ],
  [
    '10000',
    10_000,
    'PEPE SHIB LADYS NFT SATS WEN COQ ELON WHY QUBIC AIDOGE STARL BTT CAT CATS FLOKI LUNC XEC NEX',
  ],
  ['100000', 100_000, 'ELON AIDOGE BABYDOGE CHEEMS'],
  ['1000000', 1_000_000, 'MOG BOB BABYDOGE CHEEMS PEIPEI AIDOGE ELON VINU QUBIC'],
  ['10000000', 10_000_000, 'AIDOGE'],
  // Bitget's 1MCHEEMS is Bybit's 1000000CHEEMS and Binance's 1000CHEEMS.
  ['1M', 1_000_000, 'BABYDOGE MOG BOB PEPE SHIB BTT AIDOGE CHEEMS'],
  // Gate's MBABYDOGE_USDT marked 0.0003824, the BABYDOGE in its index 3.8e-10 (2026-09).
  ['M', 1_000_000, 'BABYDOGE'],
  ['10K', 10_000, 'SATS LADYS NFT WEN COQ'],
  ['1K', 1000, 'PEPE SHIB BONK FLOKI LUNC XEC SATS RATS CAT CHEEMS TOSHI NEIRO'],
  ['k', 1000, 'PEPE SHIB BONK LUNC FLOKI NEIRO DOGS NOT XEC'],
  ['K', 1000, 'PEPE SHIB BONK FLOKI'],
];

/** Other names of the same asset, whatever the venue. Venue-specific ones belong to the market's registry. */
const ALIASES: readonly (readonly [name: string, ticker: string])[] = [['XBT', 'BTC']];

/** Names whose text carries the multiplier elsewhere: `SHIB1000`, as some venues write it. */
const SUFFIXED: readonly (readonly [suffix: string, multiplier: number, tickers: string])[] = [
  ['1000', 1000, 'SHIB PEPE BONK FLOKI LUNC XEC CAT RATS SATS'],
];

/**
 * Names that begin or end with a number and count nothing: coins under these tickers on several venues, and the index of the
 * thousand largest companies.
 */
export const REAL_NAMES: ReadonlySet<string> = new Set('1INCH 2Z 0G 10SET RUSSELL1000'.split(' '));

function build(): ReadonlyMap<string, BaseName> {
  const names = new Map<string, BaseName>();
  for (const [prefix, multiplier, tickers] of BLOCKS) {
    for (const ticker of tickers.split(' ')) names.set(prefix + ticker, { ticker, multiplier });
  }
  for (const [suffix, multiplier, tickers] of SUFFIXED) {
    for (const ticker of tickers.split(' ')) names.set(ticker + suffix, { ticker, multiplier });
  }
  for (const [name, ticker] of ALIASES) names.set(name, { ticker, multiplier: 1 });
  return names;
}

export const BASE_NAMES: ReadonlyMap<string, BaseName> = build();
