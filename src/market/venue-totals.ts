import { asBase, asUsd } from '../domain/units.ts';
import type { MarketRow, VenueTotals } from './view.ts';

/**
 * Adds up what the contracts of one asset on one venue state. A value that one of them does not state is left
 * out of its sum.
 */
export function sumOf(rows: readonly MarketRow[]): VenueTotals {
  const add = (part: (row: MarketRow) => number | undefined): number | undefined => {
    const parts = rows.flatMap((row) => part(row) ?? []);
    return parts.length === 0 ? undefined : parts.reduce((sum, value) => sum + value, 0);
  };
  const base = (sum: number | undefined) => (sum === undefined ? undefined : asBase(sum));
  const usd = (sum: number | undefined) => (sum === undefined ? undefined : asUsd(sum));
  return {
    contracts: rows.length,
    openInterestBase: base(add((row) => row.openInterestBase)),
    openInterestUsd: usd(add((row) => row.openInterestUsd)),
    volume24hBase: base(add((row) => row.volume24hBase)),
    volume24hUsd: usd(add((row) => row.volume24hUsd)),
  };
}
