import { counts, dollars } from '../../../../web/parts/columns.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { linkTo } from '../../../../web/place.ts';
import { moment } from '../../../../web/text/time.ts';
import type { DaySum, Earning, PayerSum, RouteSum, WaySum } from '../schemas/earnings.ts';
import { Left } from './margins.tsx';

type Sum = Pick<DaySum, 'payments' | 'usd' | 'margin_usd'>;

const SUMS: readonly Column<Sum>[] = [
  counts('payments', 'Payments'),
  dollars('usd', 'USD'),
  {
    id: 'margin',
    title: 'Margin',
    unit: 'USD',
    about: 'What is left after what the settlements cost',
    numeric: true,
    value: (row) => row.margin_usd,
    show: (row) => <Left usd={row.margin_usd} />,
  },
];

export const DAYS: readonly Column<DaySum>[] = [
  { id: 'day', title: 'Day, UTC', value: ({ day }) => day },
  ...SUMS,
  counts('new_payers', 'New payers', {
    about: 'They had bought nothing before within what was looked through',
  }),
  counts('returning_payers', 'Returning payers', { about: 'They had bought before' }),
];

export const ROUTES: readonly Column<RouteSum>[] = [
  {
    id: 'route',
    title: 'Route',
    value: ({ route }) => route,
    show: ({ route }) => <a href={linkTo('operator', { part: 'ledger', route })}>{route}</a>,
  },
  ...SUMS,
];

export const WAYS: readonly Column<WaySum>[] = [
  { id: 'scheme', title: 'Scheme', value: ({ scheme }) => scheme },
  { id: 'network', title: 'Network', value: ({ network }) => network },
  ...SUMS,
];

export const PAYERS: readonly Column<PayerSum>[] = [
  {
    id: 'payer',
    title: 'Payer',
    value: ({ payer }) => payer,
    show: ({ payer }) => (
      <a href={linkTo('operator', { part: 'ledger', q: payer })}>
        <code>{payer}</code>
      </a>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    about: 'New: its first payment was settled within seven days',
    value: (row) => (row.is_new ? 'new' : 'returning'),
  },
  ...SUMS,
  { id: 'first', title: 'First', value: ({ first }) => first, show: ({ first }) => moment(first) },
  { id: 'last', title: 'Last', value: ({ last }) => last, show: ({ last }) => moment(last) },
];

export const EARNINGS: readonly Column<Earning>[] = [
  { id: 'day', title: 'Day, UTC', value: ({ day }) => day },
  { id: 'route', title: 'Route', value: ({ route }) => route },
  ...SUMS,
];
