import { join } from 'node:path';
import type { Logger } from 'pino';
import { IndexWatch } from './analytics/index-watch.ts';
import { PREVIEW_ASSETS } from './analytics/preview-funding-current.ts';
import { signalCandidates } from './analytics/signal-candidates.ts';
import { createFreeLimiter } from './api/free-limits.ts';
import { renderProblem } from './api/problem.ts';
import { protectedRoute } from './api/protect.ts';
import type { TrustProxy } from './api/request/address.ts';
import { type Api, type ApiActivity, createApi, isPresent } from './api/server.ts';
import { storeState } from './api/store-state.ts';
import { ROUTES } from './api/table.ts';
import { type BaseOverrides, type Collector, createCollector } from './collect/collector.ts';
import type { Transport } from './collect/http-client.ts';
import { LoadWatch } from './collect/load-watch.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import type { VenueId } from './domain/venue.ts';
import type { Backfill } from './history/backfill/backfill.ts';
import { type BackfillSettings, openBackfill } from './history/backfill/open-backfill.ts';
import { openProgress, type Progress } from './history/backfill/progress.ts';
import type { History } from './history/history.ts';
import { type HistorySettings, openHistory } from './history/open-history.ts';
import { sampledBook } from './history/sampled-book.ts';
import { type BookStore, createBookStore } from './market/books/book-store.ts';
import { createIdentityBook } from './market/identity.ts';
import { createMarket, type Market } from './market/live-table.ts';
import { type MarketStore, openMarketStore } from './market/store-lmdb.ts';
import type { PaymentConfig } from './pay/config.ts';
import { routeMargins } from './pay/margin.ts';
import { PaymentTally } from './pay/payment-tally.ts';
import { createPayments, type Payments } from './pay/payments.ts';
import { loadPriceBook, type PriceBook } from './pay/prices.ts';
import type { ProtectedRoute } from './pay/types.ts';
import type { VenueAdapter } from './venues/adapter.ts';

/** All that a running service is made of; nothing below is read from the environment. */
export interface ServiceOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly dataDir: string;
  readonly venues: readonly VenueAdapter[];
  readonly bases: BaseOverrides;
  /** What makes the calls of venues that are not read over HTTP by us. */
  readonly transports?: ReadonlyMap<VenueId, Transport>;
  readonly data: 'live' | 'simulated';
  readonly payments: PaymentConfig;
  readonly trustProxy: TrustProxy;
  /** Free requests a second that one client address may make; unlimited when absent. */
  readonly freePerSecond?: number;
  /** Order books of one venue that are streamed, the most traded first; default 100. */
  readonly booksPerVenue?: number;
  /** Where history is kept and for how long; undefined = it is not kept, and not sold. */
  readonly history?: HistorySettings & {
    /** What is fetched of the time before and of gaps; undefined = nothing. */
    readonly backfill?: BackfillSettings | undefined;
  };
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Read side of a running service, for the admin port. */
export interface Service {
  readonly market: Market;
  readonly books: BookStore;
  readonly collector: Collector;
  readonly payments: Payments;
  readonly history: History | undefined;
  readonly backfill: Backfill | undefined;
  /** What became of payments since start. */
  readonly tally: PaymentTally;
  readonly activity: ApiActivity;
  readonly load: LoadWatch;
  /** Folders that are written to, by what lies in them. */
  readonly folders: ReadonlyMap<string, string>;
  /** What is left of one sale of a route after the facilitator's fee, atomic units; empty in mode `off`. */
  readonly margins: () => ReadonlyMap<string, bigint>;
  /** Port that is listened on. */
  readonly port: number;
  /** Refuses new payments, ends those in flight, closes everything. Safe to call twice. */
  stop(): Promise<void>;
}

export type ServiceResult =
  | { readonly ok: true; readonly value: Service }
  | { readonly ok: false; readonly errors: readonly string[] };

/** The live table is swept once a second, a fifth at a time. */
const SWEEP_MS = 200;
const SWEEP_SHARE = 0.2;
const INDEX_LOOK_MS = 1000;
/** The legs of the funding signal change slowly; their books are asked for within seconds. */
const CANDIDATES_MS = 2000;

