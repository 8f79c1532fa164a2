/** Who goes first when weight is short. */
export const PRIORITY = { instruments: 0, bulk: 1, spread: 2, backfill: 3 } as const;
