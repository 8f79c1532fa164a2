import { apex, derive, dydx, extended, grvt, hibachi, nado, pacifica, paradex, woofipro } from 'ccxt';
import {
  type CcxtReader,
  fundingRateOfEach,
  fundingRates,
  narrowed,
  openInterestOfEach,
  openInterests,
  perContract,
  pointed,
  type Reading,
  type Taken,
  taken,
  tickerOfEach,
  tickers,
} from '../reading.ts';

async function readDydx(url: string): Promise<Taken> {
  return taken(await pointed(new dydx(), url));
}

async function readParadex(url: string): Promise<Taken> {
  const exchange = await pointed(new paradex(), url);
  const live = narrowed(exchange, (info) => info.asset_kind === 'PERP' && info.trading_mode === 'STANDARD');
  const parts = [fundingRates(exchange), openInterestOfEach(exchange), tickerOfEach(exchange)];
  return { ...(await taken(exchange, ...parts)), live };
}

async function readOrderly(url: string): Promise<Taken> {
  const exchange = await pointed(new woofipro(), url);
  return taken(exchange, fundingRates(exchange), tickers(exchange), openInterests(exchange));
}

/** ccxt knows the version before v3, whose host is dead; its calls are in v3 too, behind another path. */
async function readDerive(url: string): Promise<Taken> {
  const exchange = await pointed(new derive(), `${url}/v3`);
  return taken(exchange, fundingRateOfEach(exchange));
}

async function readExtended(url: string): Promise<Taken> {
  const exchange = await pointed(new extended(), url);
  return taken(exchange, tickers(exchange));
}

async function readPacifica(url: string): Promise<Taken> {
  const exchange = await pointed(new pacifica(), url);
  const units = { amount: 'openInterestRaw', value: 'openInterestUsd' } as const;
  return taken(exchange, fundingRates(exchange), tickers(exchange), openInterests(exchange, units));
}

async function readGrvt(url: string): Promise<Taken> {
  const exchange = await pointed(new grvt(), url);
  const live = narrowed(exchange, (info) => info.status === 'ACTIVE');
  return { ...(await taken(exchange, tickerOfEach(exchange))), live };
}

async function readApex(url: string): Promise<Taken> {
  const exchange = await pointed(new apex(), url);
  const all = await taken(exchange, tickerOfEach(exchange), openInterestOfEach(exchange));
  // It goes by the other spelling of the name.
  const joined = (id: string) => id.replace('-', '');
  return {
    live: all.live.map(joined),
    readings: all.readings.map(([id, reading]) => [joined(id), reading] as const),
  };
}

async function readNado(url: string): Promise<Taken> {
  const exchange = await pointed(new nado(), url);
  const { live, readings } = await taken(
    exchange,
    fundingRates(exchange),
    tickers(exchange),
    openInterests(exchange),
  );
  const tickerOf = new Map(
    Object.values(exchange.markets ?? {}).map((market) => [market?.id, String(market?.info.ticker_id)]),
  );
  const named = (id: string) => tickerOf.get(id) ?? '';
  // Rate and interval are stated for a day; what is paid each hour is a 24th.
  const hourly = ({ intervalHours, fundingRate, ...rest }: Reading): Reading => ({
    ...rest,
    fundingRate:
      fundingRate === undefined || intervalHours === undefined ? undefined : fundingRate / intervalHours,
  });
  return {
    live: live.map(named),
    readings: readings.map(([id, reading]) => [named(id), hourly(reading)] as const),
  };
}

async function readHibachi(url: string): Promise<Taken> {
  const exchange = await pointed(new hibachi(), url);
  const touch = perContract(exchange, async (symbol) => {
    const { bid, ask, quoteVolume } = await exchange.fetchTicker(symbol);
    return { bestBid: bid, bestAsk: ask, volumeUsd: quoteVolume };
  });
  return taken(exchange, fundingRateOfEach(exchange), touch, openInterestOfEach(exchange));
}

export const DEXES: readonly CcxtReader[] = [
  { venue: 'dydx', exchange: 'dydx', read: readDydx, books: {} },
  {
    venue: 'paradex',
    exchange: 'paradex',
    read: readParadex,
    books: {},
    known: {
      contracts: 'dated futures, spot pairs and markets that do not trade are taken for live perpetuals',
      takerFeeBps: 'the taker fee is that of the site, not of the API',
    },
  },
  {
    venue: 'orderly',
    exchange: 'woofipro',
    read: readOrderly,
    books: {},
    known: {
      contracts: "a builder's contract takes the name of the shared one; inactive ones are taken for live",
    },
  },
  {
    venue: 'derive',
    exchange: 'derive',
    read: readDerive,
    books: 'ccxt takes a perpetual and an option of one name for the same in its streams and ends',
    known: {
      fundingRate: 'the last settled rate is called the current one',
      nextFundingTime: 'the time of the last payment is called that of the coming one',
    },
  },
  {
    venue: 'extended',
    exchange: 'extended',
    read: readExtended,
    books: {},
    known: {
      takerFeeBps: 'a taker fee of 20 bps, the venue states 2.5',
      volumeBase: 'maker and taker are both counted',
      volumeUsd: 'maker and taker are both counted',
    },
  },
  {
    venue: 'pacifica',
    exchange: 'pacifica',
    read: readPacifica,
    books: {},
    known: {
      fundingRate: 'the rate just settled is called the current one, the coming one the next',
      openInterestUsd: 'long and short are both counted',
      volumeUsd: 'maker and taker are both counted',
    },
  },
  {
    venue: 'grvt',
    exchange: 'grvt',
    read: readGrvt,
    books: {},
    known: {
      contracts: 'a dated future takes the name of the perpetual; delisted rows are taken for live',
      volumeBase: 'the volume that takers sold is left out',
      volumeUsd: 'the volume that takers sold is left out',
    },
  },
  {
    venue: 'apex',
    exchange: 'apex',
    read: readApex,
    books: {},
    known: {
      contracts: 'contracts before their launch are taken for live',
      takerFeeBps: 'a taker fee of 2 bps, the venue states 5',
    },
  },
  {
    venue: 'nado',
    exchange: 'nado',
    read: readNado,
    books: {},
    known: { contracts: 'contracts that take no new positions are taken for live' },
  },
  { venue: 'hibachi', exchange: 'hibachi', read: readHibachi, books: 'ccxt has no stream of it' },
];
