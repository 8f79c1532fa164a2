/**
 * Writes the tables of docs/spot.md and docs/identity.md from the spot side of the venues: `npm run docs spot`. With `--check`
 * it writes nothing and exits 1 where they are out of date.
 */
import { SPOT_VENUES } from '../src/modules/spot/registry.ts';
import type { Evidence } from '../src/modules/spot/spot-venue.ts';
import { writeGeneratedPart } from './generated-part.ts';
import { markdownTable } from './markdown-table.ts';

const cell = ({ said, confidence }: Evidence): string => `${said} (${confidence})`;

const rows = SPOT_VENUES.map(({ id, takerFeeBps, evidence, verified }) => [
  `[${id}](../src/modules/spot/venues/${id}.ts)`,
  cell(evidence.tickers),
  `${takerFeeBps}: ${cell(evidence.fee)}`,
  cell(evidence.borrow),
  evidence.candles === undefined ? '' : cell(evidence.candles),
  `${verified.version}, ${verified.date}: ${verified.source}`,
]);
const header = ['venue', 'tickers', 'taker fee, bps', 'borrow rate', 'candles', 'last seen to be so'];
writeGeneratedPart('docs/spot.md', 'npm run docs spot', markdownTable(header, rows));

const names = SPOT_VENUES.flatMap(({ id, ownNames = [] }) =>
  ownNames.map(({ name, asset, relation }) => [id, name, asset, relation ?? 'same']),
);
writeGeneratedPart(
  'docs/identity.md',
  'npm run docs spot',
  markdownTable(['venue', 'spot name', 'asset', 'relation'], names),
);
