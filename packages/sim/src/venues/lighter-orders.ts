import { HOUR_MS } from '../../../../src/runtime/duration.ts';
import type { Row } from '../book-distortion.ts';
import { fixed } from '../format.ts';

/** Orders a side that one answer has at most. */
export const MOST_ORDERS = 250;

/** The part of a level that each of its orders is. */
const SHARES = [0.25, 0.75];

/** Both sides by single orders, of which each level of the book is two. */
export function singleOrders(bids: readonly Row[], asks: readonly Row[], limit: number, t: number) {
  const side = (levels: readonly Row[]) =>
    levels
      .flatMap(([price, size], i) =>
        SHARES.map((share, j) => ({
          order_index: 281476929689581 + i * SHARES.length + j,
          owner_account_index: 7,
          initial_base_amount: fixed(Number(size) * (share + 0.5), 8),
          remaining_base_amount: fixed(Number(size) * share, 8),
          price,
          order_expiry: t + HOUR_MS,
        })),
      )
      .slice(0, limit);
  const a = side(asks);
  const b = side(bids);
  return { total_asks: a.length, asks: a, total_bids: b.length, bids: b };
}
