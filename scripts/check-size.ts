/**
 * Lines of code without blank lines and comments: of the core (src without the modules), of each module, and of the product
 * (core, modules, page and client, without simulated venues), against their bars. Tests and fixtures do not count. Prints a
 * table and one summary line; exits 1 beyond a bar. `npm run check size`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, printBars } from './bars.ts';
import { codeLines } from './code-lines.ts';
import { answerHelp } from './usage.ts';

answerHelp();

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The most lines of code that each may have. */
const BARS = { core: 45_000, module: 2_800, product: 70_000 } as const;
const MODULES = 'src/modules';
/** The template is copied for a new venue and never run. */
const NOT_PRODUCT = ['src/venues/_template'];

const isCounted = (path: string): boolean =>
  /\.tsx?$/.test(path) &&
  !/\.test\.ts$|-fixture\.ts$/.test(path) &&
  !NOT_PRODUCT.some((folder) => path.startsWith(`${folder}/`));

function linesIn(folder: string): number {
  if (!existsSync(join(ROOT, folder))) return 0;
  const paths = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter(isCounted);
  return paths.reduce((sum, path) => sum + codeLines(readFileSync(join(ROOT, path), 'utf8')), 0);
}

const modules = existsSync(join(ROOT, MODULES))
  ? readdirSync(join(ROOT, MODULES), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  : [];
const sizes = modules.map(({ name: id }) => ({ id, lines: linesIn(`${MODULES}/${id}`) }));
const inModules = sizes.reduce((sum, { lines }) => sum + lines, 0);
const core = linesIn('src') - inModules;
const product = core + inModules + linesIn('web') + linesIn('packages/client/src');

const rows: Measured[] = [
  { name: 'core', value: core, sign: '<=', bar: BARS.core },
  ...sizes.map(
    ({ id, lines }): Measured => ({ name: `module ${id}`, value: lines, sign: '<=', bar: BARS.module }),
  ),
  { name: 'product without simulated venues', value: product, sign: '<=', bar: BARS.product },
];
const missed = printBars(rows);
console.log(
  `check size: core ${core}, ${sizes.length} modules ${inModules}, product ${product} lines of code; ${missed} bars missed`,
);
process.exitCode = missed === 0 ? 0 : 1;
