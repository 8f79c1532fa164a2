import type { Wire } from '../../domain/read.ts';
import { isRow } from './field.ts';

/** One step into a value: a name, or the first row of a list that has a value under a name. */
interface Step {
  readonly name: string;
  readonly where?: readonly [key: string, value: string];
}

const STEP = /^([^[]*)(?:\[([^=]+)=([^\]]+)\])?$/;

function stepOf(text: string): Step {
  const [, name = text, key, value] = STEP.exec(text) ?? [];
  return key === undefined || value === undefined ? { name } : { name, where: [key, value] };
}

/** In the place of a part that has another shape than the one that was described: no reader makes a value of it. */
const UNREADABLE = true;

/** A value that is no row stays as it is: its reader finds the fault. */
function follow(value: unknown, { name, where }: Step): unknown {
  const found = isRow(value) ? value[name] : value;
  if (where === undefined || found === undefined || found === null) return found;
  if (!Array.isArray(found)) return UNREADABLE;
  const [key, wanted] = where;
  const isNamed = (row: unknown): row is Wire => isRow(row) && typeof row[key] === 'string';
  const row = found.find((part) => isNamed(part) && part[key] === wanted);
  return row ?? (found.every(isNamed) ? undefined : UNREADABLE);
}

/**
 * Reads a value that lies deeper in a row: `lotSizeFilter.qtyStep`, `filters[filterType=LOT_SIZE].stepSize`, `tiers.0.rate`.
 * A part that is not there gives undefined, one that is no object or list itself.
 */
export function wirePath(path: string): (wire: Wire) => unknown {
  const steps = path.split('.').map(stepOf);
  return (wire) => steps.reduce<unknown>(follow, wire);
}
