import { setMaxListeners } from 'node:events';
import type { CollectLogger } from '../../collect/logger.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { sleep, systemTimer, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { secondWaysOf } from '../../venues/second-way.ts';
import { secondByCcxt } from './ccxt/second-fields.ts';
import { Rotation } from './rotation.ts';
import { AGAIN_MS, type SecondReaderState, VenueReading, type VenueReadingOptions } from './venue-reading.ts';

export interface SecondReaderOptions extends VenueReadingOptions {
  readonly venues: () => readonly VenueAdapter[];
  /** Assets that are looked at in every round. */
  readonly priorityAssets: readonly string[];
  readonly timer?: Timer;
  readonly logger: CollectLogger;
}

/** Half a day, so that every contract is looked at once a day where some looks fail. */
const OTHERS_MS = 12 * HOUR_MS;
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;
const VENUES_MS = 10_000;
/** Contracts come and go seldom: their list is looked through this often. */
const LISTING_MS = MINUTE_MS;

const pauseUntil = (dueMs: number): number => Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, dueMs));

/** Asks every venue for what it shows on another way, contract by contract, for as long as it runs. */
export class SecondReader {
  readonly state: SecondReaderState = { requests: 0, failures: 0, looks: 0 };
  readonly #options: SecondReaderOptions;
  readonly #timer: Timer;
  readonly #abort = new AbortController();
  readonly #running = new Map<VenueId, Promise<void>>();
  readonly #readings = new Map<VenueId, VenueReading>();
  #watching: Promise<void> | undefined;

  constructor(options: SecondReaderOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    // The wait of every venue listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Begins with the venues that there are; those found later are taken up within seconds. */
  start(): void {
    this.#watching ??= this.#watch();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#watching;
    await Promise.all(this.#running.values());
  }

  /** Calls of ccxt that a venue is asked by, as far as it is loaded. */
  ccxtWays(venue: VenueId): readonly string[] {
    return this.#readings.get(venue)?.ccxtWays ?? [];
  }

  #hasWay(adapter: VenueAdapter): boolean {
    const isInCcxt = this.#options.ccxt !== undefined && secondByCcxt(adapter) !== undefined;
    return isInCcxt || secondWaysOf(adapter).length > 0;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      for (const adapter of this.#options.venues()) {
        if (this.#running.has(adapter.id) || !this.#hasWay(adapter)) continue;
        this.#running.set(adapter.id, this.#follow(adapter));
      }
      await sleep(this.#timer, VENUES_MS, signal);
    }
  }

  async #follow(adapter: VenueAdapter): Promise<void> {
    const { signal } = this.#abort;
    const { clock, everyMs, instruments } = this.#options;
    const { id } = adapter;
    const rotation = new Rotation({
      majorMs: everyMs,
      otherMs: Math.max(everyMs, OTHERS_MS),
      againMs: Math.min(everyMs, AGAIN_MS),
    });
    const venue = new VenueReading(adapter, this.#options, signal, this.state);
    this.#readings.set(id, venue);
    let listedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (rotation.size === 0 || clock.now() - listedAt >= LISTING_MS) {
        listedAt = clock.now();
        this.#list(id, rotation);
      }
      const symbol = rotation.next(clock.now());
      const instrument = instruments(id).get(symbol ?? '');
      const agrees = instrument && (await this.#look(venue, instrument));
      if (symbol === undefined) await sleep(this.#timer, pauseUntil(rotation.dueIn(clock.now())), signal);
      else rotation.done(symbol, clock.now(), agrees === false);
    }
  }

  /** Takes up what a venue lists by now, and lets go of what it does not. */
  #list(id: VenueId, rotation: Rotation): void {
    const { clock, instruments, sink } = this.#options;
    const isPriority = (symbol: string): boolean => this.#isPriority(id, symbol);
    const isFirst = rotation.size === 0;
    for (const gone of rotation.follow(this.#known(id), isPriority, clock.now())) sink.gone(id, gone);
    // At a start lists of one venue come one by one: what is missing from the first may be on the next.
    if (!isFirst) sink.listed(id, instruments(id));
  }

  /** A fault in a decoder or behind the sink must not end the reading of a venue. */
  async #look(venue: VenueReading, instrument: Instrument): Promise<boolean> {
    try {
      return await venue.look(instrument);
    } catch (error) {
      const { symbol, venue: id } = instrument;
      const reason = error instanceof Error ? error.message : 'unknown error';
      this.#options.logger.warn({ venue: id, symbol, reason }, 'second reading of a contract failed');
      return true;
    }
  }

  /** Contracts with a row: those that show nothing have nothing to compare. */
  #known(venue: VenueId): string[] {
    const { instruments, row } = this.#options;
    return [...instruments(venue).keys()].filter((symbol) => row(venue, symbol) !== undefined);
  }

  #isPriority(venue: VenueId, symbol: string): boolean {
    const { row, priorityAssets } = this.#options;
    return priorityAssets.includes(row(venue, symbol)?.canonicalId ?? '');
  }
}
