import type { JSX } from 'preact';
import { plain } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { count } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { Gas } from '../schemas/payments.ts';

function wordOf({ low, short, reason }: Gas): string {
  if (reason !== null) return 'not known: its node does not show it';
  if (short === true) return 'nothing is sold: fill it up';
  return low === true ? 'no new channels: fill it up' : 'enough';
}

const COLUMNS: readonly Column<Gas>[] = [
  { id: 'network', title: 'Network', value: ({ network }) => network },
  {
    id: 'address',
    title: 'Account',
    value: ({ address }) => address,
    show: ({ address }) => <code class="address">{address}</code>,
  },
  plain('transactions', 'Transactions left', {
    numeric: true,
    show: ({ transactions }) => count(transactions),
    about: 'Claims of 25 channels where channels are sold, else transfers, at the price of gas of now',
  }),
  plain('seen_at', 'Seen', { show: (gas) => moment(gas.seen_at) }),
  {
    id: 'reserve',
    title: 'Reserve',
    value: wordOf,
    show: (gas) => <span class={`tag ${gas.low === false ? 'live' : 'down'}`}>{wordOf(gas)}</span>,
  },
];

/** Shows for how many transactions the account that settles has gas; nothing where somebody else settles. */
export function GasReserves({
  gas,
  path,
}: {
  readonly gas: readonly Gas[];
  readonly path: string;
}): JSX.Element | null {
  if (gas.length === 0) return null;
  return (
    <section>
      <h2>Gas of the account that settles</h2>
      <Listing
        name="gas"
        id="gas"
        caption="Gas"
        columns={COLUMNS}
        rows={gas}
        keyOf={({ network }) => network}
        empty="Nobody settles here."
        paths={[path]}
      />
    </section>
  );
}
