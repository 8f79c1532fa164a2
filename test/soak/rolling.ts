/**
 * Two sellers, two collectors, two recorders, three NATS servers, two shards of ClickHouse and PostgreSQL are stopped in order and started again one after
 * the other, and haproxy with the configuration of `ops/haproxy` is reloaded, while buyers pay. `npm run soak rolling`; exit 1 where more than
 * one payment in a thousand is turned away but while PostgreSQL restarts, or one that was charged, or a minute of the history is missing and not noted.
 */
import { cpus, loadavg } from 'node:os';
import { printBars } from '../../scripts/bars.ts';
import { natsObstacle } from '../feed/nats-server.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { haproxyObstacle } from './haproxy.ts';
import { readOptions } from './options.ts';
import { LEDGER, soakRolling } from './rolling-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  payments: { type: 'string', default: '3000' },
  buyers: { type: 'string', default: '16' },
});
const seed = Number(values.seed);
const payments = Number(values.payments);
const atOnce = Number(values.buyers);
const obstacle = natsObstacle() ?? postgresObstacle() ?? haproxyObstacle();
if (obstacle !== undefined) throw new Error(obstacle);
console.log(`seed ${seed}, ${payments} payments, ${atOnce} at a time, ${cpus().length} cores`);
const began = performance.now();
const result = await soakRolling({
  seed,
  payments,
  atOnce,
  progress: (restarting) => console.log(`restarting: ${restarting}`),
});
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
for (const [said, times] of result.reasons) console.log(`  ${times} while restarting ${said}`);
const { answers, books, restarted, history } = result;
console.log('restarted                payments   of them 503');
const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);
for (const [name, statuses] of answers)
  console.log(
    `${name.padEnd(24)} ${String(sum(statuses.values())).padStart(8)} ${String(statuses.get(503) ?? 0).padStart(13)}`,
  );
const counted = (status: number): number => sum([...answers.values()].map((each) => each.get(status) ?? 0));
const all = sum([...answers.values()].map((each) => sum(each.values())));
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `${restarted.length} processes restarted in ${seconds} s, ${all} payments (200: ${counted(200)}, 503: ${counted(503)}), ${books.transfers} transfers, chain ${books.chainTotal}, ledger ${books.ledgerTotal} atomic units, load ${loadavg()[0]?.toFixed(1)}, seed ${seed}`,
);
if (history === undefined) console.log('no history: ClickHouse cannot be started on this machine');
const missed = printBars([
  {
    name: `turned away with 503, of a thousand, but while ${LEDGER} restarted`,
    value: ((counted(503) - (answers.get(LEDGER)?.get(503) ?? 0)) / all) * 1000,
    sign: '<=',
    bar: 1,
  },
  { name: 'answered otherwise, or not at all', value: all - counted(200) - counted(503), sign: '<=', bar: 0 },
  { name: 'payments', value: all, sign: '>=', bar: payments },
  { name: 'minutes missing and not noted', value: history?.unexplained ?? 0, sign: '<=', bar: 0 },
  { name: 'rows of the history twice', value: history?.duplicates ?? 0, sign: '<=', bar: 0 },
  { name: 'breaches', value: result.problems.length, sign: '<=', bar: 0 },
]);
if (missed > 0) process.exitCode = 1;
