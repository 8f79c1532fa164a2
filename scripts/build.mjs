/**
 * Bundles the sources into dist/: one program for the command line, one for the simulated venues, one that
 * runs ccxt, the pieces that several or only some commands load, and the page in dist/web/. What package.json names at run time stays outside; what is a development dependency
 * and yet imported (viem, @x402/evm) goes in, as far as it is used.
 * Usage: node scripts/build.mjs [--prepare: only where a source is newer, and never a failure]
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRoutes, ROUTE_SOURCES } from './build-routes.mjs';
import { buildWeb } from './build-web.mjs';
import { changedAt } from './changed-at.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const PROGRAMS = {
  perpmeter: 'src/cli/main.ts',
  sim: 'packages/sim/src/main.ts',
  ccxt: 'src/modules/second-reader/ccxt/second-main.ts',
};
/** What a build is made of; folders with all that is in them. */
const SOURCES = [
  ...ROUTE_SOURCES,
  'web',
  'packages/client/src',
  'packages/sim',
  'scripts/build.mjs',
  'scripts/build-routes.mjs',
  'scripts/build-web.mjs',
  'scripts/changed-at.mjs',
  'package.json',
  'tsconfig.json',
];
/** Written last; its time is the moment at which the build began. */
const STAMP = join(DIST, '.built');
const LICENSES = 'LICENSES.txt';

/**
 * True where a source is newer than the stamp, which has whole milliseconds at best: folders into which the routes were written
 * just before would be newer by a part of one.
 */
function isStale() {
  if (!existsSync(STAMP)) return true;
  const built = Math.round(statSync(STAMP).mtimeMs);
  return SOURCES.some((path) => Math.floor(changedAt(join(ROOT, path))) > built);
}

/** Folders of the packages of which something is in the bundle. */
function bundledPackages(metafiles) {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort();
}

/** The licenses of what is bundled, as they ask for. */
export function licenses(metafiles) {
  return bundledPackages(metafiles)
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : `\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Each file appears whole, and the programs after the pieces that they load: another process may be starting. */
function writeAll(files) {
  const isProgram = ({ path }) => basename(path, '.js') in PROGRAMS;
  for (const file of [...files].sort((a, b) => Number(isProgram(a)) - Number(isProgram(b)))) {
    mkdirSync(dirname(file.path), { recursive: true });
    const draft = `${file.path}.${process.pid}`;
    writeFileSync(draft, file.contents);
    renameSync(draft, file.path);
  }
}

/**
 * Builds dist/.
 * @param clean removes what earlier builds left; a service that runs from them may still want to load a piece
 */
export async function build({ clean }) {
  await buildRoutes();
  const began = new Date();
  const { build: bundle, stop } = await import('esbuild');
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { outputFiles, metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: DIST,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const web = await buildWeb(ROOT, join(DIST, 'web'));
  // A demo that built before it started would keep the bundler's process beside it.
  await stop();
  if (clean) rmSync(DIST, { recursive: true, force: true });
  const text = licenses([metafile, web.metafile]);
  writeAll([...web.files, ...outputFiles, { path: join(DIST, LICENSES), contents: text }]);
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
}

/**
 * Builds where a source is newer than the last build. An old build is used, and that is said, where none can be made:
 * without the development dependencies, or in a folder that cannot be written.
 */
export async function buildWhenStale() {
  if (!isStale()) return;
  try {
    const began = performance.now();
    await build({ clean: false });
    process.stderr.write(`perpmeter: built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    if (!existsSync(STAMP)) throw new Error(`the sources cannot be built (${reason}); run npm ci`, { cause });
    process.stderr.write(`perpmeter: an older build runs, the sources cannot be built: ${reason}\n`);
  }
}

if (process.argv[1] !== fileURLToPath(import.meta.url)) {
  // Imported: the start script asks for what it needs.
} else if (process.argv.includes('--prepare')) {
  // `npm ci` runs this. An installation without the development dependencies, or in part, must not fail by it.
  await buildWhenStale().catch(({ message }) => process.stderr.write(`perpmeter: ${message}\n`));
} else {
  await build({ clean: true });
  const bytes = readdirSync(DIST, { recursive: true }).reduce(
    (sum, name) => sum + statSync(join(DIST, name)).size,
    0,
  );
  process.stdout.write(`dist: ${(bytes / 2 ** 20).toFixed(1)} MB with source maps\n`);
}
