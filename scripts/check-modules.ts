/**
 * Removes each module in turn, its folder and its line in src/modules/list.ts, with the modules that need it, and checks the
 * types of the rest: `npm run check modules`. It works on a copy of the tree below the system's temporary folder. Left out are
 * files of test, bench and scripts that import the removed folder, directly or through another such file; no file of src or
 * packages is. Prints a table and one summary line; exits 1 where something else does not compile.
 *
 *   --only <ids>   these modules, comma separated
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tableText } from '../src/host/process/table-text.ts';
import { MODULES } from '../src/modules/list.ts';
import { answerHelp } from './usage.ts';

const OPTIONS = { only: { type: 'string' } } as const;
answerHelp(OPTIONS);
const { values } = parseArgs({ options: OPTIONS });

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = 'src/modules/list.ts';
/** Files that the build makes and nobody commits. */
const MADE = ['packages/client/src/routes.ts', 'packages/client/src/route-facts.ts'];
const SHOWN = 5;

const folderOf = (id: string): string => `src/modules/${id}`;
const isLeftOutIfAffected = (path: string): boolean => /^(test|bench|scripts)\//.test(path);

/** Paths of the tree, committed or not, from its root. */
function pathsOfTree(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  return [...paths, ...MADE];
}

function copyTree(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'perpmeter-modules-'));
  for (const path of paths) cpSync(join(ROOT, path), join(copy, path));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Relative imports of a source, as paths from the root. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const named = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'(\.[^']+)'/g);
  return [...named].map(([, name = '']) => resolve('/', dirname(path), name).slice(1));
}

/** Files that are left out with these folders. */
function affectedBy(folders: readonly string[], imports: ReadonlyMap<string, readonly string[]>) {
  const affected = new Set<string>();
  const isGone = (path: string): boolean =>
    affected.has(path) || folders.some((folder) => path.startsWith(`${folder}/`));
  for (let size = -1; size !== affected.size; ) {
    size = affected.size;
    for (const [path, imported] of imports) if (imported.some(isGone)) affected.add(path);
  }
  return affected;
}

/** The module, and those that need it. */
function removedWith(id: string): readonly string[] {
  const removed = new Set([id]);
  for (let size = 0; size !== removed.size; ) {
    size = removed.size;
    for (const { id: other, needs = [] } of MODULES)
      if (needs.some((needed) => removed.has(needed))) removed.add(other);
  }
  return [...removed];
}

/** The list of modules without some of them. */
function listWithout(ids: readonly string[], list: string): string {
  return ids.reduce((text, id) => {
    const line = new RegExp(`^import \\{ (\\w+) \\} from './${id}/module.ts';\\n`, 'm').exec(text);
    if (line === null) throw new Error(`${LIST} has no line of ${id}`);
    const [importLine, name] = line;
    const [imports = '', entries = ''] = text.replace(importLine, '').split('= [');
    return `${imports}= [${entries.replace(new RegExp(`\\b${name}\\b,?`), '')}`;
  }, list);
}

/** Faults of types in the copy, without these files. */
function typeFaults(copy: string, exclude: Iterable<string>): readonly string[] {
  const config = { extends: './tsconfig.json', exclude: [...exclude] };
  writeFileSync(join(copy, 'tsconfig.modules.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', 'tsconfig.modules.json', '--noEmit'], {
    cwd: copy,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

execFileSync(process.execPath, [join(ROOT, 'scripts/build-routes.mjs')]);
const paths = pathsOfTree();
const imports = new Map(
  paths
    .filter((path) => isLeftOutIfAffected(path) && /\.m?tsx?$/.test(path))
    .map((path) => [path, importsOf(path)] as const),
);
const only = values.only?.split(',');
const chosen = MODULES.filter(({ id }) => only === undefined || only.includes(id));
const copy = copyTree(paths);
const list = readFileSync(join(ROOT, LIST), 'utf8');
const rows: string[][] = [];
const faults: string[] = [];
try {
  for (const { id } of chosen) {
    const removed = removedWith(id);
    for (const gone of removed) rmSync(join(copy, folderOf(gone)), { recursive: true });
    writeFileSync(join(copy, LIST), listWithout(removed, list));
    const affected = affectedBy(removed.map(folderOf), imports);
    const found = typeFaults(copy, affected);
    rows.push([
      removed.join(' and '),
      String(affected.size),
      found.length === 0 ? 'compiles' : `${found.length} faults`,
    ]);
    faults.push(...found.slice(0, SHOWN).map((fault) => `without ${id}: ${fault}`));
    for (const gone of removed)
      cpSync(join(ROOT, folderOf(gone)), join(copy, folderOf(gone)), { recursive: true });
  }
} finally {
  rmSync(copy, { recursive: true });
}
process.stdout.write(tableText(['without', 'files left out', 'the rest'], rows));
for (const fault of faults) console.log(fault);
const failed = rows.filter(([, , rest]) => rest !== 'compiles').length;
console.log(
  `check modules: ${rows.length} modules removed in turn, ${failed} without which the rest does not compile`,
);
process.exitCode = failed === 0 ? 0 : 1;
