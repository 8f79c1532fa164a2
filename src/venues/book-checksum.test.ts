import { describe, expect, it } from 'vitest';
import { ChecksumProof, crc32, interleavedCrc32 } from './book-checksum.ts';
import type { LevelTexts } from './book-frame.ts';

const message = (bidTexts: LevelTexts, askTexts: LevelTexts, checksum = Number.NaN, whole = false) => ({
  ...{ whole, checksum, bidTexts, askTexts },
});

describe('crc32', () => {
  it('has the check value of the standard, as a signed number', () => {
    expect(crc32('123456789')).toBe(0xcbf43926 | 0);
    expect(crc32('')).toBe(0);
  });
});

describe('checksum of the best levels', () => {
  const sum = interleavedCrc32(25);

  it('runs through bids and asks in turn, with the longer side alone at the end', () => {
    const proof = new ChecksumProof(sum);
    const bids: LevelTexts = [
      ['3366.1', '7'],
      ['3366', '6'],
    ];
    const asks: LevelTexts = [
      ['3366.8', '9'],
      ['3368', '8'],
      ['3372', '8'],
    ];
    const expected = crc32('3366.1:7:3366.8:9:3366:6:3368:8:3372:8');
    expect(proof.take(message(bids, asks, expected, true))).toBe(true);
  });

  it('follows changes by price, in the words of the venue', () => {
    const proof = new ChecksumProof(sum);
    proof.take(message([['10', '1']], [['11', '2']], Number.NaN, true));
    expect(proof.take(message([['10.0', '3']], [['11.00', '0']], crc32('10.0:3')))).toBe(true);
    expect(proof.take(message([['9.5', '4']], [], crc32('10.0:3:9.5:4')))).toBe(true);
  });

  it('covers the best 25 only', () => {
    const proof = new ChecksumProof(sum);
    const bids: LevelTexts = Array.from({ length: 30 }, (_, i) => [`${100 - i}`, '1'] as const);
    const text = bids.slice(0, 25).map((level) => level.join(':'));
    expect(proof.take(message(bids, [], crc32(text.join(':')), true))).toBe(true);
  });

  it('refuses a wrong sum, whether signed or not, and levels without their text', () => {
    const bids: LevelTexts = [['10', '1']];
    const right = crc32('10:1');
    expect(new ChecksumProof(sum).take(message(bids, [], right + 1, true))).toBe(false);
    expect(new ChecksumProof(sum).take(message(bids, [], right >>> 0, true))).toBe(true);
    const bare = { whole: true, checksum: right, bidTexts: undefined, askTexts: undefined };
    expect(new ChecksumProof(sum).take(bare)).toBe(false);
  });

  it('takes no sum, and a sum of 0, for none stated', () => {
    const proof = new ChecksumProof(sum);
    expect(proof.take(message([['10', '1']], [], Number.NaN, true))).toBe(true);
    expect(proof.take(message([['9', '1']], [], 0))).toBe(true);
  });
});
