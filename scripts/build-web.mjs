/**
 * The page: bundled for browsers, named by content, compressed once. What the first view needs is linked from
 * index.html; views and charts are pieces that load when they are opened.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Below this many bytes compression gains less than its header costs. */
const COMPRESS_FROM_BYTES = 860;
/** A program of its own, which the page starts by its name. */
const MATRIX_WORKER = 'web/views/matrix/matrix-worker.ts';

/** What all programs of the page are built with. */
const SETTINGS = {
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  // The checkout's own settings are for the type checker, and are not in a package's build.
  tsconfigRaw: '{}',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
};

/** A file with its compressed forms. */
function withForms(path, contents) {
  const forms = [{ path, contents }];
  if (contents.length < COMPRESS_FROM_BYTES) return forms;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
  };
  forms.push({ path: `${path}.br`, contents: brotliCompressSync(contents, { params }) });
  forms.push({ path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) });
  return forms;
}

/**
 * Builds the page's files, index.html last: it names the others.
 * @param root folder of the checkout
 * @param outdir where the files are meant to be
 */
export async function buildWeb(root, outdir) {
  const { build } = await import('esbuild');
  const settings = { ...SETTINGS, absWorkingDir: root, outdir };
  const { outputFiles: workers } = await build({ ...settings, entryPoints: [MATRIX_WORKER] });
  const { outputFiles: pieces, metafile } = await build({
    ...settings,
    entryPoints: { page: 'web/main.tsx' },
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { MATRIX_WORKER: JSON.stringify(`/web/${basename(workers[0].path)}`) },
    metafile: true,
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'web/main.tsx',
  );
  const mark = readFileSync(join(root, 'web/mark.svg'));
  const icon = `mark-${createHash('sha256').update(mark).digest('hex').slice(0, 8)}.svg`;
  const page = readFileSync(join(root, 'web/index.html'), 'utf8')
    .replace('%SCRIPT%', `/web/${basename(script)}`)
    .replace('%STYLE%', `/web/${basename(cssBundle)}`)
    .replace('%ICON%', `/web/${icon}`);
  const files = [
    ...[...pieces, ...workers].flatMap(({ path, contents }) => withForms(path, contents)),
    ...withForms(join(outdir, icon), mark),
    { path: join(outdir, 'index.html'), contents: Buffer.from(page) },
  ];
  return { files, metafile };
}
