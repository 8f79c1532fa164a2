import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { CcxtModule } from '../../src/collect/ccxt/load-module.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import { failed } from '../../src/collect/transport-failure.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { openHere } from '../../src/modules/second-reader/ccxt/second-exchange.ts';
import { QualityDays } from '../../src/modules/second-reader/counts/quality-days.ts';
import { SecondReading, type SecondReadingOptions } from '../../src/modules/second-reader/second-reading.ts';
import { PREVIEW_ASSETS } from '../../src/products/rows/preview-assets.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import type { VenueRequest } from '../../src/venues/adapter.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { type Pairing, pairingsOf, renderRequest, runAdapter } from '../venues/sim-run.ts';
import { memoryQualityStore } from './memory-counts.ts';

/** Twenty minutes into an hour that is not a settlement of any schedule. */
const START = Date.UTC(2026, 9, 20, 13, 20);

export interface RigOptions {
  readonly venues: readonly VenueId[];
  /** Bends a quote of the way that serves the rows: a planted fault. */
  readonly bend?: (patch: QuotePatch, instrument: Instrument) => QuotePatch;
  readonly everyMs?: number;
  readonly seed?: number;
  readonly ccxt?: () => Promise<CcxtModule>;
  readonly isHeld?: () => boolean;
  /** Takes settled payments that second ways state. */
  readonly payments?: SecondReadingOptions['payments'];
}

/**
 * A second reader over the live table and the decoders of simulated venues, in virtual time. Rows are served by what the
 * adapters poll and stream, once in `feedMs`.
 */
export class SecondReaderRig {
  readonly time = new ManualTime(START);
  readonly startedAt = asMs(START);
  readonly incidents = new Incidents(memoryIncidentStore());
  readonly quality = new QualityDays(memoryQualityStore());
  readonly reading: SecondReading;
  /** Weight that was sent, by venue and pool. */
  readonly weights = new Map<string, number>();
  /** Looks that were answered, by venue and contract. */
  readonly asked = new Map<string, number>();
  readonly pairings: readonly Pairing[];
  readonly #market;
  readonly #world;
  readonly #instruments = new Map<VenueId, ReadonlyMap<string, Instrument>>();
  readonly #bend: NonNullable<RigOptions['bend']>;

  constructor({
    venues,
    bend = (patch) => patch,
    everyMs = 5 * MINUTE_MS,
    isHeld = () => false,
    ccxt,
    seed = 1,
    payments = () => {},
  }: RigOptions) {
    const { clock, timer } = this.time;
    this.#bend = bend;
    this.#world = createWorld(seed);
    this.pairings = pairingsOf(
      KNOWN_VENUES.filter(({ id }) => venues.includes(id)),
      SIM_VENUES,
      this.#world,
      START,
    );
    this.#market = createMarket({
      clock,
      identity: createInstrumentIdentities(memoryIdentityStore()),
      sourceIds: memorySourceIdStore(),
    });
    for (const { adapter } of this.pairings) this.#market.sink.venue(adapter, adapter.refreshMs);
    this.reading = new SecondReading({
      collector: {
        adapters: () => this.pairings.map(({ adapter }) => adapter),
        instruments: (venue) => this.#instruments.get(venue) ?? new Map(),
        request: async (venue, request, terms = {}) => this.#send(venue, request, terms),
      },
      view: this.#market.view,
      history: undefined,
      payments,
      incidents: this.incidents,
      days: this.quality,
      priorityAssets: PREVIEW_ASSETS,
      settings: { everyMs, ccxt: ccxt && openHere(ccxt, clock.now) },
      isHeld,
      clock,
      timer,
      logger: silentLogger,
    });
  }

  /** Starts the reader and lets time pass; rows are renewed every so often. */
  async run(forMs: number, feedMs = MINUTE_MS): Promise<void> {
    await this.pass(forMs, feedMs);
    await this.stop();
  }

  /** The same, and goes on. */
  async pass(forMs: number, feedMs = MINUTE_MS): Promise<void> {
    this.feed();
    this.reading.start();
    for (let passed = 0; passed < forMs; passed += feedMs) {
      await this.time.advance(feedMs);
      this.feed();
    }
  }

  async stop(): Promise<void> {
    const stopped = this.reading.stop();
    await this.time.advance(0);
    await stopped;
  }

  /** All that the adapters know now. */
  feed(): void {
    const now = this.time.clock.now();
    for (const pairing of this.pairings) {
      const { id } = pairing.adapter;
      const { instruments, quotes } = runAdapter(pairing, this.#world, now);
      this.#instruments.set(id, instruments);
      this.#market.sink.instruments(id, [...instruments.values()], now);
      const bent = [...quotes.values()].flatMap((patch) => {
        const instrument = instruments.get(patch.symbol);
        return instrument === undefined ? [] : [this.#bend({ ...patch }, instrument)];
      });
      this.#market.sink.quotes(id, bent, now);
    }
    this.#market.sweep();
  }

  /** Incidents that last, as `venue field contract`. */
  lasting(): readonly string[] {
    return [...this.incidents.lasting()].map(({ venue, field, contract }) => `${venue} ${field} ${contract}`);
  }

  #send(
    venue: VenueId,
    request: VenueRequest,
    { pool = 'default', weight = 1 }: { pool?: string; weight?: number },
  ) {
    const pairing = this.pairings.find(({ adapter }) => adapter.id === venue);
    const key = `${venue} ${pool}`;
    this.weights.set(key, (this.weights.get(key) ?? 0) + weight);
    const contract = `${venue} ${request.symbol}`;
    this.asked.set(contract, (this.asked.get(contract) ?? 0) + 1);
    const { now } = this.time.clock;
    const answer = pairing && renderRequest(pairing, this.#world, request, now());
    if (answer?.status !== 200) return failed('status', `HTTP ${answer?.status}`);
    return { ok: true as const, value: { payload: JSON.parse(answer.body) as unknown, receivedAt: now() } };
  }
}
