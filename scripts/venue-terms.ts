/**
 * Writes the section of each VENUE.md that says which terms of contracts the venue's list states: `npm run docs venues`.
 * With `--check` it writes nothing and exits 1 where a page is out of date.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VENUES } from '../src/venues/registry.ts';
import { termsLines } from '../test/venues/terms-check.ts';
import { writeGeneratedPart } from './generated-part.ts';

const COMMAND = 'npm run docs venues';

for (const { id, terms } of VENUES) {
  if (terms === undefined) continue;
  const path = `src/venues/${id}/VENUE.md`;
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const isNew = !readFileSync(file, 'utf8').includes(`<!-- by ${COMMAND} -->`);
  if (isNew && !process.argv.includes('--check'))
    appendFileSync(file, `\n## Contract terms\n\n<!-- by ${COMMAND} -->\n<!-- end -->\n`);
  const [first, ...rest] = termsLines(terms);
  writeGeneratedPart(path, COMMAND, `${first}\n\n${rest.join('\n')}\n`);
}
