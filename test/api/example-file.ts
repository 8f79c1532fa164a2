import { existsSync, readdirSync } from 'node:fs';

const CORE = new URL('../../src/products/examples/', import.meta.url);
const MODULES = new URL('../../src/modules/', import.meta.url);

/** The folders of examples: the core's, and those of modules. */
const FOLDERS: readonly URL[] = [
  CORE,
  ...readdirSync(MODULES)
    .map((id) => new URL(`${id}/examples/`, MODULES))
    .filter((folder) => existsSync(folder)),
];

/** Every example that is kept, by its route's id: a module's is in its own folder. */
export const exampleFiles = (): ReadonlyMap<string, URL> =>
  new Map(
    FOLDERS.flatMap((folder) =>
      readdirSync(folder).map((name) => [name.replace(/\.json$/, ''), new URL(name, folder)] as const),
    ),
  );
