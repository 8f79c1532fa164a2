import { type Clock, systemClock } from '../domain/clock.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { VenueId } from '../domain/venue.ts';
import { systemTimer, type Timer, withTimeout } from '../runtime/timer.ts';
import type { VenueAdapter, VenueRequest } from '../venues/adapter.ts';
import { LIST_BOUND } from '../venues/answer-bound.ts';
import type { BookCoverage } from './books/book-runner.ts';
import { BudgetRegistry, type BudgetStats } from './budget.ts';
import type { CircuitOptions } from './circuit.ts';
import { VenueHealthBoard } from './health.ts';
import { HttpClient, type HttpClientOptions, type Transport } from './http-client.ts';
import { type CollectLogger, silentLogger } from './logger.ts';
import type { HealthBoard, MarketSink } from './ports.ts';
import { PRIORITY } from './priority.ts';
import { failed, type Outcome } from './transport-failure.ts';
import type { Answer } from './venue-caller.ts';
import { VenueInfoSink } from './venue-info-sink.ts';
import { type RunnerOptions, VenueRunner, type VenueStats } from './venue-runner.ts';
import { Wire } from './wire.ts';

/** Addresses in place of an adapter's own, by venue and base name: simulated venues, mirrors. */
export type BaseOverrides = Readonly<Record<VenueId, Readonly<Record<string, string>>>>;

export interface CollectorTuning {
  readonly http?: HttpClientOptions;
  readonly circuit?: Omit<CircuitOptions, 'timer' | 'random'>;
  readonly stream?: RunnerOptions['stream'];
  /** Timers of schedules, budgets and backoffs; the system's by default. Deadlines on the wire are real time. */
  readonly timer?: Timer;
  readonly random?: () => number;
}

export interface CollectorOptions {
  readonly venues: readonly VenueAdapter[];
  readonly sink: MarketSink;
  readonly clock?: Clock;
  /** Sub-venues inherit their parent's. */
  readonly bases?: BaseOverrides;
  /** Transports of venues that our HTTP client does not read; closed with the collector. */
  readonly transports?: ReadonlyMap<VenueId, Transport>;
  readonly logger?: CollectLogger;
  /** Takes order books; without it none are collected. */
  readonly books?: BookCoverage;
  readonly options?: CollectorTuning;
}

export interface CollectorStats {
  readonly venues: Readonly<Record<VenueId, VenueStats>>;
  readonly budgets: Readonly<Record<string, BudgetStats>>;
}

/** A call outside the polls. */
export interface DirectCall {
  readonly pool?: string;
  /** Default: the request's own, else 1. */
  readonly weight?: number;
  /** One of PRIORITY; default: after all polls. */
  readonly priority?: number;
  /** Largest answer that is read, decompressed, bytes; default: that of a list of all contracts. */
  readonly maxBytes?: number;
}

const STOP_MS = 1500;

interface PausedVenue {
  readonly adapter: VenueAdapter;
  /** Addresses in place of the adapter's own. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Resolved when all that was under way has ended. */
  readonly ended: Promise<void>;
}

/** Collects from all venues: the only part that talks to them. */
export class Collector {
  readonly #sink: MarketSink;
  readonly #clock: Clock;
  readonly #logger: CollectLogger;
  readonly #overrides: BaseOverrides;
  readonly #books: BookCoverage | undefined;
  readonly #tuning: CollectorTuning;
  readonly #http: HttpClient;
  readonly #transports: ReadonlyMap<VenueId, Transport>;
  readonly #budgets: BudgetRegistry;
  readonly #health: VenueHealthBoard;
  readonly #runners = new Map<VenueId, VenueRunner>();
  /** Sub-venues by the venue that listed them. */
  readonly #children = new Map<VenueId, Set<VenueId>>();
  /** Addresses in place of the adapters' own, by venue. */
  readonly #inForce = new Map<VenueId, Readonly<Record<string, string>>>();
  /** Venues that are not collected until they are resumed. */
  readonly #paused = new Map<VenueId, PausedVenue>();
  /** Gives what venues send, before it is decoded, to the one who listens. */
  readonly wire = new Wire();
  #state: 'new' | 'running' | 'stopped' = 'new';

