import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { type Figure, Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { count } from '../../../../web/text/number.ts';
import type { Facilitator, OperatorPayments } from '../schemas/payments.ts';
import { GasReserves } from './gas.tsx';
import { Margins } from './margins.tsx';
import { Nodes } from './nodes.tsx';
import { OpenPayments } from './open-payments.tsx';

const PATH = '/operator/payments';

/** The way of a payment, in the order in which it goes. */
const FUNNEL: readonly (readonly [title: string, of: (payments: OperatorPayments) => number])[] = [
  ['Challenged', ({ challenged }) => challenged],
  ['Presented', ({ presented }) => presented],
  ['Verified', ({ verified }) => verified],
  ['Settled', ({ settled }) => settled],
  ['Delivered', ({ outcomes }) => outcomes.delivered ?? 0],
];
/** Ways in which payments end. */
const ENDS: readonly (readonly [name: string, title: string, isBad: boolean])[] = [
  ['unknown', 'Unknown', true],
  ['redelivered', 'Delivered again', false],
  ['repeated', 'Bought before', false],
  ['in_flight', 'In flight', false],
  ['rejected', 'Rejected', false],
  ['refused', 'Refused', false],
  ['not_charged', 'Not charged', false],
  ['limited', 'Limited', false],
  ['unavailable', 'Facilitator away', true],
  ['failed', 'Failed', true],
];

/** The payments of the service. */
export function Payments(): JSX.Element {
  const answer = useAnswer<OperatorPayments>(PATH, 5000);
  return (
    <Shown answer={answer} what="the payments">
      {(payments) => (
        <>
          <Funnel payments={payments} />
          <OpenPayments open={payments.open} allowsActions={payments.allows_actions} path={PATH} />
          <Facilitators facilitators={payments.facilitators} />
          <Nodes nodes={payments.nodes} path={PATH} />
          <GasReserves gas={payments.gas} path={PATH} />
          <Chain chain={payments.chain} />
          <Margins payments={payments} path={PATH} />
        </>
      )}
    </Shown>
  );
}

const answering = (ok: boolean | null): readonly [string, { readonly look: string }] => [
  ok === null ? '–' : ok ? 'answers' : 'does not answer',
  { look: ok === false ? 'bad' : '' },
];

function Funnel({ payments }: { payments: OperatorPayments }): JSX.Element {
  const { outcomes, facilitator_ok: isUp, mode, ledger, ledger_ok: isKept } = payments;
  return (
    <Part title="Payments since start">
      <Figures
        kind="funnel"
        label="The way of a payment"
        figures={FUNNEL.map(([title, of]) => [title, count(of(payments))])}
      />
      <Figures
        label="Where payments leave it"
        figures={ENDS.map(([name, title, isBad]): Figure => {
          const times = outcomes[name] ?? 0;
          return [title, count(times), { look: isBad && times > 0 ? 'bad' : '' }];
        })}
      />
      <Figures
        label="What payments need"
        figures={[
          [`Facilitator, ${mode}`, ...answering(isUp)],
          [`Ledger, ${ledger ?? 'none'}`, ...answering(isKept)],
        ]}
      />
    </Part>
  );
}

/** The meaning of each kind of difference between ledger and chain. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  not_in_ledger: 'paid on the chain, not in the ledger',
  not_on_chain: 'settled in the ledger, not on the chain',
  amount: 'another amount on the chain',
  state: 'paid on the chain, not settled in the ledger',
};

function Chain({ chain }: Pick<OperatorPayments, 'chain'>): JSX.Element {
  const found = Object.entries(chain?.differences ?? {}).filter(([, times]) => times > 0);
  return (
    <Part title="Ledger against chain">
      {chain === null ? (
        <p class="fine">
          Not compared: there is no node to ask (RPC_URL). <code>perpmeter ledger reconcile</code> does it
          once.
        </p>
      ) : (
        <p>
          {found.length === 0 ? (
            <span class="tag live">agree</span>
          ) : (
            found.map(([kind, times]) => (
              <span key={kind} class="tag down">
                {count(times)} {DIFFERENCES[kind] ?? kind}
              </span>
            ))
          )}{' '}
          to the atomic unit, up to <Age at={chain.compared_to} /> ago.
        </p>
      )}
    </Part>
  );
}

const FACILITATORS: readonly Column<Facilitator>[] = [
  { id: 'name', title: 'Facilitator', value: ({ name }) => name },
  { id: 'scheme', title: 'Scheme', value: ({ scheme }) => scheme },
  { id: 'network', title: 'Network', value: ({ network }) => network },
  {
    id: 'answers',
    title: 'Last answer',
    value: ({ ok }) => (ok === null ? 'not asked yet' : ok ? 'sensible' : 'none, or nonsense'),
    show: ({ ok }) => (
      <span class={`tag ${ok === null ? '' : ok ? 'live' : 'down'}`}>
        {ok === null ? 'not asked yet' : ok ? 'sensible' : 'none, or nonsense'}
      </span>
    ),
  },
  {
    id: 'breaker',
    title: 'Circuit breaker',
    about: 'Open after five failures in a row: it is not asked to verify for ten seconds at a time',
    value: ({ resting }) => (resting ? 'open' : 'closed'),
    show: ({ resting }) => <span class={resting ? 'bad' : ''}>{resting ? 'open' : 'closed'}</span>,
  },
];

function Facilitators({ facilitators }: { facilitators: readonly Facilitator[] }): JSX.Element {
  return (
    <Part title="Facilitators, in order of preference">
      <Listing
        name="facilitators"
        id="facilitators"
        caption="Facilitators"
        columns={FACILITATORS}
        rows={facilitators}
        keyOf={({ name, scheme, network }) => `${name} ${scheme} ${network}`}
        empty="None: nothing is sold."
        paths={[PATH]}
      />
    </Part>
  );
}
