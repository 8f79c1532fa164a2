import type { Exchange } from 'ccxt';
import { AT } from './simulation.ts';

/** Fields on which two readers can agree. Prices and base amounts are per base as the venue names it. */
export type Field =
  | 'fundingRate'
  | 'nextFundingTime'
  | 'intervalHours'
  | 'markPrice'
  | 'indexPrice'
  | 'bestBid'
  | 'bestAsk'
  | 'openInterestRaw'
  | 'openInterestBase'
  | 'openInterestUsd'
  | 'volumeRaw'
  | 'volumeBase'
  | 'volumeUsd'
  | 'takerFeeBps';

/** ccxt's reading of one contract; absent where it has none. */
export type Reading = Partial<Record<Field, number | undefined>>;

/** Readings of some contracts by the venue's own symbol; several say more of the same contract. */
export type Readings = readonly (readonly [symbol: string, reading: Reading])[];

/** Options by which ccxt watches the same books as we do. */
export interface WatchedBooks {
  /** Levels of a side that ccxt subscribes to, where it is less than we hold. */
  readonly depth?: number;
  /** ccxt counts contracts. */
  readonly inContracts?: true;
  /** Lists that ccxt is to read, where it would ask for others that are not simulated; and such that it is to leave. */
  readonly markets?: Readonly<Record<string, unknown>>;
  readonly without?: readonly string[];
  /** Options for watching, where its own way differs from ours. */
  readonly watched?: Readonly<Record<string, unknown>>;
}

/** An independent reader of one venue. */
export interface CcxtReader {
  /** Our id of the venue. */
  readonly venue: string;
  /** ccxt's id of it. */
  readonly exchange: string;
  /**
   * Mistakes of ccxt 4.5.84 by field, or in the list of contracts: there the two must differ, so that it is noticed
   * when ccxt has mended them.
   */
  readonly known?: Partial<Record<Field | 'contracts', string>>;
  /** ccxt reads by socket: REST rounds the same amounts to lots. */
  readonly isStreamed?: true;
  /** The comparison of ccxt's books with those that we stream, or the reason for which there is none. */
  readonly books?: WatchedBooks | string;
  /** Reads all that ccxt reads of the venue at this address. */
  readonly read: (url: string) => Promise<Taken>;
}

/** Everything ccxt says of a venue. */
export interface Taken {
  /** The venue's symbols of what ccxt takes for live linear perpetuals. */
  readonly live: readonly string[];
  readonly readings: Readings;
}

/** ccxt waits as long as a test may take. */
export const OPTIONS = { enableRateLimit: false, timeout: 240_000 };
/** Requests under way at once. */
const AT_ONCE = 16;

/** Points every address at one place, in nested groups as well; paths behind the host stay. */
function redirected(addresses: unknown, url: string): unknown {
  if (typeof addresses === 'string') {
    const to = addresses.startsWith('ws') ? url.replace('http', 'ws') : url;
    return addresses.replace(/^\w+:\/\/[^/]+/, to);
  }
  if (typeof addresses !== 'object' || addresses === null) return addresses;
  return Object.fromEntries(Object.entries(addresses).map(([name, one]) => [name, redirected(one, url)]));
}

/** Ready to be asked about contracts. Its clock stands still; lists of currencies are not simulated. */
export async function pointed<E extends Exchange>(exchange: E, url: string): Promise<E> {
  Object.assign(exchange, OPTIONS);
  Object.assign(exchange.urls, { api: redirected(exchange.urls.api, url) });
  exchange.milliseconds = () => AT;
  // Hyperliquid's list gives the collateral of a dex.
  if (exchange.id !== 'hyperliquid') exchange.has.fetchCurrencies = false;
  await exchange.loadMarkets();
  return exchange;
}

/** A contract as ccxt lists it: its own symbol and the venue's. */
interface Listed {
  readonly symbol: string;
  readonly id: string;
  readonly taker: number | undefined;
}

/** Live linear perpetuals in dollars as ccxt lists them; where it does not say what is active, all. */
export function contracts(exchange: Exchange): Listed[] {
  return Object.values(exchange.markets ?? {}).flatMap((market) =>
    market?.swap === true &&
    market.linear === true &&
    (market.active ?? true) &&
    /^USD/.test(String(market.settle))
      ? [{ symbol: String(market.symbol), id: String(market.id), taker: market.taker }]
      : [],
  );
}

/** Narrows ccxt's live markets to those that are, so that no call is made about the others. */
export function narrowed(
  exchange: Exchange,
  isLive: (info: Readonly<Record<string, unknown>>) => boolean,
): readonly string[] {
  const live = contracts(exchange).map(({ id }) => id);
  for (const market of Object.values(exchange.markets ?? {})) {
    if (market !== undefined) market.active = (market.active ?? true) && isLive(market.info);
  }
  return live;
}

/** The readings of an exchange, with its contracts and their fees. */
export async function taken(
  exchange: Exchange,
  ...parts: readonly (Readings | Promise<Readings>)[]
): Promise<Taken> {
  const readings = await Promise.all(parts);
  return {
    live: contracts(exchange).map(({ id }) => id),
    readings: [...fees(exchange), ...readings.flat()],
  };
}

