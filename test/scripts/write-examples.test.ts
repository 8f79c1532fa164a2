import { expect, it } from 'vitest';
import { DOCUMENTS } from '../../scripts/tasks/documents.ts';
import { exampleSteps } from '../../scripts/write-examples.ts';

it('a check of the examples: writes nothing', () => {
  const checking = exampleSteps(true);
  expect(checking.map(({ program }) => program)).toEqual(['vitest']);
  expect(checking.flatMap(({ args, env }) => [...args, ...Object.keys(env)])).not.toContain(
    'UPDATE_EXAMPLES',
  );
  expect(exampleSteps(false).map(({ env, args }) => env.UPDATE_EXAMPLES ?? args[1])).toEqual([
    '1',
    '--write',
  ]);
});

it('the task gives its arguments to the one command that knows them', () => {
  expect(DOCUMENTS.examples?.commands).toHaveLength(1);
});
