import { LoadWatch } from '../collect/load-watch.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { contractFees } from '../history/fee-watch.ts';
import type { History } from '../history/history.ts';
import { openHistory } from '../history/open-history.ts';
import type { OpenReading } from '../history/reading.ts';
import { sampledBook } from '../history/sampled-book.ts';
import { IndexWatch } from '../products/oracles/index-watch.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { wait } from '../runtime/timer.ts';
import { markFolderInUse, refusalIfMoved } from '../storage/folder-use.ts';
import { collectInto, type MarketData, openStores, rolesOf, type Stores } from './collection.ts';
import { seamsOf } from './given-seams.ts';
import { listen } from './listen.ts';
import { LogTail } from './log-tail.ts';
import type { Host, Module } from './module.ts';
import { modulesOn, OpenModules, reading } from './open-modules.ts';
import type { Service, ServiceOptions, ServiceResult } from './options.ts';
import { openPricedApi } from './priced-api.ts';
import { createPublicApi, type PublicApiParts } from './public-api.ts';
import { unreadyOf } from './readiness.ts';
import { rememberInterest } from './remember-interest.ts';
import { routeTableOf } from './route-table.ts';
import { startRoutines } from './routines.ts';
import type { Seams } from './seams.ts';
import { type Running, stopper } from './stopper.ts';

/**
 * Wires the parts and starts them: stores, market, payments, API, then the collector. Configuration faults are
 * returned all at once and nothing is left running.
 */
export async function startService(
  options: ServiceOptions,
  modules: GivenModules = { modules: [], settings: reading({}), log: new LogTail() },
): Promise<ServiceResult> {
  const seams = givenSeams(modules);
  if (typeof seams === 'string') return { ok: false, errors: [seams] };
  if (seams.identities !== undefined) return wireService(options, modules, seams);
  const moved = refusalIfMoved(options.dataDir);
  if (moved !== undefined) return { ok: false, errors: [moved] };
  const leave = markFolderInUse(options.dataDir);
  let started: ServiceResult;
  try {
    started = await wireService(options, modules, seams);
  } catch (cause) {
    leave();
    throw cause;
  }
  if (!started.ok) {
    leave();
    return started;
  }
  return { ok: true, value: { ...started.value, stop: () => started.value.stop().finally(leave) } };
}

/** Opens one part after another; where one cannot be opened, those before it are closed. */
async function wireService(
  options: ServiceOptions,
  given: GivenModules,
  seams: Seams,
): Promise<ServiceResult> {
  const { clock = systemClock, logger } = options;
  const table = await routeTableOf(modulesOn(given.modules, given.settings));
  const opened = await openPricedApi(options, table, clock, seams);
  if (!opened.ok) return opened;
  const priced = opened.value;
  const { payments } = priced;
  const stores = await openStores(options, clock, seams);
  if (typeof stores === 'string') {
    await payments.stop();
    return { ok: false, errors: [stores] };
  }
  const load = new LoadWatch(clock, logger);
  const marketData = collectInto(stores, options, clock, load);
  const history = await historyOver(marketData, stores, options, clock, { load, seams });
  if (typeof history === 'string') {
    await Promise.all([payments.stop(), closeStores(stores)]);
    return { ok: false, errors: [history] };
  }
  if (history !== undefined) await rememberInterest(marketData.market, history, options);
  const indexes = new IndexWatch(marketData.market.view);
  return run({ options, clock, priced, stores, marketData, history, indexes, load }, given);
}

/** Modules of a service, with what they are opened with. */
export interface GivenModules {
  readonly modules: readonly Module[];
  readonly settings: Host['settings'];
  readonly log: Host['log'];
  readonly configuration?: Host['configuration'];
}

/** The modules' parts of the spine; why there are none. */
function givenSeams({ modules, settings }: GivenModules): Seams | string {
  try {
    return seamsOf(modules, settings);
  } catch (cause) {
    return reasonOf(cause);
  }
}

/** The module's reading of stored values, where one gives it; a text where it cannot be loaded. */
async function loadReading({ reading }: Seams): Promise<OpenReading | undefined | string> {
  try {
    return await reading?.();
  } catch (cause) {
    return reasonOf(cause);
  }
}

/** The history, where it is kept; why it cannot be opened. */
async function historyOver(
  { market, books, health, identity }: MarketData,
  { lease }: Pick<Stores, 'lease'>,
  options: ServiceOptions,
  clock: Clock,
  { load, seams }: { readonly load: LoadWatch; readonly seams: Seams },
): Promise<History | undefined | string> {
  if (options.history === undefined) return undefined;
  const reading = await loadReading(seams);
  if (typeof reading === 'string') return reading;
  // An embedded store is held by this process alone.
  const isShared = options.history.engine.engine === 'server';
  const opened = await openHistory({
    clock,
    ...options.history,
    reading,
    rows: () => market.view.eachRow(),
    health,
    records: rolesOf(options).has('record'),
    ...(isShared && { lease }),
    recordsOf: identity.recordsOf,
    book: (venue, symbol) => sampledBook(books.peek(venue, symbol)),
    fees: () => contractFees(market.view),
    isShed: () => load.isShed('sampling'),
    logger: options.logger,
  });
  return opened.ok ? opened.value : opened.fault.message;
}

