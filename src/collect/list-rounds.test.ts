import { describe, expect, it } from 'vitest';
import type { Reject } from '../domain/reject.ts';
import { ListRounds } from './list-rounds.ts';

const page = (...rejects: Reject[]) => ({ rejects });
const halted = (symbol: string): Reject => ({ symbol, reason: 'not_trading' });

describe('whole lists of a venue', () => {
  it('one poll: whole whenever its round is', () => {
    const rounds = new ListRounds(['a']);
    expect(rounds.take('a', true, []).isWhole).toBe(true);
    expect(rounds.take('a', false, []).isWhole).toBe(false);
    expect(rounds.take('a', true, []).isWhole).toBe(true);
  });

  it('two polls: whole once both were read since it was before', () => {
    const rounds = new ListRounds(['a', 'b']);
    const taken = ['a', 'a', 'b', 'b', 'b', 'a'].map((poll) => rounds.take(poll, true, []).isWhole);
    expect(taken).toEqual([false, false, true, false, false, true]);
  });

  it('a round that fails after a good one: not whole until it is good', () => {
    const rounds = new ListRounds(['a', 'b']);
    rounds.take('a', true, []);
    rounds.take('a', false, []);
    expect(rounds.take('b', true, []).isWhole).toBe(false);
    expect(rounds.take('a', true, []).isWhole).toBe(true);
  });

  it('what does not trade or is announced: of all polls and pages', () => {
    const rounds = new ListRounds(['a', 'b']);
    const launch = { symbol: 'NEW', ticker: 'NEW' };
    rounds.take('a', true, [page(halted('X')), { rejects: [], announced: [launch] }]);
    const other: Reject = { symbol: 'Z', reason: 'delisted' };
    const nameless: Reject = { symbol: null, reason: 'not_trading' };
    expect(rounds.take('b', true, [page(halted('Y'), other, nameless)])).toEqual({
      isWhole: true,
      halted: ['X', 'Y'],
      announced: [launch],
    });
  });
});
