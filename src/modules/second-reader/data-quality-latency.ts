import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import { csvReport, findReport, REPORT_FILES, reportQuery } from '../../products/answer/report.ts';
import { integer, number, oneOf, timestamp, venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { wholeDays } from './counts/counted-days.ts';
import example from './examples/data-quality-latency.json' with { type: 'json' };
import { AGED_FIELDS } from './minute-look.ts';
import { MEASURED } from './port.ts';

const age = (share: string) => number(`Seconds that ${share} of the values were not older than, to 12 %`);

const row = Type.Object({
  venue: venueName,
  field: oneOf(AGED_FIELDS, { description: 'Field of the rows; an index has the age of its mark' }),
  values: integer('Values that were looked at, one a contract and minute'),
  p50_seconds: age('half'),
  p90_seconds: age('nine tenths'),
  p99_seconds: age('99 of 100'),
});

const answer = Type.Object({
  from: timestamp('Start of the first day counted'),
  to: timestamp('End of the window, not included'),
  ages: Type.Array(row, { description: 'By venue and field' }),
});

export const dataQualityLatency = defineProduct({
  id: 'data-quality-latency',
  path: '/v1/data-quality/latency',
  access: 'free',
  summary: 'How old the data is',
  description:
    "Age of the values of all live rows by venue and field, looked at once a minute: time since the venue's own stamp, or since receipt where it gives none; p50, p90 and p99. Values that are no longer shown do not count. Whole UTC days, up to 90.",
  tags: ['data-quality', 'latency'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: reportQuery,
  answer,
  example: { request: '/v1/data-quality/latency?venue=binance', answer: example },
  find: findReport,
  compute: (scope, { readPort }, { format, time }) => {
    const { from, to, venue } = wholeDays(scope);
    const ages = readPort(MEASURED)
      .counts.between('age', from, to, venue)
      .flatMap((count): Static<typeof row>[] => {
        const field = AGED_FIELDS.find((field) => field === count.field);
        if (field === undefined) return [];
        const of = (q: number): number => count.values.quantile(q) ?? 0;
        return [
          {
            venue: count.venue,
            field,
            values: count.values.count,
            p50_seconds: of(0.5),
            p90_seconds: of(0.9),
            p99_seconds: of(0.99),
          },
        ];
      });
    if (format === 'csv') return ok({ content: csvReport(ages, row, time, 'latency') });
    return ok({ body: { from: iso(from), to: iso(to), ages } });
  },
});
