import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { ok } from '../../domain/errors.ts';
import type { UnixMs } from '../../domain/units.ts';
import { findReport, REPORT_FILES, ReportTexts, reportQuery } from '../../products/answer/report.ts';
import { integer, nullable, oneOf, timestamp, venueName } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { CoverageGap } from './coverage/coverage.ts';
import example from './examples/data-quality-gaps.json' with { type: 'json' };
import { AUDIT } from './port.ts';

const gap = Type.Object({
  venue: venueName,
  start: timestamp('When it began, to the minute'),
  end: nullable(timestamp('When it was over; null while it lasts')),
  minutes: integer('How long it has lasted'),
  reason: oneOf(['venue_stale', 'venue_down', 'not_running'], {
    description: 'not_running: the service itself did not look',
  }),
});

const answer = Type.Object({
  from: timestamp('Start of the window'),
  to: timestamp('End of the window, not included'),
  count: integer('Gaps that lasted at some moment of the window'),
  gaps: Type.Array(gap, { description: 'The latest first' }),
});

export const dataQualityGaps = defineProduct({
  id: 'data-quality-gaps',
  path: '/v1/data-quality/gaps',
  access: 'free',
  summary: 'Spans without data, by venue',
  description:
    'Gaps by venue, up to 90 days: spans in which a venue was stale or down, judged by the age of its data, or the service itself did not run; with start, end and reason. JSON or CSV.',
  tags: ['data-quality', 'gaps'],
  dependsOn: 'second',
  fileTypes: REPORT_FILES,
  revisedAt: '2026-11-30T17:10:00.000Z',
  query: reportQuery,
  answer,
  example: { request: '/v1/data-quality/gaps?venue=binance', answer: example },
  find: findReport,
  compute: (scope, { clock, readPort }, asked) => {
    const now = clock.now();
    const gaps = readPort(AUDIT)
      .coverage.gaps(scope)
      .map((gap) => (gap.to === undefined ? { ...gap, now } : gap));
    const count = gaps.length;
    const head: Omit<Static<typeof answer>, 'gaps'> = { from: iso(scope.from), to: iso(scope.to), count };
    return ok({ content: TEXTS.content(asked, head, gaps) });
  },
});

/** A gap; one that lasts, as it is now. */
type GapNow = CoverageGap & { readonly now?: UnixMs };

const rowOf = ({ venue, from, to, now = from, reason }: GapNow): Static<typeof gap> => ({
  venue,
  start: iso(from),
  end: to === undefined ? null : iso(to),
  minutes: Math.max(0, Math.round(((to ?? now) - from) / MINUTE_MS)),
  reason,
});

const TEXTS = new ReportTexts<GapNow>({
  list: 'gaps',
  row: gap,
  rowsOf: (span) => [rowOf(span)],
  isFinal: ({ to }) => to !== undefined,
});
