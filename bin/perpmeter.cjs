#!/usr/bin/env node
// The store's queries hold threads of the pool that zlib, files and DNS use too. Node.js sizes it at its first use,
// and loading an ES module is such a use: so this file is none.
process.env.UV_THREADPOOL_SIZE ??= '12';

import('tsx/esm/api')
  .then(({ register }) => {
    register();
    return import('../src/cli/main.ts');
  })
  .catch((cause) => {
    console.error(cause);
    process.exitCode = 1;
  });
