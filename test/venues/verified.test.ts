import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { daysSinceVerified, isOutdated } from '../../scripts/verified-age.ts';
import { asMs } from '../../src/domain/units.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { bundle } from '../bundle.ts';

const CHECK = new URL('../../scripts/check-verified.ts', import.meta.url);
const at = (day: string) => asMs(Date.parse(day));
const verifiedOn = (date: string) => ({ version: 'v1', date, source: 'made for tests' });

/** What the check says as of a day. */
async function check(day: string) {
  const args = [await bundle(CHECK), '--at', day];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  return { status, rows: lines.slice(2, -1), summary: lines.at(-1) };
}

describe('an interface verified on 2026-08-24', () => {
  it.each([
    ['2026-08-24', 0, false],
    ['2026-11-22', 90, false],
    ['2026-11-22T23:59:59Z', 90, false],
    ['2026-11-23', 91, true],
  ])('on %s is %s days old, outdated: %s', (day, days, outdated) => {
    expect(daysSinceVerified(verifiedOn('2026-08-24'), at(day))).toBe(days);
    expect(isOutdated(verifiedOn('2026-08-24'), at(day))).toBe(outdated);
  });
});

describe('evidence without an exact day', () => {
  it.each(['2026-08', '', 'August 2026', '2026-13-40'])('is outdated: "%s"', (date) => {
    expect(daysSinceVerified(verifiedOn(date), at('2026-08-24'))).toBeUndefined();
    expect(isOutdated(verifiedOn(date), at('2026-08-24'))).toBe(true);
  });
});

describe('check:verified', () => {
  it('lists every venue, oldest evidence first, and passes while none is older than ninety days', async () => {
    const { status, rows, summary } = await check('2026-11-22');
    expect(summary).toBe(`0 of ${KNOWN_VENUES.length} venues verified more than 90 days ago`);
    expect(status).toBe(0);
    expect(rows).toHaveLength(KNOWN_VENUES.length);
    const days = rows.map((row) => Number(row.split('|')[4]));
    expect(days).toEqual(days.toSorted((a, b) => b - a));
  });

  it('names what is older, and fails', async () => {
    const { status, summary } = await check('2027-02-01');
    expect(status).toBe(1);
    const all = KNOWN_VENUES.length;
    expect(summary).toMatch(`${all} of ${all} venues verified more than 90 days ago: `);
    expect(summary).toMatch(/\bbinance\b/);
  });

  it('refuses an invalid day', async () => {
    expect((await check('soon')).status).toBe(2);
  });
});

describe.each(KNOWN_VENUES)('$id', ({ verified }) => {
  it('says version, day and source of the evidence for its interface', () => {
    expect(verified.version).not.toBe('');
    expect(verified.source.length).toBeGreaterThan(10);
    expect(daysSinceVerified(verified, at('2027-01-01'))).toBeGreaterThan(0);
  });
});
