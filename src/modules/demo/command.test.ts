import { expect, it } from 'vitest';
import { runCli } from '../../../test/cli/run-cli.ts';

it('help of the program: names the demo', async () => {
  expect((await runCli(['--help'])).stdout).toContain('demo');
});

it('a seed that is no number: refused with how it is meant', async () => {
  const run = await runCli(['demo', '--seed', 'abc']);
  const said = 'demo: --seed must be a whole number, not "abc"';
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
});
