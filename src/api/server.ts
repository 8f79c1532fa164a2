import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HealthBoard } from '../collect/ports.ts';
import { lowerAscii } from '../domain/ascii-case.ts';
import type { Clock } from '../domain/clock.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { RowSnapshots } from '../market/row-snapshots.ts';
import type { MarketView } from '../market/view.ts';
import type { ToolListing } from '../pay/bazaar.ts';
import { createFreePaywall } from '../pay/free-paywall.ts';
import type { Paywall } from '../pay/types.ts';
import type { HistoryView } from '../products/define-product.ts';
import { type ReadPort, readPorts } from '../runtime/port.ts';
import { systemTimer, type Timer, withTimeout } from '../runtime/timer.ts';
import { ResponseCache } from './answers/response-cache.ts';
import type { AnswerCall } from './call.ts';
import type { SoldHeader } from './documents/sold-header.ts';
import {
  ConnectionGate,
  type ConnectionLimits,
  type ConnectionRefusal,
  connectionLimits,
} from './http/connection-gate.ts';
import { Dispatcher, type DispatcherParts, type FreeLimiter } from './http/dispatcher.ts';
import type { EventStream } from './http/event-stream.ts';
import { HttpServer, type RequestHandler } from './http/http-server.ts';
import type { ReportFault } from './http/reply.ts';
import { RequestTally } from './http/request-tally.ts';
import { createNoticePages, type NoticePages } from './page/notice-pages.ts';
import { createPage, GUARDS } from './page/page.ts';
import type { PageFiles } from './page/page-files.ts';
import type { PaymentInfo } from './payments.ts';
import { renderProblem } from './problem.ts';
import { connectionClient, type TrustProxy } from './request/address.ts';
import { Targets } from './request/target.ts';
import { unknownRouteOf } from './request/unknown-route.ts';
import type { Route, ServiceInfo, Services } from './route.ts';
import type { StoreState } from './store-state.ts';

/** All that the HTTP surface needs; nothing is read from the environment here. */
export interface ApiOptions {
  /** Keeps past rows of the preview's assets for at least a minute. */
  readonly market: MarketView & RowSnapshots;
  readonly health: HealthBoard;
  readonly clock: Clock;
  readonly paywall: Paywall;
  readonly payments: PaymentInfo;
  readonly service: ServiceInfo;
  /** The load of the machine, if it is watched. */
  readonly load?: NonNullable<Services['load']>;
  /** True while the service shuts down; default never. */
  readonly isStopping?: NonNullable<Services['isStopping']>;
  /** The feed between collectors and sellers; default none beside this process. */
  readonly feed?: NonNullable<Services['feed']>;
  /** The state of the store of identities, for health; default not reported. */
  readonly identities?: NonNullable<Services['identities']>;
  /** State of the history store, where there is one. */
  readonly store?: () => StoreState;
  /** Measured index moves of venues, if they are followed. */
  readonly indexMoves?: NonNullable<Services['indexMoves']>;
  /** History, where it is kept: without it the historical routes are not there. */
  readonly history?: HistoryView;
  /** Order books that are in order. */
  readonly books: BookView;
  /** Reads what modules have opened for their products; default nothing. */
  readonly readPort?: ReadPort;
  readonly trustProxy?: TrustProxy;
  /** Limits free requests by client address. */
  readonly limiter?: FreeLimiter;
  readonly report: ReportFault;
  /** Times the waits for order books; default the system's. */
  readonly timer?: Timer;
  /** The time for which an answer may still be used after the table changed, ms; default 250. */
  readonly coalesceMs?: number;
  /** Bound of the kept answers, bytes; default 64 MiB. */
  readonly answerBytes?: number;
  /**
   * The time for which a shutdown waits for payments under way, ms; default 27 s: one verify, one settle, and
   * change.
   */
  readonly drainMs?: number;
  /** The routes to serve; of these, historical ones where there is history. */
  readonly routes: readonly Route[];
  /** Headers that modules add to sold answers; default none. */
  readonly soldHeaders?: readonly SoldHeader[];
  /** The page for browsers, where it is built. */
  readonly page?: PageFiles;
  /** Paths of the public port that are no routes; the first that knows a path answers. */
  readonly mounts?: readonly Mount[];
  /** Streams by id of the route that they belong to: a client that accepts events gets one instead of an answer. */
  readonly streams?: ReadonlyMap<string, EventStream>;
  /** Paths that the operator alone is answered; the first that knows a path answers. */
  readonly operatorHandlers?: readonly RequestHandler[];
  /** Default those of a process whose descriptors are not known. */
  readonly connectionLimits?: ConnectionLimits;
}

