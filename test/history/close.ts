import { expect } from 'vitest';

/** Numbers agree to nine digits: only the order of summation differs. */
export function close(a: unknown, b: unknown, path = ''): void {
  if (typeof a === 'number' && typeof b === 'number') {
    expect(Math.abs(a - b), `${path}: ${a} and ${b}`).toBeLessThanOrEqual(
      1e-9 * Math.max(Math.abs(a), Math.abs(b)) + 1e-15,
    );
    return;
  }
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of keys) close(Reflect.get(a, key), Reflect.get(b, key), `${path}.${key}`);
    return;
  }
  expect(a, path).toEqual(b);
}
