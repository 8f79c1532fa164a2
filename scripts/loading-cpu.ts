import { execFileSync } from 'node:child_process';

const RUNS = 3;
const PROGRAM = `await import('viem');
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1e6);`;

/**
 * CPU seconds of a process that does nothing but load viem from this checkout, mean of three. A start of the service is of the
 * same kind, so that a slow or busy machine makes both dearer alike.
 */
export function loadingCpu(): number {
  const runs = Array.from({ length: RUNS }, () =>
    Number(execFileSync('node', ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' })),
  );
  return runs.reduce((sum, seconds) => sum + seconds, 0) / RUNS;
}
