import { expect, it } from 'vitest';
import { describeEngines } from './engines.ts';
import { valueIn } from './load.ts';

const TABLE = 'named_statements';
const COLUMNS = ['a', 'note'];
const lines = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i}\tof ${from + i}; SELECT '1' -- \\n`);

describeEngines(
  'a statement under a name',
  (engine) => {
    it('stored once; statements without a name after it too', async () => {
      const store = await engine.open(TABLE);
      const insert = async (from: number, count: number, token?: string): Promise<void> =>
        valueIn(
          await store.insert({
            table: TABLE,
            columns: COLUMNS,
            lines: lines(from, count),
            ...(token === undefined ? {} : { token }),
          }),
        );
      const stored = async (): Promise<unknown> =>
        valueIn(
          await store.select({ sql: `SELECT count(), uniqExact(a), max(a) FROM ${TABLE}`, params: {} }),
        );
      const made = `CREATE TABLE ${TABLE} (a UInt64, note String) ENGINE = MergeTree ORDER BY a`;
      valueIn(
        await store.run({ sql: `${made} SETTINGS non_replicated_deduplication_window = 1000`, params: {} }),
      );
      await insert(0, 10, 'first');
      await insert(0, 10, 'first');
      expect(await stored()).toEqual([[10, 10, 9]]);
      await insert(10, 10);
      await insert(20, 10);
      expect(await stored()).toEqual([[30, 30, 29]]);
      await insert(20, 10);
      expect(await stored()).toEqual([[30, 30, 29]]);
      await insert(20, 10, "it's");
      expect(await stored()).toEqual([[40, 30, 29]]);
    });
  },
  { later: ['server'] },
);
