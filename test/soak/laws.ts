/**
 * Every test of a law on random cases, again and again with other cases: `npm run soak laws -- [--rounds 20] [--seed N]
 * [--only text of a path]`. Prints a table of rounds, what failed in each, and one summary line; exits 1 where a round
 * fails. The seed is new each time unless it is given.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { printRun, printRunHead, runTests } from '../../scripts/run-tests.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  rounds: { type: 'string', default: '20' },
  seed: { type: 'string', default: `${Date.now() % 1_000_000_000}` },
  only: { type: 'string', default: '' },
});
const rounds = Number(values.rounds);
const first = Number(values.seed);

const read = (path: string): string => readFileSync(path, 'utf8');

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`);
}

/** Test files that try random cases, or import a file beside them that does. */
function lawTests(): string[] {
  const sources = ['src', 'test', 'packages'].flatMap(sourcesIn);
  const random = new Set(sources.filter((path) => read(path).includes("from 'fast-check'")));
  const rigs = [...random].filter((path) => !path.endsWith('.test.ts')).map((path) => `/${basename(path)}'`);
  const isLaw = (path: string): boolean => random.has(path) || rigs.some((name) => read(path).includes(name));
  return sources
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.long.test.ts'))
    .filter((path) => path.includes(values.only) && isLaw(path))
    .sort();
}

const files = lawTests();
let failed = 0;
printRunHead('seed');
for (let round = 0; round < rounds; round++) {
  const seed = first + round;
  const run = await runTests(files, { PERPMETER_PROPERTY_SEED: `${seed}` });
  printRun(`${seed}`, run);
  if (run.code === 0) continue;
  failed++;
  // fast-check prints its finding with the path that shrinks to it.
  console.log(run.output.slice(run.output.indexOf('Failed Tests')));
}
console.log(`soak laws: ${files.length} files, ${rounds} rounds from seed ${first}: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
