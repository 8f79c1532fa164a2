import type { HealthBoard, MarketSink } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketView } from '../market/view.ts';
import { Breaches } from './breaches.ts';
import { ContractWatch } from './contract-watch.ts';
import type { Incidents } from './incidents.ts';
import { isOffClock } from './laws/clock.ts';
import { judgeMinute } from './minute-laws.ts';
import { RowWatch } from './row-watch.ts';
import { type Outcomes, SettlementWatch } from './settlement-watch.ts';

/** Rules of this room's laws; other rules may share the incidents. */
export const LAWS = [
  'jump',
  'turnover',
  'apart',
  'frozen',
  'frozen_rate',
  'interval',
  'next_passed',
  'predicted',
  'missing_settlement',
  'clock',
  'stale',
] as const;

/** Stamps in a row that must be off, or right again, until a venue's clock is judged. */
const STAMPS = 50;
/** Weight of one stamp in what is usual. */
const WEIGHT = 0.01;

const NONE: Outcomes = { compared: 0, elsewhere: 0, difference: 0 };

interface VenueWatch {
  readonly contracts: ContractWatch;
  readonly settlements: SettlementWatch;
  usualLagMs: number;
  /** Stamps in a row that were off. */
  off: number;
}

/** The laws of the data, held against all that comes in. */
export class Audit {
  readonly breaches: Breaches;
  readonly #clock: Clock;
  readonly #venues = new Map<VenueId, VenueWatch>();
  readonly #rows: RowWatch;

  constructor(incidents: Pick<Incidents, 'open' | 'close' | 'lasting'>, clock: Clock) {
    this.#clock = clock;
    this.breaches = new Breaches(incidents, (rule) => LAWS.some((law) => law === rule), clock.now());
    this.#rows = new RowWatch(this.breaches);
  }

  /** The sink that what is decoded goes through before it is shown. */
  before(sink: MarketSink): MarketSink {
    return {
      ...sink,
      instruments: (venue, list, at) => {
        this.#of(venue).contracts.instruments(list, at);
        sink.instruments(venue, list, at);
      },
      quotes: (venue, patches, at) => {
        this.take(venue, patches, at);
        sink.quotes(venue, patches, at);
      },
      stores: [
        ...(sink.stores ?? []),
        {
          kinds: ['funding'],
          take: (venue, { funding }, at) => this.#of(venue).settlements.take(funding, at),
        },
      ],
    };
  }

  /** What a venue states of its contracts. */
  take(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void {
    const watch = this.#of(venue);
    const { contracts } = watch;
    for (const patch of patches) contracts.take(patch, at);
    // One stamp a payload is enough: they are of one clock.
    const stamp = patches[0]?.venueTime;
    if (stamp !== undefined) this.#stamped(venue, watch, at - stamp, at);
  }

  /** Judges what takes time, and rows beside each other. Once a minute. */
  minute(view: Pick<MarketView, 'eachRow' | 'venues'>, health: Pick<HealthBoard, 'of'>): void {
    const now = this.#clock.now();
    for (const { contracts, settlements } of this.#venues.values()) {
      settlements.remember(now);
      judgeMinute(contracts, this.breaches, now);
    }
    this.#rows.judge(view, health, now);
    this.breaches.settle(now);
  }

  /** The law that a row of a venue breaks, by the venue's own symbol of its contract. */
  suspect(venue: VenueId, symbol: string): string | undefined {
    return this.breaches.suspect(venue, symbol);
  }

  /** How predicted rates came out at a venue. */
  predictions(venue: VenueId): Readonly<Outcomes> {
    return this.#venues.get(venue)?.settlements.outcomes ?? NONE;
  }

  /** Rows of a venue that are flagged now. */
  suspects(venue: VenueId): number {
    return this.breaches.suspects(venue);
  }

  #of(venue: VenueId): VenueWatch {
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const contracts = new ContractWatch(venue, this.breaches);
    const settlements = new SettlementWatch(contracts, this.breaches);
    const made: VenueWatch = { contracts, settlements, usualLagMs: 0, off: 0 };
    this.#venues.set(venue, made);
    return made;
  }

  #stamped(venue: VenueId, watch: VenueWatch, lagMs: number, at: UnixMs): void {
    const about = { rule: 'clock', venue, field: 'venue_time' };
    if (!isOffClock(lagMs, watch.usualLagMs)) {
      watch.off = 0;
      watch.usualLagMs += (Math.max(0, lagMs) - watch.usualLagMs) * WEIGHT;
      this.breaches.holds(about, at);
      return;
    }
    watch.off += 1;
    if (watch.off < STAMPS) return;
    const seconds = Math.round(lagMs / 1000);
    const evidence = `stamps are ${seconds} s old when received, usually ${Math.round(watch.usualLagMs / 1000)} s`;
    this.breaches.broken({ ...about, evidence }, asMs(at), false);
  }
}
