/**
 * Random questions to the history against a plain reference, with and without corrections, on every engine, and all assets
 * of the simulated world against its truth: more of them than in the tests, and others. Prints a table and one summary line; exits 1 where a run fails.
 */
import { printRun, printRunHead, runTests } from '../../scripts/run-tests.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  times: { type: 'string', default: '10' },
  seed: { type: 'string', default: '2' },
});
const { times, seed } = values;
const FILES = ['test/history/engines.test.ts', 'test/truth/truth.test.ts'];
const env = {
  PERPMETER_PROPERTY_TIMES: times,
  PERPMETER_PROPERTY_SEED: seed,
  PERPMETER_ENGINES: 'all',
};

let failed = 0;
printRunHead('file');
for (const file of FILES) {
  const run = await runTests([file], env);
  if (run.code !== 0) failed++;
  printRun(file, run);
}
console.log(
  `soak properties: ${times} times the default runs, seed ${seed}: ${failed} of ${FILES.length} failed`,
);
process.exitCode = failed === 0 ? 0 : 1;
