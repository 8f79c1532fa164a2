import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { dollars } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { go, linkTo, usePlace } from '../../../../web/place.ts';
import { count } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { ListedPayment, OperatorLedger } from '../schemas/ledger.ts';
import { Failures } from './failures.tsx';
import { Story } from './story.tsx';

const PATH = '/operator/ledger';
const EVERY_MS = 15_000;
const STATES = ['claimed', 'settling', 'settled', 'delivered', 'refused', 'unknown'] as const;
/** Parameters of the address that are a search. */
const FILTERS = ['q', 'state', 'scheme', 'route', 'reason', 'since', 'until'] as const;

type Search = Partial<Record<(typeof FILTERS)[number] | 'after', string>>;

function searchOf(params: URLSearchParams): Search {
  const stated = [...FILTERS, 'after' as const].flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(stated);
}

/** Shows payments of the ledger by a search, one of them with all that is known of it, and the reasons for which others failed. */
export function LedgerPart(): JSX.Element {
  const { params } = usePlace();
  const search = searchOf(params);
  const key = params.get('key');
  const path = `${PATH}?${new URLSearchParams(search)}`;
  const answer = useAnswer<OperatorLedger>(path, EVERY_MS);
  return (
    <>
      {key !== null && <Story name={key} back={linkTo('operator', { part: 'ledger', ...search })} />}
      <Part title="Payments of the ledger">
        <SearchForm search={search} known={answer.state === 'ready' ? answer.body : undefined} />
        <Shown answer={answer} what="the payments of the ledger">
          {(found) => <Found found={found} search={search} path={path} />}
        </Shown>
      </Part>
      <Failures />
    </>
  );
}

function SearchForm({
  search,
  known,
}: {
  readonly search: Search;
  readonly known: Pick<OperatorLedger, 'routes' | 'schemes'> | undefined;
}): JSX.Element {
  const { routes = [], schemes = [] } = known ?? {};
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const typed = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
    );
    go('operator', { part: 'ledger', ...typed });
  };
  return (
    // Made again for another search, so that its fields have what is in the address.
    <form class="bar" aria-label="Search" key={JSON.stringify(search)} onSubmit={submit}>
      <label>
        Payer, transaction, nonce, route or reason
        <input
          name="q"
          type="search"
          size={34}
          autocomplete="off"
          spellcheck={false}
          defaultValue={search.q ?? ''}
        />
      </label>
      <label>
        From, UTC
        <input name="since" type="date" defaultValue={search.since ?? ''} />
      </label>
      <label>
        Before, UTC
        <input name="until" type="date" defaultValue={search.until ?? ''} />
      </label>
      <Pick label="State" name="state" words={STATES} chosen={search.state} />
      <Pick label="Scheme" name="scheme" words={schemes} chosen={search.scheme} />
      <Pick label="Route" name="route" words={routes} chosen={search.route} />
      <button type="submit">Search</button>
      {Object.keys(search).length > 0 && <a href={linkTo('operator', { part: 'ledger' })}>All payments</a>}
    </form>
  );
}

/** One of several words, or any. */
function Pick(props: {
  readonly label: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly chosen: string | undefined;
}): JSX.Element {
  const { label, name, words, chosen = '' } = props;
  const all = chosen === '' || words.includes(chosen) ? words : [...words, chosen];
  return (
    <label>
      {label}
      <select name={name}>
        {['', ...all].map((word) => (
          <option key={word} value={word} selected={word === chosen}>
            {word === '' ? 'any' : word}
          </option>
        ))}
      </select>
    </label>
  );
}

const BAD: ReadonlySet<string> = new Set(['unknown', 'refused']);

/** The state of a payment in its colour. */
export function StateTag({ state }: { readonly state: string }): JSX.Element {
  return <span class={`tag ${BAD.has(state) ? 'down' : state === 'delivered' ? 'live' : ''}`}>{state}</span>;
}

const columnsOf = (search: Search): readonly Column<ListedPayment>[] => [
  {
    id: 'claimed_at',
    title: 'Presented',
    value: (row) => row.claimed_at,
    show: (row) => (
      <a href={linkTo('operator', { part: 'ledger', ...search, key: row.key })}>{moment(row.claimed_at)}</a>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    show: ({ state }) => <StateTag state={state} />,
  },
  { id: 'route_id', title: 'Route', value: (row) => row.route_id },
  dollars('usd', 'USD'),
  { id: 'scheme', title: 'Scheme', value: ({ scheme }) => scheme },
  { id: 'network', title: 'Network', value: ({ network }) => network },
  { id: 'reason', title: 'Reason', value: ({ reason }) => reason },
  { id: 'payer', title: 'Payer', value: ({ payer }) => payer, show: ({ payer }) => <code>{payer}</code> },
  {
    id: 'transaction',
    title: 'Transaction',
    value: (row) => row.transaction,
    show: (row) => <code>{row.transaction || '–'}</code>,
  },
  { id: 'nonce', title: 'Nonce', value: ({ nonce }) => nonce, show: ({ nonce }) => <code>{nonce}</code> },
];

function Found({
  found: { payments, looked, cut, next },
  search,
  path,
}: {
  readonly found: OperatorLedger;
  readonly search: Search;
  readonly path: string;
}): JSX.Element {
  return (
    <>
      {cut && (
        <p class="notice warn" role="status">
          The search was cut: it has looked at {count(looked)} payments, as many as one request may. “Older”
          goes on behind them.
        </p>
      )}
      <Listing
        name="ledger"
        id="ledger"
        caption="Payments of the ledger"
        columns={columnsOf(search)}
        rows={payments}
        keyOf={({ key }) => key}
        empty={cut ? 'None among those.' : 'No payment is so.'}
        paths={[path]}
      />
      <p class="tools">
        {search.after !== undefined && (
          <a href={linkTo('operator', { part: 'ledger', ...search, after: undefined })}>Newest</a>
        )}
        {next !== null && <a href={linkTo('operator', { part: 'ledger', ...search, after: next })}>Older</a>}
      </p>
    </>
  );
}
