/** Least part of a period between two rounds. */
export const MIN_JITTER_FACTOR = 0.95;
const JITTER = 0.1;

/** A period between 5 % shorter and 5 % longer, so that what began together does not stay together. */
export function jittered(periodMs: number, random: () => number): number {
  return periodMs * (MIN_JITTER_FACTOR + JITTER * random());
}
