/**
 * Writes the tables of docs/spot.md and docs/identity.md from the spot side of the venues: `npm run docs spot`. With `--check`
 * it writes nothing and exits 1 where they are out of date.
 */
import { createRegistry } from '../src/market/registry/lookup.ts';
import { registryData } from '../src/market/registry/registry-data.ts';
import { SPOT_VENUES, spotVenueOf } from '../src/modules/spot/registry.ts';
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
/** Names that mean a coin at one venue alone, and further and former ones that it goes by anywhere. */
const ofVenues = registryData().names.flatMap(({ venue, name, canonicalId }) => {
  const [assetClass, asset = ''] = canonicalId.split(':');
  const isSpot = assetClass === 'crypto' && spotVenueOf(venue) !== undefined;
  return isSpot && !names.some(([of, own]) => of === venue && own === name)
    ? [[venue, name, asset, 'same']]
    : [];
});
const anywhere = createRegistry().assets.flatMap(({ assetClass, ticker, aliases }) =>
  assetClass === 'crypto' ? aliases.map((alias) => ['any', alias, ticker, 'same']) : [],
);
writeGeneratedPart(
  'docs/identity.md',
  'npm run docs spot',
  markdownTable(['venue', 'spot name', 'asset', 'relation'], [...names, ...ofVenues, ...anywhere]),
);
