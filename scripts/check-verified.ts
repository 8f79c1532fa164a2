/**
 * Lists when each venue's interface was last seen to be as it is read here, oldest first: `npm run check verified`.
 * Below the list stands what its venue will switch off. Exits 1 where the evidence is older than ninety days, or where an
 * interface ends within sixty.
 *
 *   --at <day>   as of that day, `2026-11-22`; today when absent
 */
import { parseArgs } from 'node:util';
import { asMs } from '../src/domain/units.ts';
import { KNOWN_VENUES } from '../src/venues/registry.ts';
import { markdownTable } from './markdown-table.ts';
import { answerHelp } from './usage.ts';
import {
  daysSinceVerified,
  daysUntilEnd,
  ENDS_WITHIN_DAYS,
  isEnding,
  isOutdated,
  VERIFIED_FOR_DAYS,
} from './verified-age.ts';

answerHelp();
const { values } = parseArgs({ options: { at: { type: 'string' } } });
const now = asMs(values.at === undefined ? Date.now() : Date.parse(values.at));
if (Number.isNaN(now)) {
  console.error(`--at ${values.at}: no day, such as 2026-11-22`);
  process.exit(2);
}

const rows = KNOWN_VENUES.map(({ id, verified }) => ({
  id,
  verified,
  days: daysSinceVerified(verified, now),
}));
// Interfaces without a day come first.
rows.sort((a, b) => (b.days ?? Number.POSITIVE_INFINITY) - (a.days ?? Number.POSITIVE_INFINITY));
const table = rows.map(({ id, verified: { version, date, source }, days }) => [
  ...[id, version, date, String(days ?? ''), source],
]);
process.stdout.write(markdownTable(['venue', 'version', 'verified', 'days', 'source'], table));

for (const { id, verified } of rows) {
  const { ends } = verified;
  if (ends === undefined) continue;
  process.stdout.write(
    `${id} ends on ${ends.date}, in ${daysUntilEnd(verified, now)} days: ${ends.what} (${ends.source})\n`,
  );
}
const ending = rows.filter(({ verified }) => isEnding(verified, now));
process.stdout.write(
  `${ending.length} of ${rows.length} venues end what is read of them within ${ENDS_WITHIN_DAYS} days\n`,
);

const old = rows.filter(({ verified }) => isOutdated(verified, now)).map(({ id }) => id);
const names = old.length === 0 ? '' : `: ${old.join(', ')}`;
process.stdout.write(
  `${old.length} of ${rows.length} venues verified more than ${VERIFIED_FOR_DAYS} days ago${names}\n`,
);
if (old.length > 0 || ending.length > 0) process.exitCode = 1;
