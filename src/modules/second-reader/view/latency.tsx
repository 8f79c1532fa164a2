import type { DataQualityLatencyAnswer } from '../../../../packages/client/src/routes.ts';
import { counts, plain } from '../../../../web/parts/columns.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { rounded } from '../../../../web/text/number.ts';
import { reading, report } from '../../../../web/views/quality/report.tsx';

type Aged = DataQualityLatencyAnswer['ages'][number];

const seconds = (id: 'p50_seconds' | 'p90_seconds' | 'p99_seconds', title: string): Column<Aged> =>
  plain(id, title, { unit: 's', numeric: true, show: (row) => rounded(row[id]) });

/** The age of values. */
export const Latency = reading(
  'latency',
  report<DataQualityLatencyAnswer, Aged>({
    id: 'latency',
    title: 'Latency',
    rows: ({ ages }) => ages,
    said: () =>
      "Age of the values of all live rows, looked at once a minute: seconds since the venue's stamp, or since receipt where it gives none. A quantile is right to 12 %. An index has the age of its mark.",
    empty: 'No value was looked at in the last seven days.',
    columns: [
      plain('venue', 'Venue'),
      plain('field', 'Field'),
      seconds('p50_seconds', 'p50'),
      seconds('p90_seconds', 'p90'),
      seconds('p99_seconds', 'p99'),
      counts('values', 'Values', { about: 'Looked at, one a contract and minute' }),
    ],
  }),
);
