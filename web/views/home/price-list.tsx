import type { JSX } from 'preact';
import type { RouteEntry } from '../../data/service.ts';
import { type Column, csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { linkTo } from '../../place.ts';
import { count, priceUsd } from '../../text/number.ts';

const COLUMNS: readonly Column<RouteEntry>[] = [
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
    show: ({ summary, description }) => <span title={description}>{summary}</span>,
  },
];

/** The route table with its prices, free routes last. */
export function PriceList({ routes }: { routes: readonly RouteEntry[] }): JSX.Element {
  const paid = routes.filter(({ usd }) => usd !== undefined);
  const free = routes.filter(({ usd }) => usd === undefined);
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
      <Tools
        name="price-list"
        csv={() => csvOf(COLUMNS, routes)}
        paths={['/openapi.json', '/v1/pricing/changelog']}
      />
    </>
  );
}
