import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const END = '<!-- end -->\n';

/**
 * Writes the part of a page that a script makes, between `<!-- by <command> -->` and `<!-- end -->`. With
 * `--check` the script writes nothing and sets exit code 1 if the part is out of date.
 *
 * @param path the page, from the root of the repository
 * @param command what writes the part, as it is typed
 * @throws where the page has no place for the part
 */
export function writeGeneratedPart(path: string, command: string, part: string): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const begin = `<!-- by ${command} -->\n`;
  const page = readFileSync(file, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`${path} has no place for what ${command} writes`);
  const wanted = `${page.slice(0, from)}${begin}\n${part}\n${page.slice(to)}`;
  if (!process.argv.includes('--check')) writeFileSync(file, wanted);
  else if (page !== wanted) {
    console.error(`${path} is out of date: ${command}`);
    process.exitCode = 1;
  }
}
