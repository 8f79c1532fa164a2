import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** One run of the test suite, or of some files of it. */
export interface TestRun {
  readonly wallS: number;
  /** User and system time of the run and of all processes that it started and waited for. */
  readonly cpuS: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly code: number | null;
  readonly output: string;
}

/** Clock ticks a second in /proc, which Linux fixes. */
const TICKS = 100;
/** The line of test/summary-reporter.ts. */
const SUMMARY = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

/** CPU seconds of the processes that this one has started and that have ended. */
function childrenCpuS(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/**
 * Runs `npm test`.
 * @param files only these
 * @param env beside the environment of this process
 * @returns counts that are NaN where the run ended before it could tell them
 */
export async function runTests(
  files: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<TestRun> {
  const began = performance.now();
  const cpuBefore = childrenCpuS();
  const child = spawn('npm', ['test', '--', ...files], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const [, passed, failed, skipped] = SUMMARY.exec(output) ?? [];
  return {
    wallS: (performance.now() - began) / 1000,
    cpuS: childrenCpuS() - cpuBefore,
    passed: Number(passed ?? Number.NaN),
    failed: Number(failed ?? Number.NaN),
    skipped: Number(skipped ?? Number.NaN),
    code,
    output,
  };
}

const COLUMNS = ['wall s', 'CPU s', 'passed', 'failed', 'skipped'] as const;
const line = (name: string, cells: readonly string[]): string =>
  [name.padEnd(34), ...cells.map((cell) => cell.padStart(8))].join('');

/** The head of a table of runs. */
export const printRunHead = (name: string): void => console.log(line(name, COLUMNS));

/** A line of it, and what failed. */
export function printRun(
  name: string,
  { wallS, cpuS, passed, failed, skipped, code, output }: TestRun,
): void {
  console.log(
    line(name, [wallS.toFixed(0), cpuS.toFixed(0), String(passed), String(failed), String(skipped)]),
  );
  if (code === 0) return;
  const failures = output.split('\n').filter((text) => /^\s*(FAIL|\w*Error:)/.test(text));
  console.log(
    failures.length > 0 ? failures.slice(0, 20).join('\n') : output.split('\n').slice(-20).join('\n'),
  );
}
