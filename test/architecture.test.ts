import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MODULES } from '../src/modules/list.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SRC = join(ROOT, 'src');
const SIM = join(ROOT, 'packages/sim/src');

/** The core but for what puts it together. */
const SPINE = [
  'domain',
  'storage',
  'venues',
  'collect',
  'market',
  'tape',
  'feed',
  'history',
  'products',
  'pay',
  'api',
] as const;

/** Modules of their own outside `src`. */
const OUTSIDE: Readonly<Record<string, string>> = {
  sim: SIM,
  client: join(ROOT, 'packages/client'),
  web: join(ROOT, 'web'),
};

/**
 * Modules that each one may import besides itself; those of the service and the simulated venues import
 * `runtime`, too. The line of the data flow, read from right to left.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  domain: [],
  storage: ['domain'],
  venues: ['domain'],
  collect: ['domain', 'venues'],
  market: ['domain', 'storage', 'venues', 'collect'],
  tape: ['domain', 'collect', 'market'],
  feed: ['domain', 'collect', 'market', 'tape'],
  history: ['domain', 'storage', 'venues', 'collect', 'market'],
  products: ['domain', 'venues', 'collect', 'market', 'history'],
  pay: ['domain', 'storage'],
  sim: ['domain'],
  client: [],
  web: ['client'],
  api: ['domain', 'storage', 'venues', 'collect', 'market', 'feed', 'history', 'products', 'pay'],
  host: [...SPINE, 'client'],
  modules: [...SPINE, 'sim', 'client', 'host'],
  cli: [...SPINE, 'client', 'host', 'modules'],
};

function sourceFiles(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return name === 'dist' ? [] : sourceFiles(path);
    return /\.tsx?$/.test(path) && !path.endsWith('.test.ts') ? [path] : [];
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const named = [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'([^']+)'/g)].map((m) => m[1] ?? '');
  return named.flatMap((name) => {
    if (name.startsWith('.')) return [resolve(dirname(file), name)];
    const [, id = '', path = 'index'] = /^@perpmeter\/(\w+)(?:\/(.+))?$/.exec(name) ?? [];
    return id === '' ? [] : [join(ROOT, 'packages', id, 'src', `${path}.ts`)];
  });
}

/** The view of a module: a part of the page, in the module's folder. */
const VIEW = /\/src\/modules\/[^/]+\/view\//;
/** The lists of all views and sections, which are made from those of core and modules. */
const SECTIONED = ['quality', 'operator', 'asset', 'pair'];
const MADE_LISTS = ['view-list.ts', ...SECTIONED.map((view) => `sections/${view}.ts`)].map((path) =>
  join(ROOT, 'web', path),
);

/** The module of a file: its folder in `src`, or what stands outside; undefined for what is neither. */
function roomOf(file: string): string | undefined {
  if (VIEW.test(file)) return 'web';
  const [outside] = Object.entries(OUTSIDE).find(([, folder]) => file.startsWith(`${folder}/`)) ?? [];
  return outside ?? (file.startsWith(`${SRC}/`) ? relative(SRC, file).split('/')[0] : undefined);
}

/** Schemas of documents that a module's views show: the page takes their types. */
const SCHEMAS = /\/src\/modules\/[^/]+\/schemas\/[^/]+\.ts$/;

const isAllowed = (from: string, to: string): boolean =>
  from === to ||
  (to === 'runtime' && from !== 'client' && from !== 'web') ||
  (MAY_IMPORT[from] ?? []).includes(to);

const files = [SRC, ...Object.values(OUTSIDE)].flatMap(sourceFiles);
const known = new Set(files);

