import type { Logger } from 'pino';
import { createFreeLimiter } from '../api/free-limits.ts';
import type { ReportFault } from '../api/http/dispatcher.ts';
import { createDemoWallet } from '../api/page/demo-wallet.ts';
import { readPageFiles } from '../api/page/page-files.ts';
import { renderProblem } from '../api/problem.ts';
import { protectedRoute } from '../api/protect.ts';
import type { Route } from '../api/route.ts';
import { routeTableVersion } from '../api/route-table-version.ts';
import { createApi, isPresent } from '../api/server.ts';
import { storeState } from '../api/store-state.ts';
import { ROUTES } from '../api/table.ts';
import type { AuditStores } from '../audit/audit-stores.ts';
import type { Collector } from '../collect/collector.ts';
import { LoadWatch } from '../collect/load-watch.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import type { Backfill } from '../history/backfill/backfill.ts';
import { contractFees } from '../history/fee-watch.ts';
import { openHistory } from '../history/open-history.ts';
import { sampledBook } from '../history/sampled-book.ts';
import type { Market } from '../market/live-table.ts';
import { createMcpFace } from '../mcp/mcp.ts';
import type { PaymentConfig } from '../pay/config.ts';
import { routeMargins } from '../pay/margin.ts';
import { PaymentTally } from '../pay/payment-tally.ts';
import { createPayments } from '../pay/payments.ts';
import { loadPriceBook, type PriceBook } from '../pay/prices.ts';
import type { ProtectedRoute } from '../pay/types.ts';
import { signalCandidates } from '../products/funding/signal-candidates.ts';
import { IndexWatch } from '../products/oracles/index-watch.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { repeatInParts } from '../runtime/in-parts.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { movedAway, useFolder } from '../storage/folder-use.ts';
import { backfillOf, collectInto, openStores, rolesOf, secondReadingOf } from './collection.ts';
import type { ServiceOptions, ServiceResult } from './options.ts';
import { stopper } from './stopper.ts';

/** The live table is swept once a second, a twentieth at a time. */
const SWEEP_MS = 50;
const SWEEP_SHARE = 0.05;
const INDEX_LOOK_MS = 1000;
/** The legs of the funding signal change slowly; their books are asked for within seconds. */
const CANDIDATES_MS = 5000;
/** What is not written yet is lost with the process: a rule that is still broken opens it again. */
const AUDIT_MS = 1000;

/**
 * Wires the rooms and starts them: stores, market, payments, API, then the collector. Configuration faults are
 * returned all at once and nothing is left running.
 */
export async function startService(options: ServiceOptions): Promise<ServiceResult> {
  if (options.identityUrl !== undefined) return wireService(options);
  const moved = movedAway(options.dataDir);
  if (moved !== undefined) return { ok: false, errors: [moved] };
  const leave = useFolder(options.dataDir);
  const started = await wireService(options);
  if (!started.ok) {
    leave();
    return started;
  }
  return { ok: true, value: { ...started.value, stop: () => started.value.stop().finally(leave) } };
}

