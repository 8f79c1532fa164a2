import type { DataQualityIncidentsAnswer } from '../../../../packages/client/src/routes.ts';
import { ends, plain, sentences } from '../../../../web/parts/columns.tsx';
import { Age } from '../../../../web/parts/states.tsx';
import { count } from '../../../../web/text/number.ts';
import { reading, report } from '../../../../web/views/quality/report.tsx';

/** Found faults, open ones first. */
export const Incidents = reading(
  'incidents',
  report<DataQualityIncidentsAnswer, DataQualityIncidentsAnswer['incidents'][number]>({
    id: 'incidents',
    title: 'Incidents',
    rows: ({ incidents }) => incidents.toSorted((a, b) => Number(b.end === null) - Number(a.end === null)),
    said: (body) =>
      `${count(body.open)} open of ${count(body.count)} in the last seven days; open ones come first, then the latest${body.has_more ? `, of the ${count(body.limit)} that began last` : ''}. What a rule flags is left out of comparisons.`,
    empty: 'No incident in the last seven days.',
    columns: [
      plain('rule', 'Rule'),
      plain('venue', 'Venue'),
      plain('venue_symbol', 'Contract', { show: (row) => row.venue_symbol ?? 'whole venue' }),
      plain('field', 'Field'),
      plain('start', 'Since', { numeric: true, show: ({ start }) => <Age at={start} /> }),
      ends(),
      sentences('evidence', 'Evidence', ({ evidence }) => evidence),
      sentences('annotations', "Operator's notes", ({ annotations }) => annotations.join('; ')),
      plain('id', 'Number', { numeric: true }),
    ],
  }),
);
