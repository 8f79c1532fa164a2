/**
 * Plants faults at every simulated venue, in its own wire format, and says which the rules of data quality find,
 * and how soon; then lets all venues run as they should and counts false alarms, of the rules and of the second
 * reader, which has rows of up to a quarter of an hour before it. `npm run soak audit`; exit 1 where a fault is
 * not found, or a venue has more than one false alarm a day. `--venue` takes one or several, with commas between
 * them.
 */

import type { Incident } from '../../src/host/incident-board.ts';
import { tableText } from '../../src/host/process/table-text.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { SecondReaderRig } from '../second-reader/rig.ts';
import { INJECTED_FAULTS } from './audit-plants.ts';
import { AUDITED, falseAlarms, findInjectedFaults, type Outcome } from './audit-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  venue: { type: 'string' },
  hours: { type: 'string', default: '24' },
});
const seed = Number(values.seed);
const hours = Number(values.hours);
const named = values.venue?.split(',');
const chosen = AUDITED.filter(({ id }) => named?.includes(id) ?? true);
const venues = chosen.map(({ id }) => id);
console.log(`seed ${seed}`);

const shown = (outcome: Outcome | undefined): string => {
  if (outcome === undefined || outcome === 'n/a') return 'n/a';
  return outcome.minutes === undefined ? 'MISSED' : `${outcome.minutes} ${outcome.rules[0]}`;
};

const tables = new Map(venues.map((venue) => [venue, findInjectedFaults(venue, INJECTED_FAULTS, seed)]));
console.log('minutes until a fault was found, and the rule; n/a: nothing that is read of the venue changes');
console.log(
  tableText(
    ['venue', ...INJECTED_FAULTS],
    [...tables].map(([venue, found]) => [venue, ...INJECTED_FAULTS.map((kind) => shown(found.get(kind)))]),
  ),
);
const outcomes = [...tables.values()]
  .flatMap((found) => [...found.values()])
  .filter((table) => table !== 'n/a');
const missed = outcomes.filter(({ minutes }) => minutes === undefined).length;

const byVenue = new Map<string, number>();
const tell = (alarms: readonly Incident[]): void => {
  for (const { venue, rule, field, contract, evidence } of alarms) {
    byVenue.set(venue, (byVenue.get(venue) ?? 0) + 1);
    console.log(`false alarm: ${venue} ${rule} ${field} ${contract ?? ''}: ${evidence}`);
  }
};
tell(falseAlarms(seed, hours * 60, venues));
for (const { id, parent } of chosen) {
  // A venue that another one discovers is read beside it.
  if (parent !== undefined) continue;
  const rig = new SecondReaderRig({ venues: [id], seed });
  await rig.run(hours * HOUR_MS, 15 * MINUTE_MS);
  const { looks, compared, failures } = rig.reading.state;
  if (looks > 0)
    console.log(`second reader at ${id}: ${looks} looks, ${compared} compared, ${failures} failures`);
  tell(rig.incidents.between({ from: rig.startedAt, to: rig.time.clock.now() }));
}
const alarms = [...byVenue.values()].reduce((sum, count) => sum + count, 0);
const most = (Math.max(0, ...byVenue.values()) * 24) / Math.max(24, hours);
console.log(
  `${outcomes.length - missed} of ${outcomes.length} faults found at ${venues.length} venues; ${alarms} false alarms in ` +
    `${hours} h, at most ${most} a venue and day (bar 1); seed ${seed}`,
);
process.exitCode = missed === 0 && most <= 1 ? 0 : 1;
