import { describe, expect, it } from 'vitest';
import { withPlaced } from './placed.ts';

const CORE = [
  ['a', 1],
  ['b', 2],
] as const;

const names = (...added: (readonly [string, number, string])[]): string =>
  withPlaced<number>(CORE, added)
    .map(([name]) => name)
    .join(' ');

describe('a list that modules add to', () => {
  it('nothing is added: the list', () => {
    expect(names()).toBe('a b');
  });

  it('several after one: the order in which they were given', () => {
    expect(names(['x', 0, 'a'], ['y', 0, 'a'], ['z', 0, 'b'])).toBe('a x y b z');
  });

  it('one after another that was added: behind it', () => {
    expect(names(['x', 0, 'a'], ['y', 0, 'x'], ['z', 0, 'a'])).toBe('a x y z b');
  });

  it('a name twice, or after nothing: an error that names it', () => {
    expect(() => names(['b', 0, 'a'])).toThrow('b is there twice');
    expect(() => names(['x', 0, 'c'])).toThrow('x is to follow c');
  });
});
