import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { daysSinceVerified } from '../../scripts/verified-age.ts';
import { asMs } from '../../src/domain/units.ts';
import { SPOT_VENUES } from '../../src/modules/spot/registry.ts';
import { VENUES } from '../../src/venues/registry.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the page of spot', () => {
  it('its table: what the venues say', () => {
    const args = ['--import', 'tsx', 'scripts/spot-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
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
