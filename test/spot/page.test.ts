import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { daysSinceVerified } from '../../scripts/verified-age.ts';
import { baseName } from '../../src/domain/ticker.ts';
import { asMs } from '../../src/domain/units.ts';
import { SPOT_VENUES, spotVenueOf } from '../../src/modules/spot/registry.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { ANSWERS } from './answers.ts';
import { spotCallFor, spotContext } from './recordings.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the page of spot', () => {
  it('its table: what the venues say', () => {
    const args = ['--import', 'tsx', 'scripts/spot-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
  });

  it('a name that a list reads as another: in the table of names', () => {
    const differing = ANSWERS.flatMap(({ venue, url, payload }) => {
      const { markets = [] } = spotCallFor(venue, url)?.decode(payload, spotContext(url)) ?? {};
      return markets.filter(({ base, ticker }) => baseName(base).ticker !== ticker);
    });
    const unnamed = differing.filter(({ venue, base, ticker }) => {
      const names = spotVenueOf(venue)?.ownNames ?? [];
      return !names.some(({ name, asset }) => name === base && asset === ticker);
    });
    expect(differing.length).toBeGreaterThan(5);
    expect(unnamed.map(({ venue, base }) => `${venue} ${base}`)).toEqual([]);
  });

  it('every own name: another one than that of the asset', () => {
    const names = SPOT_VENUES.flatMap(({ ownNames = [] }) => ownNames);
    expect(names.filter(({ name, asset }) => name === asset)).toEqual([]);
    expect(names.filter(({ relation }) => relation === 'wrapped').length).toBeGreaterThan(3);
  });

  it('every venue of spot: one of perpetuals, verified on a day', () => {
    const known = new Set(VENUES.map(({ id }) => id));
    expect(SPOT_VENUES.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([]);
    const undated = SPOT_VENUES.filter(
      ({ verified }) => daysSinceVerified(verified, asMs(Date.UTC(2027, 0))) === undefined,
    );
    expect(undated.map(({ id }) => id)).toEqual([]);
  });
});
