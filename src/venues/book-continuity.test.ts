import { describe, expect, it } from 'vitest';
import {
  CHAINED,
  type Continuity,
  connectionVerdict,
  INCREASING,
  UNNUMBERED,
  WHOLE_BOOKS,
} from './book-continuity.ts';
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
    const verdict = rule.follows(last, change);
    if (verdict === 'apply') last = rule.place(change);
    return verdict;
  });
}

describe('chained', () => {
  it('applies what follows, finds a gap, passes over a duplicate, and takes no reordered pair', () => {
    expect(verdicts(CHAINED, 10, link(10, 12), link(12, 15))).toEqual(['apply', 'apply']);
    expect(verdicts(CHAINED, 10, link(10, 12), link(15, 18))).toEqual(['apply', 'gap']);
    expect(verdicts(CHAINED, 10, link(10, 12), link(10, 12), link(12, 15))).toEqual([
      'apply',
      'stale',
      'apply',
    ]);
    expect(verdicts(CHAINED, 10, link(12, 15), link(10, 12))).toEqual(['gap', 'apply']);
  });

  it('reads a first number as the one behind the last', () => {
    const from = (first: number, last: number) => stamps(last, { firstSequence: first });
    expect(verdicts(CHAINED, 10, from(11, 14), from(15, 15), from(17, 18))).toEqual([
      'apply',
      'apply',
      'gap',
    ]);
  });

  it('goes on where the venue counts on from a lower number, and on a repeated one', () => {
    expect(verdicts(CHAINED, 500, link(500, 500), link(500, 3), link(3, 4))).toEqual([
      'apply',
      'apply',
      'apply',
    ]);
  });

  it('finds a gap in a change without numbers', () => {
    expect(CHAINED.follows(10, stamps(NONE))).toBe('gap');
    expect(CHAINED.follows(10, stamps(11))).toBe('gap');
  });

  it('joins a whole book with the first change that covers what comes after it', () => {
    expect(CHAINED.joins?.(100, link(90, 100))).toBe('stale');
    expect(CHAINED.joins?.(100, link(95, 105))).toBe('apply');
    expect(CHAINED.joins?.(100, link(100, 105))).toBe('apply');
    expect(CHAINED.joins?.(100, link(101, 105))).toBe('gap');
    expect(CHAINED.joins?.(100, stamps(105, { firstSequence: 101 }))).toBe('apply');
    expect(CHAINED.joins?.(100, stamps(105, { firstSequence: 102 }))).toBe('gap');
  });

  it('does not take a whole book from before what it has', () => {
    expect(CHAINED.replaces(100, stamps(99))).toBe('gap');
    expect(CHAINED.replaces(100, stamps(100))).toBe('apply');
    expect(CHAINED.replaces(NONE, stamps(1))).toBe('apply');
  });
});

describe('increasing', () => {
  it('takes holes for nothing, passes over a repetition, and finds a step back', () => {
    expect(verdicts(INCREASING, 10, stamps(11), stamps(20), stamps(20), stamps(19))).toEqual([
      'apply',
      'apply',
      'stale',
      'gap',
    ]);
    expect(INCREASING.detectsLoss).toBe(false);
    expect(INCREASING.joins).toBeUndefined();
  });
});

describe('whole books', () => {
  it('takes the later by number, else by time, and never a change', () => {
    expect(WHOLE_BOOKS.replaces(10, stamps(11))).toBe('apply');
    expect(WHOLE_BOOKS.replaces(10, stamps(9))).toBe('stale');
    expect(WHOLE_BOOKS.replaces(1000, stamps(NONE, { venueTime: 1001 }))).toBe('apply');
    expect(WHOLE_BOOKS.replaces(1000, stamps(NONE, { venueTime: 999 }))).toBe('stale');
    expect(WHOLE_BOOKS.replaces(1000, stamps(NONE))).toBe('apply');
    expect(WHOLE_BOOKS.follows(10, stamps(11))).toBe('gap');
  });
});

describe('unnumbered', () => {
  it('takes everything as it comes', () => {
    expect(verdicts(UNNUMBERED, NONE, stamps(NONE), stamps(5), stamps(1))).toEqual([
      'apply',
      'apply',
      'apply',
    ]);
  });
});

describe('numbers of a connection', () => {
  it('grow by one', () => {
    expect(connectionVerdict(NONE, 7)).toBe('apply');
    expect(connectionVerdict(7, 8)).toBe('apply');
    expect(connectionVerdict(7, 9)).toBe('gap');
    expect(connectionVerdict(7, 7)).toBe('stale');
  });
});
