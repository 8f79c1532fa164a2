import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { type Finding, type IncidentBoard, incidentKey } from '../../host/incident-board.ts';
import { COMPARED_FIELDS, FIELD_RULES } from './readings/field-rules.ts';
import type { ContractComparison, ListedContracts } from './venue-reading.ts';

/**
 * Looks on end that disagree before it is an incident: one may have met a value that was just moving. Of a value that moves,
 * two looks at what was stated once are one: it may have moved since.
 */
const REPEATED = 2;
const RULE = 'second_reader';

interface Streak {
  readonly looks: number;
  /** When the value that was shown last was stated. */
  readonly shownAt: UnixMs;
}

/** Opens an incident where what is shown disagrees with another way again, and closes it where all ways agree. */
export class Disagreements {
  readonly #incidents: Pick<IncidentBoard, 'open' | 'close' | 'lasting'>;
  /** Looks on end that disagreed, by contract and field. */
  readonly #streaks = new Map<string, Map<string, Streak>>();

  constructor(incidents: Pick<IncidentBoard, 'open' | 'close' | 'lasting'>) {
    this.#incidents = incidents;
  }

  /** One look at a contract, all ways together. */
  note(venue: VenueId, contract: string, found: readonly ContractComparison[], now: UnixMs): void {
    for (const field of new Set(found.map((reading) => reading.field))) {
      const about = { rule: RULE, venue, field, contract };
      const key = incidentKey(about);
      const worst = found.find((reading) => reading.field === field && !reading.agrees);
      if (worst === undefined) {
        this.#forgetField(venue, contract, field);
        this.#incidents.close(key, now);
        continue;
      }
      const streak = this.#add(venue, contract, worst);
      if (streak >= REPEATED)
        this.#incidents.open({ ...about, evidence: evidenceOf(worst) } satisfies Finding, now);
    }
  }

  /** A contract is gone: nothing of it can be wrong any more. */
  forget(venue: VenueId, contract: string, now: UnixMs): void {
    // Incidents outlive the process that looked, streaks do not.
    for (const field of COMPARED_FIELDS)
      this.#incidents.close(incidentKey({ rule: RULE, venue, field, contract }), now);
    this.#streaks.delete(`${venue}\n${contract}`);
  }

  /** Forgets contracts of a venue that it does not list, those too that went while nobody looked. */
  keepOnly(venue: VenueId, listed: ListedContracts, now: UnixMs): void {
    for (const { rule, venue: of, contract } of this.#incidents.lasting()) {
      if (rule !== RULE || of !== venue || contract === undefined || listed.has(contract)) continue;
      this.forget(venue, contract, now);
    }
  }

  #add(venue: VenueId, contract: string, { field, shown }: ContractComparison): number {
    const key = `${venue}\n${contract}`;
    const fields = this.#streaks.get(key) ?? new Map<string, Streak>();
    const before = fields.get(field);
    const isSame = FIELD_RULES[field].hourlyVolatility > 0 && before?.shownAt === shown.at;
    const looks = (before?.looks ?? 0) + (isSame ? 0 : 1);
    this.#streaks.set(key, fields.set(field, { looks, shownAt: shown.at }));
    return looks;
  }

  #forgetField(venue: VenueId, contract: string, field: string): void {
    const key = `${venue}\n${contract}`;
    const fields = this.#streaks.get(key);
    fields?.delete(field);
    if (fields?.size === 0) this.#streaks.delete(key);
  }
}

function evidenceOf({ shown, second, way, difference, tolerance }: ContractComparison): string {
  const digits = (x: number): string => String(Number(x.toPrecision(6)));
  return `shown ${digits(shown.value)}, by ${way} ${digits(second.value)}: ${digits(difference)} apart, ${digits(tolerance)} allowed`;
}
