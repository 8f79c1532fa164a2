/**
 * Two collectors with a simulated world each, two sellers and a NATS server between them, all real processes, are killed and
 * paused by turns; sellers must sell everything again in time, and nothing of a former holder. `npm run soak:cluster`; exit 1
 * where a bar is missed.
 */
import { cpus } from 'node:os';
import { printBars } from '../../scripts/bars.ts';
import { natsObstacle } from '../feed/nats-server.ts';
import { soakCluster } from './cluster-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  rounds: { type: 'string', default: '200' },
});
const [seed, rounds] = [Number(values.seed), Number(values.rounds)];
const obstacle = natsObstacle();
if (obstacle !== undefined) throw new Error(obstacle);
console.log(`seed ${seed}, ${rounds} rounds, ${cpus().length} cores`);
const result = await soakCluster({
  ...{ seed, rounds },
  progress: (round, fault) => {
    if (round % 10 === 0) console.log(`round ${round}: ${fault}`);
  },
});

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
console.log('fault          rounds   back after, ms: median   p99  longest');
const all: number[] = [];
for (const [fault, { rounds: count, backMs }] of result.faults) {
  const sorted = [...backMs].sort((a, b) => a - b);
  all.push(...sorted);
  const times =
    sorted.length === 0 ? ['-', '-', '-'] : [0.5, 0.99, 1].map((part) => at(sorted, part).toFixed(0));
  const [median = '', p99 = '', longest = ''] = times;
  console.log(
    `${fault.padEnd(14)} ${String(count).padStart(6)} ${median.padStart(24)} ${p99.padStart(5)} ${longest.padStart(8)}`,
  );
}
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
all.sort((a, b) => a - b);
const missed = printBars([
  { name: 'venues sold again after their holder ended, p99 ms', value: at(all, 0.99), sign: '<=', bar: 5000 },
  { name: 'rows of a former holder', value: result.wrongRows, sign: '<=', bar: 0 },
  { name: 'rows looked at', value: result.rows, sign: '>=', bar: rounds },
  { name: 'breaches', value: result.problems.length, sign: '<=', bar: 0 },
]);
if (missed > 0) process.exitCode = 1;