/** Answers paths of its own beside the routes. */
export interface Mount {
  /** Tools that the catalog names, where it serves some. */
  readonly tools?: readonly ToolListing[];
  /** Makes the handler, which asks the routes by `answer`, and returns false where a path is not its own. */
  readonly connect: (answer: AnswerCall, trust: TrustProxy) => RequestHandler;
}

/** Counters and gauges of the HTTP surface, for metrics. */
export interface ApiActivity {
  readonly requests: RequestTally;
  /** Connections that are open. */
  connections(): Promise<number>;
  /** Connections that were not kept, by the limit that they were beyond. */
  readonly refusedConnections: Readonly<Record<ConnectionRefusal, number>>;
  /** Requests that wait for something. */
  open(): number;
  /** Answers that are kept to be used again. */
  kept(): { readonly answers: number; readonly bytes: number };
}

export interface Api {
  /** Begins to listen. Resolves with the port, also where 0 asked for a free one. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, refuses new payments, finishes those under way within bounds, then closes all connections. */
  close(): Promise<void>;
  readonly activity: ApiActivity;
  /** Answers page and routes without payment or limit: for the operator alone. False where there is no such path. */
  readonly answerOperator: RequestHandler;
}

const DEFAULT_COALESCE_MS = 250;
const DEFAULT_ANSWER_BYTES = 64 * 1024 * 1024;
const DEFAULT_DRAIN_MS = 27_000;

/** Routes that need no history. */
export const isPresent = ({ dependsOn }: Route): boolean =>
  dependsOn !== 'history' && dependsOn !== 'table-history';

function servicesOf(options: ApiOptions): Services {
  const { market, health, clock, payments, service, store, books, history, indexMoves, load } = options;
  const { feed, identities, isStopping, mounts = [] } = options;
  const tools = mounts.flatMap((mount) => mount.tools ?? []);
  return {
    market,
    health,
    clock,
    payments,
    service,
    routes: history === undefined ? options.routes.filter(isPresent) : options.routes,
    soldHeaders: options.soldHeaders ?? [],
    ...(mounts.some((mount) => mount.tools !== undefined) && { tools }),
    ...(store !== undefined && { store }),
    ...(load !== undefined && { load }),
    ...(isStopping !== undefined && { isStopping }),
    ...(feed !== undefined && { feed }),
    ...(identities !== undefined && { identities }),
    ...(history !== undefined && { history }),
    ...(indexMoves !== undefined && { indexMoves }),
    books,
    readPort: options.readPort ?? readPorts(),
  };
}

/** Puts the route table behind HTTP. */
export function createApi(options: ApiOptions): Api {
  const services = servicesOf(options);
  const requests = new RequestTally(services.routes.map(({ id }) => id));
  const cache = cacheOf(options, services);
  const trust = options.trustProxy ?? { kind: 'none' };
  const { streams = new Map<string, EventStream>() } = options;
  const pages = noticePagesOf(options);
  const dispatcher = dispatcherOf(options, services.routes, {
    cache,
    trust,
    tally: requests,
    streams,
    ...pages,
  });
  const gate = new ConnectionGate(options.connectionLimits ?? connectionLimits());
  const server = new HttpServer({
    handle: publicHandler(options, dispatcher, trust),
    upgrade: (asked) => dispatcher.upgrade(asked),
    tally: requests,
    gate,
    clientOf: (address) => connectionClient(address, trust),
    unknown: unknownOf(options, services),
    ...pages,
  });
  let closing: Promise<void> | undefined;
  return {
    answerOperator: operatorHandler(options, services, cache),
    activity: {
      requests,
      connections: () => server.connections(),
      refusedConnections: gate.refused,
      open: () => dispatcher.open,
      kept: () => ({ answers: cache.store.size, bytes: cache.store.bytes }),
    },
    listen: (port, host) => server.listen(port, host),
    close: () => {
      closing ??= closeGracefully(server, dispatcher, options.drainMs ?? DEFAULT_DRAIN_MS);
      return closing;
    },
  };
}

