import { expect, it } from 'vitest';
import { isNestedTooDeep, MAX_JSON_DEPTH } from '../domain/json-depth.ts';
import { parseJson } from './body.ts';
import { parseFrame } from './frame-reader.ts';

const MEGABYTES = 14 * 1024 * 1024;
const padded = (text: string): Buffer => Buffer.from(text + ' '.repeat(20_000));
const nested = (depth: number, open = '[', close = ']'): Buffer =>
  padded(open.repeat(depth) + close.repeat(depth));

it('megabytes of brackets, closed or not: answer and frame refused', () => {
  for (const bytes of [
    Buffer.alloc(MEGABYTES, '['),
    Buffer.from('['.repeat(MEGABYTES / 2) + ']'.repeat(MEGABYTES / 2)),
    Buffer.from('{"a":'.repeat(MEGABYTES / 8)),
  ]) {
    expect(parseJson(bytes)).toMatchObject({ ok: false, failure: { kind: 'too_large' } });
    expect(parseFrame(bytes)).toMatchObject({ kind: 'unreadable', reason: expect.stringMatching(/nested/) });
  }
});

it('the bound itself: read, and one more is not', () => {
  expect(isNestedTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
  expect(isNestedTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
  expect(parseJson(nested(MAX_JSON_DEPTH)).ok).toBe(true);
  expect(isNestedTooDeep(nested(MAX_JSON_DEPTH + 1, '{"a":[', ']}'))).toBe(true);
});

it('brackets within strings and beside each other: not nested', () => {
  const rows = JSON.stringify(Array.from({ length: 9000 }, () => ['[[[[', { a: '\\"{[' }]));
  expect(isNestedTooDeep(Buffer.from(rows))).toBe(false);
  expect(isNestedTooDeep(padded(JSON.stringify({ a: '['.repeat(500) })))).toBe(false);
  expect(isNestedTooDeep(padded('{"a":"\\\\","b":[]}'))).toBe(false);
});
