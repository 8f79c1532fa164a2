import { aster, binanceusdm, bitget, bybit, gate, kucoinfutures, mexc, okx } from 'ccxt';
import {
  type CcxtReader,
  fundingIntervals,
  fundingRateOfEach,
  fundingRates,
  idOf,
  narrowed,
  openInterestOfEach,
  openInterests,
  perContract,
  pointed,
  type Reading,
  type Taken,
  taken,
  tickers,
  touches,
} from '../reading.ts';
import { AT } from '../simulation.ts';

const SWAPS = { defaultType: 'swap', fetchMarkets: { types: ['swap'] } };

async function readBinance(url: string): Promise<Taken> {
  const exchange = await pointed(new binanceusdm(), url);
  return taken(
    exchange,
    fundingRates(exchange),
    fundingIntervals(exchange),
    openInterestOfEach(exchange),
    tickers(exchange),
    touches(exchange),
  );
}

async function readAster(url: string): Promise<Taken> {
  const exchange = new aster();
  // Spot lives on another host, which is not simulated.
  Object.assign(exchange, { sapiPublicGetV3ExchangeInfo: async () => ({ symbols: [] }) });
  await pointed(exchange, url);
  const swaps = { type: 'swap' };
  return taken(
    exchange,
    fundingRates(exchange),
    fundingIntervals(exchange),
    tickers(exchange, undefined, swaps),
  );
}

async function readBybit(url: string): Promise<Taken> {
  const options = { defaultType: 'swap', fetchMarkets: { types: ['linear'] } };
  const exchange = await pointed(new bybit({ options }), url);
  return taken(
    exchange,
    fundingRates(exchange),
    openInterestOfEach(exchange, undefined, { interval: '5m', limit: 1 }),
    tickers(exchange, undefined, { category: 'linear' }),
  );
}

async function readOkx(url: string): Promise<Taken> {
  const exchange = await pointed(new okx({ options: SWAPS }), url);
  const marks = Object.values(await exchange.fetchMarkPrices()).map((row): [string, Reading] => [
    idOf(exchange, row.symbol),
    { markPrice: row.markPrice },
  ]);
  const indices: [string, Reading][] = [];
  for (const quoteCcy of ['USDT', 'USDC']) {
    const answer = await exchange.publicGetMarketIndexTickers({ quoteCcy });
    for (const row of answer.data) indices.push([`${row.instId}-SWAP`, { indexPrice: Number(row.idxPx) }]);
  }
  return taken(exchange, fundingRates(exchange), marks, indices, openInterests(exchange), tickers(exchange));
}

async function readBitget(url: string): Promise<Taken> {
  const exchange = await pointed(new bitget({ options: SWAPS }), url);
  const ofType = (productType: string) => [
    fundingRates(exchange, undefined, { productType }),
    fundingIntervals(exchange, { productType }),
    tickers(exchange, undefined, { productType }),
  ];
  return taken(exchange, ...['USDT-FUTURES', 'USDC-FUTURES'].flatMap(ofType), openInterestOfEach(exchange));
}

async function readGate(url: string): Promise<Taken> {
  const exchange = await pointed(new gate({ options: SWAPS }), url);
  const latest = perContract(exchange, async (symbol) => {
    const [point] = await exchange.fetchOpenInterestHistory(symbol, '5m', undefined, 1);
    return { openInterestRaw: point?.openInterestAmount };
  });
  return taken(exchange, fundingRates(exchange), tickers(exchange), latest);
}

async function readKucoin(url: string): Promise<Taken> {
  const exchange = await pointed(new kucoinfutures(), url);
  // ccxt's amounts count lots here.
  return taken(exchange, fundingRates(exchange), openInterests(exchange), tickers(exchange));
}

/** Fields of MEXC's ticker that ccxt passes on without a name of its own. */
interface MexcTicker {
  readonly symbol: string;
  readonly fairPrice: string;
  readonly indexPrice: string;
  readonly holdVol: string;
}

async function readMexc(url: string): Promise<Taken> {
  const exchange = new mexc({ options: { defaultType: 'swap' } });
  // Spot lies on calls that are not simulated.
  Object.assign(exchange, { fetchSpotMarkets: async () => [] });
  await pointed(exchange, url);
  const live = narrowed(exchange, ({ futureType, openingTime }) => {
    return Number(futureType) === 1 && Number(openingTime) <= AT;
  });
  const all = Object.values(await exchange.fetchTickers(undefined, { type: 'swap' }));
  const passed = all.map(({ bid, ask, info }): [string, Reading] => {
    const { symbol, fairPrice, indexPrice, holdVol } = info as MexcTicker;
    const prices = { markPrice: Number(fairPrice), indexPrice: Number(indexPrice) };
    return [symbol, { ...prices, openInterestRaw: Number(holdVol), bestBid: bid, bestAsk: ask }];
  });
  return { ...(await taken(exchange, fundingRateOfEach(exchange), passed)), live };
}

export const FIRST_CEXES: readonly CcxtReader[] = [
  { venue: 'binance', exchange: 'binanceusdm', read: readBinance, books: {} },
  {
    venue: 'bybit',
    exchange: 'bybit',
    read: readBybit,
    books: { markets: { types: ['linear'] } },
    known: { takerFeeBps: 'a taker fee of 6 bps instead of 5.5' },
  },
  {
    venue: 'okx',
    exchange: 'okx',
    read: readOkx,
    books: { inContracts: true },
    known: { volumeBase: 'the volume in contracts is called one in base units' },
  },
  { venue: 'bitget', exchange: 'bitget', read: readBitget, books: { markets: { types: ['swap'] } } },
  {
    venue: 'gate',
    exchange: 'gate',
    read: readGate,
    books: { markets: { types: ['swap'] }, inContracts: true },
    known: { volumeBase: 'the volume that is cut to whole coins, not contracts times size' },
  },
  {
    venue: 'kucoin',
    exchange: 'kucoinfutures',
    read: readKucoin,
    // Of the stream of changes ccxt 4.5 reads other fields than it has: it is given the snapshots of the same address.
    books: { inContracts: true, watched: { uta: true, utaDepth: '50' } },
  },
  {
    venue: 'mexc',
    exchange: 'mexc',
    read: readMexc,
    books: { without: ['fetchSpotMarkets'], inContracts: true },
    known: {
      contracts: 'a dated contract takes the name of the perpetual, and what has not opened yet is listed',
      takerFeeBps: 'the taker fee is that of the site, not of the API',
    },
  },
  {
    venue: 'aster',
    exchange: 'aster',
    read: readAster,
    books: { without: ['sapiPublicGetV3ExchangeInfo'] },
    known: { takerFeeBps: 'a taker fee of 3.5 bps for all, the venue has 4, and others by class' },
  },
];
