import { LoadWatch } from '../collect/load-watch.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { contractFees } from '../history/fee-watch.ts';
import type { History } from '../history/history.ts';
import { openHistory } from '../history/open-history.ts';
import { sampledBook } from '../history/sampled-book.ts';
import { IndexWatch } from '../products/oracles/index-watch.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { wait } from '../runtime/timer.ts';
import { markFolderInUse, refusalIfMoved } from '../storage/folder-use.ts';
import {
  backfillOf,
  collectInto,
  type MarketData,
  openStores,
  rolesOf,
  type Stores,
  secondReadingOf,
} from './collection.ts';
import type { Service, ServiceOptions, ServiceResult } from './options.ts';
import { openPricedApi } from './priced-api.ts';
import { createPublicApi, type PublicApiParts } from './public-api.ts';
import { rememberInterest } from './remember-interest.ts';
import { startRoutines } from './routines.ts';
import { stopper } from './stopper.ts';

/**
 * Wires the parts and starts them: stores, market, payments, API, then the collector. Configuration faults are
 * returned all at once and nothing is left running.
 */
export async function startService(options: ServiceOptions): Promise<ServiceResult> {
  if (options.identityUrl !== undefined) return wireService(options);
  const moved = refusalIfMoved(options.dataDir);
  if (moved !== undefined) return { ok: false, errors: [moved] };
  const leave = markFolderInUse(options.dataDir);
  const started = await wireService(options);
  if (!started.ok) {
    leave();
    return started;
  }
  return { ok: true, value: { ...started.value, stop: () => started.value.stop().finally(leave) } };
}

/** Opens one part after another; where one cannot be opened, those before it are closed. */
async function wireService(options: ServiceOptions): Promise<ServiceResult> {
  const { clock = systemClock, logger } = options;
  const opened = await openPricedApi(options, clock);
  if (!opened.ok) return opened;
  const priced = opened.value;
  const { payments } = priced;
  const stores = await openStores(options, clock);
  if (typeof stores === 'string') {
    await payments.stop();
    return { ok: false, errors: [stores] };
  }
  const load = new LoadWatch(clock, logger);
  const marketData = collectInto(stores, options, clock, load);
  const history = await historyOver(marketData, stores, options, clock, load);
  if (typeof history === 'string') {
    await Promise.all([payments.stop(), closeStores(stores, clock), stores.progress?.close()]);
    return { ok: false, errors: [history] };
  }
  if (history !== undefined) {
    marketData.keep(history);
    await rememberInterest(marketData.market, history, options);
  }
  const { audit, progress } = stores;
  const { collector, market, health } = marketData;
  const backfill =
    history && progress && backfillOf(options, { collector, market, health, history, progress, clock, load });
  const secondReading = secondReadingOf(options, { ...marketData, load, history, audit, clock });
  const indexes = new IndexWatch(market.view);
  return run({ options, clock, priced, stores, marketData, history, backfill, secondReading, indexes, load });
}

/** The history, where it is kept; why it cannot be opened. */
async function historyOver(
  { market, books, health, identity }: MarketData,
  { feed }: Pick<Stores, 'feed'>,
  options: ServiceOptions,
  clock: Clock,
  load: LoadWatch,
): Promise<History | undefined | string> {
  if (options.history === undefined) return undefined;
  // An embedded store is held by this process alone.
  const isShared = options.history.engine.engine === 'server';
  const opened = await openHistory({
    clock,
    ...options.history,
    rows: () => market.view.eachRow(),
    health,
    records: rolesOf(options).has('record'),
    ...(isShared && { lease: feed.historyLease() }),
    recordsOf: identity.recordsOf,
    book: (venue, symbol) => sampledBook(books.peek(venue, symbol)),
    fees: () => contractFees(market.view),
    isShed: () => load.isShed('sampling'),
    logger: options.logger,
  });
  return opened.ok ? opened.value : opened.fault.message;
}

async function closeStores({ feed, store, audit }: Stores, clock: Clock): Promise<void> {
  await Promise.all([feed.close(), store.close(), audit.stop(clock.now())]);
}

/** Listens, and begins to collect; what cannot listen is stopped again. */
async function run(parts: PublicApiParts): Promise<ServiceResult> {
  const { options, clock, priced, stores, marketData, history, backfill, secondReading, indexes, load } =
    parts;
  const { logger } = options;
  const { payments } = priced;
  const { collector } = marketData;
  const { audit, store, feed } = stores;
  let isStopping = false;
  const api = createPublicApi(parts, () => isStopping);
  const timers: NodeJS.Timeout[] = [];
  const stop = stopper({
    clock,
    timers,
    load,
    api,
    payments,
    collector,
    backfill,
    history,
    secondReading,
    store,
    audit,
    feed,
  });
  try {
    const port = await api.listen(options.port, options.host);
    load.start();
    payments.start();
    await collector.start();
    backfill?.start();
    secondReading.start();
    timers.push(...startRoutines({ ...marketData, audit, indexes, clock, logger }));
    const { activity, answerOperator, endStreams } = api;
    const announceStop = async (): Promise<void> => {
      isStopping = true;
      await wait(options.shutdownNoticeMs ?? 0);
    };
    const ends = { isStopping: () => isStopping, announceStop, stop };
    return { ok: true, value: { ...shownOf(parts), activity, answerOperator, endStreams, port, ...ends } };
  } catch (cause) {
    await stop();
    return { ok: false, errors: [listenError(cause, options)] };
  }
}

/** The part of a running service that others may look at. */
function shownOf(
  parts: PublicApiParts,
): Omit<
  Service,
  'activity' | 'answerOperator' | 'endStreams' | 'port' | 'isStopping' | 'announceStop' | 'stop'
> {
  const { options, priced, stores, marketData, history, backfill, secondReading, load } = parts;
  const { market, books, identity, collector, health, rules, renameWatch } = marketData;
  const { feed, store, audit } = stores;
  const { payments, tally, margins } = priced;
  const catchUp = async (): Promise<void> => {
    await store.settled();
    market.readDecisions();
  };
  return {
    market,
    books,
    collector,
    health,
    feed,
    payments,
    history,
    backfill,
    tally,
    load,
    margins,
    identities: {
      identity,
      decisions: store.decisions,
      catchUp,
      place: () => store.place(),
      possibleRenames: () => renameWatch.count,
    },
    audit: { incidents: audit.incidents, rules, secondReading },
    folders: foldersOf(options),
    settlementFee: options.payments.mode === 'off' ? 0n : options.payments.facilitatorFee,
  };
}

function foldersOf({ dataDir, payments }: ServiceOptions): ReadonlyMap<string, string> {
  const folders = new Map([['data', dataDir]]);
  if (payments.mode !== 'off') folders.set('ledger', payments.ledgerPath);
  return folders;
}

function listenError(cause: unknown, { host, port }: ServiceOptions): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `${host}:${port} is in use; choose another with --port`;
  return `cannot listen on ${host}:${port}: ${reasonOf(cause)}`;
}
