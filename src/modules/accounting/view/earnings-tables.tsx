import type { JSX } from 'preact';
import { Listing } from '../../../../web/parts/listing.tsx';
import type { TableProps } from '../../../../web/parts/table.tsx';
import { count } from '../../../../web/text/number.ts';
import type { OperatorEarnings } from '../schemas/earnings.ts';
import { DAYS, EARNINGS, PAYERS, ROUTES, WAYS } from './earnings-columns.tsx';

interface Grouping<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly rowsOf: (earnings: OperatorEarnings) => readonly Row[];
  /** A remark below the table. */
  readonly noteOf?: (earnings: OperatorEarnings) => JSX.Element | undefined;
}

type EarningsTable = (props: { readonly earnings: OperatorEarnings; readonly path: string }) => JSX.Element;

/** Makes the table of the earnings in one grouping. */
const tableOf =
  <Row,>({ rowsOf, noteOf, ...table }: Grouping<Row>): EarningsTable =>
  ({ earnings, path }) => (
    <>
      <Listing
        {...table}
        name="earnings"
        rows={rowsOf(earnings)}
        empty="Nothing has been sold yet."
        paths={[path]}
      />
      {noteOf?.(earnings)}
    </>
  );

/** Names the command that has all payers, where not all of them are listed. */
function payersNote({ payers, payers_total }: OperatorEarnings): JSX.Element | undefined {
  if (payers.length >= payers_total) return undefined;
  return (
    <p class="fine">
      {count(payers.length)} of {count(payers_total)} payers, those that brought most:{' '}
      <code>perpmeter ledger sums --by payer</code> has all.
    </p>
  );
}

/** Groupings in the order of their choice. */
export const GROUPS = ['days', 'routes', 'payers', 'ways', 'days and routes'] as const;

/** The table of each grouping. */
export const TABLES: Readonly<Record<(typeof GROUPS)[number], EarningsTable>> = {
  days: tableOf({
    id: 'days',
    caption: 'Earnings by day',
    columns: DAYS,
    rowsOf: ({ days }) => days,
    keyOf: ({ day }) => day,
    first: '-day',
  }),
  routes: tableOf({
    id: 'routes',
    caption: 'Earnings by route',
    columns: ROUTES,
    rowsOf: ({ routes }) => routes,
    keyOf: ({ route }) => route,
    first: '-usd',
  }),
  payers: tableOf({
    id: 'payers',
    caption: 'Earnings by payer',
    columns: PAYERS,
    rowsOf: ({ payers }) => payers,
    keyOf: ({ payer }) => payer,
    first: '-usd',
    noteOf: payersNote,
  }),
  ways: tableOf({
    id: 'ways',
    caption: 'Earnings by scheme and network',
    columns: WAYS,
    rowsOf: ({ ways }) => ways,
    keyOf: ({ scheme, network }) => `${scheme} ${network}`,
    first: '-usd',
  }),
  'days and routes': tableOf({
    id: 'earnings',
    caption: 'Earnings by day and route',
    columns: EARNINGS,
    rowsOf: ({ earnings }) => earnings,
    keyOf: ({ day, route }) => `${day} ${route}`,
    first: '-day',
  }),
};
