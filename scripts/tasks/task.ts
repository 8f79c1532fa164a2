/** A process of a task: a program, what it is given before the arguments of the caller, and its environment. */
export interface Command {
  /** `node`, or a program of node_modules/.bin. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Task {
  /** The effect in one line: `npm run <kind>` prints it, and CONTRIBUTING.md. */
  readonly help: string;
  /** Run one after the other until one fails; the last is given the arguments of the caller. */
  readonly commands: readonly Command[];
}

/** Tasks by name, in the order in which they are listed. */
export type Tasks = Readonly<Record<string, Task>>;

/** Memory is measured after a collection. */
export const EXPOSE_GC = ['--expose-gc'] as const;
/** The embedded history reads on threads of libuv; four of them would be what is measured. */
export const MORE_THREADS = { UV_THREADPOOL_SIZE: '12' } as const;

/** Builds dist/ first: what is started is the program that users start. */
export const BUILD: Command = { program: 'node', args: ['scripts/build.mjs'] };

interface ScriptOptions {
  readonly node?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of this repository, with options of Node.js, its own first arguments and variables of the environment. */
export function script(file: string, { node = [], args = [], env = {} }: ScriptOptions = {}): Command {
  return { program: 'node', args: [...node, '--import', 'tsx', file, ...args], env };
}

/** A program of a development dependency. */
export function tool(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Command {
  return { program, args, env };
}