async function closeStores({ feed, store }: Stores): Promise<void> {
  await Promise.all([feed.close(), store.close()]);
}

/** Opens the modules, then listens; what cannot be opened leaves nothing running. */
async function run(parts: PublicApiParts, given: GivenModules): Promise<ServiceResult> {
  const { priced, stores, marketData, history, load } = parts;
  const { store, feed } = stores;
  const running: Running = {
    timers: [],
    load,
    payments: priced.payments,
    collector: marketData.collector,
    history,
    store,
    feed,
  };
  const shown = shownOf(parts);
  const host = {
    ...hostOf(parts, shown),
    settings: given.settings,
    log: given.log,
    configuration: given.configuration ?? [],
  };
  let modules: OpenModules;
  try {
    modules = await OpenModules.open(given.modules, host, { ports: priced.payments.ports });
  } catch (cause) {
    return endAfter(reasonOf(cause), stopper(running));
  }
  try {
    marketData.listen(modules, history);
    return await serve(parts, { shown, report: host.report, modules, running });
  } catch (cause) {
    return endAfter(reasonOf(cause), stopper({ ...running, modules }));
  }
}

/** The fault of a start, when all that runs was ended; what could not be ended is a fault besides. */
async function endAfter(fault: string, stop: () => Promise<void>): Promise<ServiceResult> {
  try {
    await stop();
    return { ok: false, errors: [fault] };
  } catch (cause) {
    return { ok: false, errors: [fault, reasonOf(cause)] };
  }
}

/** Listens, and begins to collect; where that or a module fails, all is stopped again. */
async function serve(
  parts: PublicApiParts,
  wired: {
    readonly shown: ReturnType<typeof shownOf>;
    readonly report: Host['report'];
    readonly modules: OpenModules;
    readonly running: Running;
  },
): Promise<ServiceResult> {
  const { options } = parts;
  const { shown, report, modules, running } = wired;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const { mounts, streams, operatorHandlers, readPort } = modules;
  const given = { report, mounts, streams, operatorHandlers, readPort, isStopping };
  const api = createPublicApi(parts, given);
  const stop = stopper({ ...running, modules, api });
  const port = await listen(api, options);
  if (typeof port === 'string') return endAfter(port, stop);
  const { activity, answerOperator } = api;
  const announceStop = async (): Promise<void> => {
    stopping = true;
    await wait(options.shutdownNoticeMs ?? 0);
  };
  const unready = (): string | undefined => unreadyOf({ isStopping, modules, health: shown.health });
  const surface = { activity, answerOperator, port, moduleMetrics: modules.metrics, readPort };
  const service = { ...shown, ...surface, unready, announceStop, stop };
  try {
    await begin(parts, running.timers);
    return { ok: true, value: { ...service, listening: await modules.start(service) } };
  } catch (cause) {
    return endAfter(reasonOf(cause), stop);
  }
}

/** Begins to settle and to collect, and the recurring routines. */
async function begin(
  { options, clock, priced, marketData, indexes, load }: PublicApiParts,
  timers: NodeJS.Timeout[],
): Promise<void> {
  load.start();
  priced.payments.start();
  await marketData.fill();
  const { logger } = options;
  timers.push(...startRoutines({ ...marketData, indexes, clock, logger }));
}

/** The part of the service that opening modules may look at; their settings and the log are added by the caller. */
function hostOf(
  { options, clock, priced, marketData }: PublicApiParts,
  shown: ReturnType<typeof shownOf>,
): Omit<Host, 'settings' | 'log' | 'configuration' | 'readPort'> {
  const { logger } = options;
  const { routes, toolPlaces, priceOf } = priced;
  const report: Host['report'] = ({ at, error }) =>
    logger.error({ at, reason: reasonOf(error) }, 'request failed');
  const settled = marketData.tape.sinks.payments;
  return { ...shown, options, clock, logger, settled, routes, toolPlaces, priceOf, report };
}

/** The part of a running service that others may look at. */
function shownOf(
  parts: PublicApiParts,
): Omit<
  Service,
  'activity' | 'answerOperator' | 'port' | 'moduleMetrics' | 'readPort' | 'unready' | 'announceStop' | 'stop'
> {
  const { options, priced, stores, marketData, history, load } = parts;
  const { market, books, identity, collector, health, tape, renameWatch } = marketData;
  const { feed, store } = stores;
  const { payments, tally, callCosts, margins } = priced;
  const catchUp = async (): Promise<void> => {
    await store.settled();
    market.readDecisions();
  };
  return {
    market,
    books,
    collector,
    health,
    tape,
    feed,
    payments,
    history,
    tally,
    load,
    callCosts,
    margins,
    identities: {
      identity,
      decisions: store.decisions,
      catchUp,
      place: () => store.place(),
      possibleRenames: () => renameWatch.count,
    },
    folders: foldersOf(options),
  };
}

function foldersOf({ dataDir, payments }: ServiceOptions): ReadonlyMap<string, string> {
  const folders = new Map([['data', dataDir]]);
  if (payments.mode !== 'off') folders.set('ledger', payments.ledgerPath);
  return folders;
}
