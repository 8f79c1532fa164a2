import { describe, expect, it } from 'vitest';
import { ConnectionCount } from './connection-count.ts';

/** Verdicts of frames in order; those of answers are negative. */
function verdicts(count: ConnectionCount, frames: readonly number[]): string[] {
  return frames.map((frame) => count.judge(Math.abs(frame), frame < 0));
}

function counting(subscriptions: number): ConnectionCount {
  const count = new ConnectionCount();
  count.judge(0, false);
  count.subscribed(subscriptions);
  return count;
}

describe('the count of a connection without subscriptions', () => {
  it('begins anywhere and grows by one', () => {
    expect(verdicts(new ConnectionCount(), [7, 8, 9])).toEqual(['apply', 'apply', 'apply']);
  });

  it('a skipped number is a gap, told once', () => {
    expect(verdicts(new ConnectionCount(), [7, 9, 10])).toEqual(['apply', 'gap', 'apply']);
  });

  it('what came before is stale, and so is what changed places', () => {
    expect(verdicts(new ConnectionCount(), [7, 7, 9, 8, 10])).toEqual([
      'apply',
      'stale',
      'gap',
      'stale',
      'apply',
    ]);
  });

  it('a number far off is a gap like any other', () => {
    expect(verdicts(new ConnectionCount(), [7, 1e15, 1e15 + 1, 1e15 + 3])).toEqual([
      'apply',
      'gap',
      'apply',
      'gap',
    ]);
  });
});

describe('the count of a connection with unanswered subscriptions', () => {
  it('their answers come late and in any order', () => {
    expect(new Set(verdicts(counting(3), [-2, 4, 5, -3, 6, -1, 7]))).toEqual(new Set(['apply']));
  });

  it('one number more than there are unanswered subscriptions is a gap', () => {
    expect(verdicts(counting(2), [3, 4, 6])).toEqual(['apply', 'apply', 'gap']);
    expect(verdicts(counting(2), [4])).toEqual(['gap']);
  });

  it('a loss that took the place of an answer shows when the answer comes', () => {
    expect(verdicts(counting(1), [2, -3, 4])).toEqual(['apply', 'gap', 'apply']);
  });

  it('once all are answered a skipped number is a gap at once', () => {
    expect(verdicts(counting(2), [3, -1, -2, 4, 6])).toEqual(['apply', 'apply', 'apply', 'apply', 'gap']);
  });

  it('a frame that answers nothing and comes late is a gap', () => {
    expect(verdicts(counting(1), [2, 1])).toEqual(['apply', 'gap']);
  });

  it('an error under a number that was there before closes no subscription', () => {
    expect(verdicts(counting(1), [-1, 2, -2, 3, 5])).toEqual(['apply', 'apply', 'apply', 'apply', 'gap']);
    expect(verdicts(counting(1), [2, -2, 3, -1, 4])).toEqual(['apply', 'apply', 'apply', 'apply', 'apply']);
  });

  it('an answer behind a gap is taken, and what is lost later still shows', () => {
    expect(verdicts(counting(1), [3, -1, 4, 6])).toEqual(['gap', 'apply', 'apply', 'gap']);
    expect(verdicts(counting(2), [4, -2, 5, -1, 6, 8])).toEqual([
      'gap',
      'apply',
      'apply',
      'apply',
      'apply',
      'gap',
    ]);
  });

  it('an answer that never comes excuses its own number alone', () => {
    expect(verdicts(counting(1), [2, 3, 5, 6])).toEqual(['apply', 'apply', 'gap', 'apply']);
  });
});
