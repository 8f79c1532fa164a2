/**
 * The table of agreement between ccxt and this service, venue by field, on the simulated venues. `npm run check ccxt`;
 * `--write` puts it into docs/ccxt-agreement.md. Exit 1 on a disagreement that is no known mistake of ccxt.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../../scripts/usage.ts';
import { agreementTable } from './agreement.ts';
import { agreementDocument, allAgreements, allDisagreements } from './document.ts';
import { Simulation } from './simulation.ts';

answerHelp();

const sim = await Simulation.start();
const agreements = await allAgreements(sim);
await sim.close();

console.log(agreementTable(agreements));
const problems = allDisagreements(agreements);
for (const problem of problems) console.error(problem);
const compared = agreements.reduce(
  (sum, { fields }) => sum + [...fields.values()].reduce((all, field) => all + field.compared, 0),
  0,
);
console.log(`${agreements.length} venues, ${compared} values compared, ${problems.length} unexplained`);
if (process.argv.includes('--write')) {
  const path = fileURLToPath(new URL('../../docs/ccxt-agreement.md', import.meta.url));
  writeFileSync(path, agreementDocument(agreements));
}
process.exitCode = problems.length === 0 ? 0 : 1;
