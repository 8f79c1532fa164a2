import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  demoFileWrittenAt,
  readDemoPids,
  removeDemoFile,
  writeDemoFile,
} from '../../host/process/demo-file.ts';
import { commandOf } from '../../host/process/port-holder.ts';

/** Longest time that the parts of a demo that was killed are waited for. */
const GONE_MS = 3000;
const POLL_MS = 50;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
};

/** Clock ticks a second of proc(5), on every Linux. */
const TICKS = 100;
/** The kernel states its own start in whole seconds. */
const ROUNDING_MS = 1000;

/** When a process began, Unix ms; NaN where the system does not say. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 22; the second is the name in brackets, which may hold anything.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const booted = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]);
    return booted * 1000 + (ticks * 1000) / TICKS;
  } catch {
    return Number.NaN;
  }
}

/** True if a process may be part of a demo. */
function isOfDemo(pid: number): boolean {
  if (!isAlive(pid)) return false;
  return /perpmeter|[/\\](cli|sim)[/\\.]|sim\.js|anvil/.test(commandOf(pid) ?? 'perpmeter');
}

/**
 * True if it had begun when the file was written, so that its number is not one that a later process was given.
 * Only for what is to be killed: a clock that was set ahead makes a running demo look younger than its file.
 */
const isOfFile = (pid: number): boolean => !(startOf(pid) > demoFileWrittenAt() + ROUNDING_MS);

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, or is another user's.
  }
}

/**
 * Makes this process the demo of the folder: another that runs here would lose its data. Remaining parts of a
 * killed demo end by themselves, and are ended.
 * @returns why not
 */
export async function claimDemo(): Promise<string | undefined> {
  const { demo, ...parts } = readDemoPids();
  if (demo !== undefined && demo !== process.pid && isOfDemo(demo)) {
    return `a demo runs in this folder already (process ${demo}); stop it, or start this one in another folder`;
  }
  const left = () => Object.values(parts).filter((pid) => isOfDemo(pid) && isOfFile(pid));
  for (const pid of left()) kill(pid);
  for (let waited = 0; left().length > 0 && waited < GONE_MS; waited += POLL_MS) await wait(POLL_MS);
  removeDemoFile();
  writeDemoFile({ pids: { demo: process.pid } });
  return undefined;
}

/** Lets go of the folder, where this process is its demo. */
export function releaseDemo(): void {
  if (readDemoPids().demo === process.pid) removeDemoFile();
}
