import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { ages, dollars } from '../../../../web/parts/columns.tsx';
import { type Figure, Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { count, priceUsd } from '../../../../web/text/number.ts';
import { moment, span, useNow } from '../../../../web/text/time.ts';
import type { AccountFigures, AccountLine, OperatorAccounts } from '../schemas/accounts.ts';

const PATH = '/operator/accounts';
const EVERY_MS = 5000;

/** Accounts of these stages hold no money that was not claimed. */
const IDLE: ReadonlySet<string> = new Set(['empty']);

const isOwing = ({ unclaimed_usd }: Pick<AccountLine, 'unclaimed_usd'>): boolean => Number(unclaimed_usd) > 0;

/** The time that is left until something. */
function Until({ at, isBad }: { readonly at: string | null; readonly isBad: boolean }): JSX.Element {
  const now = useNow();
  if (at === null) return <>–</>;
  const left = Date.parse(at) - now;
  return (
    <span class={isBad ? 'bad' : ''} title={moment(at)}>
      {left <= 0 ? 'now' : `in ${span(left)}`}
    </span>
  );
}

type Amount = 'balance_usd' | 'charged_usd' | 'claimed_usd' | 'unclaimed_usd';

const amount = (id: Amount, title: string, about: string): Column<AccountLine> =>
  dollars(id, title, { unit: 'USD', about });

const COLUMNS: readonly Column<AccountLine>[] = [
  {
    id: 'stage',
    title: 'Stage',
    value: ({ stage }) => stage,
    show: ({ stage, leaves_at }) => <span class={`tag ${leaves_at === null ? '' : 'stale'}`}>{stage}</span>,
  },
  amount('unclaimed_usd', 'To claim', 'Charged, and not claimed on the chain yet'),
  {
    id: 'due_at',
    title: 'Claim due',
    about:
      'When it is claimed, if nothing more is sold: all but the last sale soon, the last one after 30 days',
    numeric: true,
    value: ({ due_at: at }) => (at === null ? null : Date.parse(at)),
    csv: ({ due_at }) => due_at,
    show: ({ due_at }) => <Until at={due_at} isBad={false} />,
  },
  {
    id: 'leaves_at',
    title: 'Expires',
    about: 'When the buyer, who has requested its money back, can take it out',
    numeric: true,
    value: ({ leaves_at: at }) => (at === null ? null : Date.parse(at)),
    csv: ({ leaves_at }) => leaves_at,
    show: (account) => <Until at={account.leaves_at} isBad={isOwing(account)} />,
  },
  amount('charged_usd', 'Charged', 'Sum of the prices of its sales'),
  amount('claimed_usd', 'Claimed', 'The part of it that was claimed'),
  amount('balance_usd', 'Deposited', 'Money of the buyer behind it, claimed or not'),
  ages('used_at', 'Last sale'),
  {
    id: 'network',
    title: 'Network',
    value: ({ network }) => network,
    show: ({ network }) => <code>{network ?? '–'}</code>,
  },
  { id: 'payer', title: 'Payer', value: ({ payer }) => payer, show: ({ payer }) => <code>{payer}</code> },
  { id: 'id', title: 'Channel', value: ({ id }) => id, show: ({ id }) => <code>{id}</code> },
];

const openOf = ({ stages }: AccountFigures): number =>
  Object.entries(stages).reduce((sum, [stage, accounts]) => sum + (IDLE.has(stage) ? 0 : accounts), 0);

function figuresOf(scheme: AccountFigures): readonly Figure[] {
  const { charged_usd, claimed_usd, unclaimed_usd, oldest_unclaimed, leaving, stages } = scheme;
  const about = Object.entries(stages)
    .map(([stage, accounts]) => `${stage} ${count(accounts)}`)
    .join(', ');
  return [
    ['Open', count(openOf(scheme)), { about }],
    ['Charged', priceUsd(charged_usd)],
    ['Claimed', priceUsd(claimed_usd)],
    ['To claim', priceUsd(unclaimed_usd)],
    ['Oldest to claim', oldest_unclaimed === null ? '–' : <Age at={oldest_unclaimed} />],
    ['Expiring', count(leaving), { look: leaving > 0 ? 'bad' : '' }],
  ];
}

/** The payment channels of buyers: what they hold and owe, and which are about to be left. */
export function Accounts(): JSX.Element {
  return (
    <Shown answer={useAnswer<OperatorAccounts>(PATH, EVERY_MS)} what="the payment channels">
      {({ schemes, accounts, total, complete }) => (
        <Part title="Payment channels">
          {schemes.map((scheme) => (
            <Figures
              key={`${scheme.scheme} ${scheme.network}`}
              label={`Channels of ${scheme.scheme} on ${scheme.network ?? 'another network'}`}
              figures={figuresOf(scheme)}
            />
          ))}
          {(accounts.length < total || !complete) && (
            <p class="notice">
              {count(accounts.length)} of {count(total)}
              {!complete && ' or more'} are listed, those that want attention first:{' '}
              <code>perpmeter ledger channels</code> has all.
            </p>
          )}
          <Listing
            name="channels"
            id="channels"
            caption="Payment channels"
            columns={COLUMNS}
            rows={accounts}
            keyOf={({ id }) => id}
            first="-unclaimed_usd"
            empty="None: nothing was sold by channel."
            paths={[PATH]}
          />
        </Part>
      )}
    </Shown>
  );
}
