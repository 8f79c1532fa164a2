import type { Static } from 'typebox';
import { oneOf } from '../answer/schema.ts';

export const structure = oneOf(['contango', 'backwardation', 'flat'], {
  description: 'Sign of the figure: positive, negative, or exactly zero',
});

/** positive = contango, negative = backwardation, exactly 0 = flat. */
export function structureOf(value: number): Static<typeof structure> {
  if (value === 0) return 'flat';
  return value > 0 ? 'contango' : 'backwardation';
}
