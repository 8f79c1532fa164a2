import { readNumber } from '../../domain/read.ts';

/** Markets of lower numbers are perpetuals, the others spot. */
const FIRST_SPOT_ID = 2048;

/** A number above this is a fault of the payload: the venue numbers its markets in the order of their listing. */
const MOST_MARKETS = 1e6;

export const isSpotId = (id: unknown): boolean => (readNumber(id) ?? 0) >= FIRST_SPOT_ID;

/** Text of a market's number as calls and channels write it; undefined where it cannot be one. */
export function marketId(id: unknown): string | undefined {
  const number = readNumber(id);
  const known = number !== undefined && Number.isInteger(number) && number >= 0 && number < MOST_MARKETS;
  return known ? String(number) : undefined;
}
