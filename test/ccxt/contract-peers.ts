import { bitget, type Exchange, gate, kucoinfutures, mexc } from 'ccxt';
import {
  AT_ONCE,
  fundingParts,
  gather,
  hours,
  idOf,
  OPTIONS,
  openInterestParts,
  type Part,
  type Peer,
  type PeerReading,
} from './peers.ts';

type Readings = ReadonlyMap<string, PeerReading>;

/** Points every address at one place, in nested groups as well; paths behind the host stay. */
function redirected(addresses: unknown, url: string): unknown {
  if (typeof addresses === 'string') return addresses.replace(/^https:\/\/[^/]+/, url);
  if (typeof addresses !== 'object' || addresses === null) return addresses;
  return Object.fromEntries(Object.entries(addresses).map(([name, one]) => [name, redirected(one, url)]));
}

/** Spot lies on calls that are not simulated. */
export function withoutSpot(exchange: mexc): mexc {
  return Object.assign(exchange, { fetchSpotMarkets: async () => [] });
}

/** Ready to be asked about contracts; currencies lie on calls that are not simulated. */
export async function ready<E extends Exchange>(exchange: E, url: string): Promise<E> {
  Object.assign(exchange.urls, { api: redirected(exchange.urls.api, url) });
  exchange.has.fetchCurrencies = false;
  await exchange.loadMarkets();
  return exchange;
}

/** Runs `read` for every live linear perpetual, some at once. */
async function perContract(exchange: Exchange, read: (symbol: string) => Promise<Part>): Promise<Part[]> {
  const queue = Object.values(exchange.markets ?? {}).filter(
    (market) => market?.swap === true && market.linear === true && market.active === true,
  );
  const parts: Part[] = [];
  const worker = async () => {
    for (let market = queue.pop(); market !== undefined; market = queue.pop()) {
      parts.push(await read(market.symbol));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return parts;
}

async function readBitget(url: string): Promise<Readings> {
  const options = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };
  const exchange = await ready(new bitget({ ...OPTIONS, options }), url);
  const parts: Part[] = [];
  for (const productType of ['USDT-FUTURES', 'USDC-FUTURES']) {
    for (const rate of Object.values(await exchange.fetchFundingRates(undefined, { productType }))) {
      const { fundingRate, markPrice, indexPrice } = rate;
      parts.push({ id: idOf(exchange, rate.symbol), reading: { fundingRate, markPrice, indexPrice } });
    }
    for (const row of Object.values(await exchange.fetchFundingIntervals(undefined, { productType }))) {
      const reading = { intervalHours: hours(row.interval), nextFundingTime: row.fundingTimestamp };
      parts.push({ id: idOf(exchange, row.symbol), reading });
    }
  }
  return gather([...parts, ...(await openInterestParts(exchange))]);
}

async function readGate(url: string): Promise<Readings> {
  const options = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };
  const exchange = await ready(new gate({ ...OPTIONS, options }), url);
  const latest = async (symbol: string): Promise<Part> => {
    const [point] = await exchange.fetchOpenInterestHistory(symbol, '5m', undefined, 1);
    return { id: idOf(exchange, symbol), reading: { openInterest: point?.openInterestAmount } };
  };
  return gather([...(await fundingParts(exchange)), ...(await perContract(exchange, latest))]);
}

async function readKucoin(url: string): Promise<Readings> {
  const exchange = await ready(new kucoinfutures(OPTIONS), url);
  const tickers = Object.values(await exchange.fetchTickers());
  const interests = Object.values(await exchange.fetchOpenInterests());
  return gather([
    ...(await fundingParts(exchange)),
    ...tickers.map(({ symbol, markPrice, indexPrice }) => ({
      id: idOf(exchange, symbol),
      reading: { markPrice, indexPrice },
    })),
    // ccxt's "amount" counts lots here.
    ...interests.map(({ symbol, openInterestAmount }) => ({
      id: idOf(exchange, symbol),
      reading: { openInterest: openInterestAmount },
    })),
  ]);
}

/** Fields of the venue's ticker that ccxt passes on without a name of its own. */
interface MexcTicker {
  readonly symbol: string;
  readonly fairPrice: string;
  readonly indexPrice: string;
  readonly holdVol: string;
}

async function readMexc(url: string): Promise<Readings> {
  const exchange = withoutSpot(new mexc({ ...OPTIONS, options: { defaultType: 'swap' } }));
  const swaps = exchange.fetchSwapMarkets.bind(exchange);
  // Known: ccxt takes a dated contract for the perpetual of its coin.
  const perpetuals = async () => (await swaps()).filter((market) => Number(market?.info.futureType) === 1);
  Object.assign(exchange, { fetchSwapMarkets: perpetuals });
  await ready(exchange, url);
  const rate = async (symbol: string): Promise<Part> => {
    const { fundingRate, fundingTimestamp, interval } = await exchange.fetchFundingRate(symbol);
    const reading = { fundingRate, nextFundingTime: fundingTimestamp, intervalHours: hours(interval) };
    return { id: idOf(exchange, symbol), reading };
  };
  const tickers = Object.values(await exchange.fetchTickers(undefined, { type: 'swap' }));
  return gather([
    ...(await perContract(exchange, rate)),
    ...tickers.map(({ info }) => {
      const { symbol, fairPrice, indexPrice, holdVol } = info as MexcTicker;
      const reading = {
        markPrice: Number(fairPrice),
        indexPrice: Number(indexPrice),
        openInterest: Number(holdVol),
      };
      return { id: symbol, reading };
    }),
  ]);
}

/** Venues whose ccxt readings come from several calls of different units. */
export const CONTRACT_PEERS: readonly Peer[] = [
  { venue: 'bitget', openInterestUnit: 'raw', read: readBitget },
  { venue: 'gate', openInterestUnit: 'raw', read: readGate },
  { venue: 'kucoin', openInterestUnit: 'raw', read: readKucoin },
  { venue: 'mexc', openInterestUnit: 'raw', read: readMexc },
];
