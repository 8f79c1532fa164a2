import type { HealthBoard } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { ContractStates, Market } from '../../market/live-table.ts';
import type { MarketView } from '../../market/view.ts';
import type { TapeListener } from '../../tape/listener.ts';
import { judgeAmountUnits } from './amount-units.ts';
import { Breaches } from './breaches.ts';
import { ContractMemoryMap } from './contract-memory.ts';
import type { Incidents } from './incidents/incidents.ts';
import { judgeMinute, MINUTE_RULES } from './minute-rules.ts';
import { RowWatch } from './row-watch.ts';
import { isOffClock } from './rules/clock.ts';
import { type Outcomes, SettlementWatch } from './settlement-watch.ts';
import { StepWatch } from './step-watch.ts';

/** Rules that this module checks; other modules open incidents under rules of their own. */
const RULES: ReadonlySet<string> = new Set([
  ...MINUTE_RULES,
  'jump',
  'apart',
  'predicted',
  'missing_settlement',
  'clock',
  'stale',
]);

/** Stamps in a row that must be off, or right again, until a venue's clock is judged. */
const STAMPS = 50;
/** Weight of one stamp in what is usual. */
const WEIGHT = 0.01;

const NONE: Outcomes = { compared: 0, elsewhere: 0, difference: 0 };

interface VenueWatch {
  readonly settlements: SettlementWatch;
  usualLagMs: number;
  /** Stamps in a row that were off. */
  off: number;
}

/** The measures by which rows and venues are judged. */
interface Judged {
  readonly view: Pick<MarketView, 'eachRow' | 'venues'>;
}

/** The rules of data quality, held against all that comes in. */
export class Audit {
  readonly breaches: Breaches;
  readonly #clock: Clock;
  readonly #memories = new ContractMemoryMap();
  readonly #steps: StepWatch;
  readonly #venues = new Map<VenueId, VenueWatch>();
  readonly #rows: RowWatch;

  constructor(incidents: Pick<Incidents, 'open' | 'close' | 'lasting'>, clock: Clock) {
    this.#clock = clock;
    this.breaches = new Breaches(incidents, (rule) => RULES.has(rule), clock.now());
    this.#steps = new StepWatch(this.breaches, this.#memories);
    this.#rows = new RowWatch(this.breaches, incidents.lasting());
  }

  /** Holds the rules against what comes in. A row that breaks one is flagged before anybody can read it. */
  listener({ contracts }: Pick<Market, 'contracts'>): TapeListener {
    return {
      venue: ({ id }) => this.#follow(id, contracts),
      instruments: (venue, list, at) => {
        const listed = new Set(list.map(({ symbol }) => symbol));
        this.breaches.keepOnly(venue, listed, at);
        this.#steps.keepOnly(venue, listed);
      },
      relisted: (before, after) => this.#steps.relisted(before, after),
      changed: (state, change) => this.#steps.changed(state, change),
      quotes: (venue, patches, at) => {
        // One stamp a payload is enough: they are of one clock.
        const stamp = patches[0]?.venueTime;
        if (stamp !== undefined) this.#stamped(venue, at - stamp, at);
      },
      store: {
        kinds: ['funding'],
        take: (venue, { funding }, at) => this.#venues.get(venue)?.settlements.take(funding, at),
      },
    };
  }

  /** Judges what takes time, and rows beside each other. Once a minute, part by part. */
  *minute(
    { view, contracts }: Pick<Market, 'contracts'> & Judged,
    health: Pick<HealthBoard, 'of'>,
  ): Generator<undefined> {
    const now = this.#clock.now();
    this.#steps.review();
    for (const [venue, { settlements }] of this.#venues) {
      settlements.remember(now);
      judgeMinute(venue, contracts, this.#memories, this.breaches, now);
      yield;
    }
    yield* judgeAmountUnits(this.#venues.keys(), contracts, this.breaches, now);
    this.breaches.judged(MINUTE_RULES, now);
    yield* this.#rows.judge(view, health, now);
    this.breaches.settle(now);
  }

  /** The rule that a row of a venue breaks, by the venue's own symbol of its contract. */
  suspect(venue: VenueId, symbol: string): string | undefined {
    return this.breaches.suspect(venue, symbol);
  }

  /** Outcomes of predicted rates at a venue. */
  predictions(venue: VenueId): Readonly<Outcomes> {
    return this.#venues.get(venue)?.settlements.outcomes ?? NONE;
  }

  /** Rows of a venue that are flagged now. */
  suspects(venue: VenueId): number {
    return this.breaches.suspects(venue);
  }

  #follow(venue: VenueId, contracts: ContractStates): void {
    if (this.#venues.has(venue)) return;
    const settlements = new SettlementWatch(venue, contracts, this.breaches);
    this.#venues.set(venue, { settlements, usualLagMs: 0, off: 0 });
  }

  #stamped(venue: VenueId, lagMs: number, at: UnixMs): void {
    const watch = this.#venues.get(venue);
    if (watch === undefined) return;
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
