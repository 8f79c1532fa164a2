/** positive = contango, negative = backwardation, exactly 0 = flat. */
export type Structure = 'contango' | 'backwardation' | 'flat';

export function structureOf(value: number): Structure {
  if (value === 0) return 'flat';
  return value > 0 ? 'contango' : 'backwardation';
}
