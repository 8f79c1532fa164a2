import type { JSX } from 'preact';
import type { PreviewFundingCurrentAnswer } from '../../../packages/client/src/routes.ts';
import type { FundingRow } from '../../data/funding.ts';
import { Rate } from '../../parts/rate.tsx';
import { Age } from '../../parts/states.tsx';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { count, percent, price, usd } from '../../text/number.ts';

const COLUMNS: readonly Column<FundingRow>[] = [
  { id: 'symbol', title: 'Asset', value: ({ symbol }) => symbol },
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  {
    id: 'rate',
    title: 'Rate',
    unit: '% per interval',
    numeric: true,
    value: ({ rate }) => rate,
    show: (row) => <Rate value={row.rate} />,
  },
  {
    id: 'interval',
    title: 'Interval',
    unit: 'h',
    numeric: true,
    value: (row) => row.funding_interval_hours,
    show: (row) => count(row.funding_interval_hours),
  },
  {
    id: 'rate_8h',
    title: '8 h',
    unit: '%',
    numeric: true,
    value: (row) => row.rate_8h,
    show: (row) => percent(row.rate_8h),
  },
  {
    id: 'mark',
    title: 'Mark',
    numeric: true,
    value: (row) => row.mark_price,
    show: (row) => price(row.mark_price),
  },
  {
    id: 'open_interest',
    title: 'Open interest',
    numeric: true,
    value: (row) => row.open_interest,
    show: (row) => usd(row.open_interest),
  },
  {
    id: 'volume',
    title: 'Volume 24 h',
    numeric: true,
    value: (row) => row.volume_24h,
    show: (row) => usd(row.volume_24h),
  },
  {
    id: 'age',
    title: 'Age',
    numeric: true,
    value: ({ rate_updated_at }) => (rate_updated_at === null ? null : -Date.parse(rate_updated_at)),
    csv: ({ rate_updated_at }) => rate_updated_at,
    show: ({ rate_updated_at }) => <Age at={rate_updated_at} />,
  },
];

/** The free sample of rates. */
export function Sample({ preview }: { preview: PreviewFundingCurrentAnswer }): JSX.Element {
  const { rates, delay_seconds, note } = preview;
  return (
    <>
      <p class="fine">
        Five coins on three venues each, {count(delay_seconds)} s late, rounded. {note}
      </p>
      <Table
        id="sample"
        caption="Sample of funding rates"
        columns={COLUMNS}
        rows={rates}
        keyOf={({ venue, canonical_id }) => `${venue} ${canonical_id}`}
        empty="Nothing yet: the sample is a minute late, and the service has just started."
      />
      <Tools
        name="funding-sample"
        csv={() => csvOf(COLUMNS, rates)}
        paths={['/v1/preview/funding-current']}
      />
    </>
  );
}
