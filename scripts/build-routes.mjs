/**
 * Writes the routes of the client's package from the route table, and the lists of the page's views and sections, where a source is newer than what was written last.
 * `npm ci`, the build, the types' check and the tests do so by themselves.
 * Usage: node scripts/build-routes.mjs
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { changedAt } from './changed-at.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The files that are written, by the name of their text in `made`. */
const FILES = {
  clientRoutes: 'packages/client/src/routes.ts',
  clientFacts: 'packages/client/src/route-facts.ts',
  pythonRoutes: 'packages/python/src/perpmeter/_routes.py',
  pythonColumns: 'packages/python/src/perpmeter/_columns.py',
  pythonFacts: 'packages/python/src/perpmeter/_facts.py',
  views: 'web/view-list.ts',
  qualitySections: 'web/sections/quality.ts',
  operatorSections: 'web/sections/operator.ts',
  assetSections: 'web/sections/asset.ts',
  pairSections: 'web/sections/pair.ts',
};
const SCRATCH = join(ROOT, 'var/bundled');
/** What these files are made of: the route table reaches most of `src`. */
export const ROUTE_SOURCES = [
  'src',
  'scripts/client-schema.ts',
  'scripts/client-routes.ts',
  'scripts/python',
  'scripts/page-views.ts',
  'package-lock.json',
];
const PROGRAM = `
  import { ROUTES } from './src/modules/routes.ts';
  import { clientFacts, clientRoutes } from './scripts/client-routes.ts';
  import { pythonColumns, pythonFacts } from './scripts/python/facts.ts';
  import { pythonRoutes } from './scripts/python/routes.ts';
  import { pageViews, sectionList, viewList } from './scripts/page-views.ts';
  export const made = {
    clientFacts: clientFacts(ROUTES),
    clientRoutes: clientRoutes(ROUTES),
    pythonColumns: pythonColumns(ROUTES),
    pythonFacts: pythonFacts(ROUTES),
    pythonRoutes: pythonRoutes(ROUTES),
    views: viewList(await pageViews()),
    qualitySections: sectionList('quality'),
    operatorSections: sectionList('operator'),
    assetSections: sectionList('asset'),
    pairSections: sectionList('pair'),
  };
`;

/** Stands in for the client: commands of modules import it, and its routes are still to be made. None of them runs here. */
const clientToCome = {
  name: 'client-to-come',
  setup(build) {
    build.onResolve({ filter: /\/packages\/client\/src\// }, ({ path }) => ({ path, namespace: 'client' }));
    build.onLoad({ filter: /./, namespace: 'client' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/** The texts that the route table makes, by function. Needs the development dependencies. */
async function madeOfRoutes() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    bundle: true,
    packages: 'external',
    plugins: [clientToCome],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    write: false,
    logLevel: 'warning',
  });
  // Below the root, where the packages are found that stay outside.
  const program = join(SCRATCH, `client-routes.${process.pid}.mjs`);
  writeFileSync(program, outputFiles[0].contents);
  try {
    return (await import(pathToFileURL(program).href)).made;
  } finally {
    rmSync(program);
  }
}

/** Replaces a file whose text is another. It appears whole: another process may be reading it. */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const draft = join(SCRATCH, `${basename(file)}.${process.pid}`);
  writeFileSync(draft, text);
  mkdirSync(dirname(file), { recursive: true });
  renameSync(draft, file);
}

/** Brings the routes up to date. Their files have the time of the latest source, so that they alone make no build stale. */
export async function buildRoutes() {
  const latest = Math.max(...ROUTE_SOURCES.map((path) => changedAt(join(ROOT, path))));
  const files = Object.entries(FILES).map(([name, path]) => ({ name, file: join(ROOT, path) }));
  // Times are set in whole microseconds at best.
  if (files.every(({ file }) => changedAt(file) >= Math.floor(latest))) return;
  mkdirSync(SCRATCH, { recursive: true });
  const made = await madeOfRoutes();
  for (const { name, file } of files) {
    write(file, made[name]);
    utimesSync(file, latest / 1000, latest / 1000);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildRoutes();
