/**
 * Random requests over all routes of the OpenAPI document, most of them paid for: no 5xx but a 503 with Retry-After,
 * no 200 that fails its own schema, nothing settled that was not served. `npm run soak api`; exit 1 on a failure,
 * with the line that repeats it.
 */

import { tableText } from '../../src/host/process/table-text.ts';
import { soakApi } from './api-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  requests: { type: 'string', default: '50000' },
});
const seed = Number(values.seed);
const requests = Number(values.requests);
console.log(`seed ${seed}, ${requests} requests`);

const result = await soakApi({ seed, requests, progress: (done) => console.log(`${done} requests`) });
const statuses = [...result.statuses].sort(([a], [b]) => a - b);
console.log(
  tableText(
    ['status', 'answers'],
    statuses.map((pair) => pair.map(String)),
  ),
);
const sold = [...result.sold].sort(([a], [b]) => (a < b ? -1 : 1));
console.log(
  tableText(
    ['paid route', 'sold'],
    sold.map((pair) => pair.map(String)),
  ),
);
for (const problem of result.problems) console.log(`  ${problem}`);
console.log(
  `${requests} requests over ${result.operations} routes, ${result.settled} settled, ${result.problems.length} problems, seed ${seed}`,
);
if (result.problems.length > 0) {
  console.log(`repeat: npm run soak api -- --seed ${seed} --requests ${requests}`);
  process.exitCode = 1;
}
