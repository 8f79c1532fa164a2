import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { DAY_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import { DaySeries } from './day-series.ts';
import { Distribution } from './distribution.ts';
import {
  type QualityCount,
  type QualityDay,
  type QualityKind,
  type QualityStore,
  type WorstComparison,
  worse,
} from './quality-day.ts';

/** Answers reach back ninety days; the first of them may be a part of one. */
const KEPT_MS = 92 * DAY_MS;
const WRITE_EVERY_MS = MINUTE_MS;

const seriesKey = (kind: QualityKind, venue: VenueId, field: string): string => `${kind}\n${venue}\n${field}`;

/** Counts of quality by day, venue and field: small enough to hold all of a quarter, so that answers wait for no store. */
export class QualityDays {
  readonly #store: QualityStore;
  readonly #series = new Map<string, DaySeries>();
  readonly #changed = new Set<QualityDay>();
  #writtenAt = 0;

  constructor(store: QualityStore) {
    this.#store = store;
    for (const day of store.load()) this.#seriesOf(day.kind, day.venue, day.field).put(day);
  }

  /** Counts a comparison. */
  compared(
    kind: 'second' | 'paid',
    venue: VenueId,
    field: string,
    agrees: boolean,
    comparison: WorstComparison,
  ): void {
    const count = this.#today(kind, venue, field, comparison.at);
    count.values.add(comparison.difference);
    if (agrees) count.agreed += 1;
    count.worst = worse(count.worst, comparison);
  }

  /** Counts the age of a value, seconds. */
  age(venue: VenueId, field: string, seconds: number, now: UnixMs): void {
    this.#today('age', venue, field, now).values.add(seconds);
  }

  /** Counts of the days that a window touches, by venue and field. */
  between(kind: QualityKind, from: UnixMs, to: UnixMs, venue?: VenueId): readonly QualityCount[] {
    const sums: QualityCount[] = [];
    for (const days of this.#series.values()) {
      const { any } = days;
      if (any?.kind !== kind || (venue !== undefined && any.venue !== venue)) continue;
      const sum = days.sum(from, to);
      if (sum !== undefined) sums.push(sum);
    }
    return sums;
  }

  /**
   * Forgets what is too old, and writes what has changed, once a minute: as much is lost with the process.
   * @throws where the disk does not take it; it is tried again
   */
  flush(now: UnixMs): void {
    if (Math.abs(now - this.#writtenAt) < WRITE_EVERY_MS) return;
    this.#write(now);
    this.#writtenAt = now;
  }

  #write(now: UnixMs): void {
    const dropped: QualityDay[] = [];
    for (const days of this.#series.values())
      for (const day of days.all()) if (now - day.day > KEPT_MS) dropped.push(day);
    if (this.#changed.size + dropped.length === 0) return;
    this.#store.save([...this.#changed], dropped);
    this.#changed.clear();
    for (const { kind, venue, field, day } of dropped) this.#seriesOf(kind, venue, field).delete(day);
  }

  async stop(now: UnixMs): Promise<void> {
    try {
      this.#write(now);
    } finally {
      await this.#store.close();
    }
  }

  #today(kind: QualityKind, venue: VenueId, field: string, at: UnixMs): QualityDay {
    const day = asMs(Math.floor(at / DAY_MS) * DAY_MS);
    const days = this.#seriesOf(kind, venue, field);
    const counted = days.open(day) ?? { day, ...emptyCount(kind, venue, field) };
    days.put(counted);
    this.#changed.add(counted);
    return counted;
  }

  #seriesOf(kind: QualityKind, venue: VenueId, field: string): DaySeries {
    const key = seriesKey(kind, venue, field);
    const series = this.#series.get(key) ?? new DaySeries();
    this.#series.set(key, series);
    return series;
  }
}

function emptyCount(kind: QualityKind, venue: VenueId, field: string): QualityCount {
  return { kind, venue, field, values: new Distribution(), agreed: 0, worst: undefined };
}
