/**
 * Writes the table of docs/events.md from what venues are declared to publish: `npm run docs events`. With `--check` it
 * writes nothing and exits 1 where it is out of date.
 */
import { LIQUIDATIONS } from '../src/modules/events/completeness.ts';
import { writeGeneratedPart } from './generated-part.ts';
import { markdownTable } from './markdown-table.ts';

const published = Object.entries(LIQUIDATIONS).filter(
  ([, { completeness }]) => completeness !== 'not_published',
);

const rows = published.map(([venue, { completeness, rule = '', side, sideProof }]) => [
  venue,
  `\`${completeness}\``,
  rule,
  `${side}, ${sideProof}`,
]);
const header = ['venue', 'completeness', 'rule', 'side of, shown by'];
writeGeneratedPart('docs/events.md', 'npm run docs events', markdownTable(header, rows));
