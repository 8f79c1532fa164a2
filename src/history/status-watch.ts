import type { VenueHealth } from '../collect/ports.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId, VenueStatus } from '../domain/venue.ts';
import { secondsCell, textCell } from './cell.ts';
import { SAMPLE_STEP_MS } from './sample.ts';
import { recordedCell } from './sample-rows.ts';
import type { Batch } from './write-queue.ts';

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
  return { table: 'gaps', columns: GAP_COLUMNS, lines: [cells.join('\t')], from, to };
}

interface Standing {
  readonly status: VenueStatus;
  readonly since: UnixMs;
  /** When the venue was last live; undefined = not since start. */
  readonly liveUntil: UnixMs | undefined;
}

/** Notes the transitions of venues, and the gaps that end when one is live again. */
export class StatusWatch {
  readonly #offer: (batch: Batch) => boolean;
  readonly #standing = new Map<VenueId, Standing>();

  constructor(offer: (batch: Batch) => boolean) {
    this.#offer = offer;
  }

  /** Compares what is with what was; writes what has changed. */
  observe(all: readonly VenueHealth[], now: UnixMs): void {
    const lines: string[] = [];
    let from: number = now;
    for (const { venue, status, since } of all) {
      const before = this.#standing.get(venue);
      if (before?.status === status) continue;
      const left = before?.status === 'live' ? since : before?.liveUntil;
      this.#standing.set(venue, { status, since, liveUntil: status === 'live' ? undefined : left });
      lines.push([textCell(venue), recordedCell(since), status, recordedCell(now)].join('\t'));
      from = Math.min(from, since);
      if (status !== 'live' || left === undefined) continue;
      this.#offer(gapBatch({ venue, from: left, to: since, reason: reasonOf(before?.status), rows: 0 }, now));
    }
    if (lines.length === 0) return;
    this.#offer({ table: 'venue_status', columns: STATUS_COLUMNS, lines, from: asMs(from), to: now });
  }

  /** Notes the gaps that have not ended, for whoever writes no more: to the next one the venue may be live all along. */
  leave(now: UnixMs): void {
    for (const [venue, { status, liveUntil }] of this.#standing) {
      if (status === 'live' || liveUntil === undefined) continue;
      this.#offer(gapBatch({ venue, from: liveUntil, to: now, reason: reasonOf(status), rows: 0 }, now));
    }
  }

  /**
   * Notes the venues that are missing in a sample though each look found them live: one may have been away between two
   * looks, or just come back. Of any other the gap is noted as it ends.
   */
  sampled(at: UnixMs, venues: ReadonlySet<VenueId>, now: UnixMs): void {
    for (const [venue, { status }] of this.#standing) {
      if (status !== 'live' || venues.has(venue)) continue;
      const to = asMs(at + SAMPLE_STEP_MS);
      this.#offer(gapBatch({ venue, from: at, to, reason: 'no_fresh_row', rows: 0 }, now));
    }
  }
}

const reasonOf = (status: VenueStatus | undefined): string =>
  status === 'down' ? 'venue_down' : 'venue_stale';
