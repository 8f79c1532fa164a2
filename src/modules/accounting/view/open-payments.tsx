import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { dollars } from '../../../../web/parts/columns.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age } from '../../../../web/parts/states.tsx';
import { type Column, csvOf, Table } from '../../../../web/parts/table.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { priceUsd } from '../../../../web/text/number.ts';
import { moment, span, useNow } from '../../../../web/text/time.ts';
import type { AuditEntry } from '../../operator/schemas/records.ts';
import { Confirm } from '../../operator/view/confirm.tsx';
import type { OpenPayment } from '../schemas/payments.ts';

function NextLook({ at }: { at: string | null }): JSX.Element {
  const now = useNow();
  if (at === null) return <>–</>;
  const wait = Date.parse(at) - now;
  return <span title={moment(at)}>{wait <= 0 ? 'now' : `in ${span(wait)}`}</span>;
}

const COLUMNS: readonly Column<OpenPayment>[] = [
  { id: 'route', title: 'Route', value: ({ route_id }) => route_id },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    show: ({ state }) => <span class={`tag ${state === 'unknown' ? 'down' : ''}`}>{state}</span>,
  },
  dollars('usd', 'USD'),
  {
    id: 'age',
    title: 'Age',
    numeric: true,
    value: ({ claimed_at }) => -Date.parse(claimed_at),
    csv: ({ claimed_at }) => claimed_at,
    show: ({ claimed_at }) => <Age at={claimed_at} />,
  },
  {
    id: 'next_look',
    title: 'Next look',
    numeric: true,
    value: ({ next_look_at }) => next_look_at,
    show: ({ next_look_at }) => <NextLook at={next_look_at} />,
  },
  { id: 'attempts', title: 'Looks', numeric: true, value: ({ attempts }) => attempts },
  { id: 'reason', title: 'Reason', value: ({ reason }) => reason },
  { id: 'payer', title: 'Payer', value: ({ payer }) => payer, show: ({ payer }) => <code>{payer}</code> },
  {
    id: 'transaction',
    title: 'Transaction',
    value: (row) => row.transaction,
    show: (row) => <code>{row.transaction ?? '–'}</code>,
  },
  { id: 'nonce', title: 'Nonce', value: ({ nonce }) => nonce, show: ({ nonce }) => <code>{nonce}</code> },
];

const lookColumn = (ask: (payment: OpenPayment) => void): Column<OpenPayment> => ({
  id: 'look',
  title: 'Look',
  value: () => null,
  show: (payment) => (
    <button
      type="button"
      class="quiet"
      aria-label={`Look now at the payment of ${payment.route_id} by ${payment.payer}`}
      onClick={() => ask(payment)}
    >
      Look now
    </button>
  ),
});

const FOUND: Readonly<Record<string, string>> = {
  settled: 'Settled: the money has moved, and its answer is kept for who paid.',
  delivered: 'Delivered: the money has moved, and the answer has arrived.',
  refused: 'Refused: no money has moved.',
  released: 'Released: nothing was ever asked of a facilitator, and the authorization may be used again.',
};

const found = ({ found: state = '' }: AuditEntry): string =>
  FOUND[state] ?? `Still ${state}: neither the chain nor the facilitator tells more now.`;

interface OpenPaymentsProps {
  readonly open: readonly OpenPayment[];
  readonly allowsActions: boolean;
  readonly path: string;
}

/** Payments with something left to do; an operator who may act has one looked at without waiting for its time. */
export function OpenPayments({ open, allowsActions, path }: OpenPaymentsProps): JSX.Element {
  const [asked, ask] = useState<OpenPayment>();
  return (
    <Part title="Payments with something left to do">
      {asked !== undefined && (
        <Confirm
          key={asked.nonce}
          path={path}
          action={{ action: 'look', payer: asked.payer, nonce: asked.nonce }}
          done={found}
          close={() => ask(undefined)}
        >
          <strong>
            Find out now what became of the {asked.state} payment of {priceUsd(asked.usd)} for{' '}
            {asked.route_id}.
          </strong>{' '}
          The chain is asked, and where nothing was sent the facilitator once more; the authorization can be
          used once, whatever is asked.
        </Confirm>
      )}
      <Table
        id="open"
        caption="Payments with something left to do"
        columns={allowsActions ? [...COLUMNS, lookColumn(ask)] : COLUMNS}
        rows={open}
        keyOf={({ payer, nonce }) => payer + nonce}
        first="-age"
        empty="None: of every payment it is known what became of it."
      />
      <Tools name="open-payments" csv={() => csvOf(COLUMNS, open)} paths={[path]} />
    </Part>
  );
}
