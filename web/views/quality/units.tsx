import type { DataQualityUnitsAnswer } from '../../../packages/client/src/routes.ts';
import { plain, sentences } from '../../parts/columns.tsx';
import { reading, report } from './report.tsx';

/** The units of each venue's own numbers, with the evidence. */
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
