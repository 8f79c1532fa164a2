import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HASH_BYTES, leafHash } from '../../pay/sale-log.ts';
import { BLOCK_LEAVES, blocksOf, pathOf, rootByPath, rootOf } from './merkle.ts';

const hashOf = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Level by level from below; what has no neighbour goes up as it is. */
function naiveRoot(entries: readonly Buffer[]): Buffer {
  let level = entries.map((entry) => hashOf(Buffer.of(0), entry));
  if (level.length === 0) return hashOf();
  while (level.length > 1) {
    level = level.flatMap((left, i) => {
      const right = level[i + 1];
      if (i % 2 === 1) return [];
      return [right === undefined ? left : hashOf(Buffer.of(1), left, right)];
    });
  }
  return level[0] ?? hashOf();
}

const entriesOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => Buffer.from(`entry ${i}`));
const leavesOf = (entries: readonly Buffer[]) => ({ hashes: Buffer.concat(entries.map(leafHash)) });

describe('the tree of receipts', () => {
  it('has the roots of RFC 6962 for nothing and for one empty entry', () => {
    expect(rootOf({ hashes: Buffer.alloc(0) }).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(rootOf(leavesOf([Buffer.alloc(0)])).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });

  it('equals a naive tree, with a path from each leaf', () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4 * BLOCK_LEAVES }));
    fc.assert(
      fc.property(sizes, fc.nat(), (count, at) => {
        const entries = entriesOf(count);
        const plain = leavesOf(entries);
        const root = naiveRoot(entries);
        const index = at % count;
        const leaf = leafHash(entries[index] ?? Buffer.alloc(0));
        for (const leaves of [plain, { ...plain, blocks: blocksOf(plain) }]) {
          expect(rootOf(leaves)).toEqual(root);
          expect(rootByPath(leaf, index, count, pathOf(leaves, index))).toEqual(root);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a changed path: leads to another root, or to none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), fc.nat(), (count, at, where) => {
        const entries = entriesOf(count);
        const leaves = leavesOf(entries);
        const root = rootOf(leaves);
        const index = at % count;
        const leaf = leafHash(entries[index] ?? Buffer.alloc(0));
        const path = pathOf(leaves, index);
        const place = where % path.length;
        const flipped = path.map((hash, i) =>
          i === place ? Buffer.from(hash.map((byte) => byte ^ 1)) : hash,
        );
        const others = [path.slice(1), path.slice(0, -1), [...path, root], [...path, leaf], flipped];
        for (const other of others) expect(rootByPath(leaf, index, count, other)).not.toEqual(root);
        expect(rootByPath(leaf, count, count, path)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it('does not take an inner node for a leaf (second pre-image)', () => {
    const leaves = leavesOf(entriesOf(4));
    const [a, b, c, d] = [0, 1, 2, 3].map((i) =>
      leaves.hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
    );
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      throw new Error('four leaves');
    const right = rootOf(leaves, 2, 4);
    // Without prefixes, the two hashes below a node would be an entry of a tree of two with the same root.
    expect(rootByPath(leafHash(Buffer.concat([a, b])), 0, 2, [right])).not.toEqual(rootOf(leaves));
    expect(hashOf(Buffer.of(1), a, b)).toEqual(rootOf(leaves, 0, 2));
  });
});
