import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { daysSinceVerified, daysUntilEnd, isEnding, isOutdated } from '../../scripts/verified-age.ts';
import { asMs } from '../../src/domain/units.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';
import { bundle } from '../bundle.ts';

const CHECK = new URL('../../scripts/check-verified.ts', import.meta.url);
const at = (day: string) => asMs(Date.parse(day));
const verifiedOn = (date: string) => ({ version: 'v1', date, source: 'made for tests' });

/** The check's output as of a day. */
async function check(day: string) {
  const args = [await bundle(CHECK), '--at', day];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).slice(2);
  return { status, rows, lines, summary: lines.at(-1) };
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

describe('an interface that ends on 2027-03-01', () => {
  const ends = { date: '2027-03-01', what: 'v1', source: 'made for tests' };
  it.each([
    ['2026-12-30', 61, false],
    ['2026-12-31', 60, true],
    ['2027-03-01', 0, true],
    ['2027-03-05', -4, true],
  ])('on %s: %s days are left, complained of: %s', (day, days, ending) => {
    expect(daysUntilEnd({ ...verifiedOn('2026-10-10'), ends }, at(day))).toBe(days);
    expect(isEnding({ ...verifiedOn('2026-10-10'), ends }, at(day))).toBe(ending);
  });

  it('on no exact day: complained of at once', () => {
    expect(
      isEnding({ ...verifiedOn('2026-10-10'), ends: { ...ends, date: 'spring' } }, at('2026-10-10')),
    ).toBe(true);
  });

  it('with no end announced: never complained of', () => {
    expect(isEnding(verifiedOn('2026-10-10'), at('2030-01-01'))).toBe(false);
  });
});

describe('evidence without an exact day', () => {
  it.each(['2026-08', '', 'August 2026', '2026-13-40'])('is outdated: "%s"', (date) => {
    expect(daysSinceVerified(verifiedOn(date), at('2026-08-24'))).toBeUndefined();
    expect(isOutdated(verifiedOn(date), at('2026-08-24'))).toBe(true);
  });
});

describe('check verified', () => {
  it('every venue, oldest first, passing under ninety days', async () => {
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

  it('names what a venue will switch off, and fails sixty days before', async () => {
    const before = await check('2026-11-28');
    const told = before.lines.filter((line) => line.startsWith('kraken ends on 2027-03-01, in 93 days: '));
    expect([before.status, told.length]).toEqual([0, 1]);
    const soon = await check('2026-12-31');
    expect(soon.lines.find((line) => line.includes('end what is read'))).toMatch(/^[1-9]/);
    expect(soon.status).toBe(1);
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

  it('says day, replacement and source of an end that is announced', () => {
    const { ends } = verified;
    if (ends === undefined) return;
    expect(daysUntilEnd(verified, at('2026-01-01'))).toBeGreaterThan(0);
    expect([ends.what.length > 10, ends.source.length > 10]).toEqual([true, true]);
  });
});
