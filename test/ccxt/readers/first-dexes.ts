import ccxt, { hyperliquid } from 'ccxt';
import { type CcxtReader, pointed, type Reading, type Taken } from '../reading.ts';

/** The main dex, or one that was built on it. */
function hyperliquidReader(dex: string): CcxtReader {
  return {
    venue: dex === '' ? 'hyperliquid' : `hyperliquid-${dex}`,
    exchange: 'hyperliquid',
    ...(dex === '' && { books: { markets: { types: ['swap'] } } }),
    read: (url) => readHyperliquid(url, dex),
    ...(dex === '' ? {} : { known: { takerFeeBps: 'the taker fee is that of the main dex' } }),
  };
}

interface Named {
  readonly name?: string;
}

async function readHyperliquid(url: string, dex: string): Promise<Taken> {
  const fetchMarkets = { types: ['swap', 'hip3'], hip3: { limit: 20 } };
  const exchange = await pointed(new hyperliquid({ options: { fetchMarkets } }), url);
  const nameOf = (info: Named | undefined) => info?.name ?? '';
  const params = dex === '' ? {} : { dex };
  const rates = Object.values(await exchange.fetchFundingRates(undefined, params));
  const interests = Object.values(await exchange.fetchOpenInterests(undefined, params));
  const live = Object.values(exchange.markets ?? {}).filter((market) => {
    const [prefix, rest] = nameOf(market?.info).split(':');
    return market?.swap === true && market.active === true && (rest === undefined ? '' : prefix) === dex;
  });
  return {
    live: live.map((market) => nameOf(market?.info)),
    readings: [
      ...live.map((market): [string, Reading] => [
        nameOf(market?.info),
        { takerFeeBps: Number(market?.taker) * 10_000 },
      ]),
      ...rates.map((rate): [string, Reading] => [
        nameOf(rate.info),
        {
          fundingRate: rate.fundingRate,
          nextFundingTime: rate.fundingTimestamp,
          intervalHours: rate.interval === '1h' ? 1 : undefined,
          markPrice: rate.markPrice,
          indexPrice: rate.indexPrice,
        },
      ]),
      ...interests.map((interest): [string, Reading] => [
        nameOf(interest.info),
        { openInterestRaw: interest.openInterestAmount },
      ]),
    ],
  };
}

async function readLighter(url: string): Promise<Taken> {
  const exchange = await pointed(new ccxt.pro.lighter(), url);
  // ccxt wants an agent for any socket without TLS.
  await exchange.loadHttpProxyAgent();
  await exchange.watchTickers();
  const pushed = Object.values(exchange.tickers).map((ticker): [string, Reading] => {
    const { symbol, open_interest } = ticker.info as { symbol: string; open_interest: string };
    const { markPrice, indexPrice, quoteVolume } = ticker;
    return [
      symbol,
      { markPrice, indexPrice, openInterestUsd: Number(open_interest), volumeUsd: quoteVolume },
    ];
  });
  await exchange.close();
  const rates = Object.values(await exchange.fetchFundingRates()).map(
    ({ info, fundingRate }): [string, Reading] => [
      String((info as { symbol: string }).symbol),
      { fundingRate },
    ],
  );
  return { live: rates.map(([symbol]) => symbol), readings: [...rates, ...pushed] };
}

export const FIRST_DEXES: readonly CcxtReader[] = [
  ...['', 'xyz', 'para', 'io', 'mkts'].map(hyperliquidReader),
  {
    venue: 'lighter',
    exchange: 'lighter',
    read: readLighter,
    isStreamed: true,
    books: {},
    known: { fundingRate: 'rates of eight hours, which is not said' },
  },
];
