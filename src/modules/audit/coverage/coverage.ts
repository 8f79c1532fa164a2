import type { HealthBoard } from '../../../collect/ports.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId, VenueStatus } from '../../../domain/venue.ts';
import type { MarketRow, MarketView } from '../../../market/view.ts';
import { DAY_MS, MINUTE_MS } from '../../../runtime/duration.ts';

/** Fields that are counted of each row, each minute. */
const COVERED = {
  mark_price: (row) => row.fresh,
  index_price: (row) => row.indexPrice !== undefined,
  funding_rate: (row) => row.rateFresh,
  funding_interval: (row) => row.fundingIntervalHours !== undefined,
  next_funding_time: (row) => row.nextFundingTime !== undefined,
  open_interest: (row) => row.openInterestUsd !== undefined,
  volume_24h: (row) => row.volume24hUsd !== undefined,
} as const satisfies Readonly<Record<string, (row: MarketRow) => boolean>>;
export type Metric = keyof typeof COVERED;
export const METRICS = Object.keys(COVERED) as readonly Metric[];

interface MetricCoverage {
  /** Most contracts that had a value in one minute. */
  served: number;
  /** Contracts with a value, added up over the minutes. */
  samples: number;
}

/** The coverage of a venue on one day, UTC. */
export interface DayCoverage {
  readonly venue: VenueId;
  /** Begin of the day. */
  readonly day: UnixMs;
  /** When the venue was first looked at on this day: the day itself, or later where it was not tracked before. */
  readonly from: UnixMs;
  /** End of the last minute that was looked at. */
  to: UnixMs;
  /** Most contracts, one an asset, that were listed. */
  contracts: number;
  readonly metrics: Readonly<Record<Metric, MetricCoverage>>;
}

/** A span in which a venue was not live, or nobody looked. */
export interface CoverageGap {
  readonly venue: VenueId;
  readonly from: UnixMs;
  /** Absent while it lasts. */
  readonly to?: UnixMs;
  readonly reason: 'venue_stale' | 'venue_down' | 'not_running';
}

/** Keeps coverage over restarts. */
export interface CoverageStore {
  load(): { readonly days: readonly DayCoverage[]; readonly gaps: readonly CoverageGap[] };
  /** Writes all or none. */
  save(days: readonly DayCoverage[], gaps: readonly CoverageGap[], before: UnixMs): void;
  close(): Promise<void>;
}

export interface CoverageScope {
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
  readonly venue?: VenueId | undefined;
}

const KEPT_MS = 91 * DAY_MS;
/** A look may be late by so much without a gap. */
const LATE_MS = 3 * MINUTE_MS;
const dayOf = (at: UnixMs): UnixMs => asMs(Math.floor(at / DAY_MS) * DAY_MS);

/** Counts each minute what is known of every venue, by day, and notes when one is not live. */
export class CoverageTracker {
  readonly #store: CoverageStore;
  readonly #days = new Map<VenueId, Map<UnixMs, DayCoverage>>();
  readonly #latest = new Map<VenueId, DayCoverage>();
  readonly #gaps: CoverageGap[];
  readonly #open = new Map<VenueId, CoverageGap>();
  readonly #changedDays = new Set<DayCoverage>();
  readonly #changedGaps = new Map<string, CoverageGap>();