  constructor(options: CollectorOptions) {
    const { clock = systemClock, logger = silentLogger, bases = {}, options: tuning = {} } = options;
    this.#sink = options.sink;
    this.#clock = clock;
    this.#logger = logger;
    this.#overrides = bases;
    this.#books = options.books;
    this.#tuning = tuning;
    this.#http = new HttpClient(tuning.http);
    this.#transports = options.transports ?? new Map();
    this.#budgets = new BudgetRegistry({ clock, timer: tuning.timer ?? systemTimer });
    this.#health = new VenueHealthBoard(clock);
    for (const adapter of options.venues) this.addVenue(adapter);
  }

  get health(): HealthBoard {
    return this.#health;
  }

  /** Launches all venues and returns; data comes to the sink from then on. */
  async start(): Promise<void> {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    for (const runner of this.#runners.values()) runner.start();
  }

  /** Aborts everything under way; resolves within two seconds. A stopped collector stays stopped. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    const ended = Promise.allSettled([...this.#runners.values()].map((runner) => runner.stop()));
    await withTimeout(ended, STOP_MS, () => undefined);
    await Promise.all([this.#http, ...this.#transports.values()].map((transport) => transport.close()));
  }

  /** Tracks a venue; it is collected at once when the collector runs. A known id is left as it is. */
  addVenue(adapter: VenueAdapter): void {
    this.#add(adapter, this.#overrides[adapter.parent ?? ''] ?? {});
  }

  /** Ends a venue (and its sub-venues): down with this reason, its contracts delisted. */
  removeVenue(id: VenueId, reason: string): void {
    const runner = this.#runners.get(id);
    if (runner === undefined && !this.#paused.delete(id)) return;
    this.#runners.delete(id);
    for (const child of this.#children.get(id) ?? []) this.removeVenue(child, reason);
    this.#children.delete(id);
    void runner?.leave();
    this.#health.retire(id, reason);
    this.#tell(id, () => this.#sink.instruments(id, [], this.#clock.now()));
    this.#logger.info({ venue: id, reason }, 'venue removed');
  }

  /**
   * Asks a venue nothing more until it is resumed: its books are dropped at once, its rows grow stale, and its contracts stay
   * listed. Sub-venues go on. False where it is not collected here.
   */
  pauseVenue(id: VenueId): boolean {
    const runner = this.#runners.get(id);
    if (runner === undefined) return false;
    this.#runners.delete(id);
    const overrides = this.#inForce.get(id) ?? {};
    this.#paused.set(id, { adapter: runner.adapter, overrides, ended: runner.leave() });
    this.#health.pause(id);
    this.#logger.info({ venue: id }, 'venue paused');
    return true;
  }

  /** Collects a paused venue again. False where it is not paused here. */
  async resumeVenue(id: VenueId): Promise<boolean> {
    const paused = this.#paused.get(id);
    if (paused === undefined) return false;
    await withTimeout(paused.ended, STOP_MS, () => undefined);
    // It may have been removed meanwhile, or resumed by another call.
    if (this.#paused.get(id) !== paused) return false;
    this.#paused.delete(id);
    this.#add(paused.adapter, paused.overrides);
    this.#logger.info({ venue: id }, 'venue resumed');
    return true;
  }

  /** One call to a venue within its budget: back-fill, book snapshots. Never rejects. */
  async request(id: VenueId, request: VenueRequest, call: DirectCall = {}): Promise<Outcome<Answer>> {
    const runner = this.#runners.get(id);
    if (runner === undefined) return failed('refused', 'the venue is not collected');
    const { pool, weight = 1, priority = PRIORITY.backfill, maxBytes = LIST_BOUND } = call;
    return runner.request(request, { pool, weight, priority, maxBytes });
  }

  /** Adapters of all venues that are tracked now, discovered ones included. */
  adapters(): readonly VenueAdapter[] {
    return [...this.#runners.values()].map((runner) => runner.adapter);
  }

  /** Live contracts of a venue by its own symbol. */
  instruments(id: VenueId): ReadonlyMap<string, Instrument> {
    return this.#runners.get(id)?.instruments ?? new Map();
  }

  /** Somebody reads this contract's book: one that is not streamed is fetched before others. */
  wantBook(id: VenueId, symbol: string): void {
    this.#runners.get(id)?.wantBook(symbol);
  }

  /**
   * Computed answers rest on the books of these contracts: they are kept as young as the venue lets, within half of its
   * streams. Say it again every few seconds for as long as it is so.
   */
  preferBooks(id: VenueId, symbols: readonly string[]): void {
    this.#runners.get(id)?.preferBooks(symbols);
  }

  /** Counters since start, as plain data. */
  stats(): CollectorStats {
    const venues = [...this.#runners].map(([id, runner]) => [id, runner.stats()] as const);
    return { venues: Object.fromEntries(venues), budgets: this.#budgets.stats() };
  }

  #add(adapter: VenueAdapter, inherited: Readonly<Record<string, string>>): void {
    const { id } = adapter;
    if (this.#state === 'stopped' || this.#runners.has(id) || this.#paused.has(id)) return;
    const overrides = { ...inherited, ...this.#overrides[id] };
    this.#inForce.set(id, overrides);
    const timer = this.#tuning.timer ?? systemTimer;
    const random = this.#tuning.random ?? Math.random;
    const transport = this.#transports.get(id);
    // A venue behind a transport of its own is described by no adapter of ours.
    const sink = transport === undefined ? this.#sink : new VenueInfoSink(this.#sink);
    this.#tell(id, () => sink.venue(adapter, adapter.refreshMs));
    this.#health.track(id, adapter.refreshMs);
    const runner = new VenueRunner({
      adapter,
      bases: { ...adapter.bases, ...overrides },
      budget: this.#budgets.of(adapter.budget),
      http: transport ?? this.#http,
      sink,
      health: this.#health,
      clock: this.#clock,
      logger: this.#logger,
      timer,
      random,
      circuit: { ...this.#tuning.circuit, timer, random },
      stream: this.#tuning.stream ?? {},
      books: this.#books,
      wire: this.wire,
      discovered: (adapters) => this.#discovered(id, adapters, overrides),
    });
    this.#runners.set(id, runner);
    if (this.#state === 'running') runner.start();
  }

  /** A fault behind the sink must not end the collecting. */
  #tell(id: VenueId, deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      this.#logger.warn({ venue: id, reason }, 'sink failed');
    }
  }

  #isKnown(id: VenueId): boolean {
    return this.#runners.has(id) || this.#paused.has(id);
  }

  #discovered(
    parent: VenueId,
    adapters: readonly VenueAdapter[],
    overrides: Readonly<Record<string, string>>,
  ): void {
    const before = this.#children.get(parent) ?? new Set<VenueId>();
    // A listed name that is already somebody else's never becomes a child: its going must not remove that venue.
    const ids = adapters.map((adapter) => adapter.id);
    const now = new Set(ids.filter((id) => before.has(id) || !this.#isKnown(id)));
    this.#children.set(parent, now);
    for (const id of before) if (!now.has(id)) this.removeVenue(id, 'no longer listed by its parent venue');
    for (const adapter of adapters) {
      if (!before.has(adapter.id)) this.#logger.info({ venue: adapter.id, parent }, 'sub-venue found');
      this.#add(adapter, overrides);
    }
  }
}

/** A collector over these venues; nothing is sent before `start`. */
export function createCollector(options: CollectorOptions): Collector {
  return new Collector(options);
}
