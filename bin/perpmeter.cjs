// The store's queries hold threads of the pool that zlib, files and DNS use too. Node.js sizes it at its first use,
// and loading an ES module is such a use: so this file is none.
process.env.UV_THREADPOOL_SIZE ??= '12';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

async function start() {
  // A checkout builds what has changed; a package has no sources, and nothing to build.
  if (existsSync(join(__dirname, '../scripts/build.mjs'))) {
    const { buildWhenStale } = await import('../scripts/build.mjs');
    await buildWhenStale();
  }
  await import('../dist/perpmeter.js');
}

start().catch((cause) => {
  console.error(cause instanceof Error ? `perpmeter: ${cause.message}` : cause);
  process.exitCode = 1;
});
