/**
 * The table of agreement between ccxt and this service, venue by field, on the simulated venues. `npm run check ccxt`;
 * `--write` puts it into docs/ccxt-agreement.md. Exit 1 on a disagreement that is no known mistake of ccxt.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../../scripts/usage.ts';
import { agreementTable } from './agreement.ts';
import { agreementDocument, allAgreements, allDisagreements, allSpotAgreements } from './document.ts';
import { Simulation } from './simulation.ts';
import { spotAgreementTable } from './spot/spot-agreement.ts';

answerHelp();

const sim = await Simulation.start();
const agreements = await allAgreements(sim);
const spot = await allSpotAgreements(sim);
await sim.close();

console.log(agreementTable(agreements));
console.log(spotAgreementTable(spot));
const problems = allDisagreements(agreements, spot);
for (const problem of problems) console.error(problem);
const compared = [...agreements, ...spot].reduce(
  (sum, { fields }) => sum + [...fields.values()].reduce((all, field) => all + field.compared, 0),
  0,
);
console.log(
  `${agreements.length} venues, spot of ${spot.length}, ${compared} values compared, ${problems.length} unexplained`,
);
if (process.argv.includes('--write')) {
  const path = fileURLToPath(new URL('../../docs/ccxt-agreement.md', import.meta.url));
  writeFileSync(path, agreementDocument(agreements, spot));
}
process.exitCode = problems.length === 0 ? 0 : 1;
