import type { JSX } from 'preact';
import { counts } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { priceUsd } from '../../../../web/text/number.ts';
import type { CallCostRow, OperatorPayments } from '../schemas/payments.ts';

/** The meaning of each reason for which a cost is not known. */
const GAPS: Readonly<Record<string, string>> = {
  no_declared_fee: 'the fee of the facilitator is not set (FACILITATOR_FEE_USD)',
  no_coin_price: 'the price of the coin is not set (COIN_PRICES_USD)',
  nothing_settled: 'nothing was settled yet',
  nothing_sold: 'nothing was sold yet',
};

/** US dollars that are left of something, less than nothing among them; a dash where that is not known. */
export function Left({ usd }: { readonly usd: number | null }): JSX.Element {
  if (usd === null) return <span>–</span>;
  return (
    <span class={usd < 0 ? 'bad' : ''}>
      {usd < 0 && '−'}
      {priceUsd(String(Math.abs(usd)))}
    </span>
  );
}

const COSTS: readonly Column<CallCostRow>[] = [
  { id: 'scheme', title: 'Scheme', value: ({ scheme }) => scheme },
  { id: 'network', title: 'Network', value: ({ network }) => network },
  counts('sales', 'Sales'),
  counts('transactions', 'Transactions', {
    about: 'Transfers, deposits, claims and settlements of claims since the start',
  }),
  {
    id: 'cost',
    title: 'Cost of a sale',
    unit: 'USD',
    about: 'By channel: all transactions of this process since its start, by its sales',
    numeric: true,
    value: ({ usd }) => usd,
    show: ({ usd, reason }) => <>{usd === null ? (GAPS[reason ?? ''] ?? reason) : priceUsd(String(usd))}</>,
  },
];

/** Shows the cost of a sale in each way of paying, and the routes that bring less than that. */
export function Margins({
  payments: { costs, margins },
  path,
}: {
  readonly payments: OperatorPayments;
  readonly path: string;
}): JSX.Element {
  const losing = costs.flatMap(({ scheme, network }) => {
    const routes = margins.filter(
      (margin) => margin.scheme === scheme && margin.network === network && (margin.usd ?? 0) < 0,
    );
    return routes.length === 0 ? [] : [{ scheme, network, routes: routes.map(({ route }) => route) }];
  });
  return (
    <Part title="Cost of a sale">
      {losing.map(({ scheme, network, routes }) => (
        <p key={`${scheme} ${network}`} class="notice warn">
          A sale of {routes.join(', ')} brings less than its settlement costs by {scheme} on {network}.
        </p>
      ))}
      <Listing
        name="costs"
        id="costs"
        caption="Cost of a sale"
        columns={COSTS}
        rows={costs}
        keyOf={({ scheme, network }) => `${scheme} ${network}`}
        empty="Nothing is sold."
        paths={[path]}
      />
    </Part>
  );
}
