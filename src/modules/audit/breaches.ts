import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { type Finding, incidentKey } from '../../host/incident-board.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Incidents } from './incidents/incidents.ts';

/** A rule has to hold for so long until its incident is closed: what flickers is one incident. */
export const HELD_MS = 10 * MINUTE_MS;

interface Breach {
  readonly finding: Finding;
  readonly incident: string;
  readonly flags: boolean;
  /** When it was last found broken. */
  brokenAt: UnixMs;
  /** Since when the rule holds again; undefined while it does not. */
  heldSince: UnixMs | undefined;
}

/** Rules that are broken now, with the incidents they opened and the rows they flag. */
export class Breaches {
  readonly #incidents: Pick<Incidents, 'open' | 'close' | 'lasting'>;
  readonly #breaches = new Map<string, Breach>();
  readonly #suspects = new Map<VenueId, Map<string, string>>();

  /** @param restart what incidents of a life before this one are taken up as: they close when their rule holds */
  constructor(
    incidents: Pick<Incidents, 'open' | 'close' | 'lasting'>,
    owns: (rule: string) => boolean,
    restart: UnixMs,
  ) {
    this.#incidents = incidents;
    for (const finding of incidents.lasting()) {
      if (!owns(finding.rule)) continue;
      const key = incidentKey(finding);
      this.#breaches.set(key, {
        finding,
        incident: key,
        flags: false,
        brokenAt: restart,
        heldSince: restart,
      });
    }
  }

  /**
   * A rule is broken.
   *
   * @param flags whether the contract's row is suspect while it is
   */
  broken(finding: Finding, now: UnixMs, flags: boolean): void {
    const key = incidentKey(finding);
    const known = this.#breaches.get(key);
    if (known !== undefined) Object.assign(known, { brokenAt: now, heldSince: undefined });
    if (known !== undefined && known.flags === flags) return;
    const incident = known?.incident ?? this.#incidents.open(finding, now);
    this.#breaches.set(key, { finding, incident, flags, brokenAt: now, heldSince: undefined });
    if (flags && finding.contract !== undefined) this.#flag(finding.venue, finding.contract, finding.rule);
  }

  /** A rule that may have been broken holds. */
  holds(about: Omit<Finding, 'evidence'>, now: UnixMs): void {
    if (this.#breaches.size === 0) return;
    const breach = this.#breaches.get(incidentKey(about));
    if (breach !== undefined) breach.heldSince ??= now;
  }

  /** Of these rules those hold that were not found broken now. */
  judged(rules: ReadonlySet<string>, now: UnixMs): void {
    for (const breach of this.#breaches.values()) {
      // A little ahead is another look's finding; far ahead, the clock was set back.
      const isBroken = breach.brokenAt >= now && breach.brokenAt - now < HELD_MS;
      if (rules.has(breach.finding.rule) && !isBroken) breach.heldSince ??= now;
    }
  }

  /** A contract that is not listed any more breaks no rule. */
  keepOnly(venue: VenueId, listed: ReadonlySet<string>, now: UnixMs): void {
    for (const breach of this.#breaches.values()) {
      const { finding } = breach;
      if (finding.venue !== venue || finding.contract === undefined || listed.has(finding.contract)) continue;
      breach.heldSince ??= now;
    }
  }

  /** A venue that is not collected any more breaks no rule. */
  gone(venue: VenueId, now: UnixMs): void {
    for (const breach of this.#breaches.values())
      if (breach.finding.venue === venue) breach.heldSince ??= now;
  }

  /** The rule that a contract's row breaks. */
  suspect(venue: VenueId, symbol: string): string | undefined {
    return this.#suspects.get(venue)?.get(symbol);
  }

  /** Rows that are flagged now, by venue. */
  suspects(venue: VenueId): number {
    return this.#suspects.get(venue)?.size ?? 0;
  }

  /** Closes what has held for long enough. */
  settle(now: UnixMs): void {
    for (const [key, breach] of this.#breaches) {
      const { heldSince, incident, finding } = breach;
      if (heldSince === undefined) continue;
      // The clock was set back: the rule has held since now at the latest.
      if (heldSince > now) breach.heldSince = now;
      if (now - heldSince < HELD_MS) continue;
      this.#breaches.delete(key);
      this.#incidents.close(incident, now);
      if (finding.contract !== undefined) this.#unflag(finding.venue, finding.contract);
    }
  }

  #flag(venue: VenueId, symbol: string, rule: string): void {
    const ofVenue = this.#suspects.get(venue) ?? new Map<string, string>();
    this.#suspects.set(venue, ofVenue.set(symbol, ofVenue.get(symbol) ?? rule));
  }

  /** Another rule may still be broken by the same contract. */
  #unflag(venue: VenueId, symbol: string): void {
    this.#suspects.get(venue)?.delete(symbol);
    for (const { finding, flags } of this.#breaches.values()) {
      if (flags && finding.venue === venue && finding.contract === symbol)
        this.#flag(venue, symbol, finding.rule);
    }
  }
}
