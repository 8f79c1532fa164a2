/**
 * Adds a venue: `npm run venue new <id>` copies the template under its name and enters it in both registries;
 * `npm run venue check <id>` says what is missing and runs all checks of docs/contributing/venue-checks.md in order. Options after `--`.
 */
import { parseArgs } from 'node:util';
import { answerHelp } from './usage.ts';
import { checkVenue } from './venue/check.ts';
import { makeVenue, obstacleTo } from './venue/new.ts';
import { capitalized } from './venue/places.ts';

const OPTIONS = {
  name: { type: 'string' },
  kind: { type: 'string', default: 'cex' },
  only: { type: 'string', default: '' },
} as const;
const USAGE = `npm run venue new <id> [-- --name "Shown Name" --kind cex|dex]
npm run venue check <id> [-- --only 2,3]
`;

answerHelp(OPTIONS);

function fail(reason: string): never {
  process.stderr.write(`venue: ${reason}\n${USAGE}`);
  process.exit(2);
}

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const [command, id] = positionals;
if (id === undefined || positionals.length > 2) fail('a command and one id');
if (command === 'new') {
  const { kind } = values;
  if (kind !== 'cex' && kind !== 'dex') fail(`--kind is cex or dex, not ${kind}`);
  const obstacle = obstacleTo({ id });
  if (obstacle !== undefined) fail(obstacle);
  const written = makeVenue({ id, kind, displayName: values.name ?? capitalized(id) });
  for (const path of written) console.log(path);
  console.log(`Next: the evidence in src/venues/${id}/VENUE.md, then npm run venue check ${id}`);
} else if (command === 'check') {
  const only = values.only === '' ? [] : values.only.split(',').map(Number);
  process.exitCode = checkVenue(id, only) === 0 ? 0 : 1;
} else fail(`new or check, not ${command}`);
