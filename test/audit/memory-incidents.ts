import type { Incident } from '../../src/host/incident-board.ts';
import type { CoverageGap, CoverageStore, DayCoverage } from '../../src/modules/audit/coverage/coverage.ts';
import type { IncidentStore } from '../../src/modules/audit/incidents/incident-store.ts';

/** Keeps incidents as long as it is kept itself. */
export function memoryIncidentStore(): IncidentStore & { readonly kept: Map<number, Incident> } {
  const kept = new Map<number, Incident>();
  return {
    kept,
    load: () => [...kept.values()],
    save: (changed, dropped) => {
      for (const incident of changed) kept.set(incident.id, incident);
      for (const id of dropped) kept.delete(id);
    },
    close: () => Promise.resolve(),
  };
}

/** Keeps coverage as long as it is kept itself. */
export function memoryCoverageStore(): CoverageStore {
  const days = new Map<string, DayCoverage>();
  const gaps = new Map<string, CoverageGap>();
  return {
    load: () => ({ days: [...days.values()], gaps: [...gaps.values()] }),
    save: (changed, opened) => {
      for (const one of changed) days.set(`${one.venue} ${one.day}`, structuredClone(one));
      for (const gap of opened) gaps.set(`${gap.venue} ${gap.from}`, gap);
    },
    close: () => Promise.resolve(),
  };
}
