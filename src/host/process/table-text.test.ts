import { expect, it } from 'vitest';
import { tableText } from './table-text.ts';

it('a name with an escape of the terminal: shown by its code point', () => {
  expect(tableText(['name'], [['\u001b[31mBTC\u202e']])).toBe('name\n\\u{1b}[31mBTC\\u{202e}\n');
});
