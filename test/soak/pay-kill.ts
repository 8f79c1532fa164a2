/**
 * Kills the serving process at random moments of paid load; after the restart the chain and the ledger must be equal
 * within five seconds of readiness. `npm run soak kill`; exit 1 on a breach.
 */
import { readOptions } from './options.ts';
import { soakKill } from './pay-kill-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  kills: { type: 'string', default: '200' },
});
const seed = Number(values.seed);
const kills = Number(values.kills);
console.log(`seed ${seed}, ${kills} kills`);
const result = await soakKill({
  seed,
  kills,
  progress: (kill, ms) => {
    if (kill % 20 === 0) console.log(`kill ${kill}: equal ${ms.toFixed(0)} ms after readiness`);
  },
});
for (const problem of result.problems.slice(0, 50)) console.log(`  ${problem}`);
console.log(
  `${result.kills} kills, ${result.interrupted} payments interrupted, ${result.fetched} cut-off answers fetched, ${result.declined} had already, ${result.sales} purchases, ${result.served} served, ${result.transfers} transfers, chain ${result.chainTotal}, ledger ${result.ledgerTotal} atomic units, slowest ${result.slowestMs.toFixed(0)} ms, ${result.problems.length} breaches, seed ${seed}`,
);
if (result.problems.length > 0) process.exitCode = 1;
