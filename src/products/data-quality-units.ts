import Type, { type Static } from 'typebox';
import type { PublishedAmount } from '../domain/amount.ts';
import { ok } from '../domain/errors.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { csvReport, findVenue, presentQuery, REPORT_FILES } from './answer/report.ts';
import { integer, nullable, oneOf, text, venueName } from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/data-quality-units.json' with { type: 'json' };
import fieldUnits from './field-units.json' with { type: 'json' };

const unit = Type.Object({
  venue: venueName,
  field: text('What the venue states'),
  unit: text('What it counts, before it is converted'),
  sides: nullable(
    oneOf(['one', 'two', 'unknown'], {
      description: 'Whether an amount counts each contract once or twice; null for what is no amount',
    }),
  ),
  source: text('Call and field'),
  evidence: text('What it is known by'),
  date: text('Month or day of the newest evidence of the figure, or of the interface'),
  confidence: oneOf(['high', 'medium', 'low'], { description: 'high: shown by recorded payloads' }),
});
type Unit = Static<typeof unit>;

const answer = Type.Object({ count: integer('Rows'), units: Type.Array(unit) });

export const dataQualityUnits = defineProduct({
  id: 'data-quality-units',
  path: '/v1/data-quality/units',
  access: 'free',
  summary: 'Unit and evidence of every field of every venue',
  description:
    'For every venue and field: what the venue’s own number counts, whether an amount is one- or two-sided, the call and field it is read from, what that is known by, the date of the evidence and the confidence. Made from the tables that the decoders are written by. JSON or CSV.',
  tags: ['data-quality', 'units'],
  dependsOn: 'table',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: presentQuery,
  answer,
  example: { request: '/v1/data-quality/units?venue=binance', answer: example },
  find: findVenue,
  compute: ({ venue }, { market }, { format, time }) => {
    const infos = market.venues().map(({ info }) => info);
    const units = infos.filter(({ id }) => venue === undefined || id === venue).flatMap(unitsOf);
    if (format === 'json') return ok({ body: { count: units.length, units } });
    return ok({ content: csvReport(units, unit, time, 'units') });
  },
});

interface FieldUnit {
  readonly field: string;
  readonly source: string;
  readonly unit: string;
  readonly evidence: string;
}
const TABLES: Readonly<Record<string, readonly FieldUnit[]>> = fieldUnits;
/** Fields that say what the published amounts are; these are shown with their sides. */
const AMOUNTS = /^(open ?interest|volume)/i;

/** The published amounts, then the other fields of the venue's table, or of its parent's. */
function unitsOf(venue: VenueInfo): Unit[] {
  const { id, parent, openInterest, historicalOpenInterest: past, volume, verified } = venue;
  const table = TABLES[parent ?? id] ?? [];
  const others = table.filter(({ field, unit: counted }) => !AMOUNTS.test(field) && counted !== '');
  return [
    amountUnit(id, 'open interest', openInterest),
    ...(past === undefined ? [] : [amountUnit(id, 'past open interest', past)]),
    amountUnit(id, 'volume 24 h', volume),
    ...others.map(({ field, unit: counted, source, evidence }) => ({
      venue: id,
      field,
      unit: counted,
      sides: null,
      source,
      evidence: evidence === '' ? verified.source : evidence,
      date: verified.date,
      confidence: /record/i.test(evidence) ? ('high' as const) : ('medium' as const),
    })),
  ];
}

const amountUnit = (venue: string, field: string, amount: PublishedAmount): Unit => ({
  venue,
  field,
  unit: amount.unit,
  sides: amount.sides,
  source: amount.field.replaceAll('`', ''),
  evidence: amount.evidence,
  date: amount.date,
  confidence: amount.confidence,
});
