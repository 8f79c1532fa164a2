import type { JSX } from 'preact';
import { PRICES, type PriceEntry } from '../../data/service.ts';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { linkTo } from '../../place.ts';
import { count, priceUsd } from '../../text/number.ts';

const COLUMNS: readonly Column<PriceEntry>[] = [
  {
    id: 'path',
    title: 'Path',
    value: ({ path }) => path,
    show: ({ id, path }) => <a href={linkTo('buy', { route: id })}>{path}</a>,
  },
  {
    id: 'price',
    title: 'Price',
    unit: 'USD a call',
    numeric: true,
    value: ({ usd }) => (usd === undefined ? 0 : Number(usd)),
    show: ({ usd }) => (usd === undefined ? 'free' : priceUsd(usd)),
  },
  {
    id: 'what',
    title: 'What it answers',
    value: ({ summary }) => summary,
  },
];

/** All paths with their prices, free ones last. */
export function PriceList({ paths }: { paths: readonly PriceEntry[] }): JSX.Element {
  const paid = paths.filter(({ usd }) => usd !== undefined);
  const free = paths.filter(({ usd }) => usd === undefined);
  return (
    <>
      <p class="fine">
        {count(paid.length)} paths are sold, {count(free.length)} are free. An error is never charged.
      </p>
      <Table
        id="prices"
        caption="Price list"
        columns={COLUMNS}
        rows={[...paid, ...free]}
        keyOf={({ id }) => id}
      />
      <Tools name="price-list" csv={() => csvOf(COLUMNS, paths)} paths={[PRICES]} />
    </>
  );
}
