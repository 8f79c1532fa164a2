import { expect, it } from 'vitest';
import { csvLines } from './csv.ts';

it('text that a spreadsheet would run: marked as text, numbers are not', () => {
  const rows = [{ a: '=1+1', b: '@107', c: '-BTC', d: -0.5, e: '+x,y' }];
  expect(csvLines(rows, ['a', 'b', 'c', 'd', 'e'])).toBe("'=1+1,'@107,'-BTC,-0.5,\"'+x,y\"\r\n");
});
