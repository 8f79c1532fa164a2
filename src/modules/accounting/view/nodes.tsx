import type { JSX } from 'preact';
import { Listing } from '../../../../web/parts/listing.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { moment } from '../../../../web/text/time.ts';
import type { Node } from '../schemas/payments.ts';

const wordOf = ({ behind }: Node): string =>
  behind === null ? 'not looked at yet' : behind ? 'behind its chain' : 'follows its chain';

const COLUMNS: readonly Column<Node>[] = [
  { id: 'network', title: 'Network', value: ({ network }) => network },
  {
    id: 'behind',
    title: 'Node',
    about:
      'Behind: withdrawals of buyers may not be seen. Nothing is sold by channel, and channels are claimed early',
    value: wordOf,
    show: (node) => (
      <span class={`tag ${node.behind === null ? '' : node.behind ? 'down' : 'live'}`}>{wordOf(node)}</span>
    ),
  },
  {
    id: 'block',
    title: 'Newest block',
    value: ({ block_at }) => block_at,
    show: ({ block_at }) => <>{block_at === null ? '–' : moment(block_at)}</>,
  },
];

/** Shows whether the node of each network follows its chain; nothing where there is none. */
export function Nodes({
  nodes,
  path,
}: {
  readonly nodes: readonly Node[];
  readonly path: string;
}): JSX.Element | null {
  if (nodes.length === 0) return null;
  return (
    <section>
      <h2>Nodes</h2>
      <Listing
        name="nodes"
        id="nodes"
        caption="Nodes"
        columns={COLUMNS}
        rows={nodes}
        keyOf={({ network }) => network}
        empty="None is asked."
        paths={[path]}
      />
    </section>
  );
}
