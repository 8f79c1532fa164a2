import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Choices } from '../../../../web/parts/fields.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { change, usePlace } from '../../../../web/place.ts';
import { count } from '../../../../web/text/number.ts';
import type { Contract, Decision, OperatorIdentities } from '../schemas/records.ts';
import { type Action, Confirm } from './confirm.tsx';

const PATH = '/operator/identities';

/** The asset of each contract, and the decisions about that. */
export function Identities(): JSX.Element {
  const { params } = usePlace();
  const wanted = params.get('q') ?? '';
  const path = `${PATH}?${new URLSearchParams({ q: wanted })}`;
  return (
    <>
      <div class="bar">
        <label>
          Asset, ticker, venue or symbol
          <input type="search" value={wanted} onInput={(event) => change({ q: event.currentTarget.value })} />
        </label>
      </div>
      <Shown answer={useAnswer<OperatorIdentities>(path, 15_000)} what="the identities">
        {(body) => <Desk body={body} path={path} />}
      </Shown>
    </>
  );
}

interface DeskProps {
  readonly body: OperatorIdentities;
  readonly path: string;
}

function Desk({ body, path }: DeskProps): JSX.Element {
  const [asked, ask] = useState<Action>();
  return (
    <>
      {body.allows_actions ? (
        <>
          <SkipPast what="the form of a decision" isBefore />
          <ActionForm contracts={body.contracts} ask={ask} />
        </>
      ) : (
        <p class="fine">
          This port only reads. With <code>ADMIN_ACTIONS=on</code> and an <code>ADMIN_TOKEN</code> identities
          can be merged, split and pinned here; <code>perpmeter identity</code> does it on the machine.
        </p>
      )}
      {asked !== undefined && (
        <Confirm
          key={JSON.stringify(asked)}
          path={PATH}
          action={asked}
          done={({ contracts }) => `Done: ${count(contracts)} contracts.`}
          close={() => ask(undefined)}
        >
          <strong>{sentence(asked)}</strong> Prices, funding and history of these contracts are shown under
          the other asset from now on.
        </Confirm>
      )}
      <Decisions body={body} path={path} undo={body.allows_actions ? ask : undefined} />
      <Contracts body={body} path={path} />
    </>
  );
}

/** @param props.undo asks to undo a decision; undefined where this port only reads */
function Decisions({
  body,
  path,
  undo,
}: DeskProps & { undo: ((action: Action) => void) | undefined }): JSX.Element {
  return (
    <Part title="Decisions of operators">
      <Listing
        name="decisions"
        id="decisions"
        caption="Decisions of operators"
        columns={decisionColumns(undo)}
        rows={body.decisions}
        keyOf={({ sequence }) => String(sequence)}
        first="-sequence"
        empty="None: every identity is as the rules gave it."
        paths={[path]}
      />
    </Part>
  );
}

function Contracts({ body, path }: DeskProps): JSX.Element {
  return (
    <Part title="Contracts" note={`${count(body.contracts.length)} of ${count(body.total)}`}>
      <Listing
        name="identities"
        id="contracts"
        caption="Contracts and their assets"
        columns={CONTRACTS}
        rows={body.contracts}
        keyOf={({ venue, symbol }) => `${venue} ${symbol}`}
        first="canonical_id"
        empty="No contract is called so."
        paths={[path]}
      />
    </Part>
  );
}

const CONTRACTS: readonly Column<Contract>[] = [
  { id: 'canonical_id', title: 'Asset', value: (row) => row.canonical_id },
  { id: 'ticker', title: 'Ticker', value: ({ ticker }) => ticker },
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  {
    id: 'symbol',
    title: 'Symbol',
    value: ({ symbol }) => symbol,
    show: ({ symbol }) => <code>{symbol}</code>,
  },
  {
    id: 'basis',
    title: 'Rests on',
    about: 'What the identity rests on, weakest to strongest: default … operator',
    value: ({ basis }) => basis,
  },
  {
    id: 'since',
    title: 'For',
    numeric: true,
    value: (row) => -Date.parse(row.valid_from),
    csv: (row) => row.valid_from,
    show: (row) => <Age at={row.valid_from} />,
  },
];

