import { join } from 'node:path';
import { type Collector, createCollector } from '../collect/collector.ts';
import { SHED_ORDER } from '../collect/load-shedding.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { HealthBoard, PaymentSink } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { emptyDecoded } from '../domain/decoded.ts';
import type { Lease } from '../domain/lease.ts';
import { embeddedFeed } from '../feed/embedded.ts';
import { type Feed, type FeedSource, type Followed, ROLES, type Role } from '../feed/ports.ts';
import type { History } from '../history/history.ts';
import { createBookStore } from '../market/books/book-store.ts';
import { FREE_DELAY_MS } from '../market/delayed-table.ts';
import { createInstrumentIdentities } from '../market/identity.ts';
import { createMarket } from '../market/live-table.ts';
import { openIdentityStore } from '../market/open-store.ts';
import { createRegistry } from '../market/registry/lookup.ts';
import { RenameWatch } from '../market/rename-watch.ts';
import type { MarketStore } from '../market/stores.ts';
import { PREVIEW_ASSETS } from '../products/rows/preview-assets.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { TapeListener } from '../tape/listener.ts';
import { type Sinks, Tape } from '../tape/tape.ts';
import type { OpenModules } from './open-modules.ts';
import type { ServiceOptions } from './options.ts';
import type { RowJudge } from './row-judge.ts';
import type { Seams } from './seams.ts';

/**
 * The table, the books and the identities, and what fills them: the collector, or the feed of those that collect.
 * History and modules are opened later, since they read the table: `listen` adds all listeners to the tape in their order (judges of
 * rows, the feed, the history, modules), and `fill` begins when all listen.
 */
export function collectInto(
  { store, feed }: Stores,
  options: ServiceOptions,
  clock: Clock,
  { isShed }: LoadWatch,
) {
  let filling: Followed | undefined;
  const books = createBookStore({ clock, wanted: (venue, symbol) => filling?.want(venue, symbol) });
  const registry = createRegistry();
  const identity = createInstrumentIdentities(store.identities, registry);
  let flagOf: RowJudge['flagOf'] = () => undefined;
  const market = createMarket({
    clock,
    identity,
    sourceIds: store.sourceIds,
    decisions: store.decisions,
    snapshotAssets: PREVIEW_ASSETS,
    freeDelayMs: options.data === 'simulated' ? SIMULATED_DELAY_MS : FREE_DELAY_MS,
    health: (venue) => filling?.health.of(venue),
    bookEmptySince: (venue, symbol) => books.view.emptySince(venue, symbol),
    suspect: (venue, symbol) => flagOf(venue, symbol),
  });
  const tape = new Tape({ table: market.sink, books: books.bookSink, logger: options.logger });
  const collects = rolesOf(options).has('collect');
  const source: FeedSource = {
    state: (venue) => market.stateOf(venue),
    books: books.view.passive,
    health: { of: (venue) => collector.health.of(venue) },
    isOverloaded: () => isShed(SHED_ORDER[0]),
    want: (venue, symbol) => collector.wantBook(venue, symbol),
  };
  const collector = collectorInto(tape.sinks, options, clock, isShed);
  if (collects) filling = { health: collector.health, want: source.want };
  const fill = async (): Promise<void> => {
    if (collects) await collector.start();
    else filling = feed.follow(tape.sinks);
  };
  const health = healthOf(() => filling);
  const listen = (
    modules: Pick<OpenModules, 'judgeOn' | 'listenTo'>,
    history: Pick<History, 'sink'> | undefined,
  ): void => {
    flagOf = modules.judgeOn(tape);
    if (collects) tape.listen('feed', feed.publish(source));
    if (history !== undefined) tape.listen('history', keeping(history));
    modules.listenTo(tape);
  };
  const renameWatch = new RenameWatch(registry);
  return { tape, listen, fill, market, books, collector, health, identity, renameWatch };
}

/** Free answers of simulated data, which nobody trades by, are delayed by a minute: who tries the service sees them soon. */
const SIMULATED_DELAY_MS = 60_000;

/** The health of what fills the table; of no venue before it does. */
function healthOf(filling: () => Followed | undefined): HealthBoard {
  return {
    all: () => filling()?.health.all() ?? [],
    of: (venue) => filling()?.health.of(venue),
  };
}

/** The history as a listener of the tape. */
function keeping({ sink: store }: Pick<History, 'sink'>): TapeListener {
  const payments: PaymentSink = (venue, funding, at) =>
    store.take(venue, { ...emptyDecoded(), funding: [...funding] }, at);
  return { store, payments };
}

/** Tickers of the assets that are asked about most: as canonical ids name them. */
const PRIORITY_TICKERS: ReadonlySet<string> = new Set(
  PREVIEW_ASSETS.map((id) => id.slice(id.indexOf(':') + 1)),
);

/** The collector of the venues; of none where this process does not collect. */
function collectorInto(
  sinks: Sinks,
  options: ServiceOptions,
  clock: Clock,
  isShed: LoadWatch['isShed'],
): Collector {
  const { logger, venues, bases, transports, booksPerVenue } = options;
  return createCollector({
    venues: rolesOf(options).has('collect') ? venues : [],
    sink: sinks.market,
    clock,
    bases,
    logger,
    books: {
      bookSink: sinks.books,
      isShed,
      priorityTickers: PRIORITY_TICKERS,
      ...(booksPerVenue !== undefined && { streamed: booksPerVenue }),
    },
    ...(transports !== undefined && { transports }),
  });
}

/** The result of `collectInto`. */
export type MarketData = ReturnType<typeof collectInto>;

/** The roles of this process. */
export const rolesOf = ({ roles }: ServiceOptions): ReadonlySet<Role> => roles ?? new Set(ROLES);

export interface Stores {
  readonly feed: Feed;
  /** The lease of the history's writer; undefined where no other process can write. */
  readonly lease: Lease | undefined;
  readonly store: MarketStore;
}

/** All, or why one cannot be opened; then none is. */
export async function openStores(
  options: ServiceOptions,
  clock: Clock,
  { identities, feed: place }: Seams = {},
): Promise<Stores | string> {
  const { dataDir, logger } = options;
  const opened: (() => Promise<void>)[] = [];
  try {
    const { feed, lease } =
      place === undefined ? { feed: embeddedFeed(), lease: undefined } : await place.open({ clock, logger });
    opened.push(() => feed.close());
    const store = await openIdentityStore({
      folder: join(dataDir, 'market'),
      place: identities,
      ends: rolesOf(options).has('collect'),
      mayBeAway: true,
      onError: (reason) => logger.warn({ reason }, 'identities cannot be decided'),
    });
    return { feed, lease, store };
  } catch (cause) {
    await Promise.all(opened.map((close) => close()));
    return reasonOf(cause);
  }
}