function cacheOf(options: ApiOptions, services: Services): ResponseCache {
  return new ResponseCache(services, {
    timer: options.timer ?? systemTimer,
    coalesceMs: options.coalesceMs ?? DEFAULT_COALESCE_MS,
    maxBytes: options.answerBytes ?? DEFAULT_ANSWER_BYTES,
  });
}

/** Pages for browsers beside the page, where that is built. */
function noticePagesOf({ page, payments, clock, service }: ApiOptions): { readonly pages?: NoticePages } {
  if (page === undefined) return {};
  return { pages: createNoticePages({ payments, clock, baseUrl: service.baseUrl, guards: GUARDS }) };
}

function unknownOf({ market }: ApiOptions, { routes }: Services): ReturnType<typeof unknownRouteOf> {
  return unknownRouteOf(new Targets(routes), routes, {
    isVenue: (name) => market.venue(lowerAscii(name)) !== undefined,
    isTicker: (name) => market.resolve(name).kind !== 'unknown',
  });
}

/** The page, the routes and what is mounted beside them: the first that knows the path answers. */
function publicHandler(options: ApiOptions, dispatcher: Dispatcher, trust: TrustProxy): RequestHandler {
  const page = options.page && createPage(options.page, 'public', options.service.data);
  const mounted = (options.mounts ?? []).map(({ connect }) =>
    connect((call) => dispatcher.call(call), trust),
  );
  return (request, response) =>
    page?.(request, response) === true ||
    dispatcher.handle(request, response) ||
    mounted.some((handle) => handle(request, response));
}

type Wiring = Pick<DispatcherParts, 'cache' | 'trust' | 'tally' | 'streams' | 'pages'>;

/** Sells the routes to everybody. */
function dispatcherOf(options: ApiOptions, routes: readonly Route[], wiring: Wiring): Dispatcher {
  const { paywall, clock, limiter, report } = options;
  return new Dispatcher({
    ...wiring,
    clock,
    targets: new Targets(routes),
    paywall,
    ...(limiter !== undefined && { limiter }),
    report,
  });
}

/** The same answers as everybody's, from the same cache; what the operator looks at is not counted as traffic. */
function operatorHandler(options: ApiOptions, services: Services, cache: ResponseCache): RequestHandler {
  const { streams = new Map<string, EventStream>(), operatorHandlers = [] } = options;
  const dispatcher = new Dispatcher({
    targets: new Targets(services.routes),
    cache,
    streams,
    tally: new RequestTally(services.routes.map(({ id }) => id)),
    paywall: createFreePaywall(renderProblem),
    trust: { kind: 'none' },
    clock: options.clock,
    report: options.report,
  });
  const page = options.page && createPage(options.page, 'operator', options.service.data);
  return (request: IncomingMessage, response: ServerResponse) =>
    page?.(request, response) === true ||
    operatorHandlers.some((handle) => handle(request, response)) ||
    dispatcher.handle(request, response);
}

async function closeGracefully(server: HttpServer, dispatcher: Dispatcher, drainMs: number): Promise<void> {
  // The server accepts no new connections; responses on open ones say that they close.
  const closed = server.close();
  const finish = async (): Promise<void> => {
    await dispatcher.drain();
    await closed;
  };
  await withTimeout(finish(), drainMs, () => undefined);
  server.destroyConnections();
  await closed;
}
