import { describe, expect, it } from 'vitest';
import { CHAINED, type Continuity, INCREASING, SNAPSHOTS_ONLY, UNNUMBERED } from './book-continuity.ts';
import type { FrameStamps } from './book-frame.ts';

const NONE = Number.NaN;

function stamps(sequence: number, more: Partial<FrameStamps> = {}): FrameStamps {
  return { sequence, firstSequence: NONE, previousSequence: NONE, venueTime: NONE, ...more };
}

const link = (previous: number, sequence: number): FrameStamps =>
  stamps(sequence, { previousSequence: previous });

/** Verdicts of changes in turn; each that applies becomes the last. */
function verdicts(rule: Continuity, start: number, ...changes: readonly FrameStamps[]): string[] {
  let last = start;
  return changes.map((change) => {
    const verdict = rule.checkDelta(last, change);
    if (verdict === 'apply') last = rule.sequenceOf(change);
    return verdict;
  });
}

describe('CHAINED continuity', () => {
  it('a successor applies, a gap is found, a duplicate skipped', () => {
    expect(verdicts(CHAINED, 10, link(10, 12), link(12, 15))).toEqual(['apply', 'apply']);
    expect(verdicts(CHAINED, 10, link(10, 12), link(15, 18))).toEqual(['apply', 'gap']);
    expect(verdicts(CHAINED, 10, link(10, 12), link(10, 12), link(12, 15))).toEqual([
      'apply',
      'stale',
      'apply',
    ]);
    expect(verdicts(CHAINED, 10, link(12, 15), link(10, 12))).toEqual(['gap', 'apply']);
  });

  it('accepts a first sequence right behind the last one', () => {
    const from = (first: number, last: number) => stamps(last, { firstSequence: first });
    expect(verdicts(CHAINED, 10, from(11, 14), from(15, 15), from(17, 18))).toEqual([
      'apply',
      'apply',
      'gap',
    ]);
  });

  it('skips lower and repeated sequences as stale', () => {
    expect(verdicts(CHAINED, 500, link(500, 500), link(500, 3), link(3, 4))).toEqual([
      'apply',
      'apply',
      'apply',
    ]);
  });

  it('treats a delta without sequences as a gap', () => {
    expect(CHAINED.checkDelta(10, stamps(NONE))).toBe('gap');
    expect(CHAINED.checkDelta(10, stamps(11))).toBe('gap');
  });

  it('joins a snapshot with the first delta that covers its successor', () => {
    expect(CHAINED.checkFirstDelta?.(100, link(90, 100))).toBe('stale');
    expect(CHAINED.checkFirstDelta?.(100, link(95, 105))).toBe('apply');
    expect(CHAINED.checkFirstDelta?.(100, link(100, 105))).toBe('apply');
    expect(CHAINED.checkFirstDelta?.(100, link(101, 105))).toBe('gap');
    expect(CHAINED.checkFirstDelta?.(100, stamps(105, { firstSequence: 101 }))).toBe('apply');
    expect(CHAINED.checkFirstDelta?.(100, stamps(105, { firstSequence: 102 }))).toBe('gap');
  });

  it('rejects a snapshot older than the book', () => {
    expect(CHAINED.checkSnapshot(100, stamps(99))).toBe('gap');
    expect(CHAINED.checkSnapshot(100, stamps(100))).toBe('apply');
    expect(CHAINED.checkSnapshot(NONE, stamps(1))).toBe('apply');
  });
});

describe('INCREASING continuity', () => {
  it('accepts holes, skips a repetition, and detects a step back', () => {
    expect(verdicts(INCREASING, 10, stamps(11), stamps(20), stamps(20), stamps(19))).toEqual([
      'apply',
      'apply',
      'stale',
      'gap',
    ]);
    expect(INCREASING.detectsLoss).toBe(false);
    expect(INCREASING.checkFirstDelta).toBeUndefined();
  });
});

describe('SNAPSHOTS_ONLY continuity', () => {
  it('the later snapshot applies, by sequence or time, never a delta', () => {
    expect(SNAPSHOTS_ONLY.checkSnapshot(10, stamps(11))).toBe('apply');
    expect(SNAPSHOTS_ONLY.checkSnapshot(10, stamps(9))).toBe('stale');
    expect(SNAPSHOTS_ONLY.checkSnapshot(1000, stamps(NONE, { venueTime: 1001 }))).toBe('apply');
    expect(SNAPSHOTS_ONLY.checkSnapshot(1000, stamps(NONE, { venueTime: 999 }))).toBe('stale');
    expect(SNAPSHOTS_ONLY.checkSnapshot(1000, stamps(NONE))).toBe('apply');
    expect(SNAPSHOTS_ONLY.checkDelta(10, stamps(11))).toBe('gap');
  });
});

describe('UNNUMBERED continuity', () => {
  it('applies everything in arrival order', () => {
    expect(verdicts(UNNUMBERED, NONE, stamps(NONE), stamps(5), stamps(1))).toEqual([
      'apply',
      'apply',
      'apply',
    ]);
  });
});
