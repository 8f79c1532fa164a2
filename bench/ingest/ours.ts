import { VenueBooks } from '../../src/collect/books/venue-books.ts';
import { emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asMs } from '../../src/domain/units.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import { TokenBucket } from '../../src/runtime/token-bucket.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { binance } from '../../src/venues/binance/index.ts';
import { UNNUMBERED } from '../../src/venues/book-continuity.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { kraken } from '../../src/venues/kraken/index.ts';
import { okx } from '../../src/venues/okx/index.ts';
import { type Book, type Pipeline, QUOTE_EVERY_MS } from './pipeline.ts';
import { quoteSum } from './quote-sum.ts';
import type { Session } from './session.ts';

const ADAPTERS: Readonly<Record<Session['name'], VenueAdapter>> = {
  'Kraken Futures': kraken,
  'Binance USD-M': binance,
  OKX: okx,
};

/** Frames are plain ASCII, one byte a character. */
const BYTES = Buffer.alloc(1 << 20);

/** The venue's own feed; the OKX frames of 2022 carry no numbers yet. */
function feedOf(session: Session): BookFeed {
  const feed = ADAPTERS[session.name].books;
  if (feed === undefined) throw new Error(`${session.name} states no books`);
  return session.name === 'OKX' ? { ...feed, initialSnapshot: 'stream', continuity: UNNUMBERED } : feed;
}

function contracts(session: Session): readonly Instrument[] {
  const { id } = ADAPTERS[session.name];
  return session.symbols.map((symbol) => ({
    venue: id,
    symbol,
    base: symbol,
    ticker: symbol,
    quote: 'USD',
    settle: 'USD',
    multiplier: 1,
    contractSize: 1,
  }));
}

/** The books of a session as the service keeps them, before the first frame. */
export interface Ours {
  readonly books: VenueBooks;
  readonly store: BookStore;
  readonly take: (frame: string, at: number) => void;
}

/** Sets up what the service runs behind its socket: feed, continuity and store, with the recorded REST books. */
export async function openBooks(session: Session): Promise<Ours> {
  const feed = feedOf(session);
  const instruments = contracts(session);
  const context = { instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])) };
  let now = asMs(session.times[0] ?? 0);
  const clock = { now: () => now };
  const store = createBookStore({ clock });
  const books = new VenueBooks({
    feed,
    clock,
    bookSink: store.bookSink,
    bucket: new TokenBucket(1e6, 1),
    mostStreamed: 1000,
    renew: () => {},
    fetch: async (contract) => {
      const seed = session.seeds.find(({ symbol }) => symbol === contract.symbol);
      if (seed === undefined) return undefined;
      const request = { method: 'GET', path: '/', symbol: contract.symbol } as const;
      const decoded = feed.rest?.call.decode(seed.payload, { ...context, request });
      return decoded && { decoded, receivedAt: now };
    },
  });
  books.subscribed(books.plan({ instruments, now }), 1);
  if (session.seeds.length > 0) {
    now = asMs(now + 60_000);
    books.tick();
    while (books.stats().live < session.seeds.length) await new Promise(setImmediate);
  }
  const decode = feed.stream?.call.decode ?? emptyDecoded;
  const take = (frame: string, at: number): void => {
    now = asMs(at);
    // The socket hands over bytes; here every pipeline is handed text, so that ours pays for the way back.
    if (books.bytes(BYTES, BYTES.write(frame, 'latin1'), now)) return;
    const payload: unknown = JSON.parse(frame);
    books.decoded(decode(payload, context), now);
  };
  return { books, store, take };
}

function pipeline(name: string, readsQuotes: boolean): Pipeline {
  return {
    name,
    prepare: async (session) => {
      const { id } = ADAPTERS[session.name];
      const { frames, times, symbols } = session;
      const { books, store, take } = await openBooks(session);
      const { view } = store;
      let sum = 0;
      const readAll = (): void => {
        for (const symbol of symbols) {
          const quote = view.quote(id, symbol);
          if (quote !== undefined) sum += quoteSum(quote);
        }
      };
      const run = (): void => {
        let readAt = (times[0] ?? 0) + QUOTE_EVERY_MS;
        for (let i = 0; i < frames.length; i++) {
          const at = times[i] ?? 0;
          while (readsQuotes && at >= readAt) {
            readAll();
            readAt += QUOTE_EVERY_MS;
          }
          take(frames[i] ?? '', at);
        }
      };
      const levels = (): ReadonlyMap<string, Book> => {
        const { live, breaks } = books.stats();
        if (live !== symbols.length) throw new Error(`${name}: broken books ${JSON.stringify(breaks)}`);
        const none: Book = { bids: [], asks: [] };
        return new Map(symbols.map((symbol) => [symbol, view.levels(id, symbol, 1e6) ?? none]));
      };
      return { run, books: levels, checksum: () => (readsQuotes ? sum : undefined) };
    },
  };
}

/** The service's own way, with every depth quote read each 100 ms of recorded time. */
export const ours = pipeline('perpmeter, depth quotes read', true);
/** The same without a reader. */
export const oursUnread = pipeline('perpmeter, quotes not read', false);
