import type { SaleOpener } from '../pay/sale.ts';
import type { Module, ReadSettings } from './module.ts';
import { modulesOn } from './open-modules.ts';

/**
 * Parts of the spine that a module gives in the place of the core's own. A part is a function that opens it: the host, or a
 * command that needs no service, calls it where it wires that part, and calls the `stop` of the part that was opened, where it
 * has one. Its arguments are the spine that it needs; its settings are those that `Module.seams` was called with.
 */
export interface Seams {
  /** Signs offers, and issues what is stored and sent with a sale. Nothing of sales is signed without it. */
  readonly sale?: SaleOpener;
}

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
