import type { DataQualityGapsAnswer } from '../../../../packages/client/src/routes.ts';
import { counts, ends, plain } from '../../../../web/parts/columns.tsx';
import { moment } from '../../../../web/text/time.ts';
import { reading, report } from '../../../../web/views/quality/report.tsx';

/** Spans without data. */
export const Gaps = reading(
  'gaps',
  report<DataQualityGapsAnswer, DataQualityGapsAnswer['gaps'][number]>({
    id: 'gaps',
    title: 'Gaps',
    rows: ({ gaps }) => gaps,
    empty: 'No gap in the last seven days.',
    columns: [
      plain('venue', 'Venue'),
      plain('start', 'From', { show: ({ start }) => moment(start) }),
      ends(),
      counts('minutes', 'Minutes'),
      plain('reason', 'Reason', { show: ({ reason }) => reason.replaceAll('_', ' ') }),
    ],
  }),
);
