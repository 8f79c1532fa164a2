import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODULES } from '../../src/modules/list.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'src/modules/list.ts';

const folderOf = (id: string): string => `src/modules/${id}`;
/** Files outside the product, tests and fixtures beside it among them, are left out where they import what is removed. */
const isOutside = (path: string): boolean =>
  /^(test|bench|scripts)\/.*\.m?tsx?$|^(src|packages)\/.*(\.test|-fixture)\.ts$/.test(path);
const isTest = (path: string): boolean => /^(src|test|packages)\/.*(?<!\.long)\.test\.ts$/.test(path);

/** Paths of the tree, committed or not, from its root. */
function pathsOfTree(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** Relative imports of a source, as paths from the root. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const named = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'(\.[^']+)'/g);
  return [...named].map(([, name = '']) => resolve('/', dirname(path), name).slice(1));
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

/** The rest of the tree while a module is removed from it. */
export interface Rest {
  /** Folder of the copy. */
  readonly root: string;
  /** Modules that are removed: the one, and those that need it. */
  readonly removed: readonly string[];
  /** Files of test, bench and scripts, and tests and fixtures in src and packages, that import what is removed, directly or through another such file. */
  readonly leftOut: readonly string[];
  /** Test files of the rest, with what each imports. */
  readonly tests: ReadonlyMap<string, readonly string[]>;
}

/** A copy of the tree below the system's temporary folder, out of which one module after another is taken. */
export class TreeCopy {
  readonly #root: string;
  readonly #list = readFileSync(join(ROOT, LIST), 'utf8');
  readonly #imports: ReadonlyMap<string, readonly string[]>;

  constructor() {
    const paths = pathsOfTree();
    this.#root = mkdtempSync(join(tmpdir(), 'perpmeter-modules-'));
    for (const path of paths) cpSync(join(ROOT, path), join(this.#root, path));
    symlinkSync(join(ROOT, 'node_modules'), join(this.#root, 'node_modules'));
    const read = paths.filter((path) => isOutside(path) || isTest(path));
    this.#imports = new Map(read.map((path) => [path, importsOf(path)]));
  }

  /** Does some work over the rest without a module, and puts the module back. */
  without<Done>(id: string, work: (rest: Rest) => Done): Done {
    const removed = removedWith(id);
    for (const gone of removed) rmSync(join(this.#root, folderOf(gone)), { recursive: true });
    writeFileSync(join(this.#root, LIST), listWithout(removed, this.#list));
    try {
      return work(this.#rest(removed));
    } finally {
      for (const gone of removed)
        cpSync(join(ROOT, folderOf(gone)), join(this.#root, folderOf(gone)), { recursive: true });
    }
  }

  #rest(removed: readonly string[]): Rest {
    const folders = removed.map((id) => `${folderOf(id)}/`);
    const isRemoved = (path: string): boolean => folders.some((folder) => path.startsWith(folder));
    const leftOut = new Set<string>();
    for (let size = -1; size !== leftOut.size; ) {
      size = leftOut.size;
      for (const [path, imported] of this.#imports)
        if (isOutside(path) && imported.some((target) => leftOut.has(target) || isRemoved(target)))
          leftOut.add(path);
    }
    const kept = [...this.#imports].filter(
      ([path]) => isTest(path) && !leftOut.has(path) && !isRemoved(path),
    );
    return { root: this.#root, removed, leftOut: [...leftOut], tests: new Map(kept) };
  }

  remove(): void {
    rmSync(this.#root, { recursive: true });
  }
}
