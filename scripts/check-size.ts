/**
 * Lines of code without blank lines and comments: of the core (src without the modules), of each module, and of the product
 * (core, modules, page and client, without simulated venues), against the bars of `size-bars.json`. Tests and fixtures do not
 * count. Prints a table, how far core and product are from their goals, and one summary line; exits 1 beyond a bar, so that
 * growth is a decision that a diff of the bars shows. `npm run check size`; `--write` sets the bars of core and product to what
 * is there, rounded up to the next 500.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Measured, printBars } from './bars.ts';
import { codeLines } from './code-lines.ts';
import bars from './size-bars.json' with { type: 'json' };
import { answerHelp } from './usage.ts';

answerHelp();

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BARS_FILE = join(ROOT, 'scripts/size-bars.json');
/** The sizes that the design aims at. */
const GOALS = { core: 45_000, product: 70_000 } as const;
const STEP = 500;
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

const roundedUp = (lines: number): number => Math.ceil(lines / STEP) * STEP;
const write = parseArgs({ options: { write: { type: 'boolean' } } }).values.write === true;
const held = write ? { core: roundedUp(core), module: bars.module, product: roundedUp(product) } : bars;
if (write) writeFileSync(BARS_FILE, `${JSON.stringify(held, null, 2)}\n`);

const rows: Measured[] = [
  { name: 'core', value: core, sign: '<=', bar: held.core },
  ...sizes.map(
    ({ id, lines }): Measured => ({ name: `module ${id}`, value: lines, sign: '<=', bar: held.module }),
  ),
  { name: 'product without simulated venues', value: product, sign: '<=', bar: held.product },
];
const missed = printBars(rows);
const toGo = (lines: number, goal: number): string => `${goal} (${Math.max(0, lines - goal)} to go)`;
console.log(`goals: core ${toGo(core, GOALS.core)}, product ${toGo(product, GOALS.product)}`);
console.log(
  `check size: core ${core}, ${sizes.length} modules ${inModules}, product ${product} lines of code; ${missed} bars missed`,
);
process.exitCode = missed === 0 ? 0 : 1;
