import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nextSourceId, obstacleTo } from '../../scripts/venue/new.ts';
import { missingParts } from '../../scripts/venue/parts.ts';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it.each(['binance', 'hyperliquid-xyz', 'Acme', '1inch', 'a b', '_template'])(
  'a new venue %s: refused',
  (id) => {
    expect(obstacleTo({ id })).toBeDefined();
  },
);

it('the next source id: given to no venue', () => {
  const given = KNOWN_VENUES.map(({ sourceId }) => sourceId);
  expect(given).not.toContain(nextSourceId('cex'));
  expect(given).not.toContain(nextSourceId('dex'));
});

it.each(VENUES)('$id: nothing is missing', ({ id }) => {
  expect(missingParts(id)).toEqual([]);
});

it('an unknown venue to check: what is missing is named', () => {
  const args = ['--import', 'tsx', 'scripts/venue.ts', 'check', 'acme'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain('missing: src/venues/acme/VENUE.md is missing');
  expect(stdout).toContain('missing: src/venues/registry.ts has no line for it');
});