async function wireService(options: ServiceOptions): Promise<ServiceResult> {
  const { clock = systemClock, logger } = options;
  const prices = loadPriceBook();
  if (!prices.ok) return prices;
  const roles = rolesOf(options);
  const present = options.history === undefined ? ROUTES.filter(isPresent) : ROUTES;
  const routes = roles.has('sell') ? present : present.filter(({ access }) => access === 'free');
  const tally = new PaymentTally();
  const sold = routes.filter(({ access }) => access === 'paid').map(protectedRoute);
  const payments = await createPayments({
    config: options.payments,
    prices: prices.value,
    routes: sold,
    renderProblem,
    routeTable: routeTableVersion(routes),
    clock,
    observe: (event) => tally.observe(event),
    onVerified: () => {
      tally.verified += 1;
    },
    onClosed: (record) => tally.close(record),
    onError: (cause) => logger.warn({ reason: reasonOf(cause) }, 'payment reconciliation failed'),
  });
  if (!payments.ok) return payments;
  const stores = await openStores(options, clock);
  if (typeof stores === 'string') {
    await payments.value.stop();
    return { ok: false, errors: [stores] };
  }
  const { audit, notes, store, feed } = stores;
  const load = new LoadWatch(clock, logger);
  const { market, books, collector, health, identity, laws, keep } = collectInto(
    stores,
    options,
    clock,
    load,
  );
  const opened =
    options.history &&
    (await openHistory({
      clock,
      ...options.history,
      rows: () => market.view.eachRow(),
      health,
      records: roles.has('record'),
      recordsOf: identity.recordsOf,
      book: (venue, symbol) => sampledBook(books.peek(venue, symbol)),
      fees: () => contractFees(market.view),
      isShed: () => load.sheds('sampling'),
      logger,
    }));
  if (opened?.ok === false) {
    await Promise.all([
      payments.value.stop(),
      feed.close(),
      store.close(),
      audit.stop(clock.now()),
      notes?.close(),
    ]);
    return { ok: false, errors: [opened.fault.message] };
  }
  const history = opened?.value;
  if (history !== undefined) keep(history);
  const backfill: Backfill | undefined =
    history && notes && backfillOf(options, { collector, market, history, progress: notes, clock, load });
  const secondReading = secondReadingOf(options, { collector, market, load, history, audit, clock });
  const indexes = new IndexWatch(market.view);
  const page = readPageFiles();
  const seller = options.payments.mode === 'off' ? undefined : options.payments.seller;
  const { baseUrl, serviceName: name } = options.payments;
  const { version, data } = options;
  const report: ReportFault = ({ at, error }) =>
    logger.error({ at, reason: reasonOf(error) }, 'request failed');
  const priceOf = ({ id, access }: Route): string | undefined =>
    seller !== undefined && access === 'paid' ? prices.value.priceAt(id, clock.now())?.usd : undefined;
  const api = createApi({
    mcp: createMcpFace({ face: { name, version, baseUrl, data, routes, priceOf }, clock, report }),
    ...(page !== undefined && { page }),
    ...(options.demoBuyerKey !== undefined &&
      options.payments.mode === 'sandbox' && {
        demoWallet: createDemoWallet(options.demoBuyerKey, options.payments.seller),
      }),
    market: market.view,
    indexMoves: () => indexes.moves,
    books: books.view,
    audit: {
      ...audit,
      suspects: (venue) => laws.suspects(venue),
      ccxtWays: (venue) => secondReading.ccxtWays(venue),
      predictions: (venue) => laws.predictions(venue),
    },
    load: () => load.state(),
    routes,
    ...(history !== undefined && { store: () => storeState(history, backfill), history }),
    health,
    feed: () => feed.state(),
    identities: () => store.place(),
    clock,
    paywall: payments.value.paywall,
    payments: {
      prices: prices.value,
      seller,
      health: () => payments.value.health(),
      ...(payments.value.receipts !== undefined && { receipts: payments.value.receipts }),
    },
    service: { baseUrl, name, version, data, roles: [...roles], startedAt: clock.now() },
    trustProxy: options.trustProxy,
    ...(options.freePerSecond !== undefined && {
      limiter: createFreeLimiter(clock, options.freePerSecond),
    }),
    report,
  });
  try {
    const port = await api.listen(options.port, options.host);
    load.start();
    payments.value.start();
    await collector.start();
    backfill?.start();
    secondReading.start();
    const timers = [
      setInterval(() => sweepPart(market, logger), SWEEP_MS),
      setInterval(() => indexes.tick(), INDEX_LOOK_MS),
      repeatInParts(() => preferCandidates(market, collector), CANDIDATES_MS),
      setInterval(() => writeAudit(audit, clock, logger), AUDIT_MS),
      repeatInParts(function* () {
        yield* laws.minute(market, health);
        audit.coverage.observe(market.view, health, clock.now());
      }, MINUTE_MS),
    ];
    const stop = stopper({
      api,
      payments: payments.value,
      collector,
      backfill,
      history,
      store,
      secondReading,
      audit,
      clock,
      timers,
      load,
      feed,
    });
    const running = {
      market,
      books,
      identities: {
        identity,
        decisions: store.decisions,
        catchUp: async () => {
          await store.settled();
          market.readDecisions();
        },
      },
      collector,
      health,
      feed,
      audit: { incidents: audit.incidents, laws, secondReading },
      payments: payments.value,
      history,
      backfill,
      tally,
      activity: api.activity,
      answerOperator: api.answerOperator,
      endStreams: api.endStreams,
      load,
      folders: foldersOf(options),
      margins: () => marginsOf(options.payments, sold, prices.value, clock),
      settlementFee: options.payments.mode === 'off' ? 0n : options.payments.facilitatorFee,
      port,
      stop,
    };
    return { ok: true, value: running };
  } catch (cause) {
    load.stop();
    await payments.value.stop();
    await backfill?.stop();
    await secondReading.stop();
    await history?.stop();
    await feed.close();
    await store.close();
    await audit.stop(clock.now());
    return { ok: false, errors: [listenError(cause, options)] };
  }
}

/** The books of what the funding signal would show are followed before they are asked for. */
function* preferCandidates(market: Market, collector: Collector): Generator<undefined> {
  for (const [venue, symbols] of yield* signalCandidates(market.view)) collector.preferBooks(venue, symbols);
}

/** A disk that takes no identities must not end the service: what could not be saved is saved with the next. */
function sweepPart(market: Market, logger: Logger): void {
  try {
    market.sweepPart(SWEEP_SHARE);
  } catch (cause) {
    logger.warn({ reason: reasonOf(cause) }, 'the live table could not be swept in full');
  }
}

/** A disk that takes nothing must not end the service: what has changed is written with the next. */
function writeAudit(audit: AuditStores, clock: Clock, logger: Logger): void {
  try {
    audit.flush(clock.now());
  } catch (cause) {
    logger.warn({ reason: reasonOf(cause) }, 'incidents and counts of quality could not be written');
  }
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

function listenError(cause: unknown, { host, port }: ServiceOptions): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `${host}:${port} is in use; choose another with --port`;
  return `cannot listen on ${host}:${port}: ${reasonOf(cause)}`;
}
