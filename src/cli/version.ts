import { readFileSync } from 'node:fs';

const pkg: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const VERSION = pkg.version;
