import { aster, binanceusdm, bybit, type Exchange, okx } from 'ccxt';

/** What ccxt reads of one contract, in the venue's own units; undefined where ccxt does not read it. */
export interface PeerReading {
  readonly fundingRate: number | undefined;
  readonly nextFundingTime: number | undefined;
  readonly intervalHours: number | undefined;
  readonly markPrice: number | undefined;
  readonly indexPrice: number | undefined;
  readonly openInterest: number | undefined;
}

/** An independent reader of one venue, pointed at another address. */
export interface Peer {
  readonly venue: string;
  /** Field of our quote that has the unit of ccxt's open interest. */
  readonly openInterestUnit: 'base' | 'raw' | 'none';
  /** Readings by the venue's symbol. */
  readonly read: (url: string) => Promise<ReadonlyMap<string, PeerReading>>;
}

export interface Part {
  readonly id: string | undefined;
  readonly reading: Partial<PeerReading>;
}

export const OPTIONS = { enableRateLimit: false, timeout: 30_000 };
/** Requests under way at once. */
export const AT_ONCE = 16;

/** Points every address of an exchange at one place; paths behind the host stay. */
function redirect(exchange: Exchange, url: string): void {
  const api = exchange.urls.api as Record<string, string>;
  for (const [name, address] of Object.entries(api)) {
    if (typeof address === 'string') api[name] = address.replace(/^https:\/\/[^/]+/, url);
  }
}

async function prepared<E extends Exchange>(exchange: E, url: string): Promise<E> {
  redirect(exchange, url);
  await exchange.loadMarkets();
  return exchange;
}

export function idOf(exchange: Exchange, symbol: string | undefined): string | undefined {
  return symbol === undefined ? undefined : exchange.markets?.[symbol]?.id;
}

export function gather(parts: readonly Part[]): ReadonlyMap<string, PeerReading> {
  const readings = new Map<string, PeerReading>();
  for (const { id, reading } of parts) {
    if (id === undefined) continue;
    const blank: PeerReading = {
      fundingRate: undefined,
      nextFundingTime: undefined,
      intervalHours: undefined,
      markPrice: undefined,
      indexPrice: undefined,
      openInterest: undefined,
    };
    readings.set(id, { ...(readings.get(id) ?? blank), ...reading });
  }
  return readings;
}

export function hours(interval: unknown): number | undefined {
  const match = typeof interval === 'string' ? interval.match(/^(\d+)h$/) : null;
  return match === null ? undefined : Number(match[1]);
}

/** Funding, mark and index of every contract, as far as the exchange's answer has them. */
export async function fundingParts(exchange: Exchange): Promise<Part[]> {
  const rates = Object.values(await exchange.fetchFundingRates());
  return rates.map((rate) => ({
    id: idOf(exchange, rate.symbol),
    reading: {
      fundingRate: rate.fundingRate,
      nextFundingTime: rate.fundingTimestamp ?? rate.nextFundingTimestamp,
      ...(rate.interval === undefined ? {} : { intervalHours: hours(rate.interval) }),
      ...(rate.markPrice === undefined ? {} : { markPrice: rate.markPrice }),
      ...(rate.indexPrice === undefined ? {} : { indexPrice: rate.indexPrice }),
    },
  }));
}

async function intervalParts(exchange: Exchange): Promise<Part[]> {
  const rows = Object.values(await exchange.fetchFundingIntervals());
  return rows.map((row) => ({
    id: idOf(exchange, row.symbol),
    reading: { intervalHours: hours(row.interval) },
  }));
}

/** Open interest, one call a contract. */
export async function openInterestParts(exchange: Exchange, params: object = {}): Promise<Part[]> {
  const markets = Object.values(exchange.markets ?? {}).filter(
    (market) => market?.swap === true && market.linear === true && market.active === true,
  );
  const parts: Part[] = [];
  const queue = [...markets];
  const worker = async () => {
    for (let market = queue.pop(); market !== undefined; market = queue.pop()) {
      const interest = await exchange.fetchOpenInterest(market.symbol, params);
      parts.push({ id: market.id, reading: { openInterest: interest.openInterestAmount } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return parts;
}

async function readBinance(url: string): Promise<ReadonlyMap<string, PeerReading>> {
  const exchange = await prepared(new binanceusdm(OPTIONS), url);
  return gather([
    ...(await fundingParts(exchange)),
    ...(await intervalParts(exchange)),
    ...(await openInterestParts(exchange)),
  ]);
}

async function readAster(url: string): Promise<ReadonlyMap<string, PeerReading>> {
  const exchange = new aster(OPTIONS);
  // Spot lives on another host, which is not simulated.
  Object.assign(exchange, { sapiPublicGetV3ExchangeInfo: async () => ({ symbols: [] }) });
  await prepared(exchange, url);
  return gather([...(await fundingParts(exchange)), ...(await intervalParts(exchange))]);
}

async function readBybit(url: string): Promise<ReadonlyMap<string, PeerReading>> {
  const options = { defaultType: 'swap', fetchMarkets: { types: ['linear'] } };
  const exchange = await prepared(new bybit({ ...OPTIONS, options }), url);
  return gather([
    ...(await fundingParts(exchange)),
    ...(await openInterestParts(exchange, { interval: '5m', limit: 1 })),
  ]);
}

async function readOkx(url: string): Promise<ReadonlyMap<string, PeerReading>> {
  const options = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };
  const exchange = await prepared(new okx({ ...OPTIONS, options }), url);
  const marks = Object.values(await exchange.fetchMarkPrices());
  const interests = Object.values(await exchange.fetchOpenInterests());
  const indices: Part[] = [];
  for (const quote of ['USDT', 'USDC']) {
    const tickers = await exchange.publicGetMarketIndexTickers({ quoteCcy: quote });
    for (const row of tickers.data) {
      indices.push({ id: `${row.instId}-SWAP`, reading: { indexPrice: Number(row.idxPx) } });
    }
  }
  return gather([
    ...(await fundingParts(exchange)),
    ...marks.map((row) => ({ id: idOf(exchange, row.symbol), reading: { markPrice: row.markPrice } })),
    ...interests.map((row) => ({
      id: idOf(exchange, row.symbol),
      reading: { openInterest: row.openInterestAmount },
    })),
    ...indices,
  ]);
}

export const PEERS: readonly Peer[] = [
  { venue: 'binance', openInterestUnit: 'raw', read: readBinance },
  { venue: 'bybit', openInterestUnit: 'raw', read: readBybit },
  { venue: 'okx', openInterestUnit: 'raw', read: readOkx },
  { venue: 'aster', openInterestUnit: 'none', read: readAster },
];