describe('architecture', () => {
  it('every source file belongs to a declared module', () => {
    const unlisted = files.map((file) => roomOf(file) ?? file).filter((room) => !(room in MAY_IMPORT));
    expect([...new Set(unlisted)]).toEqual([]);
  });

  it('imports follow the declared direction', () => {
    const wrong = files.flatMap((file) => {
      const from = roomOf(file) ?? '';
      return importsOf(file).flatMap((target) => {
        const to = roomOf(target);
        if (to === undefined || isAllowed(from, to) || (from === 'web' && SCHEMAS.test(target))) return [];
        return [`${relative(ROOT, file)} (${from}) imports ${relative(ROOT, target)} (${to})`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('the service: only the demo imports the simulated venues', () => {
    const others = files
      .filter((file) => file.startsWith(`${SRC}/`) && !file.startsWith(`${SRC}/modules/demo/`))
      .filter((file) => importsOf(file).some((target) => target.startsWith(`${SIM}/`)));
    expect(others.map((file) => relative(ROOT, file))).toEqual([]);
  });

  it('the core: it knows no server that several hosts share', () => {
    const clients = /(?:from|import\() *'(?:pg|@nats-io\/[^']+)'/;
    const wrong = files
      .filter((file) => file.startsWith(`${SRC}/`) && roomOf(file) !== 'modules')
      .filter((file) => clients.test(readFileSync(file, 'utf8')));
    expect(wrong.map((file) => relative(SRC, file))).toEqual([]);
  });

  it('the core: only the program imports modules, and only their list', () => {
    const list = join(SRC, 'modules/list.ts');
    const wrong = files
      .filter((file) => !file.startsWith(`${SRC}/modules/`) && !MADE_LISTS.includes(file))
      .flatMap((file) => importsOf(file).filter((target) => target.startsWith(`${SRC}/modules/`)))
      .filter((target) => target !== list && !SCHEMAS.test(target));
    expect(wrong.map((target) => relative(SRC, target))).toEqual([]);
  });

  it('the page: it takes types alone from the schemas of modules', () => {
    const imports = /^(import|export) (type )?[^;]*?from '([^']+)'/gm;
    const wrong = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(imports)]
        .filter(([, , type, name = '']) => type === undefined && SCHEMAS.test(resolve(dirname(file), name)))
        .filter(() => roomOf(file) !== 'modules')
        .map(([statement]) => `${relative(ROOT, file)}: ${statement}`),
    );
    expect(wrong).toEqual([]);
  });

  it('payments: nothing but the list of schemes knows one', () => {
    const schemes = join(SRC, 'pay/schemes/');
    const own = ['entry.ts', 'list.ts'].map((name) => join(schemes, name));
    const wrong = files
      .filter((file) => file.startsWith(join(SRC, 'pay/')) && !file.startsWith(schemes))
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith(schemes) && !own.includes(target));
    expect(
      wrong.map(({ file, target }) => `${relative(SRC, file)} imports ${relative(SRC, target)}`),
    ).toEqual([]);
    const words = /\bvalidBefore\b|\bvalidAfter\b|transferWithAuthorization|EIP-3009/;
    const knowing = files
      .filter((file) => file.startsWith(join(SRC, 'pay/')) && !file.startsWith(schemes))
      .filter((file) => words.test(readFileSync(file, 'utf8')));
    expect(knowing.map((file) => relative(SRC, file))).toEqual([]);
  });

  it('payments: nothing of them knows how sales are signed', () => {
    const words = /merkle|\bjws\b|did:web|KeyRing|DailyRoots|perpmeter-receipt|receipt[-_]?keys/i;
    const knowing = files
      .filter((file) => file.startsWith(join(SRC, 'pay/')))
      .filter((file) => words.test(readFileSync(file, 'utf8')));
    expect(knowing.map((file) => relative(SRC, file))).toEqual([]);
  });

  it('a module imports another only where it needs it', () => {
    const needs = new Map(MODULES.map(({ id, needs: needed = [] }) => [id, needed]));
    const LISTS = ['list.ts', 'routes.ts'];
    const moduleOf = (file: string): string => relative(join(SRC, 'modules'), file).split('/')[0] ?? '';
    const wrong = files
      .filter((file) => file.startsWith(`${SRC}/modules/`) && !LISTS.includes(moduleOf(file)))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => target.startsWith(`${SRC}/modules/`) && moduleOf(target) !== moduleOf(file))
          .filter((target) => !(needs.get(moduleOf(file)) ?? []).includes(moduleOf(target)))
          .map((target) => `${relative(SRC, file)} imports ${relative(SRC, target)}`),
      );
    expect(wrong).toEqual([]);
  });

  it('a product is not made of another: what they share is in the folders', () => {
    const products = new Set(files.filter((file) => /\/products\/[^/]+\.ts$/.test(file)));
    products.delete(join(SRC, 'products/define-product.ts'));
    const inProducts = files.filter((file) => roomOf(file) === 'products');
    const wrong = inProducts.flatMap((file) => importsOf(file).filter((target) => products.has(target)));
    expect(wrong.map((target) => relative(SRC, target))).toEqual([]);
  });

  it('there are no circular imports', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file).filter((target) => known.has(target))]));
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        circles.push(
          [...path.slice(path.indexOf(file)), file].map((step) => relative(ROOT, step)).join(' -> '),
        );
        return;
      }
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });

  it('there is no folder for unrelated code', () => {
    const drawers = files.filter((file) =>
      /(^|\/)(utils?|helpers?|common|misc)(\/|\.tsx?$)/.test(relative(ROOT, file)),
    );
    expect(drawers).toEqual([]);
  });

  it('domain, venues and products use no sockets, files or clocks', () => {
    const io = /from '(node:(fs|net|http|https|tls|dgram|child_process|worker_threads)|undici|ws|lmdb)/;
    const clock = /\bDate\.now\(|performance\.now\(|\bnew Date\(\)/;
    const wrong = files
      .filter((file) => ['domain', 'venues', 'products'].includes(roomOf(file) ?? ''))
      .filter((file) => !file.endsWith('domain/clock.ts'))
      .filter((file) => {
        const text = readFileSync(file, 'utf8');
        return io.test(text) || clock.test(text);
      });
    expect(wrong.map((f) => relative(SRC, f))).toEqual([]);
  });
});
