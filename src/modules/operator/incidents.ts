import { iso, systemClock } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { INCIDENTS } from '../../host/incident-board.ts';
import type { Service } from '../../host/options.ts';
import type { AskedAction, OperatorAct } from './actions.ts';
import type { OperatorIncidents } from './schemas/records.ts';

/** Incidents that last, the latest first. */
export function operatorIncidents({ readPort }: Pick<Service, 'readPort'>): OperatorIncidents {
  const open = [...readPort(INCIDENTS).lasting()].sort((a, b) => b.id - a.id);
  return {
    open: open.map(({ openedAt, closedAt: _lasts, annotations, ...incident }) => ({
      ...incident,
      start: iso(openedAt),
      annotations: annotations.map(({ at, text }) => `${iso(at)} ${text}`),
    })),
  };
}

/** An operator's note to an incident, which is its own reason. Undefined where the body is no such request. */
export function noteAction(
  { readPort }: Pick<Service, 'readPort'>,
  { fields, text }: AskedAction,
): OperatorAct | undefined {
  const incident = fields.get('incident');
  const note = text('note');
  if (typeof incident !== 'number' || note === undefined) return undefined;
  const said = { action: 'annotate', detail: `incident ${incident}` };
  return () =>
    readPort(INCIDENTS).annotate(incident, note, asMs(systemClock.now()))
      ? said
      : { ...said, refused: `there is no incident ${incident}` };
}
