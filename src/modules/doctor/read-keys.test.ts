import { describe, expect, it } from 'vitest';
import { isWire, wireArray } from '../../domain/read.ts';
import { ReadKeys } from './read-keys.ts';
import { redactPayload, redactText } from './redact.ts';

describe('keys that a decoder reads', () => {
  it('are distinguished from absent and unread ones; list rows count as one', () => {
    const keys = new ReadKeys();
    const payload = keys.watch({
      code: 0,
      data: [
        { s: 'A', mark: 1 },
        { s: 'B', markPx: 2 },
      ],
      ts: 5,
    });
    const rows = isWire(payload) ? (wireArray(payload.data) ?? []) : [];
    const marks = rows.map((row) => (isWire(row) ? (row.mark ?? row.m) : undefined));
    expect(marks).toEqual([1, undefined]);
    expect(keys.report()).toEqual({
      absent: ['data[].m'],
      unread: ['code', 'data[].markPx', 'data[].s', 'ts'],
    });
  });

  it('of a table keyed by contract are those of its rows', () => {
    const keys = new ReadKeys();
    const table = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`C${i}`, { p: i, q: i }]));
    const payload = keys.watch({ result: table });
    const result = isWire(payload) && isWire(payload.result) ? payload.result : {};
    for (const row of Object.values(result)) expect(isWire(row) && typeof row.p).toBe('number');
    expect(keys.report()).toEqual({ absent: [], unread: ['result.*.q'] });
  });
});

describe('redacted output', () => {
  it('contains no address, token or secret', () => {
    const text = redactPayload({
      ip: '203.0.113.7',
      at: '2001:db8:1:2:3:4:5:6',
      token: 'abc',
      data: { apiKey: 'x' },
    });
    expect(JSON.parse(text)).toEqual({
      ip: '<address>',
      at: '<address>',
      token: '<redacted>',
      data: { apiKey: '<redacted>' },
    });
    expect(redactText(`key=${'a1'.repeat(40)}`)).toBe('key=<token>');
    expect(redactText('12:30:45, 1.25 and 10.5.2')).toBe('12:30:45, 1.25 and 10.5.2');
  });

  it('a sample: twenty rows, five hundred characters each, and a total size', () => {
    const rows = JSON.parse(redactPayload(Array.from({ length: 30 }, (_, i) => i)));
    expect(rows).toHaveLength(21);
    expect(rows[20]).toBe('… 10 more');
    expect(redactText('x y'.repeat(400)).length).toBeLessThan(540);
    const wide = {
      a: Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => Array(20).fill('z '.repeat(200)))),
    };
    expect(redactPayload(wide).length).toBeLessThanOrEqual(262_144);
  });
});
