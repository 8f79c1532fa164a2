import { describe, expect, it } from 'vitest';
import { HeldResponseStore } from './held-response-store.ts';

const answer = () => ({ status: 200, headers: {}, body: Buffer.from('{}') });

describe('the counts of stored answers', () => {
  it('are forgotten of answers older than that, and of no others', () => {
    const held = new HeldResponseStore();
    const [old, young] = [held.retain(answer(), 999), held.retain(answer(), 1_000)];
    held.forget(1_000);
    expect([held.release(old), held.release(young)]).toEqual([false, true]);
  });

  it('say of the last payment of a shared answer that it was the last', () => {
    const held = new HeldResponseStore();
    const shared = answer();
    const ids = [held.retain(shared, 1_000), held.retain(shared, 1_000)];
    expect(ids[1]).toBe(ids[0]);
    expect(ids.map((id) => held.release(id))).toEqual([false, true]);
  });
});
