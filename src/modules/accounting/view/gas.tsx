import type { JSX } from 'preact';
import { counts } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import type { Gas } from '../schemas/payments.ts';

const wordOf = ({ low, short }: Gas): string =>
  short ? 'nothing is sold: fill it up' : low ? 'no new channels: fill it up' : 'enough';

const COLUMNS: readonly Column<Gas>[] = [
  { id: 'network', title: 'Network', value: ({ network }) => network },
  {
    id: 'address',
    title: 'Account',
    value: ({ address }) => address,
    show: ({ address }) => <code class="address">{address}</code>,
  },
  counts('transactions', 'Transactions left', {
    about: 'Claims of 25 channels where channels are sold, else transfers, at the price of gas of now',
  }),
  {
    id: 'reserve',
    title: 'Reserve',
    value: wordOf,
    show: (gas) => <span class={`tag ${gas.low ? 'down' : 'live'}`}>{wordOf(gas)}</span>,
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
