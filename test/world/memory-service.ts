import { createWorld } from '@perpmeter/sim/create-world';
import { Faults } from '@perpmeter/sim/faults';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { World } from '@perpmeter/sim/world';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import type { DataStore } from '../../src/collect/ports.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { UnixMs } from '../../src/domain/units.ts';
import { History } from '../../src/history/history.ts';
import { openStore } from '../../src/history/open-store.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { sampledBook } from '../../src/history/sampled-book.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import { openCorrectedReading } from '../../src/modules/corrections/correction-watch.ts';
import { IndexWatch } from '../../src/products/oracles/index-watch.ts';
import { PREVIEW_ASSETS } from '../../src/products/rows/preview-assets.ts';
import type { Timer } from '../../src/runtime/timer.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { MemoryNet, net } from '../books/memory-socket.ts';
import { CountingHosts } from '../collect/counting-hosts.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { answering } from '../collect/memory-http.ts';
import { valueIn } from '../history/load.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { Random } from '../soak/random.ts';
import { type Pairing, pairingsOf } from '../venues/sim-run.ts';

export interface MemoryServiceOptions {
  readonly seed: number;
  /** When the service begins. */
  readonly from: UnixMs;
  readonly venues: readonly string[];
  /** Folder of the history store. */
  readonly historyPath: string;
  /** Books of a venue that are streamed, the others being read over REST; default 4. */
  readonly streamed?: number;
  /** The world that venues are rendered from; that of the seed where it is not given. */
  readonly world?: World;
}

/** The rooms of the service over simulated venues, in one process and on time that the owner moves. */
export interface MemoryService {
  readonly world: World;
  readonly pairings: readonly Pairing[];
  readonly time: ManualTime;
  readonly market: Market;
  readonly books: BookStore;
  readonly collector: Collector;
  readonly history: History;
  /** The store of the history. */
  readonly store: HistoryStore;
  readonly indexes: IndexWatch;
  /** Lets time pass: venues are polled and stream, the table is judged each second, each minute is sampled. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 250;
const SWEEP_MS = 1000;
/** Messages that follow one another without time in between, as a subscription and its answer. */
const MAX_ROUNDS = 20;
const STREAMED = 4;

interface Clockwork {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
}

/** The table, its books and the collector that fills them; `take` receives what venues say of their history. */
function collecting(
  venues: readonly VenueAdapter[],
  streamed: number,
  { clock, ...options }: Clockwork,
  take: DataStore['take'],
) {
  let collector: Collector | undefined;
  const books = createBookStore({ clock, wanted: (venue, symbol) => collector?.wantBook(venue, symbol) });
  const identity = createInstrumentIdentities(memoryIdentityStore());
  const market = createMarket({
    clock,
    identity,
    sourceIds: memorySourceIdStore(),
    snapshotAssets: PREVIEW_ASSETS,
    health: (venue) => collector?.health.of(venue),
    bookEmptySince: (venue, symbol) => books.view.emptySince(venue, symbol),
  });
  collector = createCollector({
    venues,
    sink: { ...market.sink, stores: [{ kinds: ['funding', 'history'], take }] },
    clock,
    books: { bookSink: books.bookSink, streamed },
    options,
  });
  return { books, identity, market, collector };
}

/**
 * Starts the real collector, table, books and history over simulated venues in memory. The same options give the same
 * data. The file that calls this has to put `MemorySocket` in the place of `ws` and `MemoryHttp` in that of `HttpClient`.
 */
export async function startMemoryService(options: MemoryServiceOptions): Promise<MemoryService> {
  const { seed, from, venues, historyPath, streamed = STREAMED } = options;
  const world = options.world ?? createWorld(seed);
  const time = new ManualTime(from);
  const { clock } = time;
  // As with the system's, whatever hangs on a timer happens at a whole millisecond.
  const timer: Timer = (ms, run) => time.timer(Math.ceil(ms), run);
  const tracked = VENUES.filter(({ id }) => venues.includes(id));
  const pairings = pairingsOf(tracked, SIM_VENUES, world, from);
  const sockets = memoryNet(pairings, world, time);
  const random = new Random(seed);
  answerHttp(pairings, new CountingHosts(SIM_VENUES, world, time, () => random.next()));
  let history: History | undefined;
  const take: DataStore['take'] = (...said) => history?.sink.take(...said);
  const parts = { clock, timer, random: () => random.next() };
  const { books, identity, market, collector } = collecting(tracked, streamed, parts, take);
  const store = valueIn(await openStore({ engine: 'embedded', path: historyPath }));
  const kept = new History({
    store,
    retention: DEFAULT_RETENTION,
    reading: openCorrectedReading,
    clock,
    timer,
    logger: silentLogger,
    rows: () => market.view.eachRow(),
    health: collector.health,
    recordsOf: identity.recordsOf,
    book: (venue, symbol) => sampledBook(books.peek(venue, symbol)),
  });
  history = kept;
  valueIn(await kept.start());
  const indexes = new IndexWatch(market.view);
  await collector.start();
  const judge = (): void => {
    market.sweep();
    indexes.tick();
  };
  return {
    world,
    pairings,
    time,
    market,
    books,
    collector,
    history: kept,
    store,
    indexes,
    pass: async (ms) => {
      for (let left = ms; left > 0; left -= TICK_MS)
        await step(time, sockets, Math.min(left, TICK_MS), judge);
    },
    stop: () => collector.stop().then(() => kept.stop()),
  };
}

/** Runs due timers, and lets the messages about them arrive; each second the table is judged. */
async function step(time: ManualTime, sockets: MemoryNet, ms: number, judge: () => void): Promise<void> {
  await time.advance(ms);
  sockets.tick();
  for (let rounds = 0; sockets.pump() && rounds < MAX_ROUNDS; rounds++) await time.advance(0);
  if (time.now % SWEEP_MS === 0) judge();
}

function answerHttp(pairings: readonly Pairing[], hosts: CountingHosts): void {
  answering.current = new Map(
    pairings.flatMap(({ adapter }) =>
      hostsOf(adapter).map((host) => [host, hosts.transport(adapter)] as const),
    ),
  );
}

const hostsOf = ({ bases }: VenueAdapter): readonly string[] =>
  Object.values(bases).map((base) => new URL(base).host);

/** A net on which every host of the venues answers in memory. */
function memoryNet(pairings: readonly Pairing[], world: World, { clock }: ManualTime): MemoryNet {
  const faults = new Faults(clock);
  const hosts = new Map(
    pairings.flatMap(({ adapter, served }) => {
      const venue = served.find(({ socket }) => socket !== undefined);
      return venue === undefined ? [] : hostsOf(adapter).map((host) => [host, venue] as const);
    }),
  );
  const made = new MemoryNet();
  made.at = (url) => {
    const venue = hosts.get(url.host);
    return venue && { venue, world, clock, faults, path: url.pathname + url.search };
  };
  net.current = made;
  return made;
}
