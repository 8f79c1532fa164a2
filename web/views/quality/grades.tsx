import type { JSX } from 'preact';
import type {
  DataQualityIncidentsAnswer,
  DataQualitySummaryAnswer,
} from '../../../packages/client/src/routes.ts';
import { Age } from '../../parts/states.tsx';
import { linkTo } from '../../place.ts';
import { count, UNKNOWN } from '../../text/number.ts';
import { counts, ends, percents, plain, sentences } from './columns.tsx';
import { reading, report } from './report.tsx';

const LOOKS = { A: 'live', B: 'live', C: 'stale', D: 'stale', E: 'down', F: 'down' } as const;

function figures({ venues }: DataQualitySummaryAnswer): JSX.Element {
  const all = [...Object.keys(LOOKS), null].map((name) => ({
    title: name === null ? 'Not graded yet' : `Grade ${name}`,
    venues: venues.filter(({ grade }) => grade === name).length,
  }));
  return (
    <dl class="figures" key="figures">
      {all.map((one) => (
        <div key={one.title}>
          <dt>{one.title}</dt>
          <dd>{count(one.venues)}</dd>
        </div>
      ))}
    </dl>
  );
}

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
      counts('suspect', 'Suspect', { about: 'Contracts that break a law of the data now' }),
      percents('marks_pct', 'Marks', 'Minutes with a fresh mark, today and yesterday (UTC)'),
      percents('rates_pct', 'Rates', 'Minutes with a fresh rate, today and yesterday (UTC)'),
      counts('predictions_compared', 'Payments', { about: 'Held against the rate shown right before' }),
      percents('predictions_met_pct', 'Paid as shown', 'Of these payments, since start'),
    ],
  }),
);

/** What was found wrong, what lasts first. */
export const Incidents = reading(
  'incidents',
  report<DataQualityIncidentsAnswer, DataQualityIncidentsAnswer['incidents'][number]>({
    id: 'incidents',
    title: 'Incidents',
    rows: ({ incidents }) => incidents.toSorted((a, b) => Number(b.end === null) - Number(a.end === null)),
    said: (body) =>
      `${count(body.open)} open of ${count(body.count)} in the last seven days; open ones come first, then the latest. What a rule flags is left out of comparisons.`,
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
