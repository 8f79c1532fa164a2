import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asMs } from '../domain/units.ts';
import type { Batch } from './batch.ts';
import type { StoreFault } from './store.ts';
import { writeParts } from './write-parts.ts';

const REFUSED = { kind: 'refused', message: 'no number' } as StoreFault;
const batchOf = (lines: readonly string[]): Batch => ({
  table: 'samples',
  columns: ['a'],
  lines,
  from: asMs(1),
  to: asMs(1),
});

it('rows of which some are bad: all others are written, in order', async () => {
  const rows = fc.array(fc.boolean(), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat({ max: 7 }), async (isGood, badAtMost) => {
      let bad = 0;
      const lines = isGood.map((good, i) => {
        const isBad = !good && bad < badAtMost;
        if (isBad) bad += 1;
        return `${isBad ? 'bad' : 'good'} ${i}`;
      });
      const kept: string[] = [];
      const outcome = await writeParts(batchOf(lines), (part) => {
        if (part.lines.some((line) => line.startsWith('bad'))) return Promise.resolve(REFUSED);
        kept.push(...part.lines);
        return Promise.resolve('written');
      });
      expect(kept).toEqual(lines.filter((line) => line.startsWith('good')));
      expect(outcome).toEqual({
        written: kept.length,
        refusedLines: new Set(lines.filter((line) => line.startsWith('bad'))),
        refused: bad > 0 ? REFUSED : undefined,
      });
    }),
  );
});

it('a table that takes no row: given up after a hundred refusals', async () => {
  let asked = 0;
  const lines = Array.from({ length: 20_000 }, (_, i) => String(i));
  const outcome = await writeParts(batchOf(lines), () => {
    asked += 1;
    return Promise.resolve(REFUSED);
  });
  expect(outcome).toEqual({ written: 0, refusedLines: new Set(lines), refused: REFUSED });
  expect(asked).toBeLessThan(220);
});

it('a stop: what is left is not tried', async () => {
  expect(await writeParts(batchOf(['a', 'b']), () => Promise.resolve('stopped'))).toBe('stopped');
});
