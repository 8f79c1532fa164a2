import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Debian's: another python3 that comes first may lack what its packages bring. */
const PYTHON = ['/usr/bin/python3', 'python3'];
export const PACKAGE = fileURLToPath(new URL('../../packages/python', import.meta.url));

const has = (python: string, module: string): boolean =>
  spawnSync(python, ['-c', `import ${module}`]).status === 0;

const found = PYTHON.find((python) => has(python, 'pytest'));

/** The reason why tests in Python cannot run here; undefined where they can. */
export const pythonObstacle: string | undefined =
  found === undefined ? 'no python3 with pytest: apt-get install python3-pytest' : undefined;

/** The Python that the tests run. */
export const pythonCommand = found ?? 'python3';

/** True where the same Python has a module. */
export const hasModule = (name: string): boolean => found !== undefined && has(found, name);

export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

/** Runs Python with the package's sources, without settings of this process. */
export async function runPython(
  args: readonly string[],
  {
    cwd = PACKAGE,
    env = {},
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(pythonCommand, args, {
    cwd,
    env: { PATH, HOME, PYTHONPATH: `${PACKAGE}/src`, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, said: out + error };
}
