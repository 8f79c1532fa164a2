import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Forms in which a file can be sent, by content coding; the plain one is always there. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/**
 * The built page. The name of a file contains a hash of its content, so that each name has one content for
 * ever.
 */
export interface PageFiles {
  readonly document: string;
  readonly files: ReadonlyMap<string, PageFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const DOCUMENT = 'index.html';

/** `dist/web` of the package or checkout that this code runs from, built or not. */
function builtFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'dist', 'web', DOCUMENT)) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return join(folder, 'dist', 'web');
}

/** Reads the page into memory: it is small. Undefined where it was never built. */
export function readPageFiles(folder = builtFolder()): PageFiles | undefined {
  const path = join(folder, DOCUMENT);
  if (!existsSync(path)) return undefined;
  const names = readdirSync(folder);
  const form = (name: string): Buffer | undefined =>
    names.includes(name) ? readFileSync(join(folder, name)) : undefined;
  const files = names.flatMap((name): [string, PageFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const plain = readFileSync(join(folder, name));
    return [[name, { type, plain, br: form(`${name}.br`), gzip: form(`${name}.gz`) }]];
  });
  return { document: readFileSync(path, 'utf8'), files: new Map(files) };
}
