/**
 * The number of runs of random tests of the history: `npm run soak properties` sets a factor, and the first
 * seed.
 */
export const PROPERTY_RUNS = {
  times: Number(process.env.PERPMETER_PROPERTY_TIMES ?? 1),
  seed: Number(process.env.PERPMETER_PROPERTY_SEED ?? 0),
} as const;
