import { describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../domain/errors.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import { Answer } from './answer.ts';
import { AnswerLru } from './answer-lru.ts';

const render = vi.fn((result: RenderedAnswer) => new Answer(result, [], true));
const result = (size: number, basis?: readonly unknown[]): RenderedAnswer => ({
  content: { json: 'x'.repeat(size) },
  ...(basis !== undefined && { basis }),
});
const at = (version: number, value: RenderedAnswer) => ({ version, produce: () => ok(value), render });

function get(store: AnswerLru, key: string, version: number, value: RenderedAnswer): Answer {
  const made = store.current(store.slot(key), at(version, value));
  if (made instanceof Promise || !made.ok) throw new Error('not made at once');
  return made.value;
}

describe('AnswerLru', () => {
  it('makes an answer once per version', () => {
    const store = new AnswerLru(1e6);
    const first = get(store, 'a', 1, result(10));
    expect(get(store, 'a', 1, result(10))).toBe(first);
    expect(get(store, 'a', 2, result(10))).not.toBe(first);
  });

  it('keeps the encoded bytes where a new version has the same basis', () => {
    const store = new AnswerLru(1e6);
    const row = {};
    const first = get(store, 'a', 1, result(10, [1, row]));
    render.mockClear();
    expect(get(store, 'a', 2, result(10, [1, row]))).toBe(first);
    expect(render).not.toHaveBeenCalled();
    expect(get(store, 'a', 3, result(10, [1, {}]))).not.toBe(first);
  });

  it('evicts the least recently used answer above the byte limit', () => {
    const store = new AnswerLru(5000);
    const a = get(store, 'a', 1, result(1000));
    get(store, 'b', 1, result(1000));
    expect(get(store, 'a', 1, result(1000))).toBe(a);
    get(store, 'c', 1, result(1000));
    expect(store.size).toBe(2);
    expect(store.bytes).toBeLessThanOrEqual(5000);
    expect(get(store, 'a', 1, result(1000))).toBe(a);
  });

  it('is bounded in entries too, and counts no bytes of evicted ones', () => {
    const store = new AnswerLru(1e9, 3);
    for (let i = 0; i < 50; i++) get(store, `q${i}`, 1, result(100));
    expect(store.size).toBe(3);
    expect(store.bytes).toBe(3 * 2 * 102);
  });

  it('returns, and does not keep, an answer larger than the whole cache', () => {
    const store = new AnswerLru(100);
    expect(get(store, 'a', 1, result(5000)).identity.body.length).toBe(5002);
    expect(store.bytes).toBe(0);
  });

  it('does not cache failures', () => {
    const store = new AnswerLru(1e6);
    const failed = store.current(store.slot('a'), {
      version: 1,
      produce: () => fail({ code: 'no_data', detail: '' }),
      render,
    });
    expect(failed).toMatchObject({ ok: false });
    expect(get(store, 'a', 1, result(10)).identity.body.length).toBe(12);
  });

  it('simultaneous requests: one production is shared, also when it fails', async () => {
    const store = new AnswerLru(1e6);
    const produce = vi.fn(async () => ok(result(10)));
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
    expect(get(store, 'b', 1, result(10)).identity.body.length).toBe(12);
  });

  it('counts the compressed form once it is there', async () => {
    const store = new AnswerLru(1e6);
    const answer = get(store, 'a', 1, result(5000));
    const packed = await answer.gzip();
    expect(store.bytes).toBe(2 * (5002 + packed.body.length));
    expect(answer.gzip()).toBe(packed);
  });
});
