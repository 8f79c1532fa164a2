/** The order of requests when weight is short. */
export const PRIORITY = { instruments: 0, bulk: 1, perContract: 2, backfill: 3 } as const;
