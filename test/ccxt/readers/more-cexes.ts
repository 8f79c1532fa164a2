import { backpack, bingx, cryptocom, deribit, htx, krakenfutures, phemex, whitebit } from 'ccxt';
import {
  type CcxtReader,
  contracts,
  fundingRateOfEach,
  fundingRates,
  idOf,
  openInterestOfEach,
  perContract,
  pointed,
  type Reading,
  type Taken,
  taken,
  tickers,
} from '../reading.ts';

async function readHtx(url: string): Promise<Taken> {
  const fetchMarkets = { types: { spot: false, linear: true, inverse: false } };
  const exchange = await pointed(new htx({ options: { defaultType: 'swap', fetchMarkets } }), url);
  const marks = perContract(exchange, async (symbol) => {
    const [candle] = await exchange.fetchOHLCV(symbol, '1m', undefined, 1, { price: 'mark' });
    return { markPrice: candle?.[4] };
  });
  const answer = await exchange.contractPublicGetLinearSwapApiV1SwapIndex();
  const rows = answer.data as readonly { contract_code: string; index_price: string }[];
  const indices = rows.map((row): [string, Reading] => [
    row.contract_code,
    { indexPrice: Number(row.index_price) },
  ]);
  const all = await exchange.fetchTickers(undefined, { business_type: 'swap', subType: 'linear' });
  // The quote volume of the answer is ignored: it counts contracts.
  const touch = Object.values(all).map(({ symbol, bid, ask, baseVolume }): [string, Reading] => [
    idOf(exchange, symbol),
    { bestBid: bid, bestAsk: ask, volumeBase: baseVolume },
  ]);
  // ccxt's amounts count contracts here.
  const units = { amount: 'openInterestRaw', value: 'openInterestUsd' } as const;
  return taken(
    exchange,
    fundingRateOfEach(exchange),
    openInterestOfEach(exchange, units),
    marks,
    indices,
    touch,
  );
}

async function readBingx(url: string): Promise<Taken> {
  const exchange = new bingx({ options: { defaultType: 'swap' } });
  // Spot and coin-margined contracts lie on calls that are not simulated.
  Object.assign(exchange, { fetchSpotMarkets: async () => [], fetchInverseSwapMarkets: async () => [] });
  await pointed(exchange, url);
  const interest = openInterestOfEach(exchange, { value: 'openInterestUsd' });
  return taken(exchange, fundingRates(exchange), interest, tickers(exchange));
}

async function readKraken(url: string): Promise<Taken> {
  const exchange = await pointed(new krakenfutures(), url);
  const symbols = contracts(exchange).map(({ symbol }) => symbol);
  const all = Object.values(await exchange.fetchTickers(symbols));
  const passed = all.map(({ symbol, bid, ask, baseVolume, info }): [string, Reading] => {
    const { openInterest } = info as { openInterest: string };
    const reading = { bestBid: bid, bestAsk: ask, volumeBase: baseVolume };
    return [idOf(exchange, symbol), { ...reading, openInterestRaw: Number(openInterest) }];
  });
  return taken(exchange, fundingRates(exchange, symbols), passed);
}

async function readDeribit(url: string): Promise<Taken> {
  const exchange = await pointed(new deribit(), url);
  const ofEach = perContract(exchange, async (symbol) => {
    const { markPrice, indexPrice, bid, ask, quoteVolume } = await exchange.fetchTicker(symbol);
    return { markPrice, indexPrice, bestBid: bid, bestAsk: ask, volumeUsd: quoteVolume };
  });
  const interest = openInterestOfEach(exchange, { value: 'openInterestUsd' });
  return taken(exchange, fundingRateOfEach(exchange), ofEach, interest);
}

async function readPhemex(url: string): Promise<Taken> {
  const exchange = await pointed(new phemex(), url);
  return taken(exchange, fundingRateOfEach(exchange), openInterestOfEach(exchange));
}