/** The venue's symbol of one of ccxt's; empty where it is no live contract's. */
export function idOf(exchange: Exchange, symbol: string | undefined): string {
  return symbol === undefined ? '' : String(exchange.markets?.[symbol]?.id ?? '');
}

/** `8h` in hours. */
export function hours(interval: unknown): number | undefined {
  const match = typeof interval === 'string' ? interval.match(/^(\d+)h$/) : null;
  return match === null ? undefined : Number(match[1]);
}

/** Runs `read` for every live linear perpetual, some at once. */
export async function perContract(
  exchange: Exchange,
  read: (symbol: string, id: string) => Promise<Reading>,
): Promise<Readings> {
  const queue = contracts(exchange);
  const readings: [string, Reading][] = [];
  const worker = async () => {
    for (let market = queue.pop(); market !== undefined; market = queue.pop()) {
      readings.push([market.id, await read(market.symbol, market.id)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return readings;
}

/** Taker fees of all contracts. */
function fees(exchange: Exchange): Readings {
  return contracts(exchange).map(({ id, taker }) => [
    id,
    { takerFeeBps: taker === undefined ? undefined : taker * 10_000 },
  ]);
}

type Rate = Awaited<ReturnType<Exchange['fetchFundingRate']>>;

function ofRate(rate: Rate): Reading {
  return {
    fundingRate: rate.fundingRate,
    nextFundingTime: rate.fundingTimestamp ?? rate.nextFundingTimestamp,
    intervalHours: hours(rate.interval),
    markPrice: rate.markPrice,
    indexPrice: rate.indexPrice,
  };
}

/** Rate, next payment, interval, mark and index of all contracts, as far as the answer has them. */
export async function fundingRates(
  exchange: Exchange,
  symbols?: string[],
  params?: object,
): Promise<Readings> {
  const rates = Object.values(await exchange.fetchFundingRates(symbols, params));
  return rates.map((rate) => [idOf(exchange, rate.symbol), ofRate(rate)]);
}

/** The same, one call a contract. */
export function fundingRateOfEach(exchange: Exchange): Promise<Readings> {
  return perContract(exchange, async (symbol) => ofRate(await exchange.fetchFundingRate(symbol)));
}

export async function fundingIntervals(exchange: Exchange, params?: object): Promise<Readings> {
  const rows = Object.values(await exchange.fetchFundingIntervals(undefined, params));
  return rows.map((row) => [
    idOf(exchange, row.symbol),
    { intervalHours: hours(row.interval), nextFundingTime: row.fundingTimestamp },
  ]);
}

type Ticker = Awaited<ReturnType<Exchange['fetchTicker']>>;

function ofTicker(ticker: Ticker): Reading {
  return {
    markPrice: ticker.markPrice,
    indexPrice: ticker.indexPrice,
    bestBid: ticker.bid,
    bestAsk: ticker.ask,
    volumeBase: ticker.baseVolume,
    volumeUsd: ticker.quoteVolume,
  };
}

/** Mark, index, touch and volumes of all contracts, as far as the answer has them. */
export async function tickers(exchange: Exchange, symbols?: string[], params?: object): Promise<Readings> {
  const all = Object.values(await exchange.fetchTickers(symbols, params));
  return all.map((ticker) => [idOf(exchange, ticker.symbol), ofTicker(ticker)]);
}

/** Best prices of all contracts, where they have a call of their own. */
export async function touches(exchange: Exchange): Promise<Readings> {
  const all = Object.values(await exchange.fetchBidsAsks());
  return all.map(({ symbol, bid, ask }) => [idOf(exchange, symbol), { bestBid: bid, bestAsk: ask }]);
}

/** Mark, index, touch and volumes, one call a contract. */
export function tickerOfEach(exchange: Exchange): Promise<Readings> {
  return perContract(exchange, async (symbol) => ofTicker(await exchange.fetchTicker(symbol)));
}

/** ccxt's amount and value of open interest, by our name for the venue's unit. */
export interface InterestUnits {
  readonly amount?: Field;
  readonly value?: Field;
}

type Interest = Awaited<ReturnType<Exchange['fetchOpenInterest']>>;

function ofInterest({ openInterestAmount, openInterestValue }: Interest, units: InterestUnits): Reading {
  return {
    ...(units.amount === undefined ? {} : { [units.amount]: openInterestAmount }),
    ...(units.value === undefined ? {} : { [units.value]: openInterestValue }),
  };
}

const RAW: InterestUnits = { amount: 'openInterestRaw' };

/** Open interest of all contracts. */
export async function openInterests(exchange: Exchange, units = RAW): Promise<Readings> {
  const all = Object.values(await exchange.fetchOpenInterests());
  return all.map((market) => [idOf(exchange, market.symbol), ofInterest(market, units)]);
}

/** The same, one call a contract. */
export function openInterestOfEach(exchange: Exchange, units = RAW, params: object = {}): Promise<Readings> {
  return perContract(exchange, async (symbol) =>
    ofInterest(await exchange.fetchOpenInterest(symbol, params), units),
  );
}
