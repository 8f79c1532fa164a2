/**
 * Random bent addresses over keep-alive connections, some with a payment: no data of a paid route without a settled
 * payment, no 5xx. `npm run soak paths`; exit 1 on a failure, with the line that repeats it.
 */

import { tableText } from '../../src/host/process/table-text.ts';
import { readOptions } from './options.ts';
import { soakPaths } from './paths-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  requests: { type: 'string', default: '20000' },
});
const seed = Number(values.seed);
const requests = Number(values.requests);
console.log(`seed ${seed}, ${requests} requests`);

const result = await soakPaths({ seed, requests, progress: (done) => console.log(`${done} requests`) });
const statuses = [...result.statuses].sort(([a], [b]) => a - b);
console.log(
  tableText(
    ['status', 'answers'],
    statuses.map((pair) => pair.map(String)),
  ),
);
for (const problem of result.problems) console.log(`  ${problem}`);
console.log(
  `${requests} requests, ${result.sold} sold and settled, ${result.free} free, ${result.problems.length} problems, seed ${seed}`,
);
if (result.problems.length > 0) {
  console.log(`repeat: npm run soak paths -- --seed ${seed} --requests ${requests}`);
  process.exitCode = 1;
}
