import { expect, it } from 'vitest';
import { codeLines } from '../../scripts/code-lines.ts';

it('blank lines and comments: not counted', () => {
  const text = [
    '/** a',
    ' * b */',
    '',
    '  // c',
    'const a = 1; // d',
    '/* e */ const b = 2;',
    "const c = '/*';",
  ];
  expect(codeLines(text.join('\n'))).toBe(3);
});
