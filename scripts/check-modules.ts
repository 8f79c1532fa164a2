/**
 * Removes each module in turn, its folder and its line in src/modules/list.ts, with the modules that need it, and checks that
 * the rest compiles, the page and the client with it, and that tests of the rest pass: `npm run check modules`. It works on a
 * copy of the tree. Left out are files of test, bench and scripts, and tests and fixtures of src and packages, that import the
 * removed folder, directly or through another such file. Prints a table and one summary line; exits 1 where something else does not
 * compile or a test fails.
 *
 *   --only <ids>     these modules, comma separated
 *   --tests <which>  list (default): architecture, host, conformance, and tests that import the list of modules or its routes;
 *                    all: npm test of the rest, some minutes for each module; none
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tableText } from '../src/host/process/table-text.ts';
import { MODULES } from '../src/modules/list.ts';
import { type Rest, ROOT, TreeCopy } from './modules/removal.ts';
import { answerHelp } from './usage.ts';

const OPTIONS = { only: { type: 'string' }, tests: { type: 'string', default: 'list' } } as const;
answerHelp(OPTIONS);
const { values } = parseArgs({ options: OPTIONS });

/** Faults of one kind that are printed for each module. */
const SHOWN = 20;
const PLAIN = { ...process.env, NO_COLOR: '1' };
const LISTS = ['src/modules/list.ts', 'src/modules/routes.ts'];
const ALWAYS = /^(test\/architecture\.test|src\/host\/|test\/conformance\/)/;
/** Views are of the page's project, and the page's list of them is made anew. */
const NOT_OF_NODE = ['node_modules', 'src/modules/*/view'];

/** Runs a tool of the project in the rest; gives its exit code and what it wrote. */
function run(
  root: string,
  tool: string,
  args: readonly string[],
): readonly [code: number | null, said: string] {
  const program = join(ROOT, 'node_modules/.bin', tool);
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, env: PLAIN });
  return [done.status, done.stdout + done.stderr];
}

/** Faults of types in the rest. */
function typeFaults({ root, leftOut }: Rest): readonly string[] {
  // The result of the last rest spares most of the work on this one.
  const compilerOptions = { incremental: true, tsBuildInfoFile: 'var/modules.tsbuildinfo' };
  const exclude = [...NOT_OF_NODE, ...leftOut];
  const config = { extends: './tsconfig.json', compilerOptions, exclude };
  writeFileSync(join(root, 'tsconfig.modules.json'), JSON.stringify(config));
  const made = spawnSync(process.execPath, ['scripts/build-routes.mjs'], { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) return made.stderr.split('\n').slice(0, SHOWN);
  const projects = ['tsconfig.modules.json', 'web/tsconfig.json', 'packages/client/tsconfig.json'];
  return projects
    .flatMap((project) => run(root, 'tsc', ['-p', project, '--noEmit'])[1].split('\n'))
    .filter((line) => line.includes('error TS'));
}

/** The test files that are run of the rest. */
function testsOf({ tests }: Rest): readonly string[] {
  const isAsked = ([path, imported]: readonly [string, readonly string[]]): boolean =>
    values.tests === 'all' || ALWAYS.test(path) || imported.some((target) => LISTS.includes(target));
  return [...tests].filter(isAsked).map(([path]) => path);
}

/** Tests that fail, or undefined where none was run. */
function testFaults(rest: Rest): readonly string[] | undefined {
  if (values.tests === 'none') return undefined;
  const [code, said] = run(rest.root, 'vitest', ['run', ...testsOf(rest)]);
  if (code === 0) return [];
  const failed = [...said.matchAll(/^ *FAIL +\|?(?:together|alone)\|? +(.*)$/gm)].map(
    ([, name = '']) => name,
  );
  return failed.length > 0 ? failed : said.split('\n').slice(-SHOWN);
}

const verdict = (faults: readonly string[] | undefined, well: string): string =>
  faults === undefined ? 'not run' : faults.length === 0 ? well : `${faults.length} faults`;

const only = values.only?.split(',');
const chosen = MODULES.filter(({ id }) => only === undefined || only.includes(id));
const copy = new TreeCopy();
const rows: string[][] = [];
const faults: string[] = [];
let failed = 0;
try {
  for (const { id } of chosen)
    copy.without(id, (rest) => {
      const types = typeFaults(rest);
      const tests = types.length > 0 ? undefined : testFaults(rest);
      const ran = tests === undefined ? '' : ` of ${testsOf(rest).length} files`;
      const names = rest.removed.join(' and ');
      rows.push([
        names,
        String(rest.leftOut.length),
        verdict(types, 'compiles'),
        `${verdict(tests, 'pass')}${ran}`,
      ]);
      const found = [...types.slice(0, SHOWN), ...(tests ?? []).slice(0, SHOWN)];
      faults.push(...found.map((fault) => `without ${id}: ${fault}`));
      if (types.length > 0 || (tests ?? []).length > 0) failed += 1;
    });
} finally {
  copy.remove();
}
process.stdout.write(tableText(['without', 'files left out', 'the rest', 'its tests'], rows));
for (const fault of faults) console.log(fault);
console.log(`check modules: ${rows.length} modules removed in turn, ${failed} without which the rest fails`);
process.exitCode = failed === 0 ? 0 : 1;
