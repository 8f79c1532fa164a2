import { describe, expect, it } from 'vitest';
import { AnswerReferences } from './answer-references.ts';

const answer = () => ({ status: 200, headers: {}, body: Buffer.from('{}') });

describe('the counts of stored answers', () => {
  it('are dropped for answers older than the given time alone', () => {
    const held = new AnswerReferences();
    const old = held.retain(answer(), 999);
    const young = held.retain(answer(), 1_000);
    held.forget(1_000);
    expect([held.release(old), held.release(young)]).toEqual([false, true]);
  });

  it('reach zero with the last payment of a shared answer alone', () => {
    const held = new AnswerReferences();
    const shared = answer();
    const ids = [held.retain(shared, 1_000), held.retain(shared, 1_000)];
    expect(ids[1]).toBe(ids[0]);
    expect(ids.map((id) => held.release(id))).toEqual([false, true]);
  });
});
