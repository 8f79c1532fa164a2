import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import { findReport, REPORT_FILES, ReportTexts, reportQuery } from '../../products/answer/report.ts';
import { integer, number, oneOf, text, timestamp, venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { coveredShare, type DayCoverage, METRICS } from './coverage/coverage.ts';
import example from './examples/data-quality-coverage.json' with { type: 'json' };
import { dayText } from './grade.ts';
import { AUDIT } from './port.ts';

const row = Type.Object({
  day: text('Day, UTC'),
  venue: venueName,
  metric: oneOf(METRICS, { description: 'Field of the row' }),
  contracts: integer('Contracts known, one an asset'),
  served: integer('Most of them that had a value in one minute'),
  sampled_pct: number('Minutes of these contracts with a value, percent of the minutes since the first look'),
});

const answer = Type.Object({
  from: timestamp('Start of the window'),
  to: timestamp('End of the window, not included'),
  count: integer('Rows'),
  coverage: Type.Array(row, { description: 'By venue, day and metric' }),
});

export const dataQualityCoverage = defineProduct({
  id: 'data-quality-coverage',
  path: '/v1/data-quality/coverage',
  access: 'free',
  summary: 'How much is covered, by venue and day',
  description:
    'Coverage by venue, day and field, up to 90 days: contracts known, contracts served, and the share of their minutes that had a value. Marks and rates count where they are fresh; a minute in which the service did not run counts as missing. JSON or CSV.',
  tags: ['data-quality', 'coverage'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: reportQuery,
  answer,
  example: { request: '/v1/data-quality/coverage?venue=binance', answer: example },
  find: findReport,
  compute: (scope, { readPort }, asked) => {
    const days = readPort(AUDIT).coverage.days(scope);
    const count = days.length * METRICS.length;
    const head: Omit<Static<typeof answer>, 'coverage'> = { from: iso(scope.from), to: iso(scope.to), count };
    return ok({ content: TEXTS.content(asked, head, days) });
  },
});

const rowsOf = (day: DayCoverage): Static<typeof row>[] =>
  METRICS.map((metric) => ({
    day: dayText(day.day),
    venue: day.venue,
    metric,
    contracts: day.contracts,
    served: day.metrics[metric].served,
    sampled_pct: Math.round((coveredShare([day], metric) ?? 0) * 1e5) / 1e3,
  }));

const TEXTS = new ReportTexts<DayCoverage>({
  list: 'coverage',
  row,
  rowsOf,
  // The last look at a day may be a minute before its end.
  isFinal: (day) => day.to >= day.day + DAY_MS - MINUTE_MS,
});
