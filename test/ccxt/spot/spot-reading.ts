import type { Exchange, Market } from 'ccxt';
import { OPTIONS, pointed } from '../reading.ts';

/** Fields of a spot market on which two readers can agree. Prices and amounts are per base as the venue names it. */
export const SPOT_FIELDS = [
  'bestBid',
  'bestBidSize',
  'bestAsk',
  'bestAskSize',
  'lastPrice',
  'volumeBase',
  'volumeQuote',
  'tick',
  'lot',
  'minSize',
  'minQuote',
  'takerFeeBps',
  'book',
  'borrow',
] as const;
export type SpotField = (typeof SPOT_FIELDS)[number];

/** A side of a book, best first. */
export type Levels = readonly (readonly [price: number, size: number])[];
export interface ReadBook {
  readonly bids: Levels;
  readonly asks: Levels;
}

/** A reader's values of one market; absent where it has none. */
export type SpotReading = Partial<Record<Exclude<SpotField, 'book'>, number | undefined>> & {
  readonly book?: ReadBook | undefined;
};

/** Everything that a reader says of a venue's spot side, by the venue's symbol. */
export type SpotReadings = ReadonlyMap<string, SpotReading>;

/** ccxt as a reader of one venue's spot side. */
export interface SpotReader {
  /** Our id of the venue. */
  readonly venue: string;
  /** Its class in ccxt, to be asked about spot alone. */
  readonly exchange: () => Exchange;
  /** The venue's symbol as ours, where ccxt takes another field for it. */
  readonly symbolOf?: (market: Market) => string;
  /** Asks for all tickers; by default without parameters. */
  readonly tickers?: (exchange: Exchange) => ReturnType<Exchange['fetchTickers']>;
  /** Levels of a book that it asks for; undefined asks for none. */
  readonly levels?: number | undefined;
  /** The borrow rate of a coin, fraction an hour. */
  readonly borrow?: (exchange: Exchange, code: string) => Promise<number>;
  /**
   * Differences between ccxt 4.5.84 and this service by field, or in the list of markets, each with who is right by the venue: there the two must differ.
   */
  readonly known?: Partial<Record<SpotField | 'markets', string>>;
}

/** Markets whose books and borrow rates are read, of those that are listed first. */
export const SAMPLED = 5;
/** Levels that are compared. */
const COMPARED = 5;

const DOLLARS = new Set(['USD', 'USDT', 'USDC']);

/** Ready to be asked about spot. */
async function pointedSpot(exchange: Exchange, url: string): Promise<Exchange> {
  Object.assign(exchange, OPTIONS);
  return pointed(exchange, url);
}

/** Live spot markets in dollars as ccxt lists them. */
const spotMarkets = (exchange: Exchange): readonly Market[] =>
  Object.values(exchange.markets ?? {}).filter(
    (market): market is Market =>
      market?.spot === true && (market.active ?? true) && DOLLARS.has(String(market.quote)),
  );

const numberOf = (value: unknown): number | undefined => {
  const read = typeof value === 'number' ? value : undefined;
  return read === undefined || Number.isNaN(read) ? undefined : read;
};

/** The first levels of a side that ccxt has read. It passes single orders on as they come, which are added up here. */
function levelsOf(side: unknown): Levels {
  const sizes = new Map<number, number>();
  for (const [price, size] of side as readonly (readonly unknown[])[])
    sizes.set(Number(price), (sizes.get(Number(price)) ?? 0) + Number(size));
  return [...sizes].slice(0, COMPARED);
}

/** Reads all that ccxt reads of a venue's spot side. */
export async function readSpot(reader: SpotReader, url: string): Promise<SpotReadings> {
  const exchange = await pointedSpot(reader.exchange(), url);
  const markets = spotMarkets(exchange);
  const symbolOf = reader.symbolOf ?? ((market: Market) => String(market?.id));
  const tickers = await (reader.tickers ?? ((asked) => asked.fetchTickers()))(exchange);
  const readings = new Map<string, SpotReading>();
  for (const [place, market] of markets.entries()) {
    if (market === undefined) continue;
    const ticker = tickers[String(market.symbol)];
    const isSampled = place < SAMPLED;
    const { precision, limits, taker } = market;
    readings.set(symbolOf(market), {
      bestBid: numberOf(ticker?.bid),
      bestBidSize: numberOf(ticker?.bidVolume),
      bestAsk: numberOf(ticker?.ask),
      bestAskSize: numberOf(ticker?.askVolume),
      lastPrice: numberOf(ticker?.last),
      volumeBase: numberOf(ticker?.baseVolume),
      volumeQuote: numberOf(ticker?.quoteVolume),
      tick: numberOf(precision.price),
      lot: numberOf(precision.amount),
      // A least order of 0 is no limit.
      minSize: numberOf(limits.amount?.min) || undefined,
      minQuote: numberOf(limits.cost?.min) || undefined,
      takerFeeBps: taker === undefined ? undefined : Number(taker) * 10_000,
      book: isSampled ? await bookOf(exchange, reader, String(market.symbol)) : undefined,
      borrow: isSampled ? await reader.borrow?.(exchange, String(market.base)) : undefined,
    });
  }
  return readings;
}

async function bookOf(
  exchange: Exchange,
  { levels }: SpotReader,
  symbol: string,
): Promise<ReadBook | undefined> {
  if (levels === undefined) return undefined;
  const { bids, asks } = await exchange.fetchOrderBook(symbol, levels);
  return { bids: levelsOf(bids), asks: levelsOf(asks) };
}