function decisionColumns(ask: ((action: Action) => void) | undefined): readonly Column<Decision>[] {
  return [
    { id: 'sequence', title: 'No.', value: ({ sequence }) => sequence },
    { id: 'action', title: 'Action', value: ({ action }) => action },
    { id: 'from', title: 'From', value: ({ from }) => from },
    { id: 'to', title: 'To', value: ({ to }) => to },
    {
      id: 'contracts',
      title: 'Contracts',
      numeric: true,
      value: ({ contracts }) => contracts.length,
      show: ({ contracts }) => <span title={contracts.join(', ')}>{count(contracts.length)}</span>,
    },
    { id: 'reason', title: 'Reason', value: ({ reason }) => reason },
    {
      id: 'age',
      title: 'Age',
      numeric: true,
      value: ({ at }) => -Date.parse(at),
      show: ({ at }) => <Age at={at} />,
    },
    ...(ask === undefined ? [] : [undoColumn(ask)]),
  ];
}

const undoColumn = (ask: (action: Action) => void): Column<Decision> => ({
  id: 'undo',
  title: 'Undo',
  value: () => null,
  show: ({ action, sequence }) =>
    action === 'undo' ? (
      ''
    ) : (
      <button
        type="button"
        class="quiet"
        aria-label={`Undo decision ${sequence}`}
        onClick={() => ask({ action: 'undo', sequence })}
      >
        Undo
      </button>
    ),
});

const KINDS = ['merge', 'split', 'pin'] as const;
const FIELDS: Readonly<Record<(typeof KINDS)[number], readonly (readonly [name: string, label: string])[]>> =
  {
    merge: [
      ['from', 'Asset that goes'],
      ['to', 'Asset that stays'],
    ],
    split: [
      ['from', 'Asset'],
      ['venues', 'Venues that mean another'],
      ['to', 'The other asset, if it has an id'],
    ],
    pin: [
      ['venue', 'Venue'],
      ['symbol', 'Symbol'],
      ['to', 'Asset'],
    ],
  };

/** A form's content, as the service takes it. */
function actionOf(kind: string, fields: FormData): Action {
  const said = [...fields].flatMap(([name, value]): [string, string | readonly string[]][] => {
    const text = String(value).trim();
    if (text === '') return [];
    return [[name, name === 'venues' ? text.split(/[\s,]+/) : text]];
  });
  return { action: kind, ...Object.fromEntries(said) };
}

function ActionForm({
  contracts,
  ask,
}: {
  contracts: readonly Contract[];
  ask: (action: Action) => void;
}): JSX.Element {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('merge');
  const ids = [...new Set(contracts.map((row) => row.canonical_id))];
  return (
    <form
      class="bar"
      aria-label="Change identities"
      onSubmit={(event) => {
        event.preventDefault();
        ask(actionOf(kind, new FormData(event.currentTarget)));
      }}
    >
      <Choices label="Change" words={KINDS} chosen={kind} choose={setKind} />
      {FIELDS[kind].map(([name, label]) => (
        <label key={`${kind} ${name}`}>
          {label}
          <input name={name} list="assets" autocomplete="off" spellcheck={false} />
        </label>
      ))}
      <datalist id="assets">
        {ids.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <button type="submit">Look at it</button>
    </form>
  );
}

function sentence({ action, from, to, venue, venues, symbol, sequence }: Action): string {
  if (action === 'undo') return `Undo decision ${sequence}: its contracts become what they were before.`;
  if (action === 'pin') return `Pin ${symbol} on ${venue} to ${to}, against every rule.`;
  if (action === 'split')
    return `${from} on ${[venues].flat().join(', ')} becomes ${to ?? 'an asset of its own'}.`;
  return `Every ${from} becomes ${to}, now and in lists to come.`;
}
