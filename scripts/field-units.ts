/**
 * Writes the units of every venue's fields, with their evidence, from the tables of the VENUE.md pages:
 * `npm run docs units`. With `--check` it writes nothing and exits 1 where the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KNOWN_VENUES } from '../src/venues/registry.ts';
import { fieldUnits } from '../test/venues/field-units.ts';

const PATH = fileURLToPath(new URL('../src/products/field-units.json', import.meta.url));

const text = `${JSON.stringify(fieldUnits(KNOWN_VENUES), null, 2)}\n`;
const isSame = JSON.stringify(JSON.parse(readFileSync(PATH, 'utf8'))) === JSON.stringify(JSON.parse(text));
if (!process.argv.includes('--check')) writeFileSync(PATH, text);
else if (!isSame) {
  console.error('src/products/field-units.json is out of date: npm run docs units');
  process.exitCode = 1;
}
