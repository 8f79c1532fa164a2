import { createHash } from 'node:crypto';
import { HASH_BYTES, type Leaves } from '../../pay/sale-log.ts';

/** Leaves of a complete subtree whose hash is worth keeping. */
export const BLOCK_LEAVES = 256;

const NODE = Buffer.of(1);

const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

/** The largest power of two below a count of two or more: how many leaves stand on the left. */
const leftOf = (count: number): number => 2 ** (31 - Math.clz32(count - 1));

const entry = (hashes: Buffer, index: number): Buffer =>
  hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);

export const countOf = ({ hashes }: Leaves): number => hashes.length / HASH_BYTES;

/** Root of the leaves from `start` to `end`; without leaves it is the hash of the empty string. */
export function rootOf(leaves: Leaves, start = 0, end = countOf(leaves)): Buffer {
  const count = end - start;
  if (count === 0) return createHash('sha256').digest();
  if (count === 1) return entry(leaves.hashes, start);
  // A whole block, or the last one: left parts are powers of two, so blocks begin at multiples of their size.
  const isBlock = count === BLOCK_LEAVES || (count < BLOCK_LEAVES && end === countOf(leaves));
  if (leaves.blocks !== undefined && isBlock && start % BLOCK_LEAVES === 0) {
    return entry(leaves.blocks, start / BLOCK_LEAVES);
  }
  const middle = start + leftOf(count);
  return nodeHash(rootOf(leaves, start, middle), rootOf(leaves, middle, end));
}

/** Hashes of all blocks: with them a path takes some hundred hashes, however many leaves there are. */
export function blocksOf(leaves: Leaves): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < countOf(leaves); at += BLOCK_LEAVES) {
    blocks.push(rootOf({ hashes: leaves.hashes }, at, Math.min(at + BLOCK_LEAVES, countOf(leaves))));
  }
  return Buffer.concat(blocks);
}

/** The hashes that lead from a leaf to the root, the lowest first (RFC 6962, 2.1.1). */
export function pathOf(leaves: Leaves, index: number, start = 0, end = countOf(leaves)): readonly Buffer[] {
  if (end - start <= 1) return [];
  const middle = start + leftOf(end - start);
  return index < middle
    ? [...pathOf(leaves, index, start, middle), rootOf(leaves, middle, end)]
    : [...pathOf(leaves, index, middle, end), rootOf(leaves, start, middle)];
}

/**
 * The root that a leaf's path leads to; undefined where the path has not the one length that a leaf at this place of so
 * many has.
 */
export function rootByPath(
  leaf: Buffer,
  index: number,
  count: number,
  path: readonly Buffer[],
): Buffer | undefined {
  if (index >= count) return undefined;
  if (count === 1) return path.length === 0 ? leaf : undefined;
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const left = leftOf(count);
  const rest = path.slice(0, -1);
  const isLeft = index < left;
  const below = isLeft
    ? rootByPath(leaf, index, left, rest)
    : rootByPath(leaf, index - left, count - left, rest);
  if (below === undefined) return undefined;
  return isLeft ? nodeHash(below, last) : nodeHash(last, below);
}
