import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const made = new Map<string, Promise<string>>();

/**
 * A program of a bench, bundled as `npm run build` bundles the service: what is measured is what runs. Translated on
 * the fly, each function that a request makes would first be given its name, which costs a 402 a twentieth.
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
  const outfile = join(ROOT, 'var/bench', `${basename(file, '.ts')}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
  });
  return outfile;
}
