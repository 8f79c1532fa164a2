import { iso, systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { Service } from '../../service/options.ts';
import type { AuditEntry, AuditLog } from './audit-log.ts';

const LONGEST_NOTE = 500;

/** Incidents that last, the latest first. */
export function operatorIncidents({ audit }: Pick<Service, 'audit'>) {
  const open = [...audit.incidents.lasting()].sort((a, b) => b.id - a.id);
  return {
    open: open.map(({ openedAt, annotations, ...incident }) => ({
      ...incident,
      start: iso(openedAt),
      annotations: annotations.map(({ at, text }) => `${iso(at)} ${text}`),
    })),
  };
}

/**
 * Writes an operator's note to an incident once, and to the audit log, also where there is no such incident. Undefined
 * where the body is no such request.
 */
export function annotateIncident(
  { audit: { incidents } }: Pick<Service, 'audit'>,
  audit: AuditLog,
  body: unknown,
): AuditEntry | undefined {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : []);
  const [request, incident, note]: unknown[] = ['request', 'incident', 'note'].map((name) =>
    fields.get(name),
  );
  if (typeof request !== 'string' || typeof incident !== 'number' || typeof note !== 'string')
    return undefined;
  if (request.trim() === '' || note.trim() === '' || note.length > LONGEST_NOTE) return undefined;
  const known = audit.find(request);
  if (known !== undefined) return known;
  const now = asMs(systemClock.now());
  const done = incidents.annotate(incident, note, now);
  const entry: AuditEntry = {
    ...{ at: iso(now), request, action: 'annotate', detail: `incident ${incident}`, reason: note },
    ...(!done && { refused: `there is no incident ${incident}` }),
  };
  audit.add(entry);
  return entry;
}
