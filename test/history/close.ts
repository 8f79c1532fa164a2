import { expect } from 'vitest';

/** Numbers agree to nine digits: only the order of summation differs. */
export function close(a: unknown, b: unknown, path = ''): void {
  if (typeof a === 'number' && typeof b === 'number') {
    const most = 1e-9 * Math.max(Math.abs(a), Math.abs(b)) + 1e-15;
    // Of thousands of numbers each would cost an assertion's making.
    if (!(Math.abs(a - b) <= most)) expect.fail(`${path}: ${a} and ${b}`);
    return;
  }
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of keys) close(Reflect.get(a, key), Reflect.get(b, key), `${path}.${key}`);
    return;
  }
  expect(a, path).toEqual(b);
}
