/**
 * Gives a process a share of one core, over all its threads, as a cgroup's `cpu.max` would: it is stopped for the rest of
 * every 100 ms in which it has used its part. Only signals and /proc are needed. It runs beside what it holds back, ends
 * with the one that started it, and lets the process go on then.
 */
import { cpuSeconds } from '../../scripts/process-cpu.ts';

const PERIOD_MS = 100;
const POLL_MS = 5;
/** /proc counts in hundredths of a second. */
const usedMs = (pid: number): number => cpuSeconds(pid) * 1000;

const [pid = 0, share = 1] = process.argv.slice(2).map(Number);
const quotaMs = PERIOD_MS * share;
let used = usedMs(pid);
let at = performance.now();
let credit = quotaMs;
let isStopped = false;

function go(on: boolean): void {
  if (on === !isStopped) return;
  process.kill(pid, on ? 'SIGCONT' : 'SIGSTOP');
  isStopped = !on;
}

function end(): never {
  try {
    go(true);
  } finally {
    process.exit(0);
  }
}

function look(): void {
  try {
    const now = performance.now();
    const spent = usedMs(pid);
    // Unused time of a period is not saved up; overuse is paid back.
    credit = Math.min(quotaMs, credit + (now - at) * share - (spent - used));
    at = now;
    used = spent;
    go(isStopped ? credit >= quotaMs / 2 : credit > 0);
  } catch {
    process.exit(0);
  }
}

setInterval(look, POLL_MS);
process.on('disconnect', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
