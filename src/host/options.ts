import type { Logger } from 'pino';
import type { ConnectionLimits } from '../api/http/connection-gate.ts';
import type { PageHandler } from '../api/page/page.ts';
import type { TrustProxy } from '../api/request/address.ts';
import type { ApiActivity } from '../api/server.ts';
import type { BaseOverrides, Collector } from '../collect/collector.ts';
import type { Transport } from '../collect/http-client.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Feed, Role } from '../feed/ports.ts';
import type { History } from '../history/history.ts';
import type { HistorySettings } from '../history/open-history.ts';
import type { BookStore } from '../market/books/book-store.ts';
import type { IdentityServices } from '../market/change-identity.ts';
import type { Market } from '../market/live-table.ts';
import type { MarketStore } from '../market/stores.ts';
import type { PaymentConfig } from '../pay/config.ts';
import type { CallCost, RouteMargin } from '../pay/margin.ts';
import type { PaymentTally } from '../pay/payment-tally.ts';
import type { Payments } from '../pay/payments.ts';
import type { PriceChangeEntry } from '../pay/price-list.ts';
import type { ReadPort } from '../runtime/port.ts';
import type { Tape } from '../tape/tape.ts';
import type { VenueAdapter } from '../venues/adapter.ts';
import type { MetricRow } from './metrics/metric-set.ts';

/** The parts of a running service; no part below reads the environment. */
export interface ServiceOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly dataDir: string;
  /** Roles of this process; default all. */
  readonly roles?: ReadonlySet<Role>;
  /** Read where this process collects. */
  readonly venues: readonly VenueAdapter[];
  readonly bases: BaseOverrides;
  /** Transports of venues that our HTTP client does not read. */
  readonly transports?: ReadonlyMap<VenueId, Transport>;
  readonly data: 'live' | 'simulated';
  readonly payments: PaymentConfig;
  /** The operator's own changes of the shipped prices; default none. */
  readonly priceChanges?: readonly PriceChangeEntry[];
  readonly trustProxy: TrustProxy;
  /** Free requests a second that one client address may make; unlimited when absent. */
  readonly freePerSecond?: number;
  /** Connections of clients that are open at once; default those of a process whose descriptors are not known. */
  readonly connectionLimits?: ConnectionLimits;
  /** The time that `announceStop` waits, ms; default not at all. */
  readonly shutdownNoticeMs?: number;
  /** Order books of one venue that are streamed, the most traded first; default 100. */
  readonly booksPerVenue?: number;
  /** The place of the history, and for how long it is kept; undefined = it is not kept, and not sold. */
  readonly history?: HistorySettings;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Read side of a running service, for the admin port. */
export interface Service {
  readonly market: Market;
  readonly books: BookStore;
  /** The asset of each contract, and the operators' decisions about that. */
  readonly identities: Pick<IdentityServices, 'identity' | 'decisions' | 'catchUp'> &
    Pick<MarketStore, 'place'> & {
      /** Contracts of the last seven days that may be renamed ones. */
      readonly possibleRenames: () => number;
    };
  /** Of what is collected; of no venue where nothing is. */
  readonly collector: Collector;
  readonly health: HealthBoard;
  /** Counts the faults of those who listen to what is decoded. */
  readonly tape: Pick<Tape, 'faults'>;
  readonly feed: Feed;
  readonly payments: Payments;
  readonly history: History | undefined;
  /** Reads what modules have opened for others. */
  readonly readPort: ReadPort;
  /** Outcomes of payments since start. */
  readonly tally: PaymentTally;
  readonly activity: ApiActivity;
  /** Answers page and routes without payment: behind the operator's own door only. */
  readonly answerOperator: PageHandler;
  readonly load: LoadWatch;
  /** Metrics that modules declare. */
  readonly moduleMetrics: readonly MetricRow[];
  /** Folders that are written to, by what lies in them. */
  readonly folders: ReadonlyMap<string, string>;
  /** The cost of one sale in each way of paying; empty in mode `off`. */
  readonly callCosts: () => readonly CallCost[];
  /** The margin of one sale of each route after these costs. */
  readonly margins: () => readonly RouteMargin[];
  /** Port that is listened on. */
  readonly port: number;
  /** The reason for which it is not ready to be asked, in a few words; undefined where it is. */
  readonly unready: () => string | undefined;
  /** Says in health and readiness that it is about to end, and answers on for as long as a load balancer needs to see it. */
  announceStop(): Promise<void>;
  /** Refuses new payments, ends those in flight, closes everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** A service whose modules have started, too. */
export interface StartedService extends Service {
  /** Names and addresses that modules listen on. */
  readonly listening: Readonly<Record<string, string>>;
}

export type ServiceResult =
  | { readonly ok: true; readonly value: StartedService }
  | { readonly ok: false; readonly errors: readonly string[] };
