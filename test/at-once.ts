import type { Soon } from '../src/modules/tables/soon.ts';

/** The answer of a store on this disk, which is there at once. @throws Error where it comes later */
export function atOnce<T>(value: Soon<T>): T {
  if (value instanceof Promise) throw new Error('the answer comes later');
  return value;
}
