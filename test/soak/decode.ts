/**
 * Damages every recorded and simulated payload of all venues and decodes what is left: no exception, no NaN or
 * Infinity, no zero for an unknown, no row of a dead contract. `npm run soak decode`; exit 1 on a failure, with
 * the line that repeats it. All mutations of a payload, or with --limit a seeded choice of them.
 */

import { tableText } from '../../src/host/process/table-text.ts';
import { soakEvents } from './event-soak.ts';
import { readOptions } from './options.ts';
import { soakAll } from './soak.ts';
import { soakSpot } from './spot-soak.ts';

/** The least that counts as a soak. */
const MIN_MUTATIONS = 20_000;
const SHOWN = 20;

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  limit: { type: 'string', default: 'Infinity' },
  venue: { type: 'string' },
  case: { type: 'string' },
});
const seed = Number(values.seed);
const limit = Number(values.limit);
console.log(`seed ${seed}, ${limit === Infinity ? 'all' : `at most ${limit}`} mutations of a payload`);

const options = { seed, limit, venue: values.venue, only: values.case };
const results = [...soakAll(options), ...soakSpot(options), ...soakEvents(options)];
console.log(
  tableText(
    ['venue', 'simulated', 'recorded', 'calls', 'mutations', 'problems'],
    results.map((result) => [
      result.venue,
      String(result.simulated),
      String(result.recorded),
      result.calls,
      String(result.mutations),
      String(result.problems.length),
    ]),
  ),
);
const mutations = results.reduce((sum, result) => sum + result.mutations, 0);
const payloads = results.reduce((sum, result) => sum + result.simulated + result.recorded, 0);
const failed = results.filter((result) => result.problems.length > 0);
console.log(`${mutations} mutations of ${payloads} payloads at ${results.length} venues, seed ${seed}`);
for (const { venue, problems } of failed) {
  for (const problem of problems.slice(0, SHOWN)) console.log(`  ${problem}`);
  console.log(
    `repeat: npm run soak decode -- --seed ${seed} --limit ${limit} --venue ${venue.split(' ')[0]}`,
  );
}
const whole = values.venue === undefined && values.case === undefined;
if (whole && mutations < MIN_MUTATIONS) console.log(`fewer than ${MIN_MUTATIONS} mutations`);
process.exitCode = failed.length > 0 || (whole && mutations < MIN_MUTATIONS) ? 1 : 0;
