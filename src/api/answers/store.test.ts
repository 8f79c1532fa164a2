import { describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../domain/errors.ts';
import type { Facts } from '../route.ts';
import { Answer } from './answer.ts';
import { AnswerStore } from './store.ts';

const render = vi.fn((facts: Facts) => new Answer(facts, [], true));
const facts = (size: number, basis?: readonly unknown[]): Facts => ({
  content: { json: 'x'.repeat(size) },
  ...(basis !== undefined && { basis }),
});
const at = (version: number, value: Facts) => ({ version, produce: () => ok(value), render });

function get(store: AnswerStore, key: string, version: number, value: Facts): Answer {
  const made = store.current(store.slot(key), at(version, value));
  if (made instanceof Promise || !made.ok) throw new Error('not made at once');
  return made.value;
}

describe('AnswerStore', () => {
  it('makes an answer once per version', () => {
    const store = new AnswerStore(1e6);
    const first = get(store, 'a', 1, facts(10));
    expect(get(store, 'a', 1, facts(10))).toBe(first);
    expect(get(store, 'a', 2, facts(10))).not.toBe(first);
  });

  it('keeps the bytes where a new version is made of the same parts', () => {
    const store = new AnswerStore(1e6);
    const row = {};
    const first = get(store, 'a', 1, facts(10, [1, row]));
    render.mockClear();
    expect(get(store, 'a', 2, facts(10, [1, row]))).toBe(first);
    expect(render).not.toHaveBeenCalled();
    expect(get(store, 'a', 3, facts(10, [1, {}]))).not.toBe(first);
  });

  it('drops the least recently asked when the bytes are too many', () => {
    const store = new AnswerStore(5000);
    const a = get(store, 'a', 1, facts(1000));
    get(store, 'b', 1, facts(1000));
    expect(get(store, 'a', 1, facts(1000))).toBe(a);
    get(store, 'c', 1, facts(1000));
    expect(store.size).toBe(2);
    expect(store.bytes).toBeLessThanOrEqual(5000);
    expect(get(store, 'a', 1, facts(1000))).toBe(a);
  });

  it('is bounded in questions too, and counts nothing for what it dropped', () => {
    const store = new AnswerStore(1e9, 3);
    for (let i = 0; i < 50; i++) get(store, `q${i}`, 1, facts(100));
    expect(store.size).toBe(3);
    expect(store.bytes).toBe(3 * 2 * 102);
  });

  it('does not keep what is larger than all of it, but answers it', () => {
    const store = new AnswerStore(100);
    expect(get(store, 'a', 1, facts(5000)).identity.body.length).toBe(5002);
    expect(store.bytes).toBe(0);
  });

  it('keeps no failure', () => {
    const store = new AnswerStore(1e6);
    const failed = store.current(store.slot('a'), {
      version: 1,
      produce: () => fail({ code: 'no_data', detail: '' }),
      render,
    });
    expect(failed).toMatchObject({ ok: false });
    expect(get(store, 'a', 1, facts(10)).identity.body.length).toBe(12);
  });

  it('lets simultaneous requests share one production, also when it breaks', async () => {
    const store = new AnswerStore(1e6);
    const produce = vi.fn(async () => ok(facts(10)));
    const ask = () => store.current(store.slot('a'), { version: 1, produce, render });
    const [one, two] = await Promise.all([ask(), ask()]);
    expect(one).toEqual(two);
    expect(produce).toHaveBeenCalledTimes(1);
    const broken = store.current(store.slot('b'), {
      version: 1,
      produce: () => Promise.reject(new Error('broken')),
      render,
    });
    await expect(broken).rejects.toThrow('broken');
    expect(get(store, 'b', 1, facts(10)).identity.body.length).toBe(12);
  });

  it('counts the compressed form once it is there', async () => {
    const store = new AnswerStore(1e6);
    const answer = get(store, 'a', 1, facts(5000));
    const packed = await answer.gzip();
    store.recount('a');
    expect(store.bytes).toBe(2 * (5002 + packed.body.length));
    expect(answer.gzip()).toBe(packed);
  });
});
