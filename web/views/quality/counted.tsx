import type {
  DataQualityCoverageAnswer,
  DataQualityGapsAnswer,
  DataQualityLatencyAnswer,
  DataQualityUnitsAnswer,
} from '../../../packages/client/src/routes.ts';
import type { Column } from '../../parts/table.tsx';
import { rounded } from '../../text/number.ts';
import { moment } from '../../text/time.ts';
import { counts, ends, percents, plain, sentences } from './columns.tsx';
import { reading, report } from './report.tsx';

type Covered = DataQualityCoverageAnswer['coverage'][number];
/** A venue's day, with the share of each field. */
type CoveredDay = Pick<Covered, 'venue' | 'day' | 'contracts'> & Partial<Record<Covered['metric'], number>>;

const share = (field: Covered['metric'], title: string): Column<CoveredDay> =>
  percents(field, title, "Minutes of the contracts with a value, since the day's first look");

function daysOf({ coverage }: DataQualityCoverageAnswer): readonly CoveredDay[] {
  const days = new Map<string, CoveredDay>();
  for (const { venue, day, contracts, metric, sampled_pct } of coverage) {
    const key = `${venue} ${day}`;
    days.set(key, { ...days.get(key), venue, day, contracts, [metric]: sampled_pct });
  }
  return [...days.values()];
}

/** How many of the contracts' minutes have a value, by venue and day. */
export const Coverage = reading(
  'coverage',
  report<DataQualityCoverageAnswer, CoveredDay>({
    id: 'coverage',
    title: 'Coverage',
    rows: daysOf,
    said: () =>
      'Minutes of the contracts that had a value, in percent, by day. Marks and rates count where they are fresh; a minute in which the service did not run counts as missing.',
    empty: 'Nothing was looked at in the last seven days.',
    columns: [
      plain('venue', 'Venue'),
      plain('day', 'Day', { unit: 'UTC' }),
      counts('contracts', 'Contracts', { about: 'Contracts known, one an asset' }),
      share('mark_price', 'Mark'),
      share('funding_rate', 'Rate'),
      share('index_price', 'Index'),
      share('open_interest', 'Open interest'),
      share('volume_24h', 'Volume'),
      share('funding_interval', 'Interval'),
      share('next_funding_time', 'Next settlement'),
    ],
  }),
);

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

type Aged = DataQualityLatencyAnswer['ages'][number];

const seconds = (id: 'p50_seconds' | 'p90_seconds' | 'p99_seconds', title: string): Column<Aged> =>
  plain(id, title, { unit: 's', numeric: true, show: (row) => rounded(row[id]) });

/** How old values are. */
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

/** What each venue's own numbers count, and what that is known by. */
export const Units = reading(
  'units',
  report<DataQualityUnitsAnswer, DataQualityUnitsAnswer['units'][number]>({
    id: 'units',
    title: 'Units',
    rows: ({ units }) => units,
    columns: [
      plain('venue', 'Venue'),
      plain('field', 'Field'),
      sentences('unit', 'Unit', ({ unit }) => unit),
      plain('sides', 'Sides'),
      plain('confidence', 'Confidence'),
      plain('date', 'Date'),
      sentences('source', 'Source', ({ source }) => source),
      sentences('evidence', 'Evidence', ({ evidence }) => evidence),
    ],
  }),
);