/**
 * Wires the rooms and starts them: stores, market, payments, API, then the collector. Configuration faults are
 * returned all at once and nothing is left running.
 */
export async function startService(options: ServiceOptions): Promise<ServiceResult> {
  const { clock = systemClock, logger } = options;
  const prices = loadPriceBook();
  if (!prices.ok) return prices;
  const routes = options.history === undefined ? ROUTES.filter(isPresent) : ROUTES;
  const tally = new PaymentTally();
  const sold = routes.filter(({ access }) => access === 'paid').map(protectedRoute);
  const payments = await createPayments({
    config: options.payments,
    prices: prices.value,
    routes: sold,
    renderProblem,
    clock,
    observe: (event) => tally.observe(event),
    onClosed: (record) => tally.close(record),
    onError: (cause) => logger.warn({ reason: reasonOf(cause) }, 'payment reconciliation failed'),
  });
  if (!payments.ok) return payments;
  const stores = await openStores(options);
  if (typeof stores === 'string') {
    await payments.value.stop();
    return { ok: false, errors: [stores] };
  }
  const { store, notes } = stores;
  const load = new LoadWatch(clock, logger);
  const { market, books, collector, identity, keep } = collectInto(store, options, clock, load);
  const opened =
    options.history &&
    (await openHistory({
      clock,
      ...options.history,
      rows: market.view.eachRow,
      health: collector.health,
      recordsOf: identity.recordsOf,
      book: (venue, symbol) => sampledBook(books.peek(venue, symbol)),
      isShed: () => load.sheds('sampling'),
      logger,
    }));
  if (opened?.ok === false) {
    await Promise.all([payments.value.stop(), store.close(), notes?.close()]);
    return { ok: false, errors: [opened.fault.message] };
  }
  const history = opened?.value;
  if (history !== undefined) keep(history);
  const backfill: Backfill | undefined =
    history && notes && backfillOf(options, { collector, market, history, progress: notes, clock, load });
  const indexes = new IndexWatch(market.view);
  const api = createApi({
    market: market.view,
    indexMoves: () => indexes.moves,
    books: books.view,
    load: () => load.state(),
    routes,
    ...(history !== undefined && { store: () => storeState(history, backfill), history }),
    health: collector.health,
    clock,
    paywall: payments.value.paywall,
    payments: {
      prices: prices.value,
      seller: options.payments.mode === 'off' ? undefined : options.payments.seller,
      health: payments.value.health,
    },
    service: {
      baseUrl: options.payments.baseUrl,
      name: options.payments.serviceName,
      version: options.version,
      data: options.data,
      startedAt: clock.now(),
    },
    trustProxy: options.trustProxy,
    ...(options.freePerSecond !== undefined && {
      limiter: createFreeLimiter(clock, options.freePerSecond),
    }),
    report: ({ at, error }) => logger.error({ at, reason: reasonOf(error) }, 'request failed'),
  });
  try {
    const port = await api.listen(options.port, options.host);
    load.start();
    payments.value.start();
    await collector.start();
    backfill?.start();
    const timers = [
      setInterval(() => sweepPart(market, logger), SWEEP_MS),
      setInterval(() => indexes.tick(), INDEX_LOOK_MS),
      setInterval(() => preferCandidates(market, collector), CANDIDATES_MS),
    ];
    const stop = stopper({
      api,
      payments: payments.value,
      collector,
      backfill,
      history,
      store,
      timers,
      load,
    });
    const running = {
      market,
      books,
      collector,
      payments: payments.value,
      history,
      backfill,
      tally,
      activity: api.activity,
      load,
      folders: foldersOf(options),
      margins: () => marginsOf(options.payments, sold, prices.value, clock),
      port,
      stop,
    };
    return { ok: true, value: running };
  } catch (cause) {
    await payments.value.stop();
    await backfill?.stop();
    await history?.stop();
    await store.close();
    return { ok: false, errors: [listenError(cause, options)] };
  }
}

/** The books of what the funding signal would show are followed before they are asked for. */
function preferCandidates(market: Market, collector: Collector): void {
  for (const [venue, symbols] of signalCandidates(market.view)) collector.preferBooks(venue, symbols);
}

