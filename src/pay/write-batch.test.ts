import { describe, expect, it } from 'vitest';
import { WriteBatch } from './write-batch.ts';

/** Transactions that the test ends, each with the writes that it began. */
function batches() {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const batch = new WriteBatch({
    together(begin) {
      begun.push([]);
      begin();
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    failure: async () => new Error('not written'),
  });
  const write = (name: string) => (): undefined => {
    begun.at(-1)?.push(name);
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { batch, begun, ends, write, turn };
}

describe('a write that nobody waits for', () => {
  it('shares the transaction of the next one that somebody does', async () => {
    const { batch, begun, ends, write, turn } = batches();
    const late = batch.addPatiently(write('late'));
    const soon = batch.add(write('soon'));
    await turn();
    expect(begun).toEqual([['late', 'soon']]);
    ends[0]?.();
    expect(await Promise.all([late, soon])).toEqual([true, true]);
  });

  it('comes while others are written: begins none of its own for them', async () => {
    const { batch, begun, ends, write, turn } = batches();
    const first = batch.add(write('first'));
    await turn();
    const late = batch.addPatiently(write('late'));
    ends[0]?.();
    await first;
    const second = batch.add(write('second'));
    await turn();
    expect(begun).toEqual([['first'], ['late', 'second']]);
    ends[1]?.();
    expect(await Promise.all([late, second])).toEqual([true, true]);
  });

  it('is begun by itself where no other one comes', async () => {
    const { batch, begun, ends, write, turn } = batches();
    const late = batch.addPatiently(write('late'));
    while (ends.length === 0) await turn();
    expect(begun).toEqual([['late']]);
    ends[0]?.();
    expect(await late).toBe(true);
  });

  it('at the end: is written first', async () => {
    const { batch, begun, ends, write, turn } = batches();
    void batch.addPatiently(write('late'));
    const ended = batch.ended();
    while (ends.length === 0) await turn();
    ends[0]?.();
    await ended;
    expect(begun).toEqual([['late']]);
  });
});

describe('writes that somebody waits for', () => {
  it('come while others are written: begun together after them', async () => {
    const { batch, begun, ends, write, turn } = batches();
    const first = batch.add(write('first'));
    await turn();
    const others = [batch.add(write('second')), batch.add(write('third'))];
    await turn();
    expect(begun).toEqual([['first']]);
    ends[0]?.();
    await first;
    await turn();
    expect(begun).toEqual([['first'], ['second', 'third']]);
    ends[1]?.();
    expect(await Promise.all(others)).toEqual([true, true]);
  });
});
