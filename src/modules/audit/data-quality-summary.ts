import Type, { type Static } from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { TrackedVenue } from '../../market/view.ts';
import { csvReport, findVenue, presentQuery, REPORT_FILES } from '../../products/answer/report.ts';
import { integer, nullable, number, oneOf, text, venueName } from '../../products/answer/schema.ts';
import { defineProduct, type Ports } from '../../products/define-product.ts';
import { collectedVenues } from '../../products/rows/select.ts';
import example from './examples/data-quality-summary.json' with { type: 'json' };
import { gradeInputsOf, gradeName, gradeOf, gradeReasons, lastingAt } from './grade.ts';
import { AUDIT } from './port.ts';

const percentOrNull = (description: string) => nullable(number(description));

const venueQuality = Type.Object({
  venue: venueName,
  grade: gradeName,
  reasons: gradeReasons,
  status: oneOf(['live', 'stale', 'down'], { description: 'By the age of its data' }),
  contracts: integer('Contracts known, one an asset'),
  suspect: integer('Contracts that break a rule of data quality now'),
  open_incidents: integer('Incidents that last'),
  marks_pct: percentOrNull('Minutes of the contracts with a fresh mark, today and yesterday UTC, percent'),
  rates_pct: percentOrNull('The same with a fresh rate'),
  predictions_compared: integer('Payments since start that were held against the rate shown right before'),
  predictions_met_pct: percentOrNull('Those that were paid as shown, percent; null where none was compared'),
});

const answer = Type.Object({
  count: integer('Venues'),
  rule: text('How grades are made'),
  venues: Type.Array(venueQuality),
});

const RULE =
  'From A down to F: five grades for a venue that is down, two where it is stale, one below 99 % of minutes with a fresh mark and one more below 90 %, one below 95 % with a fresh rate (today and yesterday, UTC), one above 0.5 % of contracts that break a rule and two more above 5 %, one for an incident of the whole venue. docs/quality.md has the rules.';

export const dataQualitySummary = defineProduct({
  id: 'data-quality-summary',
  path: '/v1/data-quality/summary',
  access: 'free',
  summary: 'A grade for each venue, with its reasons',
  description:
    'Quality of the data by venue: a grade from A to F by a published rule, what it was marked down for, contracts that break a rule of data quality, incidents that last, share of minutes with a fresh mark and rate, and how often a predicted rate was paid as shown. JSON or CSV.',
  tags: ['data-quality', 'venues'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: presentQuery,
  answer,
  example: { request: '/v1/data-quality/summary?venue=binance', answer: example },
  find: findVenue,
  compute: ({ venue }, ports, { format, time }) => {
    const tracked = collectedVenues(ports.market).filter(
      ({ info }) => venue === undefined || info.id === venue,
    );
    const venues = tracked.map((venue) => qualityOf(venue, ports));
    const body: Static<typeof answer> = { count: venues.length, rule: RULE, venues };
    if (format === 'json') return ok({ body });
    return ok({ content: csvReport(venues, venueQuality, time, 'summary') });
  },
});

const percent = (share: number | undefined): number | null =>
  share === undefined ? null : Math.round(share * 1e5) / 1e3;

function qualityOf(tracked: TrackedVenue, ports: Ports): Static<typeof venueQuality> {
  const audit = ports.readPort(AUDIT);
  const { id } = tracked.info;
  const inputs = gradeInputsOf(tracked, ports);
  const { grade, reasons } = gradeOf(inputs);
  const { compared, elsewhere } = audit.predictions(id);
  return {
    venue: id,
    grade,
    reasons: [...reasons],
    status: inputs.status,
    contracts: tracked.trackedSymbols,
    suspect: audit.suspects(id),
    open_incidents: lastingAt(audit, id).length,
    marks_pct: percent(inputs.marks),
    rates_pct: percent(inputs.rates),
    predictions_compared: compared,
    predictions_met_pct: percent(compared === 0 ? undefined : 1 - elsewhere / compared),
  };
}
