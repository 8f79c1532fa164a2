/** Least part of a period between two rounds. */
export const EARLIEST = 0.95;
const SPREAD = 0.1;

/** A period between 5 % shorter and 5 % longer, so that what began together does not stay together. */
export function jittered(periodMs: number, random: () => number): number {
  return periodMs * (EARLIEST + SPREAD * random());
}
