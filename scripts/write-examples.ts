/**
 * Writes the committed examples from the service's own answers over the simulated venues: `npm run docs examples`. With `--check`
 * it writes nothing and exits 1 where one is not what the service answers.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const ASK = ['run', 'test/api/examples.test.ts', '-t', '^examples'];
const WRITTEN = ['src/products/examples', 'src/modules'];

/** The programs that hold the examples against the answers, or write them. */
export const exampleSteps = (isCheck: boolean): readonly Step[] =>
  isCheck
    ? [{ program: 'vitest', args: ASK, env: {} }]
    : [
        { program: 'vitest', args: ASK, env: { UPDATE_EXAMPLES: '1' } },
        { program: 'biome', args: ['format', '--write', ...WRITTEN], env: {} },
      ];

function main(given: readonly string[]): number {
  for (const { program, args, env } of exampleSteps(given.includes('--check'))) {
    const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
