import type { Clock } from '../domain/clock.ts';
import { isFault, type Reject } from '../domain/reject.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId, VenueStatus } from '../domain/venue.ts';
import { DataAge, type DataEvent } from './data-age.ts';
import type { HealthBoard, VenueHealth } from './ports.ts';
import { SlidingCount } from './sliding-count.ts';

const FIVE_MINUTES = 300_000;
/** Older than this is down. */
const DOWN_MS = 900_000;
/** Refresh periods within which a venue is live. */
const LIVE_PERIODS = 3;

/** Health of one venue; times come in from outside. */
class VenueRecord {
  readonly #venue: VenueId;
  readonly #liveMs: number;
  readonly #age: DataAge;
  readonly #faults = new SlidingCount(FIVE_MINUTES);
  readonly #requests = new SlidingCount(FIVE_MINUTES);
  readonly #failures = new SlidingCount(FIVE_MINUTES);
  readonly #rejects: Record<string, number> = {};
  /** Sources whose last request failed, the latest failure last. */
  readonly #errors = new Map<string, string>();
  #status: VenueStatus = 'down';
  #since: UnixMs;
  #retired: string | undefined;
  #isPaused = false;

  constructor(venue: VenueId, refreshMs: number, now: UnixMs) {
    this.#venue = venue;
    this.#liveMs = LIVE_PERIODS * refreshMs;
    this.#age = new DataAge(this.#liveMs);
    this.#since = now;
  }

  succeeded(source: string, now: UnixMs): void {
    this.#requests.add(1, now);
    this.#errors.delete(source);
  }

  failed(source: string, reason: string, now: UnixMs): void {
    this.#requests.add(1, now);
    this.#failures.add(1, now);
    this.#errors.delete(source);
    this.#errors.set(source, `${source}: ${reason}`);
  }

  rejects(list: readonly Reject[], now: UnixMs): void {
    let faults = 0;
    for (const reject of list) {
      this.#rejects[reject.reason] = (this.#rejects[reject.reason] ?? 0) + 1;
      if (isFault(reject)) faults++;
    }
    if (faults > 0) this.#faults.add(faults, now);
  }

  data(event: DataEvent, now: UnixMs): void {
    this.#settle(now);
    this.#age.note(event);
    this.#settle(now);
  }

  retire(reason: string, now: UnixMs): void {
    this.#settle(now);
    this.#retired = reason;
    this.#settle(now);
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    // A failure of before says nothing of what is asked next.
    this.#errors.clear();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  read(now: UnixMs): VenueHealth {
    this.#settle(now);
    const requests = this.#requests.total(now);
    return {
      venue: this.#venue,
      status: this.#status,
      lastUpdateAt: this.#age.newest(now),
      since: this.#since,
      rejects5m: this.#faults.total(now),
      rejectsByReason: { ...this.#rejects },
      errorRate5m: requests === 0 ? undefined : this.#failures.total(now) / requests,
      lastError: this.#lastError(now),
      ...(this.#retired !== undefined && { retired: true as const }),
      ...(this.#isPaused && { paused: true as const }),
    };
  }

  #lastError(now: UnixMs): string | undefined {
    if (this.#retired !== undefined) return this.#retired;
    if (this.#isPaused) return 'paused by the operator';
    if (this.#age.isFrozen(now, this.#liveMs)) return "the venue's own timestamps stand still";
    return [...this.#errors.values()].at(-1);
  }

  #statusAt(now: UnixMs): VenueStatus {
    const newest = this.#retired === undefined ? this.#age.newest(now) : undefined;
    if (newest === undefined) return 'down';
    const age = now - newest;
    if (age <= this.#liveMs) return 'live';
    return age <= DOWN_MS ? 'stale' : 'down';
  }

  /** Moves to the present status; where age alone ended the last one, `since` is the moment it did. */
  #settle(now: UnixMs): void {
    const status = this.#statusAt(now);
    if (status === this.#status) return;
    const newest = this.#age.newest(now);
    const grew = status === 'stale' ? this.#liveMs : Math.max(this.#liveMs, DOWN_MS);
    const aged = status !== 'live' && this.#status !== 'down' && this.#retired === undefined;
    const turned = aged && newest !== undefined ? Math.max(newest + grew, this.#since) : now;
    this.#status = status;
    this.#since = asMs(Math.min(turned, now));
  }
}

/** Health of all venues, judged by the age of their data; the collector writes, everyone reads. */
export class VenueHealthBoard implements HealthBoard {
  readonly #clock: Clock;
  readonly #records = new Map<VenueId, VenueRecord>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a venue's record: down until its first data. A venue that came back restarts, one that was paused goes on. */
  track(venue: VenueId, refreshMs: number): void {
    const known = this.#records.get(venue);
    if (known?.isPaused === true) known.pause(false);
    else this.#begin(venue, refreshMs);
  }

  #begin(venue: VenueId, refreshMs: number): void {
    this.#records.set(venue, new VenueRecord(venue, refreshMs, this.#clock.now()));
  }

  /** The venue is no longer collected: down from now on, and none of all. */
  retire(venue: VenueId, reason: string): void {
    this.#records.get(venue)?.retire(reason, this.#clock.now());
  }

  /** The venue is not collected until it is tracked again. */
  pause(venue: VenueId): void {
    this.#records.get(venue)?.pause(true);
  }

  succeeded(venue: VenueId, source: string): void {
    this.#records.get(venue)?.succeeded(source, this.#clock.now());
  }

  /** @param reason short, without secrets */
  failed(venue: VenueId, source: string, reason: string): void {
    this.#records.get(venue)?.failed(source, reason, this.#clock.now());
  }

  rejects(venue: VenueId, list: readonly Reject[]): void {
    if (list.length > 0) this.#records.get(venue)?.rejects(list, this.#clock.now());
  }

  data(venue: VenueId, event: DataEvent): void {
    this.#records.get(venue)?.data(event, this.#clock.now());
  }

  all(): readonly VenueHealth[] {
    const now = this.#clock.now();
    const all = [...this.#records.values()].map((record) => record.read(now));
    return all.filter(({ retired }) => retired === undefined);
  }

  of(venue: VenueId): VenueHealth | undefined {
    return this.#records.get(venue)?.read(this.#clock.now());
  }
}
