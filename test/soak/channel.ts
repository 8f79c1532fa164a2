/**
 * Hostile buyers by payment channel against a service and a process that claims, both killed in the midst of sales, deposits and
 * claims, on a real chain; the facilitator cannot pay half of the time. `npm run soak channel`; exit 1 where something was charged that
 * was not sold, signed or deposited, or where chain and ledger differ by one atomic unit.
 */
import { tableText } from '../../src/host/process/table-text.ts';
import { soakChannel } from './channel-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  vouchers: { type: 'string', default: '20000' },
  kills: { type: 'string', default: '200' },
});
const seed = Number(values.seed);
const vouchers = Number(values.vouchers);
const kills = Number(values.kills);
console.log(`seed ${seed}, ${vouchers} vouchers, ${kills} kills`);
const began = performance.now();
const result = await soakChannel({
  seed,
  vouchers,
  kills,
  progress: (kill, sent) => {
    if (kill % 20 === 0) console.log(`kill ${kill}: ${sent} vouchers`);
  },
});
const rows = [...result.statuses].map(([name, count]) => [name, String(count)]);
console.log(
  tableText(
    ['answer', 'times'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  ),
);
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(
  `${result.vouchers} vouchers, ${result.kills} kills, ${result.channels} channels, ${result.sales} sales, ${result.served} served, ${result.lost} lost by kills and not asked for again, charged ${result.charged}, claimed ${result.claimed}, received ${result.received} atomic units, ${result.problems.length} breaches, ${seconds} s, seed ${seed}`,
);
if (result.problems.length > 0) process.exitCode = 1;
