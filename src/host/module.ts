import type { Logger } from 'pino';
import type { EventStream } from '../api/http/event-stream.ts';
import type { RequestHandler } from '../api/http/http-server.ts';
import type { Route } from '../api/route.ts';
import type { Mount } from '../api/server.ts';
import type { BaseOverrides } from '../collect/collector.ts';
import type { Transport } from '../collect/http-client.ts';
import type { PaymentSink } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Placed } from '../runtime/placed.ts';
import type { FilledPort, ReadPort } from '../runtime/port.ts';
import type { TapeListener } from '../tape/listener.ts';
import type { VenueAdapter } from '../venues/adapter.ts';
import type { CommandBlock } from './command.ts';
import type { LogTail } from './log-tail.ts';
import type { MetricRow } from './metrics/metric-set.ts';
import type { ModuleProducts } from './module-products.ts';
import type { Service, ServiceOptions } from './options.ts';
import type { ViewBlock, ViewSection } from './page-view.ts';
import type { RecordedMarket } from './recorded-market.ts';
import type { RowJudge } from './row-judge.ts';
import type { Seams } from './seams.ts';
import type { ConfigurationRow } from './settings/configuration.ts';
import type { SettingSpecs, SettingsOf } from './settings/settings.ts';
import type { ToolPlace } from './tool-place.ts';

/** Settings that a module adds: in help and printed configuration they follow the named one. */
export interface SettingBlock extends Placed {
  readonly specs: SettingSpecs;
  /** Groups of the core's commands, as `ledger`, that take these settings, too, since they say where their data is. */
  readonly groups?: readonly string[];
}

/** Reads a module's own settings, which it declares by the same specs. */
export type ReadSettings = <Specs extends SettingSpecs>(specs: Specs) => SettingsOf<Specs>;

/** All that a module may look at while it opens: the spine, which is wired and not yet started. */
export interface Host
  extends Pick<
    Service,
    | 'market'
    | 'books'
    | 'identities'
    | 'collector'
    | 'health'
    | 'feed'
    | 'payments'
    | 'history'
    | 'tally'
    | 'load'
    | 'folders'
    | 'margins'
  > {
  readonly settings: ReadSettings;
  /** Reads what modules have opened for others; a module that opens later has filled nothing yet. */
  readonly readPort: ReadPort;
  readonly options: ServiceOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Takes settled payments that a module asked for: the tape gives them to its listeners, as it does those of the collector. */
  readonly settled: PaymentSink;
  /** The last lines of the log. */
  readonly log: LogTail;
  /** The settings that the service was started with; empty where a program has started it by options alone. */
  readonly configuration: readonly ConfigurationRow[];
  /** The routes that are served. */
  readonly routes: readonly Route[];
  /** The tools of products that modules brought, by id of the product. */
  readonly toolPlaces: ReadonlyMap<string, ToolPlace>;
  /** The price of a route, US dollars; undefined where it is free. */
  readonly priceOf: (route: Route) => string | undefined;
  /** Takes a fault of one request, which is not the client's. */
  readonly report: (fault: { readonly at: string; readonly error: unknown }) => void;
}

/** Venues that a module adds to those that are collected natively. */
export interface VenueSource {
  readonly adapters: readonly VenueAdapter[];
  /** Transports of venues that our HTTP client does not read. */
  readonly transports: ReadonlyMap<VenueId, Transport>;
  /** Everything that is wrong with its settings: the service does not start. */
  readonly errors: readonly string[];
  /** Warnings for the operator, which are logged. */
  readonly warnings: readonly string[];
}

/** A started module's part of the log line about listening: names and addresses. */
export type Listening = Readonly<Record<string, string>>;

/** An open module's parts for the service. */
export interface OpenModule {
  /** Paths that it answers itself, beside the routes. */
  readonly mounts?: readonly Mount[];
  /** Streams by id of the route that they belong to: a client that accepts events gets one instead of an answer. */
  readonly streams?: ReadonlyMap<string, EventStream>;
  /** Paths that it answers itself, to the operator alone. */
  readonly operatorHandlers?: readonly RequestHandler[];
  readonly metrics?: readonly MetricRow[];
  /**
   * Its settings and state as its products may see them, made by `fill` (`src/runtime/port.ts`). They are read after `stop`, too:
   * requests that are under way end later than modules.
   */
  readonly ports?: readonly FilledPort[];
  /** The reason for which the service is not ready to be asked, on the module's account; undefined once it is. */
  readonly unready?: () => string | undefined;
  /** Flags rows whose data breaks a rule: they are shown, and compared with nothing. */
  readonly judges?: RowJudge;
  /** Hears all that is decoded, after the core and the modules before it in the list, from the first payload until `stop`. */
  readonly listens?: TapeListener;
  /**
   * Begins its work, when the service listens and collects. An exception is a fault of the start: all is stopped
   * again, and the reason is printed.
   */
  readonly start?: (
    service: Omit<Service, 'listening'>,
  ) => Promise<Listening | undefined> | Listening | undefined;
  /** Ends it, started or not. Modules end in the reverse of the order in which they were opened, before anything of the core does. */
  readonly stop?: () => Promise<void> | void;
}

/**
 * A feature that can be left out: one folder under `src/modules/`, and one line in its list. The core imports no
 * module, and a module imports another only where it needs it.
 */
export interface Module {
  /** Name of its folder. */
  readonly id: string;
  /** Ids of modules without which it cannot work. */
  readonly needs?: readonly string[];
  readonly settings?: readonly SettingBlock[];
  /** Commands of the program, which need no running service: what they do is loaded when they are called. */
  readonly commands?: readonly CommandBlock[];
  /** Loads what reads recorded payloads of another kind of market, by the name of the kind. */
  readonly recorded?: Readonly<Record<string, () => Promise<RecordedMarket>>>;
  /** Loads its products and documents. They are the same in every process, and served where the module is on. */
  readonly products?: () => Promise<ModuleProducts>;
  /** Views of the page that it brings: the page is built with those of all modules. */
  readonly views?: () => Promise<readonly ViewBlock[]>;
  /** Sections of other views that it brings: they follow those of the modules before it in the list, and precede the view's own. */
  readonly viewSections?: () => Promise<readonly ViewSection[]>;
  /** Undefined where it is on; else what would turn it on, as a hint to who set one of its settings. */
  readonly off?: (settings: ReadSettings) => string | undefined;
  /** Everything that is wrong with its settings; asked only where it is on. */
  readonly check?: (settings: ReadSettings) => readonly string[] | Promise<readonly string[]>;
  /**
   * Opens venues of its own; undefined where its settings name none.
   *
   * @param given base addresses that the operator set, and the ids of what is collected natively
   */
  readonly venues?: (
    settings: ReadSettings,
    given: { readonly bases: BaseOverrides; readonly native: readonly VenueId[] },
  ) => Promise<VenueSource | undefined>;
  /**
   * Its parts of the spine, in the place of the core's own; called only where it is on, before the spine is wired. No two
   * modules may give the same one.
   */
  readonly seams?: (settings: ReadSettings) => Seams;
  /** Loads and wires it; called only where it is on. */
  readonly open?: (host: Host) => Promise<OpenModule>;
}
