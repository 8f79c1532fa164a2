import { counts, plain, sentences } from '../../../../web/parts/columns.tsx';
import { Age } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { UNKNOWN } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { ListedDelivery, ListedWatch, OperatorWatches } from '../schemas/operator-watches.ts';
import { type Condition, conditionWords } from './condition-words.ts';

type Rule = OperatorWatches['rules'][number];

/** A condition of the operator's list is that of its owner, but for the address. */
const wordsOf = ({ condition }: ListedWatch): string => conditionWords(condition as unknown as Condition);

const BAD: ReadonlySet<string> = new Set(['unproven', 'retrying', 'failed']);

/** True for a watch whose receiver does not take what it is sent. */
export const hasTrouble = ({ delivery }: ListedWatch): boolean =>
  delivery !== null && (BAD.has(delivery.state) || (delivery.given_up ?? []).length > 0);

const REMEDIES: Readonly<Record<string, string>> = {
  unproven:
    'Its receiver has not answered the challenge. It is asked again when its owner reads or renews the watch: tell the owner, or mend the receiver of a rule.',
  retrying:
    'It is tried again by itself, for an hour a firing. Nothing is lost: the owner can read all of it.',
  failed:
    'The last firing was given up after an hour, or the address is forbidden now. Later ones are still tried; of a rule look at the address.',
};

/** The step by which an operator mends a delivery that fails. */
const remedyOf = ({ state, given_up = [] }: ListedDelivery): string =>
  REMEDIES[state] ??
  (given_up.length > 0 ? 'It takes them again. What was given up can be read by its owner.' : '');

const phase: Column<ListedWatch> = {
  id: 'phase',
  title: 'State',
  value: (row) => row.phase,
  show: (row) => (
    <span class={`tag ${row.phase === 'unknown' ? 'stale' : row.phase === 'fired' ? 'live' : ''}`}>
      {row.phase}
    </span>
  ),
};

const condition: Column<ListedWatch> = { id: 'condition', title: 'Condition', value: wordsOf };
const host: Column<ListedWatch> = {
  id: 'host',
  title: 'Webhook',
  about: 'Host of the receiver: the rest of the address is its secret',
  value: ({ delivery }) => delivery?.host ?? null,
};
const id: Column<ListedWatch> = plain('id', 'Id', { show: (row) => <code>{row.id}</code> });

const lastOf = ({ latest }: ListedWatch) => latest.at(-1);

/** All that is watched. */
export const WATCH_COLUMNS: readonly Column<ListedWatch>[] = [
  condition,
  phase,
  sentences('reason', 'Why', ({ reason }) => reason),
  {
    id: 'last',
    title: 'Last firing',
    value: (row) => lastOf(row)?.noted_at,
    show: (row) => {
      const last = lastOf(row);
      if (last === undefined) return UNKNOWN;
      return (
        <>
          {last.what}, <Age at={last.noted_at} /> ago
        </>
      );
    },
  },
  counts('fired', 'Fired'),
  host,
  plain('began_at', 'Since', { show: (row) => moment(row.began_at) }),
  plain('ends_at', 'Until', {
    show: (row) => (row.ends_at === null ? 'its rule goes' : moment(row.ends_at)),
  }),
  { id: 'owner', title: 'Of', value: ({ rule, payer }) => (rule === null ? payer : `rule ${rule}`) },
  id,
];

/** Deliveries with why they fail, and what to do. */
export const DELIVERY_COLUMNS: readonly Column<ListedWatch>[] = [
  { ...host, title: 'Receiver' },
  { id: 'state', title: 'State', value: ({ delivery }) => delivery?.state ?? null },
  sentences('error', 'Last fault', ({ delivery }) => delivery?.lastError ?? null),
  sentences('remedy', 'What to do', ({ delivery }) => (delivery === null ? null : remedyOf(delivery))),
  { id: 'waiting', title: 'Waiting', numeric: true, value: ({ delivery }) => delivery?.waiting },
  {
    id: 'given_up',
    title: 'Given up',
    about: 'Numbers of the latest firings that were given up',
    value: ({ delivery }) => delivery?.given_up?.map(({ sequence }) => sequence).join(', ') || null,
  },
  {
    id: 'next',
    title: 'Next try',
    value: ({ delivery }) => delivery?.next_try_at,
    show: ({ delivery }) => moment(delivery?.next_try_at),
  },
  id,
];

/** Rules with what keeps them from being watched. */
export const RULE_COLUMNS: readonly Column<Rule>[] = [
  plain('name', 'Rule'),
  {
    id: 'state',
    title: 'State',
    value: ({ fault }) => (fault === null ? 'watched' : 'not watched'),
    show: ({ fault }) => (
      <span class={`tag ${fault === null ? 'live' : 'down'}`}>
        {fault === null ? 'watched' : 'not watched'}
      </span>
    ),
  },
  sentences('fault', 'Why', ({ fault }) => fault),
  plain('watch_id', 'Watch', { show: (row) => <code>{row.watch_id}</code> }),
];
