/**
 * How often random tests of the history run: `npm run soak properties` sets how many times as often as by default, and
 * where the seeds begin.
 */
export const PROPERTY_RUNS = {
  times: Number(process.env.PERPMETER_PROPERTY_TIMES ?? 1),
  seed: Number(process.env.PERPMETER_PROPERTY_SEED ?? 0),
} as const;
