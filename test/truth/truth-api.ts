import { Client } from 'undici';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { createExampleApi } from '../api/example-api.ts';
import { createExampleHistory } from '../api/example-history.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { fillBooks } from '../world/world-books.ts';
import { createWorldMarket, WORLD_AT, type WorldMarket } from '../world/world-market.ts';
import { TruthTable } from './truth-table.ts';

/** The venue whose data stopped coming ten minutes ago. */
export const STALE_VENUE = 'bitget';
const STALE_MS = 600_000;
/** One of so many assets is asked for by itself; a longer run asks for each. */
const EVERY = PROPERTY_RUNS.times > 1 ? 1 : 3;

/** The whole HTTP surface, free of charge, over the simulated world, beside what is true of that world. */
export interface TruthApi {
  readonly source: WorldMarket;
  readonly truth: TruthTable;
  /** Assets to ask for one by one: those of which something is planted, and some of all others. */
  readonly assets: readonly string[];
  readonly get: (path: string, query?: Readonly<Record<string, string | number>>) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly body: Wire;
}

/** The interface that the suites of truth.test.ts ask. */
export let api: TruthApi;

const STALE_AT = asMs(WORLD_AT - STALE_MS);
const readAt = (venue: string): UnixMs => (venue === STALE_VENUE ? STALE_AT : WORLD_AT);

/** A day has passed since the venues were first read, so that a dead market is known to be one. */
function readTwice(): WorldMarket {
  const source = createWorldMarket({ at: asMs(WORLD_AT - DAY_MS - STALE_MS) });
  source.moveTo(STALE_AT);
  source.read((venue) => venue === STALE_VENUE);
  source.moveTo(WORLD_AT);
  source.status.set(STALE_VENUE, 'stale');
  source.read((venue) => venue !== STALE_VENUE);
  return source;
}

/** Prices of each contract swing by a hundredth at hours of its own, so that the gaps between venues differ by the hour. */
function apart({ venue, symbol }: MarketRow, at: number): number {
  const phase = [...`${venue} ${symbol}`].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return 1 + 0.01 * Math.sin((at / DAY_MS) * 2 * Math.PI + phase);
}

/** Opens it. */
export async function openTruthApi(): Promise<void> {
  const source = readTwice();
  const truth = new TruthTable(source, readAt);
  const { dead, unknownInterval, collisions } = source.world.planted;
  const planted = [dead.asset, unknownInterval.asset, ...collisions.flatMap(({ assets }) => assets)];
  const isPlanted = new Set(planted.map(({ id }) => id));
  const assets = [...truth.byAsset.keys()].filter((id, i) => i % EVERY === 0 || isPlanted.has(id));
  const books = createBookStore({ clock: source.clock });
  fillBooks(books, source, readAt);
  const rows = [...source.market.view.eachRow()];
  const {
    api: served,
    faults,
    start,
  } = createExampleApi({
    mode: 'off',
    market: source.market.view,
    clock: source.clock,
    books: books.view,
    history: createExampleHistory(() => rows, source.clock, apart),
  });
  const client = new Client(await start());
  api = {
    source,
    truth,
    assets,
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
      await served.close();
    },
  };
}
