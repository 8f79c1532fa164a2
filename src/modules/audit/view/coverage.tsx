import type { DataQualityCoverageAnswer } from '../../../../packages/client/src/routes.ts';
import { counts, percents, plain } from '../../../../web/parts/columns.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { reading, report, type Section } from '../../../../web/views/quality/report.tsx';
import { Gaps } from './gaps.tsx';

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

/** The share of the contracts' minutes with a value, by venue and day. */
const Shares = reading(
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

/** The covered part of each day, and the spans without data. */
export const Coverage: Section = ({ venue }) => (
  <>
    <Shares venue={venue} />
    <Gaps venue={venue} />
  </>
);
