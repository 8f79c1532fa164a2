import type { VenueHealth } from '../collect/ports.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId, VenueStatus } from '../domain/venue.ts';
import type { Batch } from './batch.ts';
import { secondsCell, textCell } from './cell.ts';
import { SAMPLE_STEP_MS } from './sample.ts';
import { recordedCell } from './sample-rows.ts';

const STATUS_COLUMNS = ['venue', 'ts', 'status', 'recorded_at'];
const GAP_COLUMNS = ['venue', 'ts', 'until', 'reason', 'rows', 'recorded_at'];

/** A gap of all venues at once. */
export const ALL_VENUES = '*';

/** A span without samples, and why. */
export interface Gap {
  readonly venue: VenueId | typeof ALL_VENUES;
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly reason: string;
  /** Rows that are known to be missing; 0 = not known. */
  readonly rows: number;
}

/** A gap as rows to write. */
export function gapBatch({ venue, from, to, reason, rows }: Gap, recordedAt: UnixMs): Batch {
  const cells = [
    textCell(venue),
    secondsCell(from),
    secondsCell(to),
    textCell(reason),
    rows,
    recordedCell(recordedAt),
  ];
  return { table: 'gaps', columns: GAP_COLUMNS, lines: [cells.join('\t')], from, to, whenFull: 'wait' };
}

interface SeenStatus {
  readonly status: VenueStatus;
  /** Of one that is not live: since when, as far as it is known. */
  readonly liveUntil: UnixMs | undefined;
}

/**
 * The last recorder's notes on the venues that were once live: since when one was not, and that no gap states
 * it; undefined where it was.
 */
export type FormerVenues = ReadonlyMap<VenueId, UnixMs | undefined>;

/** Notes the transitions of venues, and the gaps that end when one is live again. */
export class StatusWatch {
  readonly #offer: (batch: Batch) => boolean;
  readonly #seen = new Map<VenueId, SeenStatus>();
  /** Of those that were not live since start. */
  readonly #former = new Map<VenueId, UnixMs | undefined>();

  constructor(offer: (batch: Batch) => boolean) {
    this.#offer = offer;
  }

  /**
   * Goes on from where a recorder before came to its end, which one that was killed could not note: with its open
   * gaps, or with their end where a venue was live here all along. Writes how venues are where that is not what
   * the one before wrote last.
   */
  resume(former: FormerVenues, now: UnixMs): void {
    const changed: string[] = [];
    for (const [venue, from] of former) {
      const status = this.#seen.get(venue)?.status;
      const isLive = status === 'live';
      if (status !== undefined && isLive !== (from === undefined))
        changed.push(statusLine(venue, now, status, now));
      if (!isLive) {
        this.#former.set(venue, from);
        // Samples were taken until that end, whatever was seen here meanwhile.
        if (status !== undefined) this.#seen.set(venue, { status, liveUntil: undefined });
      } else if (from !== undefined && hasSample(from, now))
        this.#offer(gapBatch({ venue, from, to: now, reason: 'recorder_failover', rows: 0 }, now));
    }
    this.#write(changed, now, now);
  }

  /** Compares what is with what was; writes what has changed. */
  observe(all: readonly VenueHealth[], now: UnixMs): void {
    const lines: string[] = [];
    let from: number = now;
    for (const { venue, status, since } of all) {
      const before = this.#seen.get(venue);
      if (before?.status === status) continue;
      const left = before?.status === 'live' ? since : (this.#former.get(venue) ?? before?.liveUntil);
      this.#seen.set(venue, { status, liveUntil: status === 'live' ? undefined : left });
      lines.push(statusLine(venue, since, status, now));
      from = Math.min(from, since);
      if (status !== 'live' || left === undefined) continue;
      this.#former.delete(venue);
      this.#offer(gapUntil({ venue, from: left, to: since, reason: reasonOf(before?.status), rows: 0 }, now));
    }
    this.#write([...lines, ...this.#retired(all, now)], asMs(from), now);
  }

  /** Venues that are collected no more are down. */
  #retired(all: readonly VenueHealth[], now: UnixMs): readonly string[] {
    const collected = new Set(all.map(({ venue }) => venue));
    const lines: string[] = [];
    for (const [venue, { status, liveUntil }] of this.#seen) {
      if (status === 'down' || collected.has(venue)) continue;
      this.#seen.set(venue, { status: 'down', liveUntil: status === 'live' ? now : liveUntil });
      lines.push(statusLine(venue, now, 'down', now));
    }
    return lines;
  }

  /**
   * Notes the gaps that have not ended, before this process stops writing: to the next one the venue may be
   * live all along.
   */
  leave(now: UnixMs): void {
    for (const [venue, { status, liveUntil }] of this.#seen) {
      const from = this.#former.get(venue) ?? liveUntil;
      if (status === 'live' || from === undefined) continue;
      this.#offer(gapUntil({ venue, from, to: now, reason: reasonOf(status), rows: 0 }, now));
    }
  }

  /**
   * Notes the venues that are missing in a sample though each look found them live: one may have been away between two
   * looks, or just come back. Of any other the gap is noted as it ends; that of a venue which was live before the start
   * and not since begins with the first sample that it is missing in.
   */
  sampled(at: UnixMs, venues: ReadonlySet<VenueId>, now: UnixMs): void {
    for (const [venue, { status, liveUntil }] of this.#seen) {
      if (venues.has(venue)) continue;
      if (status !== 'live') {
        if (liveUntil === undefined && this.#former.has(venue))
          this.#seen.set(venue, { status, liveUntil: at });
        continue;
      }
      const to = asMs(at + SAMPLE_STEP_MS);
      this.#offer(gapBatch({ venue, from: at, to, reason: 'no_fresh_row', rows: 0 }, now));
    }
  }

  #write(lines: readonly string[], from: UnixMs, to: UnixMs): void {
    const columns = STATUS_COLUMNS;
    this.#offer({ table: 'venue_status', columns, lines, from, to, whenFull: 'wait' });
  }
}

/** Where the clock was set back meanwhile, how long the gap was is not known. */
const gapUntil = (gap: Gap, now: UnixMs): Batch =>
  gapBatch({ ...gap, from: asMs(Math.min(gap.from, gap.to)) }, now);

const statusLine = (venue: VenueId, since: UnixMs, status: VenueStatus, now: UnixMs): string =>
  [textCell(venue), recordedCell(since), status, recordedCell(now)].join('\t');

/** True if a sample is due in a span. */
const hasSample = (from: UnixMs, to: UnixMs): boolean =>
  Math.ceil(from / SAMPLE_STEP_MS) * SAMPLE_STEP_MS < to;

const reasonOf = (status: VenueStatus | undefined): string =>
  status === 'down' ? 'venue_down' : 'venue_stale';
