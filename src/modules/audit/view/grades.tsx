import type { JSX } from 'preact';
import type { DataQualitySummaryAnswer } from '../../../../packages/client/src/routes.ts';
import { counts, percents, plain, sentences } from '../../../../web/parts/columns.tsx';
import { Figures } from '../../../../web/parts/figures.tsx';
import { linkTo } from '../../../../web/place.ts';
import { count, UNKNOWN } from '../../../../web/text/number.ts';
import { reading, report } from '../../../../web/views/quality/report.tsx';

const LOOKS = { A: 'live', B: 'live', C: 'stale', D: 'stale', E: 'down', F: 'down' } as const;

const figures = ({ venues }: DataQualitySummaryAnswer): JSX.Element => (
  <Figures
    key="figures"
    figures={[...Object.keys(LOOKS), null].map((name) => [
      name === null ? 'Not graded yet' : `Grade ${name}`,
      count(venues.filter(({ grade }) => grade === name).length),
    ])}
  />
);

/** The grade of each venue, and the rule that it is made by. */
export const Grades = reading(
  'summary',
  figures,
  report<DataQualitySummaryAnswer, DataQualitySummaryAnswer['venues'][number]>({
    id: 'grades',
    title: 'Grades',
    rows: ({ venues }) => venues,
    said: ({ rule }) => rule,
    columns: [
      plain('venue', 'Venue'),
      plain('grade', 'Grade', {
        show: ({ grade }) => (grade === null ? UNKNOWN : <span class={`tag ${LOOKS[grade]}`}>{grade}</span>),
      }),
      sentences('reasons', 'Marked down for', ({ reasons }) => reasons.join('; ')),
      plain('status', 'Status'),
      counts('open_incidents', 'Open incidents', {
        show: ({ venue, open_incidents }) => (
          <a href={linkTo('quality', { venue, section: 'incidents' })}>{count(open_incidents)}</a>
        ),
      }),
      counts('contracts', 'Contracts'),
      counts('suspect', 'Suspect', { about: 'Contracts that break a rule of data quality now' }),
      percents('marks_pct', 'Marks', 'Minutes with a fresh mark, today and yesterday (UTC)'),
      percents('rates_pct', 'Rates', 'Minutes with a fresh rate, today and yesterday (UTC)'),
      counts('predictions_compared', 'Payments', { about: 'Held against the rate shown right before' }),
      percents('predictions_met_pct', 'Paid as shown', 'Of these payments, since start'),
    ],
  }),
);
