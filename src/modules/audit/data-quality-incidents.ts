import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { Incident } from '../../host/incident-board.ts';
import { findReport, REPORT_FILES, ReportTexts, reportQuery } from '../../products/answer/report.ts';
import { boolean, integer, nullable, text, timestamp, venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import example from './examples/data-quality-incidents.json' with { type: 'json' };
import { AUDIT } from './port.ts';

const incident = Type.Object({
  id: integer('Number of the incident, never reused', 1),
  rule: text('Rule or comparison that was broken; docs/quality.md has each with its threshold'),
  venue: venueName,
  field: text('Field it was broken by'),
  venue_symbol: nullable(text("The venue's own symbol; null where the whole venue is meant")),
  start: timestamp('When it was found'),
  end: nullable(timestamp('When the rule held again; null while it does not')),
  evidence: text('What was seen'),
  annotations: Type.Array(Type.String(), { description: 'What the operator says of it, with the time' }),
});

/** A page is answered within the time of all reports; twenty thousand incidents at once are five megabytes. */
const query = Type.Object({
  ...reportQuery.properties,
  limit: Type.Integer({ minimum: 1, maximum: 2000, default: 1000, description: 'Incidents on a page' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Incidents to skip' }),
});

const answer = Type.Object({
  from: timestamp('Start of the window'),
  to: timestamp('End of the window, not included'),
  count: integer('Incidents that lasted at some moment of the window'),
  open: integer('Those of them that still last'),
  limit: integer('Incidents on a page', 1),
  offset: integer('Incidents skipped'),
  has_more: boolean('Whether there are incidents after this page'),
  incidents: Type.Array(incident, { description: 'The latest first' }),
});

export const dataQualityIncidents = defineProduct({
  id: 'data-quality-incidents',
  path: '/v1/data-quality/incidents',
  access: 'free',
  summary: 'Where the data was found wrong',
  description:
    "Incidents of data quality by venue, up to 90 days: every row is held against rules of data quality, and samples against a second reading. Rule, venue, contract, field, start, end, what was seen, and the operator's notes. Rows that an open incident flags are left out of comparisons. A thousand on a page.",
  tags: ['data-quality', 'incidents'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query,
  answer,
  example: { request: '/v1/data-quality/incidents?venue=binance', answer: example },
  find: findReport,
  compute: (scope, { readPort }, asked) => {
    const { page, ...counts } = pageOf(readPort(AUDIT).incidents.between(scope), asked);
    const head: Omit<Static<typeof answer>, 'incidents'> = {
      from: iso(scope.from),
      to: iso(scope.to),
      ...counts,
    };
    return ok({ content: TEXTS.content(asked, head, page) });
  },
});

/** A page of what was found, with what all pages hold. */
export function pageOf(
  found: readonly Incident[],
  asked: { readonly limit: number; readonly offset: number },
) {
  const { limit, offset } = asked;
  const page = found.slice(offset, offset + limit);
  const open = found.filter(({ closedAt }) => closedAt === undefined).length;
  return { count: found.length, open, limit, offset, has_more: offset + page.length < found.length, page };
}

const shown = (found: Incident): Static<typeof incident> => ({
  id: found.id,
  rule: found.rule,
  venue: found.venue,
  field: found.field,
  venue_symbol: found.contract ?? null,
  start: iso(found.openedAt),
  end: found.closedAt === undefined ? null : iso(found.closedAt),
  evidence: found.evidence,
  annotations: found.annotations.map(({ at, text: said }) => `${iso(at)} ${said}`),
});

const TEXTS = new ReportTexts<Incident>({
  list: 'incidents',
  row: incident,
  rowsOf: (found) => [shown(found)],
  // One that changes is another object.
  isFinal: () => true,
});
