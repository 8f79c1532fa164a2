import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Paths of a venue's parts, from the root of the repository. */
export interface Places {
  readonly folder: string;
  readonly test: string;
  readonly simulated: string;
}

export const ADAPTERS = 'src/venues/registry.ts';
export const SIMULATED = 'packages/sim/src/venues/index.ts';
export const TEMPLATE: Places = {
  folder: 'src/venues/_template',
  test: 'src/venues/_template/template.test.ts',
  simulated: 'packages/sim/src/venues/_template.ts',
};

export function placesOf(id: string): Places {
  const folder = `src/venues/${id}`;
  return { folder, test: `${folder}/${id}.test.ts`, simulated: `packages/sim/src/venues/${id}.ts` };
}

/** Name of the constant that holds a simulated venue. */
export const simName = (id: string): string => `sim${capitalized(id)}`;

export const capitalized = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** A file of the template as it is for another venue. */
export function renamed(text: string, id: string, displayName = capitalized(id)): string {
  return text
    .replace(/\bsimTemplate\b/g, simName(id))
    .replace(/(?<!\.\/_)\btemplate\b/g, id)
    .replace(/\bTemplate\b/g, displayName);
}
