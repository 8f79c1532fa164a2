/**
 * Two collectors, two sellers behind haproxy as `ops/haproxy` has it, and three NATS servers are stopped in order and started again one after the
 * other, while buyers pay. `npm run soak:rolling`; exit 1 where more than one payment in a thousand is turned away, or one that
 * was charged.
 */
import { cpus, loadavg } from 'node:os';
import { printBars } from '../../scripts/bars.ts';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { readOptions } from './options.ts';
import { haproxyObstacle, soakRolling } from './rolling-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  payments: { type: 'string', default: '3000' },
  buyers: { type: 'string', default: '16' },
});
const [seed, payments, atOnce] = [Number(values.seed), Number(values.payments), Number(values.buyers)];
const obstacle = natsObstacle() ?? postgresObstacle() ?? haproxyObstacle();
if (obstacle !== undefined) throw new Error(obstacle);
console.log(`seed ${seed}, ${payments} payments, ${atOnce} at a time, ${cpus().length} cores`);
const began = performance.now();
const result = await soakRolling({
  ...{ seed, payments, atOnce },
  progress: (restarting) => console.log(`restarting: ${restarting}`),
});
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
for (const [said, times] of result.reasons) console.log(`  ${times} while restarting ${said}`);
const { statuses, books, restarts } = result;
const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
const count = (status: number): number => statuses.get(status) ?? 0;
const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
console.log(
  `${restarts} processes restarted in ${Math.round((performance.now() - began) / 1000)} s, ${all} payments (${answers.join(', ')}), ${books.transfers} transfers, chain ${books.chainTotal}, ledger ${books.ledgerTotal} atomic units, load ${loadavg()[0]?.toFixed(1)}, seed ${seed}`,
);
const missed = printBars([
  { name: 'turned away with 503, of a thousand', value: (count(503) / all) * 1000, sign: '<=', bar: 1 },
  { name: 'answered otherwise, or not at all', value: all - count(200) - count(503), sign: '<=', bar: 0 },
  { name: 'payments', value: all, sign: '>=', bar: payments },
  { name: 'breaches', value: result.problems.length, sign: '<=', bar: 0 },
]);
if (missed > 0) process.exitCode = 1;
