/** Sizes of a leg that a reader may choose, USD. */
export const SIZES = [1000, 5000, 10_000, 25_000, 50_000, 100_000, 250_000] as const;

/** A size in words: `$50K`. */
export const sizeText = (usd: number): string => `$${usd / 1000}K`;