/** A disk that takes no identities must not end the service: what could not be saved is saved with the next. */
function sweepPart(market: Market, logger: Logger): void {
  try {
    market.sweepPart(SWEEP_SHARE);
  } catch (cause) {
    logger.warn({ reason: reasonOf(cause) }, 'the live table could not be swept in full');
  }
}

function collectInto(store: MarketStore, options: ServiceOptions, clock: Clock, { sheds }: LoadWatch) {
  const { logger, venues, bases, transports, booksPerVenue } = options;
  let collector: Collector | undefined;
  let history: History | undefined;
  const wanted = (venue: VenueId, symbol: string): void => collector?.wantBook(venue, symbol);
  const books = createBookStore({ clock, wanted });
  const identity = createIdentityBook(store.identities);
  const market = createMarket({
    clock,
    identity,
    sourceIds: store.sourceIds,
    decisions: store.decisions,
    snapshotAssets: PREVIEW_ASSETS,
    health: (venue) => collector?.health.of(venue)?.status,
    bookEmptySince: (venue, symbol) => books.view.emptySince(venue, symbol),
  });
  collector = createCollector({
    venues,
    sink: { ...market.sink, history: (...decoded) => history?.sink.history(...decoded) },
    clock,
    bases,
    logger,
    books: {
      bookSink: books.bookSink,
      sheds,
      ...(booksPerVenue !== undefined && { streamed: booksPerVenue }),
    },
    ...(transports !== undefined && { transports }),
  });
  const keep = (opened: History): void => {
    history = opened;
  };
  return { market, books, collector, identity, keep };
}

interface Stores {
  readonly store: MarketStore;
  /** How far the back-fill is, where there is one. */
  readonly notes: Progress | undefined;
}

/** Both, or why one cannot be opened; then neither is. */
async function openStores({ dataDir, history }: ServiceOptions): Promise<Stores | string> {
  let store: MarketStore | undefined;
  try {
    store = openMarketStore(join(dataDir, 'market'));
    return { store, notes: history?.backfill && openProgress(join(dataDir, 'backfill')) };
  } catch (cause) {
    await store?.close();
    return reasonOf(cause);
  }
}

function backfillOf(
  { history: settings, logger }: ServiceOptions,
  parts: Pick<Service, 'collector' | 'market' | 'load'> & {
    history: History;
    progress: Progress;
    clock: Clock;
  },
): Backfill | undefined {
  if (settings?.backfill === undefined) return undefined;
  const { market, load, ...others } = parts;
  return openBackfill({
    ...settings.backfill,
    ...{ ...others, logger, view: market.view, majors: PREVIEW_ASSETS, isHeld: () => load.sheds('backfill') },
  });
}

interface Running {
  readonly api: Api;
  readonly payments: Payments;
  readonly collector: Collector;
  readonly backfill: Backfill | undefined;
  readonly history: History | undefined;
  readonly store: MarketStore;
  readonly timers: readonly NodeJS.Timeout[];
  readonly load: LoadWatch;
}

function foldersOf({ dataDir, payments }: ServiceOptions): ReadonlyMap<string, string> {
  const folders = new Map([['data', dataDir]]);
  if (payments.mode !== 'off') folders.set('ledger', payments.ledgerPath);
  return folders;
}

function marginsOf(
  config: PaymentConfig,
  sold: readonly ProtectedRoute[],
  prices: PriceBook,
  clock: Clock,
): ReadonlyMap<string, bigint> {
  return config.mode === 'off' ? new Map() : routeMargins(sold, prices, config.facilitatorFee, clock.now());
}

/** The collector ends first and at once; payments under way are finished, then the stores are closed. */
function stopper({
  api,
  payments,
  collector,
  backfill,
  history,
  store,
  timers,
  load,
}: Running): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    load.stop();
    const quiet = collector.stop();
    await api.close();
    await payments.stop();
    await quiet;
    await backfill?.stop();
    await history?.stop();
    await store.close();
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function listenError(cause: unknown, { host, port }: ServiceOptions): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `${host}:${port} is in use; choose another with --port`;
  return `cannot listen on ${host}:${port}: ${reasonOf(cause)}`;
}
