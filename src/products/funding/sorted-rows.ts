import { annualisedPct } from '../../domain/rate.ts';
import type { MarketRow } from '../../market/view.ts';

/** Fields by which rows can be ordered; a `-` in front = descending. */
export const FUNDING_SORTS = [
  ...(['rate', 'rate_8h', 'annualized_pct', 'open_interest', 'volume_24h'] as const),
  ...(['-rate', '-rate_8h', '-annualized_pct', '-open_interest', '-volume_24h'] as const),
] as const;
type FundingSort = (typeof FUNDING_SORTS)[number];

const SORT_VALUES: Readonly<Record<string, (row: MarketRow) => number | undefined>> = {
  rate: (row) => row.fundingRate,
  rate_8h: (row) => row.rate8h,
  annualized_pct: (row) => annualisedPct(row.fundingRate, row.fundingIntervalHours),
  open_interest: (row) => row.openInterestUsd,
  volume_24h: (row) => row.volume24hUsd,
};

/** Rows by a value, ascending, or descending after a `-`; what is not known comes last, equal ones keep their order. */
export function sortedBy(rows: readonly MarketRow[], sort: FundingSort): readonly MarketRow[] {
  const descends = sort.startsWith('-');
  const read = SORT_VALUES[descends ? sort.slice(1) : sort];
  return rows
    .map((row) => ({ row, value: read?.(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return descends ? b.value - a.value : a.value - b.value;
    })
    .map(({ row }) => row);
}
