import { beforeAll, expect, it } from 'vitest';
import type { HistoryStore } from '../../src/history/store.ts';
import { describeEngines } from './engines.ts';
import { valueIn } from './load.ts';

describeEngines('answers of the store', (engine) => {
  let store: HistoryStore;
  beforeAll(async () => {
    store = await engine.open('long_answers');
  });

  it.each([0, 1, 499, 500, 501, 1000, 2345])('of %d rows are whole and in order', async (n) => {
    const sql = "SELECT number, concat('a\\nb,', toString(number)) FROM numbers({n:UInt32})";
    const rows = valueIn(await store.select({ sql, params: { n } }));
    expect(rows).toEqual(Array.from({ length: n }, (_, i) => [i, `a\nb,${i}`]));
  });

  it('of many rows yield to other work while they are read', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const parse = JSON.parse;
    const seen = new Set<number>();
    JSON.parse = (...given) => {
      seen.add(turns);
      return parse(...given);
    };
    try {
      setImmediate(count);
      const sql = 'SELECT number FROM numbers(5000)';
      expect(valueIn(await store.select({ sql, params: {} }))).toHaveLength(5000);
    } finally {
      isOver = true;
      JSON.parse = parse;
    }
    expect(seen.size).toBeGreaterThanOrEqual(10);
  });
});
