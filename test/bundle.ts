import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const made = new Map<string, Promise<string>>();

/**
 * A program of a bench or of a test, bundled as `npm run build` bundles the service: what is measured is what runs.
 * Translated on the fly, each function that a request makes would first be given its name, which costs a 402 a twentieth,
 * and each start would take half a second of CPU more.
 *
 * @returns the file, below `var/`
 */
export function bundle(program: URL): Promise<string> {
  const file = fileURLToPath(program);
  const known = made.get(file) ?? bundleFile(file);
  made.set(file, known);
  return known;
}

async function bundleFile(file: string): Promise<string> {
  const outfile = join(ROOT, 'var/bundled', `${basename(file, '.ts')}.mjs`);
  const { outputFiles } = await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    write: false,
    logLevel: 'warning',
  });
  // Whole, since what another process bundled may be starting.
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  return outfile;
}
