import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDate } from '../../domain/date.ts';
import { asMs } from '../../domain/units.ts';
import { AGGREGATION_MS, AGGREGATIONS, statedEnd, statedWindow } from './buckets.ts';
import { days, readAsOf, readWindow } from './window.ts';

const NOW = asMs(Date.parse('2026-11-20T21:30:30.500Z'));
const RULE = { capMs: days(30), defaultMs: days(3) };
const text = (ms: number): string => new Date(ms).toISOString();

describe('a window', () => {
  it('begins and ends at bucket boundaries, by default the running one', () => {
    const read = readWindow({ aggregation: '4h' }, RULE, NOW);
    expect(read).toEqual({
      ok: true,
      value: {
        aggregation: '4h',
        from: Date.parse('2026-11-17T20:00:00Z'),
        to: Date.parse('2026-11-21T00:00:00Z'),
        knownTo: NOW,
      },
    });
  });

  it('without an end: stated to end now, and with one where that lies before', () => {
    const open = readWindow({ aggregation: '4h' }, RULE, NOW);
    expect(open.ok && statedWindow(open.value)).toEqual({
      aggregation: '4h',
      window_start: '2026-11-17T20:00:00.000Z',
      window_end: '2026-11-20T21:30:30.500Z',
    });
    const over = readWindow({ aggregation: '1h', to: '2026-11-20T20:59:59Z' }, RULE, NOW);
    expect(over.ok && statedEnd(over.value)).toBe('2026-11-20T20:00:00.000Z');
  });

  it('a window that ends in the current bucket: includes it', () => {
    const end = (to: string) => {
      const read = readWindow({ aggregation: '1h', to }, RULE, NOW);
      return read.ok && text(read.value.to).slice(11, 16);
    };
    expect(end('2026-11-20T20:59:59Z')).toBe('20:00');
    expect(end('2026-11-20T21:00:00Z')).toBe('21:00');
    expect(end('2026-11-20T21:01:00Z')).toBe('22:00');
    expect(end('2027-01-01T00:00:00Z')).toBe('22:00');
  });

  it('at its cap: passes; one bucket beyond the tolerance: does not', () => {
    for (const aggregation of AGGREGATIONS) {
      const step = AGGREGATION_MS[aggregation];
      for (const ms of [0, 1, step / 2, step - 1]) {
        const now = asMs(NOW + ms);
        const open = { aggregation, from: text(now - RULE.capMs) };
        expect(readWindow(open, RULE, now).ok).toBe(true);
        expect(readWindow({ ...open, to: text(now) }, RULE, now).ok).toBe(true);
        const longer = { aggregation, from: text(now - RULE.capMs - 2 * step) };
        expect(readWindow(longer, RULE, now)).toMatchObject({
          ok: false,
          error: { code: 'invalid_parameter', errors: [{ parameter: 'from' }] },
        });
      }
    }
  });

  it('that is empty is refused, naming the end that was given', () => {
    const sameHour = { aggregation: '1h', from: '2026-11-20T10:10:00Z', to: '2026-11-20T10:50:00Z' } as const;
    expect(readWindow(sameHour, RULE, NOW)).toMatchObject({
      ok: false,
      error: { errors: [{ parameter: 'from' }] },
    });
    const early = readWindow({ aggregation: '1h', to: '2026-01-01' }, RULE, NOW);
    expect(early).toMatchObject({ ok: false, error: { errors: [{ parameter: 'to' }] } });
  });

  it('without a start: begins before now, or before its own end', () => {
    const start = (to: string | undefined, rule: typeof RULE & { readonly beforeEnd?: boolean }) => {
      const read = readWindow({ aggregation: '1h', to }, rule, NOW);
      return read.ok ? text(read.value.from) : read.error.code;
    };
    const ofEnd = { ...RULE, beforeEnd: true };
    expect(start('2026-11-10T12:30:00Z', ofEnd)).toBe('2026-11-07T12:00:00.000Z');
    expect(start('2026-11-10T12:30:00Z', RULE)).toBe('invalid_parameter');
    for (const to of [undefined, '2027-01-01T00:00:00Z'])
      expect(start(to, ofEnd)).toBe('2026-11-17T21:00:00.000Z');
  });

  it('any request: on the grid, within the cap, not after now', () => {
    const moment = fc.integer({ min: NOW - days(60), max: NOW + days(60) }).map(text);
    fc.assert(
      fc.property(
        fc.constantFrom(...AGGREGATIONS),
        fc.option(moment, { nil: undefined }),
        fc.option(moment, { nil: undefined }),
        (aggregation, from, to) => {
          const read = readWindow({ aggregation, from, to }, RULE, NOW);
          if (!read.ok) return;
          const step = AGGREGATION_MS[aggregation];
          const { value } = read;
          expect(value.to).toBeLessThan(NOW + step);
          expect(value.from % step).toBe(0);
          expect(value.to % step).toBe(0);
          expect(value.to - value.from).toBeGreaterThan(0);
          expect(value.to - value.from).toBeLessThanOrEqual(RULE.capMs + step);
        },
      ),
    );
  });
});

describe('as_of', () => {
  it('is refused in the future', () => {
    expect(readAsOf(undefined, NOW)).toEqual({ ok: true, value: undefined });
    expect(readAsOf('2026-11-20T21:30:30Z', NOW)).toEqual({
      ok: true,
      value: Date.parse('2026-11-20T21:30:30Z'),
    });
    expect(readAsOf('2026-11-20T21:31:00Z', NOW)).toMatchObject({ ok: false });
  });
});

describe('a date that does not exist', () => {
  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-04-31T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-20T24:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:60Z',
    '2026-11-20T12:00:00+25:00',
  ])('%s names no moment', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-20T23:59:59.5Z', '2026-11-20T23:59:59.500Z'],
    ['2026-11-20 08:00+05:30', '2026-11-20T02:30:00.000Z'],
    ['2026-12-31T20:00-0500', '2027-01-01T01:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(new Date(readDate(text) ?? 0).toISOString()).toBe(moment);
  });
});
