import type { Module, ReadSettings } from './module.ts';
import { modulesOn } from './open-modules.ts';
import type { Seams } from './seams.ts';

/** A module, as far as its parts of the spine are looked at. */
type WithSeams = Pick<Module, 'id' | 'off' | 'seams'>;

/**
 * The parts of the spine that the modules give which are on.
 *
 * @throws Error that names two modules which give the same part
 */
export function seamsOf(modules: readonly WithSeams[], settings: ReadSettings): Seams {
  const givers = new Map<string, string>();
  const seams: Seams = {};
  for (const { id, seams: give } of modulesOn(modules, settings)) {
    const given = give?.(settings) ?? {};
    for (const part of Object.keys(given)) {
      const other = givers.get(part);
      if (other !== undefined) throw new Error(`the modules ${other} and ${id} both give the part ${part}`);
      givers.set(part, id);
    }
    Object.assign(seams, given);
  }
  return seams;
}
