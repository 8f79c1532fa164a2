/** Ends with 1 where CHANGELOG.md has no dated section for the version of package.json; `npm version` runs it. */
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json'));
const isDated = read('CHANGELOG.md')
  .split('\n')
  .some((line) => line.startsWith(`## ${version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/.test(line));
if (!isDated) {
  process.stderr.write(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)"\n`);
  process.exitCode = 1;
}
