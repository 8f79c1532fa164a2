import { type BookChange, type Exchange, normalizeBookChanges, OrderBook } from 'tardis-dev';
import type { Book, Pipeline } from './pipeline.ts';
import type { Session } from './session.ts';

const EXCHANGES = {
  'Kraken Futures': 'cryptofacilities',
  'Binance USD-M': 'binance-futures',
  OKX: 'okex-swap',
} as const satisfies Readonly<Record<Session['name'], Exchange>>;

/** A book snapshot as the library's own real-time feed hands one to its mapper. */
function generatedSnapshots({ seeds }: Session): unknown[] {
  return seeds.map(({ symbol, payload }) => ({
    stream: `${symbol.toLowerCase()}@depthSnapshot`,
    generated: true,
    data: payload,
  }));
}

/** Its mapper and its order book, as its `normalizeMessages` runs them, less the async generator around them. */
export const tardis: Pipeline = {
  name: 'tardis-dev mapper + OrderBook',
  prepare: async (session) => {
    const now = new Date();
    const mapper = normalizeBookChanges(EXCHANGES[session.name], now);
    const books = new Map<string, OrderBook>();
    const map = (message: unknown): void => {
      if (!mapper.canHandle(message)) return;
      for (const change of mapper.map(message, now) ?? []) take(change);
    };
    const take = (change: BookChange): void => {
      let book = books.get(change.symbol);
      if (book === undefined) {
        book = new OrderBook();
        books.set(change.symbol, book);
      }
      book.update(change);
    };
    for (const message of generatedSnapshots(session)) map(message);
    const pairs = (side: Iterable<{ price: number; amount: number }>) =>
      [...side].map(({ price, amount }) => [price, amount] as const);
    const levels = (): ReadonlyMap<string, Book> => {
      const all = [...books].map(([symbol, book]) => {
        return [symbol.toUpperCase(), { bids: pairs(book.bids()), asks: pairs(book.asks()) }] as const;
      });
      return new Map(all);
    };
    return {
      run: () => {
        for (const frame of session.frames) map(JSON.parse(frame));
      },
      books: levels,
      checksum: () => undefined,
    };
  },
};
