/**
 * Two hosts that share a receiver and a PostgreSQL are given each payment in the same moment, while hosts are killed and paused,
 * the server restarts, crashes and fails over, and the network between them fails. `npm run soak hosts`; exit 1 on a breach.
 */
import { postgresObstacle } from '../pay/postgres-server.ts';
import { soakHosts } from './hosts-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  rounds: { type: 'string', default: '100' },
  payments: { type: 'string', default: '12' },
});
const seed = Number(values.seed);
const rounds = Number(values.rounds);
const payments = Number(values.payments);
const obstacle = postgresObstacle();
if (obstacle !== undefined) throw new Error(obstacle);
console.log(`seed ${seed}, ${rounds} rounds of ${payments} payments`);
const result = await soakHosts({
  seed,
  rounds,
  payments,
  progress: (round, fault) => {
    if (round % 20 === 0) console.log(`round ${round}: ${fault}`);
  },
});
console.log('fault     rounds payments answers at first');
for (const [fault, { rounds: count, payments: sold, statuses }] of result.faults) {
  const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(
    `${fault.padEnd(9)} ${String(count).padStart(6)} ${String(sold).padStart(8)} ${answers.join(', ')}`,
  );
}
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
const { books } = result;
console.log(
  `${result.presented} payments at two hosts, ${books.paidNonces.size} paid, ${result.answered} answered alike by both, ${books.transfers} transfers, chain ${books.chainTotal}, ledger ${books.ledgerTotal} atomic units, ${result.problems.length} breaches, seed ${seed}`,
);
if (result.problems.length > 0) process.exitCode = 1;
