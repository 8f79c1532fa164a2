import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program of this project in a process of its own, which ends when this one is gone. */
export interface Child {
  readonly name: string;
  readonly process: ChildProcess;
  readonly pid: number;
  /** Resolved with its exit code (null after a signal). */
  readonly exited: Promise<number | null>;
  /** Asks it to stop, and makes it stop when it does not within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/**
 * The history engine has many threads: with an arena for each, freed memory stays theirs. Answers of venues are large and
 * short-lived: without a fixed bound glibc soon takes them from the heap, which they leave in pieces.
 */
const ALLOCATION = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' } as const;
/**
 * Half the young generation's default in Node.js 20 and 22, a quarter of Node.js 24's: it costs at most two
 * hundredths of a core at this load, and saves 15 MB. One helper thread in place of four: while they mark the
 * heap they take the cores that the event loop waits for.
 */
const HEAP_FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1'] as const;

/**
 * A build puts the programs side by side in dist/, with everything that a program loads beside them; the sources are
 * run in place.
 */
const isBuilt = import.meta.url.endsWith('.js');
export const PROGRAMS = {
  perpmeter: new URL(isBuilt ? './perpmeter.js' : '../../cli/main.ts', import.meta.url),
  sim: new URL(isBuilt ? './sim.js' : '../../../packages/sim/src/main.ts', import.meta.url),
} as const;

/**
 * Starts a program with a channel to this process; its own process group, so that a Ctrl-C here reaches only us.
 *
 * @param env what it gets beside our own environment; of that it does not get what is undefined here
 */
export function startChild(
  name: string,
  script: URL,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Child {
  const loader = script.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [];
  const child = spawn(process.execPath, [...HEAP_FLAGS, ...loader, fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
    env: {
      ...ALLOCATION,
      UV_THREADPOOL_SIZE: '12',
      ...process.env,
      // A channel that has closed before the program looked leaves no trace; this does.
      PERPMETER_PARENT: String(process.pid),
      ...env,
    },
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(1));
  });
  return {
    name,
    process: child,
    pid: child.pid ?? 0,
    exited,
    async stop(patienceMs) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** The first line a child prints, as JSON. Rejects when it ends before. */
export function firstLine(child: Child): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      try {
        resolve(JSON.parse(text.slice(0, end)));
      } catch (cause) {
        reject(new Error(`${child.name} said something unexpected`, { cause }));
      }
    });
    void child.exited.then((code) =>
      reject(new Error(`${child.name} ended with ${code} before it was ready`)),
    );
  });
}
