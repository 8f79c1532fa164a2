import ccxt from 'ccxt';
import type { Book, Pipeline } from './pipeline.ts';
import type { Session } from './session.ts';

/** The used part of the library's order book. */
interface PeerBook {
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
  reset(snapshot: unknown): void;
}

interface PeerClient {
  readonly subscriptions: Record<string, unknown>;
  onMessage(message: { readonly data: string }): void;
}

/** The used part of an exchange; its own types leave these parts open. */
interface PeerExchange {
  readonly orderbooks: Record<string, PeerBook>;
  safeMarketStructure(market: object): object;
  setMarkets(markets: readonly object[]): unknown;
  orderBook(snapshot: object, depth: number): PeerBook;
  parseOrderBook(book: object, symbol: string): object;
  client(url: string): PeerClient;
}

/** Without `/stream` in its path the library takes the market for spot. */
const URLS: Readonly<Record<Session['name'], string>> = {
  'Kraken Futures': 'wss://futures.kraken.com/ws/v1',
  'Binance USD-M': 'wss://fstream.binance.com/ws',
  OKX: 'wss://ws.okx.com:8443/ws/v5/public',
};

function create(name: Session['name']): PeerExchange {
  const options = { enableRateLimit: false };
  const { krakenfutures: Kraken, binanceusdm: Binance, okx: Okx } = ccxt.pro;
  const made =
    name === 'Kraken Futures'
      ? new Kraken(options)
      : name === 'Binance USD-M'
        ? new Binance(options)
        : new Okx(options);
  return made as unknown as PeerExchange;
}

/** The unified name under which a recorded contract is registered. */
const unified = (symbol: string): string => `${symbol}/USD:USD`;

/** Its `client.onMessage` to its stored book. No promise is awaited, so that a real loop around it is slower. */
export const ccxtPro: Pipeline = {
  name: 'ccxt pro onMessage to book',
  prepare: async (session) => {
    const exchange = create(session.name);
    exchange.setMarkets(
      session.symbols.map((id) => {
        const kind = { type: 'swap', spot: false, swap: true, contract: true, linear: true, active: true };
        const names = { id, symbol: unified(id), base: id, quote: 'USD', settle: 'USD', contractSize: 1 };
        return exchange.safeMarketStructure({ ...names, ...kind });
      }),
    );
    const client = exchange.client(URLS[session.name]);
    for (const { symbol, payload } of session.seeds) {
      const book = exchange.orderBook({}, 1000);
      const parsed = exchange.parseOrderBook(payload, unified(symbol));
      book.reset({ ...parsed, nonce: payload.lastUpdateId });
      exchange.orderbooks[unified(symbol)] = book;
    }
    if (session.name === 'OKX') {
      for (const symbol of session.symbols) client.subscriptions[`books:${unified(symbol)}`] = true;
    }
    const levels = (): ReadonlyMap<string, Book> => {
      const pairs = (side: readonly (readonly number[])[]) =>
        [...side].map(([price = 0, size = 0]) => [price, size] as const);
      return new Map(
        session.symbols.map((symbol) => {
          const book = exchange.orderbooks[unified(symbol)];
          return [symbol, { bids: pairs(book?.bids ?? []), asks: pairs(book?.asks ?? []) }];
        }),
      );
    };
    return {
      run: () => {
        for (const frame of session.frames) client.onMessage({ data: frame });
      },
      books: levels,
      checksum: () => undefined,
    };
  },
};
