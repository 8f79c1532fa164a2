import Type from 'typebox';
import type { HealthPart } from '../../api/documents/health-part.ts';
import { venueName } from '../../products/answer/schema.ts';
import { collectedVenues } from '../../products/rows/select.ts';
import { gradeInputsOf, gradeName, gradeOf } from './grade.ts';

const fields = {
  grades: Type.Array(Type.Object({ venue: venueName, grade: gradeName }), {
    description: 'Quality of each venue, by the rule that /v1/data-quality/summary states',
  }),
};

/** The grade of each venue. */
export const auditHealth: HealthPart<typeof fields> = {
  after: 'venues',
  fields,
  read: (services) => ({
    grades: collectedVenues(services.market).map((venue) => ({
      venue: venue.info.id,
      grade: gradeOf(gradeInputsOf(venue, services)).grade,
    })),
  }),
};
