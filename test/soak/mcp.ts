/**
 * One authorization presented over HTTP and over both generations of MCP at once, again and again, by buyers some of whom
 * hang up: it buys one answer, once, and the ledger is what the chain says. `npm run soak mcp`; exit 1 where a bar is
 * missed.
 */
import { printBars } from '../../scripts/bars.ts';
import { tableText } from '../../src/host/process/table-text.ts';
import { soakMcp } from './mcp-run.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  rounds: { type: 'string', default: '1000' },
});
const seed = Number(values.seed);
const rounds = Number(values.rounds);
console.log(`seed ${seed}, ${rounds} authorizations`);
const report = await soakMcp({
  seed,
  rounds,
  progress: (done) => console.log(`${done} authorizations`),
});
const { problems, transports, mixed, cut, redelivered, transfers, signed, chainTotal, ledgerTotal } = report;
console.log(
  tableText(
    ['transport', 'presented', 'sold'],
    [...transports].map(([name, { asked, sold }]) => [name, String(asked), String(sold)]),
  ),
);
for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
const missed = printBars([
  { name: 'breaches', value: problems.length, sign: '<=', bar: 0 },
  { name: 'transfers for each authorization', value: transfers / rounds, sign: '<=', bar: 1 },
  { name: 'atomic units signed for and not moved', value: Number(signed - chainTotal), sign: '<=', bar: 0 },
  { name: 'atomic units, chain less ledger', value: Number(chainTotal - ledgerTotal), sign: '<=', bar: 0 },
  { name: 'atomic units, ledger less chain', value: Number(ledgerTotal - chainTotal), sign: '<=', bar: 0 },
  { name: 'authorizations presented over both at once', value: mixed, sign: '>=', bar: rounds * 0.9 },
  { name: 'answers cut off and given again', value: redelivered, sign: '>=', bar: 1 },
]);
console.log(
  `${rounds} authorizations, ${mixed} over HTTP and MCP at once, ${cut} cut off, ${redelivered} given again, ${transfers} transfers, chain ${chainTotal}, ledger ${ledgerTotal} atomic units, ${problems.length} breaches, ${missed} bars missed, seed ${seed}`,
);
process.exitCode = missed === 0 ? 0 : 1;