async function readWhitebit(url: string): Promise<Taken> {
  const exchange = await pointed(new whitebit(), url);
  const all = Object.values(await exchange.fetchTickers(undefined, { type: 'swap' }));
  const passed = all.map(({ indexPrice, baseVolume, quoteVolume, bid, ask, info }): [string, Reading] => {
    const { ticker_id, mark_price, open_interest } = info as Record<string, string>;
    const named = { indexPrice, bestBid: bid, bestAsk: ask, volumeBase: baseVolume, volumeUsd: quoteVolume };
    const raw = { markPrice: Number(mark_price), openInterestRaw: Number(open_interest) };
    return [String(ticker_id), { ...named, ...raw }];
  });
  return taken(exchange, fundingRates(exchange), passed);
}

async function readCryptocom(url: string): Promise<Taken> {
  const exchange = await pointed(new cryptocom(), url);
  const all = await exchange.fetchTickers();
  const passed = contracts(exchange).map(({ symbol, id }): [string, Reading] => {
    const { baseVolume, quoteVolume, bid, ask, info } = all[symbol] ?? {};
    const named = { bestBid: bid, bestAsk: ask, volumeBase: baseVolume, volumeUsd: quoteVolume };
    return [id, { ...named, openInterestRaw: Number(info?.oi) }];
  });
  const newest = async (id: string, type: string): Promise<number> => {
    const asking = { instrument_name: id, valuation_type: type, count: 1 };
    const answer = await exchange.v1PublicGetPublicGetValuations(asking);
    return Number(answer.result.data[0].v);
  };
  // Mark and index have no name in ccxt; its raw call gives them.
  const prices = perContract(exchange, async (_, id) => ({
    markPrice: await newest(id, 'mark_price'),
    indexPrice: await newest(id, 'index_price'),
  }));
  return taken(exchange, fundingRateOfEach(exchange), passed, prices);
}

async function readBackpack(url: string): Promise<Taken> {
  const exchange = await pointed(new backpack(), url);
  const all = await exchange.fetchTickers();
  const volumes = contracts(exchange).map(({ symbol, id }): [string, Reading] => [
    id,
    { volumeBase: all[symbol]?.baseVolume, volumeUsd: all[symbol]?.quoteVolume },
  ]);
  const interest = openInterestOfEach(exchange, { value: 'openInterestUsd' });
  return taken(exchange, fundingRateOfEach(exchange), interest, volumes);
}

export const MORE_CEXES: readonly CcxtReader[] = [
  {
    venue: 'htx',
    exchange: 'htx',
    read: readHtx,
    books: { markets: { types: { spot: false, linear: true, inverse: false } }, inContracts: true },
    known: {
      volumeBase: 'the volume of both sides of each trade is not halved',
      takerFeeBps: 'the taker fee is that of coin-margined swaps',
    },
  },
  {
    venue: 'bingx',
    exchange: 'bingx',
    read: readBingx,
    books: { without: ['fetchSpotMarkets', 'fetchInverseSwapMarkets'] },
  },
  {
    venue: 'kraken',
    exchange: 'krakenfutures',
    read: readKraken,
    books: {},
    known: {
      fundingRate:
        'the absolute rate over the mark of now; the socket states the fraction, of the spot price at which the hour began',
    },
  },
  {
    venue: 'deribit',
    exchange: 'deribit',
    read: readDeribit,
    books: {},
    known: {
      fundingRate: 'what accrued over the last eight hours is called the rate',
      openInterestUsd: 'open interest in coins is called a value',
    },
  },
  {
    venue: 'phemex',
    exchange: 'phemex',
    read: readPhemex,
    books: {},
    known: { takerFeeBps: 'the taker fee of contracts is that of spot' },
  },
  { venue: 'whitebit', exchange: 'whitebit', read: readWhitebit, books: {} },
  {
    venue: 'cryptocom',
    exchange: 'cryptocom',
    read: readCryptocom,
    books: {},
    known: {
      fundingRate: 'the rate is the estimate of the window after the next',
      takerFeeBps: 'the taker fee of contracts is that of spot',
    },
  },
  {
    venue: 'backpack',
    exchange: 'backpack',
    read: readBackpack,
    books: {},
    known: { openInterestUsd: 'open interest in base units is called a value' },
  },
];
