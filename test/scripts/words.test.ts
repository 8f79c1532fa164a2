import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { describe, expect, it } from 'vitest';
import { commentFaults } from '../../scripts/words/comment-faults.ts';
import { readProjects } from '../../scripts/words/projects.ts';
import { sourceFaults } from '../../scripts/words/source-faults.ts';

describe('comments', () => {
  it.each([
    '/** A process that resigns a lease does not campaign for it for five seconds. */',
    '/** Where a venue states no unit, numbers above this are milliseconds. */',
    '// Which of both is right? The venue answers neither.',
    '/** Calls `What()` of the peer. */',
    '/** The hour in which the payment was made, of the stored ones. */',
  ])('plain sentences: no fault in %s', (comment) => {
    expect(commentFaults(comment)).toEqual([]);
  });

  it.each([
    '/** What each module may import. */',
    '/** Whether the book is kept. */',
    '// Kept open. Who cannot use a lease leaves it to others.',
    '/**\n * The first line ends.\n *\n * - How many there are\n */',
    '// Where it fails nothing is left of it.',
    '/** Where the ledger is: in the folder, or on a server. */',
    '/** Where books go; without it none are kept. */',
    '/** Why not. */',
  ])('headless clauses: one fault in %j', (comment) => {
    expect(commentFaults(comment)).toHaveLength(1);
  });

  it.each([
    '// The lease belongs to whoever asks first.',
    '// The client is told the price.',
    '/** A body made of parts. */',
    '/** A sum\n * of nothing is zero. */',
  ])('vague phrases: one fault in %j', (comment) => {
    expect(commentFaults(comment)).toHaveLength(1);
  });
});

/** Faults of a source in a project of its own, as `line text`. */
function faultsOf(name: string, source: string): string[] {
  const found: string[] = [];
  const files = {
    '/house/tsconfig.json': JSON.stringify({
      compilerOptions: { noLib: true, jsx: 'preserve' },
      files: [name],
    }),
    [`/house/${name}`]: source,
  };
  readProjects(
    '/house',
    ['tsconfig.json'],
    (_path, file) => {
      for (const { line, text } of sourceFaults(file)) found.push(`${line} ${text}`);
    },
    createVirtualFileSystem(files),
  );
  return found;
}

describe('sources', () => {
  it('comment marks inside of literals: not read as comments', () => {
    const source = [
      "const a = '// What it is';",
      'const b = `/* Whether $' + '{a} // Who */`;',
      'const c = /[/*] How/;',
      'const d = <p>// Why {a} don’t /* What */</p>;',
      '// Who asks.',
    ];
    expect(faultsOf('a.tsx', source.join('\n'))).toEqual(['5 headless clause "Who asks."']);
  });

  it('adjacent line comments: read as one sentence', () => {
    expect(faultsOf('a.ts', '// The peer tells\n// What it wants\nlet a;')).toEqual([]);
  });

  it('literal spreads: found, spreads of variables and conditions are not', () => {
    const source = 'const a = { ...b, ...(c && { c }),\n ...{ d, e } };';
    expect(faultsOf('a.ts', source)).toEqual(['2 object literal spread into another']);
  });

  it('tuples that save a line: found, exchanges and calls are not', () => {
    const source = ['let [a, b] = [0, 0];', '[a, b] = [b, a];', 'const [c, d] = pair();', '[a, b] = [1, 2];'];
    expect(faultsOf('a.ts', source.join('\n'))).toEqual([
      '1 several variables assigned by one tuple',
      '4 several variables assigned by one tuple',
    ]);
  });

  it('parameters named one: found', () => {
    expect(faultsOf('a.ts', 'list.map((one) => one.id);')).toEqual(['1 parameter named "one"']);
  });

  it('names of tests beyond the limit: found in tests only', () => {
    const source = `it('${'x'.repeat(71)}', () => {});\nit('${'x'.repeat(70)}', () => {});`;
    expect(faultsOf('a.ts', source)).toEqual([]);
    expect(faultsOf('a.test.ts', source)).toHaveLength(1);
  });
});
