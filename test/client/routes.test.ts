import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createClient } from '@perpmeter/client';
import { buildSync } from 'esbuild';
import { API } from 'typescript/unstable/sync';
import { describe, expect, it } from 'vitest';
import { clientFacts, clientRoutes } from '../../scripts/client-routes.ts';
import { methodName } from '../../scripts/client-schema.ts';
import { ROUTES } from '../../src/modules/routes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = `${ROOT}packages/client`;
const ROUTES_FILE = `${PACKAGE}/src/routes.ts`;
const MAX_GZIP_BYTES = 15 * 1024;
const MAX_CHANNELS_BYTES = 8 * 1024;
const MAX_UPKEEP_BYTES = 3 * 1024;
const MAX_FOLLOW_BYTES = 4 * 1024;

/** The compiler's complaints about a recipe, with these routes in the place of the built ones. */
function complaints(recipe: string, routes: string): readonly string[] {
  const api = new API({
    cwd: ROOT,
    fs: { readFile: (name: string) => (name === ROUTES_FILE ? routes : undefined) },
  });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${PACKAGE}/recipes/tsconfig.json`] });
    const [project] = snapshot.getProjects();
    const found = project?.program.getSemanticDiagnostics(`${PACKAGE}/recipes/${recipe}`);
    if (found === undefined) throw new Error('the recipes are no project');
    return found.map(({ text }) => text);
  } finally {
    api.close();
  }
}

describe('the client’s routes', () => {
  it('built before the tests: are what the route table says', () => {
    expect(readFileSync(ROUTES_FILE, 'utf8')).toBe(clientRoutes(ROUTES));
    expect(readFileSync(`${PACKAGE}/src/route-facts.ts`, 'utf8')).toBe(clientFacts(ROUTES));
  });

  it('are a function each', () => {
    const client = createClient({ baseUrl: 'https://data.example.com' });
    const missing = ROUTES.filter(({ id }) => !(methodName(id) in client)).map(({ id }) => id);
    expect(missing).toEqual([]);
  });

  it('break the build of whoever uses a field that was renamed in its schema', () => {
    const renamed = ROUTES.map((route) => {
      const text = JSON.stringify(route.answer).replaceAll('"apr_spread_pct"', '"apr_gap_pct"');
      return { ...route, answer: JSON.parse(text) as unknown };
    });
    expect(complaints('funding-alert.ts', clientRoutes(ROUTES))).toEqual([]);
    expect(complaints('funding-alert.ts', clientRoutes(renamed))).toEqual(
      expect.arrayContaining([expect.stringContaining("Property 'apr_spread_pct' does not exist")]),
    );
  });
});

describe('the client’s bundle', () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [`${PACKAGE}/src/index.ts`],
    // Neutral: what no platform has cannot be resolved.
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    metafile: true,
    tsconfigRaw: '{}',
    outdir: 'none',
  });

  it('has at most 15 KB (gzip), and loads channels and streams when needed', () => {
    const { outputs } = metafile;
    const nameOf = (source: string): string =>
      Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(source)) ?? source;
    /** An output with all that is loaded before it runs. */
    const withImports = (name: string): readonly string[] => {
      const imported = (outputs[name]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
      return [name, ...imported.flatMap(({ path }) => withImports(path))];
    };
    const sizeOf = (names: ReadonlySet<string>) =>
      outputFiles
        .filter(({ path }) => [...names].some((name) => path.endsWith(`/${name}`)))
        .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
    const main = new Set(withImports(nameOf('/src/index.ts')));
    const channels = new Set(withImports(nameOf('/channels/index.ts')).filter((name) => !main.has(name)));
    const upkeep = new Set(withImports(nameOf('/channels/upkeep.ts')));
    const upkeepAlone = new Set([...upkeep].filter((name) => !main.has(name) && !channels.has(name)));
    const follow = new Set(withImports(nameOf('/follow/follower.ts')).filter((name) => !main.has(name)));
    expect(sizeOf(main)).toBeLessThanOrEqual(MAX_GZIP_BYTES);
    expect(sizeOf(channels)).toBeLessThanOrEqual(MAX_CHANNELS_BYTES);
    expect(sizeOf(upkeepAlone)).toBeLessThanOrEqual(MAX_UPKEEP_BYTES);
    expect(sizeOf(follow)).toBeLessThanOrEqual(MAX_FOLLOW_BYTES);
    const socket = new Set(withImports(nameOf('/follow/web-socket.ts')).filter((name) => !main.has(name)));
    for (const size of [main, channels, upkeepAlone, follow].map(sizeOf)) expect(size).toBeGreaterThan(1000);
    expect(sizeOf(socket)).toBeGreaterThan(500);
    const parts = [main, channels, upkeepAlone, follow, socket];
    expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(outputFiles.length);
  });

  it('imports nothing, neither of Node.js, the service nor anybody else', () => {
    const own = Object.keys(metafile.inputs).filter((file) => /(?:^|\/)packages\/client\/src\//.test(file));
    expect(own).toEqual(Object.keys(metafile.inputs));
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter(({ external = false }) => external)).toEqual([]);
    for (const { text } of outputFiles) expect(text).not.toMatch(/\b(?:Buffer|process|require)\b[.(]/);
  });
});
