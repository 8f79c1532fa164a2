import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import {
  type Finding,
  type Incident,
  type IncidentBoard,
  incidentKey,
} from '../../../host/incident-board.ts';
import { DAY_MS } from '../../../runtime/duration.ts';
import type { IncidentStore } from './incident-store.ts';

/** Closed incidents are kept as long as answers reach back. */
const KEPT_MS = 91 * DAY_MS;
export const MAX_INCIDENTS = 20_000;
/** Contracts of one venue that one rule names one by one at a time; the rest are one incident of the venue. */
const MAX_CONTRACTS = 50;

/** A filter of incidents. */
export interface IncidentScope {
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
  readonly venue?: VenueId | undefined;
}

export interface IncidentCounts {
  /** Opened since start, by rule. */
  readonly opened: ReadonlyMap<string, number>;
  /** Open now. */
  readonly open: number;
  /** Findings since start that an incident of the whole venue stands for. */
  readonly folded: number;
}

/**
 * Faults that rules have found, with the time they lasted. Bounded in number and age; changes are written by
 * `flush`, many at once: a rule that is broken at all contracts of a venue costs one transaction.
 */
export class Incidents implements IncidentBoard {
  /** Grows with every change. */
  version = 0;
  readonly #store: IncidentStore;
  readonly #all = new Map<number, Incident>();
  readonly #open = new Map<string, Incident>();
  /** Open incidents of single contracts, by rule, venue and field. */
  readonly #contracts = new Map<string, number>();
  readonly #changed = new Set<number>();
  readonly #dropped: number[] = [];
  readonly #opened = new Map<string, number>();
  #folded = 0;
  #last = 0;

  constructor(store: IncidentStore) {
    this.#store = store;
    for (const incident of [...store.load()].sort((a, b) => a.id - b.id)) {
      this.#all.set(incident.id, incident);
      this.#last = incident.id;
      if (incident.closedAt !== undefined) continue;
      this.#open.set(incidentKey(incident), incident);
      this.#countContract(incident, 1);
    }
  }

  /** Opens an incident, unless the finding is known already. Returns its key. */
  open(finding: Finding, now: UnixMs): string {
    const key = incidentKey(finding);
    if (this.#open.has(key)) return key;
    const { contract, ...ofVenue } = finding;
    if (contract !== undefined && (this.#contracts.get(incidentKey(ofVenue)) ?? 0) >= MAX_CONTRACTS) {
      this.#folded += 1;
      return this.open({ ...ofVenue, evidence: `more than ${MAX_CONTRACTS} contracts` }, now);
    }
    this.#last += 1;
    const incident: Incident = { ...finding, id: this.#last, openedAt: now, annotations: [] };
    this.#put(incident);
    this.#open.set(key, incident);
    this.#countContract(incident, 1);
    this.#opened.set(finding.rule, (this.#opened.get(finding.rule) ?? 0) + 1);
    return key;
  }

  /** Closes an incident; nothing happens where none of this key is open. */
  close(key: string, now: UnixMs): void {
    const incident = this.#open.get(key);
    if (incident === undefined || this.#standsForMany(incident)) return;
    this.#open.delete(key);
    this.#put({ ...incident, closedAt: asMs(Math.max(now, incident.openedAt)) });
    this.#countContract(incident, -1);
    const { contract, ...ofVenue } = incident;
    const venueKey = incidentKey(ofVenue);
    if (contract !== undefined) this.close(venueKey, now);
  }

  /** Adds an operator's note to an incident; false where none has this number. */
  annotate(id: number, text: string, now: UnixMs): boolean {
    const incident = this.#all.get(id);
    if (incident === undefined) return false;
    const annotated = { ...incident, annotations: [...incident.annotations, { at: now, text }] };
    this.#put(annotated);
    const key = incidentKey(annotated);
    if (this.#open.get(key)?.id === id) this.#open.set(key, annotated);
    return true;
  }

  /** Incidents that lasted at some moment of the window, the latest first. */
  between({ from, to, venue }: IncidentScope): readonly Incident[] {
    const found: Incident[] = [];
    for (const incident of this.#all.values()) {
      if (venue !== undefined && incident.venue !== venue) continue;
      if (incident.openedAt < to && (incident.closedAt ?? from) >= from) found.push(incident);
    }
    return found.reverse();
  }

  /** Incidents that last. */
  lasting(): Iterable<Incident> {
    return this.#open.values();
  }

  counts(): IncidentCounts {
    return { opened: this.#opened, open: this.#open.size, folded: this.#folded };
  }

  /** Forgets what is too old, and writes what has changed. @throws where the disk does not take it; it is tried again */
  flush(now: UnixMs): void {
    this.#forget(now);
    if (this.#changed.size + this.#dropped.length === 0) return;
    const changed = [...this.#changed].flatMap((id) => this.#all.get(id) ?? []);
    this.#store.save(changed, this.#dropped);
    this.#changed.clear();
    this.#dropped.length = 0;
  }

  async stop(now: UnixMs): Promise<void> {
    try {
      this.flush(now);
    } finally {
      await this.#store.close();
    }
  }

  /** True if it is a venue's incident, and too many of its contracts are still open. */
  #standsForMany(incident: Incident): boolean {
    if (incident.contract !== undefined) return false;
    return (this.#contracts.get(incidentKey(incident)) ?? 0) >= MAX_CONTRACTS / 2;
  }

  #put(incident: Incident): void {
    this.#all.set(incident.id, incident);
    this.#changed.add(incident.id);
    this.version += 1;
  }

  #countContract({ contract, ...ofVenue }: Incident, by: number): void {
    if (contract === undefined) return;
    const key = incidentKey(ofVenue);
    const count = (this.#contracts.get(key) ?? 0) + by;
    if (count === 0) this.#contracts.delete(key);
    else this.#contracts.set(key, count);
  }

  /** The oldest stand first: what is closed and too old, or too many, goes. */
  #forget(now: UnixMs): void {
    for (const { id, closedAt, openedAt } of this.#all.values()) {
      const tooMany = this.#all.size > MAX_INCIDENTS;
      if (!tooMany && now - openedAt <= KEPT_MS) return;
      if (closedAt === undefined || (!tooMany && now - closedAt <= KEPT_MS)) continue;
      this.#all.delete(id);
      this.#changed.delete(id);
      this.#dropped.push(id);
      this.version += 1;
    }
  }
}
