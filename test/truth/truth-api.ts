import { Client } from 'undici';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import { BookFrame } from '../../src/venues/book-frame.ts';
import { createExampleApi } from '../api/example-api.ts';
import { createWorldMarket, WORLD_AT, type WorldMarket } from '../world/world-market.ts';
import { TruthTable } from './truth-table.ts';

/** The venue whose data stopped coming ten minutes ago. */
export const STALE_VENUE = 'bitget';
const STALE_MS = 600_000;
const DAY_MS = 24 * 3_600_000;
/** Levels a side of the books that are kept. */
export const BOOK_DEPTH = 40;

/** The whole HTTP surface, free of charge, over the simulated world, beside what is true of that world. */
export interface TruthApi {
  readonly source: WorldMarket;
  readonly truth: TruthTable;
  readonly get: (path: string, query?: Readonly<Record<string, string | number>>) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly body: Wire;
}

/** A day has passed since the venues were first read, so that a dead market is known to be one. */
export async function openTruthApi(): Promise<TruthApi> {
  const source = createWorldMarket({ at: asMs(WORLD_AT - DAY_MS - STALE_MS) });
  const staleAt = asMs(WORLD_AT - STALE_MS);
  source.moveTo(staleAt);
  source.read((venue) => venue === STALE_VENUE);
  source.moveTo(WORLD_AT);
  source.status.set(STALE_VENUE, 'stale');
  source.read((venue) => venue !== STALE_VENUE);
  const truth = new TruthTable(source, (venue) => (venue === STALE_VENUE ? staleAt : WORLD_AT));
  const books = fillBooks(source, truth);
  const { api, faults, start } = createExampleApi({
    mode: 'off',
    market: source.market.view,
    clock: source.clock,
    books: books.view,
  });
  const client = new Client(await start());
  return {
    source,
    truth,
    async get(path, query = {}) {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      const target = search === '' ? path : `${path}?${search}`;
      const { statusCode, body } = await client.request({ method: 'GET', path: target });
      const read: unknown = await body.json();
      if (faults.length > 0) throw new Error(`${target}: ${String(faults[0])}`);
      return { status: statusCode, body: isWire(read) ? read : {} };
    },
    async close() {
      await client.close();
      await api.close();
    },
  };
}

/** The world's own books, put in without a decoder: those are held against their venues elsewhere. */
function fillBooks({ clock }: WorldMarket, truth: TruthTable): BookStore {
  const store = createBookStore({ clock });
  for (const one of truth.all()) {
    const { venue, symbol, base, ticker, multiplier, quote, at } = one;
    const contract = { venue, symbol, base, ticker, multiplier, contractSize: 1, quote, settle: quote };
    const frame = new BookFrame();
    frame.symbol = symbol;
    frame.whole = true;
    frame.scaled = true;
    const { bids, asks } = one.book(BOOK_DEPTH);
    frame.bids.load(bids);
    frame.asks.load(asks);
    store.keeper.open(contract, { uncrosses: false }).replace(frame, at, { source: 'rest' });
  }
  return store;
}
