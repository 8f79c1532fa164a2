import type { HealthBoard } from '../../collect/ports.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Finding } from '../../host/incident-board.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Breaches } from './breaches.ts';

/** Verdicts of comparability that say that a row is another asset's, or in another unit. */
const APART = new Set<string>(['identity_uncertain', 'multiplier_suspect', 'price_dispersion']);
/** A row that was comparable for this long is of the asset; one that is apart for so long has left it. */
const BELONGS_MS = 10 * MINUTE_MS;
const LEFT_MS = 2 * MINUTE_MS;
/** Share of a venue's contracts that must be fresh. */
const MIN_FRESH = 0.5;
/** Below this a venue has only begun. */
const BEGUN_MS = 5 * MINUTE_MS;
/** Rows that are judged in one part. */
const PART = 150;

interface RowState {
  comparableSince: number;
  belongs: boolean;
  apartSince: number;
  seenAt: number;
}

/** Rules over rows beside each other, and over whole venues. */
export class RowWatch {
  readonly #breaches: Breaches;
  readonly #rows = new Map<string, RowState>();
  readonly #liveSince = new Map<string, number>();
  /** Contracts that were apart before this life and were not seen in it yet. */
  readonly #wereApart = new Set<string>();

  /** @param lasting incidents of a life before this one: what they are about had begun, and is not given time to begin again */
  constructor(breaches: Breaches, lasting: Iterable<Finding>) {
    this.#breaches = breaches;
    for (const { rule, venue, contract } of lasting) {
      if (rule === 'stale') this.#liveSince.set(venue, Number.NEGATIVE_INFINITY);
      if (rule === 'apart' && contract !== undefined) this.#wereApart.add(`${venue}\n${contract}`);
    }
  }

  *judge(
    view: Pick<MarketView, 'eachRow' | 'venues'>,
    health: Pick<HealthBoard, 'of'>,
    now: UnixMs,
  ): Generator<undefined> {
    let judged = 0;
    for (const row of view.eachRow()) {
      this.#judgeRow(row, now);
      if (++judged % PART === 0) yield;
    }
    for (const [key, { seenAt }] of this.#rows) if (seenAt !== now) this.#rows.delete(key);
    for (const { info, status, trackedSymbols, freshSymbols } of view.venues()) {
      const known = health.of(info.id);
      if (known?.retired === true) this.#leaveVenue(info.id, now);
      else this.#judgeVenue(info.id, known?.status ?? status, trackedSymbols, freshSymbols, now);
    }
  }

  #judgeRow(row: MarketRow, now: UnixMs): void {
    const key = `${row.venue}\n${row.symbol}\n${row.canonicalId}`;
    let seen = this.#rows.get(key);
    if (seen === undefined) {
      const belongs = this.#wereApart.delete(`${row.venue}\n${row.symbol}`);
      seen = { comparableSince: now, belongs, apartSince: 0, seenAt: now };
      this.#rows.set(key, seen);
    }
    seen.seenAt = now;
    const about = { rule: 'apart', venue: row.venue, field: 'mark_price', contract: row.symbol };
    const reason = row.uncomparableReason;
    if (reason === undefined) {
      seen.belongs ||= now - seen.comparableSince >= BELONGS_MS;
      seen.apartSince = 0;
      this.#breaches.holds(about, now);
      return;
    }
    seen.comparableSince = now;
    if (!APART.has(reason) || !seen.belongs) return;
    if (seen.apartSince === 0) seen.apartSince = now;
    if (now - seen.apartSince < LEFT_MS) return;
    const evidence = `${reason} beside the other venues of ${row.canonicalId} at ${row.markPrice}`;
    this.#breaches.broken({ ...about, evidence }, now, false);
  }

  /** A venue that comes back starts over. */
  #leaveVenue(venue: string, now: UnixMs): void {
    this.#liveSince.delete(venue);
    this.#breaches.gone(venue, now);
  }

  #judgeVenue(venue: string, status: string, tracked: number, fresh: number, now: UnixMs): void {
    const about = { rule: 'stale', venue, field: '*' };
    const good = status === 'live' && fresh >= MIN_FRESH * tracked;
    const since = this.#liveSince.get(venue);
    if (good) {
      if (since === undefined) this.#liveSince.set(venue, now);
      this.#breaches.holds(about, now);
    } else if (since !== undefined && now - since >= BEGUN_MS) {
      const evidence = `${status}, ${fresh} of ${tracked} contracts fresh`;
      this.#breaches.broken({ ...about, evidence }, now, false);
    }
  }
}
