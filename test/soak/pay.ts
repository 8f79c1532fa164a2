/**
 * Random adversarial payments against two service processes with one ledger, a chain of this machine, and facilitators
 * that hang, break off, lie and answer nonsense. `npm run soak pay`; exit 1 where the chain and the ledger differ by one
 * atomic unit, or an answer was served that was not paid for exactly once.
 */

import { tableText } from '../../src/host/process/table-text.ts';
import { readOptions } from './options.ts';
import { soakPay } from './pay-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  purchases: { type: 'string', default: '20000' },
});
const seed = Number(values.seed);
const purchases = Number(values.purchases);
console.log(`seed ${seed}, ${purchases} purchases`);
const began = performance.now();
const result = await soakPay({ seed, purchases, progress: (done) => console.log(`${done} purchases`) });
const rows = (map: ReadonlyMap<string | number, number>): string[][] =>
  [...map]
    .map(([name, count]) => [String(name), String(count)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
console.log(tableText(['status', 'answers'], rows(result.statuses)));
console.log(tableText(['settlement', 'times'], rows(result.faults)));
console.log(tableText(['in the ledger', 'payments'], rows(result.fates)));
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(
  `${purchases} purchases, ${result.served} served, ${result.transfers} transfers, chain ${result.chainTotal}, ledger ${result.ledgerTotal} atomic units, ${result.problems.length} breaches, ${seconds} s (buying ${result.sellSeconds.toFixed(0)} s, closing and comparing ${result.closeSeconds.toFixed(0)} s), seed ${seed}`,
);
if (result.problems.length > 0) process.exitCode = 1;
