import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import ccxt from 'ccxt';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { READERS } from '../../test/ccxt/readers/index.ts';
import { ADAPTERS, placesOf, ROOT, renamed, SIMULATED, TEMPLATE } from './places.ts';

const isThere = (path: string): boolean => existsSync(join(ROOT, path));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** True if a file is the template's but for the venue's name. */
function isTemplate(path: string, template: string, id: string, displayName?: string): boolean {
  const bare = (content: string): string => content.replace(/\s+/g, '').toLowerCase();
  return isThere(path) && bare(text(path)) === bare(renamed(text(template), id, displayName));
}

/** Missing parts of a venue, in sentences: files, lines in the registries, files that are still the template's. */
export function missingParts(id: string): readonly string[] {
  const { folder, test, simulated } = placesOf(id);
  const files = [`${folder}/VENUE.md`, `${folder}/index.ts`, test, simulated];
  const missing = files.filter((path) => !isThere(path)).map((path) => `${path} is missing`);
  const adapter = KNOWN_VENUES.find((venue) => venue.id === id);
  if (adapter === undefined) missing.push(`${ADAPTERS} has no line for it`);
  else if (adapter.sourceId === undefined) missing.push(`${folder}/index.ts has no sourceId`);
  if (!SIM_VENUES.some((venue) => venue.id === id)) missing.push(`${SIMULATED} has no line for it`);
  if (ccxt.exchanges.includes(id) && !READERS.some(({ venue }) => venue === id)) {
    missing.push('test/ccxt/readers has no reader of it, and ccxt has the venue');
  }
  const copies = [
    [`${folder}/VENUE.md`, `${TEMPLATE.folder}/VENUE.md`],
    [`${folder}/wire.ts`, `${TEMPLATE.folder}/wire.ts`],
    [simulated, TEMPLATE.simulated],
  ] as const;
  const unwritten = copies.filter(([path, template]) => isTemplate(path, template, id, adapter?.displayName));
  return [...missing, ...unwritten.map(([path]) => `${path} is still the template's`)];
}
