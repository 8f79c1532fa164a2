import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import { csvReport, findReport, REPORT_FILES, reportQuery } from '../../products/answer/report.ts';
import {
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
  venueName,
} from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { adapterOf } from '../../venues/registry.ts';
import { secondWaysOf } from '../../venues/second-way.ts';
import { SECOND_FIELD_NAMES as NAMES, secondByCcxt } from './ccxt/second-fields.ts';
import { wholeDays } from './counts/counted-days.ts';
import type { QualityCount, WorstComparison } from './counts/quality-day.ts';
import example from './examples/data-quality-accuracy.json' with { type: 'json' };
import { MEASURED, type Measured } from './port.ts';
import { COMPARED_FIELDS, FIELD_RULES } from './readings/field-rules.ts';
import { BEFORE_PAYMENT } from './readings/settled-against-shown.ts';

const worst = Type.Object({
  venue_symbol: text("The venue's own symbol"),
  way: text('Call that was asked the second time'),
  at: timestamp('When both were compared'),
  shown: number('Value as it was shown'),
  second: number('Value as the second way had it'),
  difference: number('How far they lie apart'),
  tolerance: number('What was allowed'),
});

const counts = {
  agreed: integer('Comparisons within their tolerance'),
  median_difference: nullable(number('Median difference, to 12 %; null before the first comparison')),
  p99_difference: nullable(number('Difference that 99 of 100 comparisons do not exceed, to 12 %')),
  worst: nullable(worst),
};

const field = Type.Object({
  venue: venueName,
  field: oneOf(COMPARED_FIELDS, { description: 'Field of the rows' }),
  compared: integer('Comparisons with a second way'),
  ...counts,
  difference_unit: oneOf(['relative', 'rate', 'ms', 'hours'], {
    description: 'relative: part of the larger amount; rate: fraction per interval',
  }),
  no_second_way: nullable(
    text(
      'That nothing was compared in the window, and what the venue has no second way of; null where something was',
    ),
  ),
});

const settled = Type.Object({
  venue: venueName,
  before: oneOf(BEFORE_PAYMENT, {
    description: 'How long before the payment the rate was shown: a minute, an hour, one interval',
  }),
  payments: integer('Payments that were compared'),
  ...counts,
});

const ways = Type.Object({
  venue: venueName,
  ways: Type.Array(Type.String(), { description: 'Calls that are asked the second time' }),
  missing: text('Which fields have no second way, and why'),
});

const answer = Type.Object({
  from: timestamp('Start of the first day counted'),
  to: timestamp('End of the window, not included'),
  fields: Type.Array(field, { description: 'By venue and field' }),
  settled_against_shown: Type.Array(settled, { description: 'Payments beside the rates shown before them' }),
  venues: Type.Array(ways, { description: 'How each venue is read a second time' }),
});

const THROUGH_CCXT = 'All fields: ccxt reads the venue, and there is no other codec of it.';

export const dataQualityAccuracy = defineProduct({
  id: 'data-quality-accuracy',
  path: '/v1/data-quality/accuracy',
  access: 'free',
  summary: 'How often a second reading agrees',
  description:
    'Values as shown beside the same values read another way at the same venue, and funding payments beside the rates shown before them: compared, agreed, median and p99 difference, the worst case with both values, and where there is no second way, why. Whole UTC days, up to 90.',
  tags: ['data-quality', 'accuracy'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: reportQuery,
  answer,
  example: { request: '/v1/data-quality/accuracy?venue=binance', answer: example },
  find: findReport,
  compute: (scope, { market, readPort }, { format, time }) => {
    const measured = readPort(MEASURED);
    const { from, to, venue } = wholeDays(scope);
    const venues = market
      .venues()
      .flatMap(({ info }) => (venue === undefined || info.id === venue ? info.id : []));
    const second = byKey(measured.counts.between('second', from, to, venue));
    const fields = venues.flatMap((id) =>
      COMPARED_FIELDS.map((name) => fieldRow(id, name, second, measured)),
    );
    if (format === 'csv') return ok({ content: csvReport(fields.map(flat), field, time, 'accuracy') });
    const body: Static<typeof answer> = {
      from: iso(from),
      to: iso(to),
      fields,
      settled_against_shown: measured.counts.between('paid', from, to, venue).flatMap(settledRow),
      venues: venues.map((id) => waysOf(id, measured)),
    };
    return ok({ body });
  },
});

const flat = (row: Static<typeof field>) => ({ ...row, worst: row.worst && JSON.stringify(row.worst) });

type Counts = ReadonlyMap<string, QualityCount>;
const byKey = (list: readonly QualityCount[]): Counts =>
  new Map(list.map((count) => [`${count.venue}\n${count.field}`, count]));

type CcxtWays = Pick<Measured, 'ccxtWays'>;

/** Fields for which the venue has no second way, and those that ccxt is asked for in its place. */
function missingOf(venue: VenueId, { ccxtWays }: CcxtWays): string {
  const adapter = adapterOf(venue);
  const missing = adapter?.second?.missing ?? THROUGH_CCXT;
  const calls = (adapter && secondByCcxt(adapter)?.calls) ?? [];
  const read = calls.flatMap(({ fields }) => fields.map((field) => NAMES[field]));
  const names = [...new Set(read)].join(', ');
  if (names === '') return missing;
  return ccxtWays(venue).length > 0
    ? `${missing} ccxt is asked for ${names}.`
    : `${missing} ccxt reads ${names}, where it is installed.`;
}

function fieldRow(
  venue: VenueId,
  name: (typeof COMPARED_FIELDS)[number],
  second: Counts,
  measured: CcxtWays,
): Static<typeof field> {
  const count = second.get(`${venue}\n${name}`);
  const { measure } = FIELD_RULES[name];
  return {
    venue,
    field: name,
    compared: count?.values.count ?? 0,
    ...countsOf(count),
    difference_unit: measure === 'exact' ? 'hours' : measure,
    no_second_way:
      count === undefined ? `Nothing compared in this window. ${missingOf(venue, measured)}` : null,
  };
}

function settledRow(count: QualityCount): Static<typeof settled>[] {
  const before = BEFORE_PAYMENT.find((field) => count.field === `shown_${field}_before`);
  if (before === undefined) return [];
  return [{ venue: count.venue, before, payments: count.values.count, ...countsOf(count) }];
}

const countsOf = (count: QualityCount | undefined) => ({
  agreed: count?.agreed ?? 0,
  median_difference: count?.values.quantile(0.5) ?? null,
  p99_difference: count?.values.quantile(0.99) ?? null,
  worst: count?.worst === undefined ? null : shownWorst(count.worst),
});

const shownWorst = ({ symbol, at, ...one }: WorstComparison): Static<typeof worst> => ({
  venue_symbol: symbol,
  way: one.way,
  at: iso(at),
  shown: one.shown,
  second: one.second,
  difference: one.difference,
  tolerance: one.tolerance,
});

function waysOf(venue: VenueId, measured: CcxtWays): Static<typeof ways> {
  const adapter = adapterOf(venue);
  const names = adapter === undefined ? [] : secondWaysOf(adapter).map(({ call }) => call.name);
  return {
    venue,
    ways: [...new Set(names), ...measured.ccxtWays(venue)],
    missing: missingOf(venue, measured),
  };
}
