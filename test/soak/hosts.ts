/**
 * Two hosts that share a receiver and a PostgreSQL are given each payment in the same moment, while hosts are killed and paused,
 * the server restarts, crashes and fails over, and the network between them fails. `npm run soak hosts`; exit 1 on a breach.
 */
import { postgresObstacle } from '../pay/postgres-server.ts';
import { BY_CHANNEL, BY_TRANSFER, type HostFault, soakHosts } from './hosts-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  rounds: { type: 'string', default: '100' },
  payments: { type: 'string', default: '12' },
  channels: { type: 'boolean', default: false },
});
const seed = Number(values.seed);
const rounds = Number(values.rounds);
const payments = Number(values.payments);
const obstacle = postgresObstacle();
if (obstacle !== undefined) throw new Error(obstacle);
console.log(`seed ${seed}, ${rounds} rounds of ${payments} payments`);
const progress = (round: number, fault: HostFault): void => {
  if (round % 20 === 0) console.log(`round ${round}: ${fault}`);
};
const options = { seed, rounds, payments, progress };
const result = await (values.channels ? byChannel() : byTransfer());
console.log('fault     rounds payments answers at first');
for (const [fault, { rounds: count, payments: sold, statuses }] of result.faults) {
  const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(
    `${fault.padEnd(9)} ${String(count).padStart(6)} ${String(sold).padStart(8)} ${answers.join(', ')}`,
  );
}
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
console.log(`${result.summary}, ${result.problems.length} breaches, seed ${seed}`);
if (result.problems.length > 0) process.exitCode = 1;

async function byTransfer() {
  const made = await soakHosts(options, BY_TRANSFER);
  const { books } = made;
  const summary = `${made.presented} payments at two hosts, ${books.paidNonces.size} paid, ${made.answered} answered alike by both, ${books.transfers} transfers, chain ${books.chainTotal}, ledger ${books.ledgerTotal} atomic units`;
  return { ...made, summary };
}

async function byChannel() {
  const made = await soakHosts(options, BY_CHANNEL);
  const summary = `${made.presented} totals of channels, two vouchers each at two hosts, ${made.answered} charged and answered alike by both, ${made.charged} atomic units, ${made.earned} claimed and paid out`;
  return { ...made, summary };
}
