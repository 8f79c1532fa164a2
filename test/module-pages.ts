import { readdirSync } from 'node:fs';

const MODULES = new URL('../src/modules/', import.meta.url);

/** Pages of documentation in the folders of modules. */
export const modulePages = (): readonly URL[] =>
  readdirSync(MODULES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(new URL(`${name}/`, MODULES))
        .filter((file) => file.endsWith('.md'))
        .map((file) => new URL(`${name}/${file}`, MODULES)),
    );
