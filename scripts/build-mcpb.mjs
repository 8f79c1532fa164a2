/**
 * Writes dist/mcpb/perpmeter-<version>.mcpb, the bundle of `perpmeter mcp` for desktop clients, with its checksum, and with
 * `--registry-name io.github.owner/perpmeter` the entry of the MCP registry, dist/mcpb/server.json; `--bundle-url <https>` names in it
 * where the bundle is published. Usage: npm run build:mcpb
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { drawIcon } from '../src/api/documents/icon.ts';
import { licenses } from './build.mjs';
import { buildRoutes } from './build-routes.mjs';
import { ICON, manifestOf, PROGRAM } from './mcpb/manifest.ts';
import { registryEntry } from './mcpb/registry.ts';
import { zipOf } from './mcpb/zip.ts';
import { answerHelp } from './usage.ts';

const options = { 'registry-name': { type: 'string' }, 'bundle-url': { type: 'string' } };
answerHelp(options);
const { values } = parseArgs({ options });
const FOLDER = 'dist/mcpb';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Packages of stores, servers and chains, native ones among them, to which the command never comes. */
const ABSENT =
  /^(?:lmdb|pg|@clickhouse\/client|@nats-io\/.*|chdb|ccxt|@foundry-rs\/anvil|secp256k1|prom-client|hyparquet-writer)(?:\/.*)?$/;
/** Bundled packages written for CommonJS ask for modules of Node.js so. */
const REQUIRE = "import{createRequire as r}from'node:module';const require=r(import.meta.url);";

/** The command with all that it loads in one file, which runs on every platform. */
async function program() {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/cli/mcp-main.ts'],
    outfile: 'perpmeter.js',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'eof',
    metafile: true,
    write: false,
    logLevel: 'error',
    banner: { js: REQUIRE },
    plugins: [
      {
        name: 'absent',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: 'absent' }));
          onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {}' }));
        },
      },
    ],
  });
  return { bytes: Buffer.from(outputFiles[0]?.contents ?? []), metafile };
}

await buildRoutes();
const { bytes, metafile } = await program();
const text = (content) => Buffer.from(content);
const bundle = zipOf([
  { name: 'manifest.json', bytes: text(`${JSON.stringify(manifestOf(version), null, 2)}\n`) },
  { name: ICON, bytes: drawIcon() },
  { name: 'package.json', bytes: text('{ "type": "module" }\n') },
  { name: PROGRAM, bytes },
  { name: 'LICENSES.txt', bytes: text(licenses([metafile])) },
]);
const file = `${FOLDER}/perpmeter-${version}.mcpb`;
const sha256 = createHash('sha256').update(bundle).digest('hex');
mkdirSync(FOLDER, { recursive: true });
writeFileSync(file, bundle);
const { 'registry-name': name, 'bundle-url': url } = values;
if (name !== undefined) {
  const entry = registryEntry(name, version, url === undefined ? undefined : { url, sha256 });
  writeFileSync(`${FOLDER}/server.json`, `${JSON.stringify(entry, null, 2)}\n`);
}
process.stdout.write(`${file}: ${(bundle.length / 2 ** 20).toFixed(1)} MB, SHA-256 ${sha256}\n`);