  constructor(store: CoverageStore) {
    this.#store = store;
    const { days, gaps } = store.load();
    for (const one of [...days].sort((a, b) => a.day - b.day)) this.#keep(one);
    this.#gaps = [...gaps].sort((a, b) => a.from - b.from);
    for (const gap of this.#gaps) if (gap.to === undefined) this.#open.set(gap.venue, gap);
  }

  /** Looks at all rows. Once a minute. */
  observe(view: Pick<MarketView, 'eachRow' | 'venues'>, health: Pick<HealthBoard, 'of'>, now: UnixMs): void {
    const rows = byVenue(view.eachRow());
    for (const { info, status } of view.venues()) {
      const judged = health.of(info.id);
      if (judged?.retired === true) {
        this.#leave(info.id, now);
        continue;
      }
      const state = judged?.status ?? status;
      const known = this.#latest.get(info.id);
      if (known === undefined && state !== 'live') continue;
      this.#judge(info.id, state, known?.to, now);
      const day = this.#dayFor(info.id, known, now);
      count(day, rows.get(info.id) ?? []);
      // A clock that is set back makes no day shorter.
      day.to = asMs(Math.max(day.to, now));
      this.#changedDays.add(day);
    }
    this.#forget(now);
  }

  /** Writes what has changed. @throws where the disk does not take it; it is tried again */
  flush(now: UnixMs): void {
    if (this.#changedDays.size + this.#changedGaps.size === 0) return;
    this.#store.save([...this.#changedDays], [...this.#changedGaps.values()], asMs(now - KEPT_MS));
    this.#changedDays.clear();
    this.#changedGaps.clear();
  }

  /** Coverage of the days that a window touches, by venue and day. */
  days({ from, to, venue }: CoverageScope): readonly DayCoverage[] {
    const venues = venue === undefined ? [...this.#days.keys()].sort() : [venue];
    // Days of a venue are kept in their order.
    return venues.flatMap((id) =>
      [...(this.#days.get(id)?.values() ?? [])].filter(({ day }) => day < to && day + DAY_MS > from),
    );
  }

  /** Gaps that lie in a window, the latest first. */
  gaps({ from, to, venue }: CoverageScope): readonly CoverageGap[] {
    return this.#gaps
      .filter(
        (gap) => gap.from < to && (gap.to ?? from) >= from && (venue === undefined || gap.venue === venue),
      )
      .reverse();
  }

  async stop(now: UnixMs): Promise<void> {
    try {
      this.flush(now);
    } finally {
      await this.#store.close();
    }
  }

  /** Opens and closes the gaps of a venue. */
  #judge(venue: VenueId, state: VenueStatus, seenTo: UnixMs | undefined, now: UnixMs): void {
    const open = this.#open.get(venue);
    if (open === undefined && seenTo !== undefined && now - seenTo > LATE_MS) {
      this.#note({ venue, from: seenTo, to: now, reason: 'not_running' });
    }
    if (state === 'live' && open !== undefined) {
      this.#open.delete(venue);
      this.#note({ ...open, to: now });
    } else if (state !== 'live' && open === undefined) {
      const reason = state === 'down' ? 'venue_down' : 'venue_stale';
      const gap = this.#note({ venue, from: now, reason });
      this.#open.set(venue, gap);
    }
  }

  /** A venue that is collected no more misses nothing. */
  #leave(venue: VenueId, now: UnixMs): void {
    const open = this.#open.get(venue);
    if (open !== undefined) this.#note({ ...open, to: now });
    this.#open.delete(venue);
    this.#latest.delete(venue);
  }

  /** A gap that is known by its begin is replaced. */
  #note(gap: CoverageGap): CoverageGap {
    const at = this.#gaps.findIndex(({ venue, from }) => venue === gap.venue && from === gap.from);
    if (at < 0) this.#gaps.push(gap);
    else this.#gaps[at] = gap;
    this.#changedGaps.set(`${gap.venue}\n${gap.from}`, gap);
    return gap;
  }

  #dayFor(venue: VenueId, known: DayCoverage | undefined, now: UnixMs): DayCoverage {
    const day = dayOf(now);
    const counted = this.#days.get(venue)?.get(day);
    const goesOn = known !== undefined && known.day < day;
    if (goesOn) this.#complete(known, day);
    if (counted !== undefined) return counted;
    const made = dayWithout({
      venue,
      day,
      to: now,
      contracts: 0,
      from: goesOn ? day : asMs(now - MINUTE_MS),
    });
    this.#keep(made);
    return made;
  }

  /** Minutes that nobody looked at until a day began are missing: the rest of the last day that was seen, and days between. */
  #complete(last: DayCoverage, until: UnixMs): void {
    const { venue, contracts } = last;
    const end = last.day + DAY_MS;
    // Less than a minute is no look that is missing.
    last.to = asMs(end - ((end - last.to) % MINUTE_MS));
    this.#changedDays.add(last);
    for (let at = Math.max(end, until - KEPT_MS); at < until; at += DAY_MS) {
      const day = asMs(at);
      if (this.#days.get(venue)?.has(day) === true) continue;
      const missed = dayWithout({ venue, day, from: day, to: asMs(at + DAY_MS), contracts });
      this.#keep(missed);
      this.#changedDays.add(missed);
    }
  }

  #keep(coverage: DayCoverage): void {
    const days = (this.#days.get(coverage.venue) ?? new Map<UnixMs, DayCoverage>()).set(
      coverage.day,
      coverage,
    );
    const latest = this.#latest.get(coverage.venue);
    const isLatest = latest === undefined || latest.day <= coverage.day;
    if (isLatest) this.#latest.set(coverage.venue, coverage);
    this.#days.set(coverage.venue, isLatest ? days : new Map([...days].sort(([a], [b]) => a - b)));
  }

  #forget(now: UnixMs): void {
    for (const days of this.#days.values())
      for (const day of days.keys()) if (now - day > KEPT_MS) days.delete(day);
    const first = this.#gaps.findIndex(({ to = now }) => now - to <= KEPT_MS);
    if (first > 0) this.#gaps.splice(0, first);
  }
}

/** A day of which no value is known. */
function dayWithout(about: Omit<DayCoverage, 'metrics'>): DayCoverage {
  const metrics = Object.fromEntries(METRICS.map((name) => [name, { served: 0, samples: 0 }]));
  return { ...about, metrics: metrics as Record<Metric, MetricCoverage> };
}

function byVenue(rows: Iterable<MarketRow>): Map<VenueId, MarketRow[]> {
  const found = new Map<VenueId, MarketRow[]>();
  for (const row of rows) {
    const list = found.get(row.venue);
    if (list === undefined) found.set(row.venue, [row]);
    else list.push(row);
  }
  return found;
}

function count(day: DayCoverage, rows: readonly MarketRow[]): void {
  day.contracts = Math.max(day.contracts, rows.length);
  for (const metric of METRICS) {
    const has = COVERED[metric];
    let known = 0;
    for (const row of rows) if (has(row)) known += 1;
    const counts = day.metrics[metric];
    counts.samples += known;
    counts.served = Math.max(counts.served, known);
  }
}

/** Part of the contracts' minutes that had a value, 0..1; what was not looked at had none. */
export function coveredShare(days: readonly DayCoverage[], metric: Metric): number | undefined {
  let due = 0;
  let had = 0;
  for (const { from, to, contracts, metrics } of days) {
    due += contracts * Math.max(1, Math.round((to - from) / MINUTE_MS));
    had += metrics[metric].samples;
  }
  return due === 0 ? undefined : Math.min(1, had / due);
}
