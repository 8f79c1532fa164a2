import { setTimeout as wait } from 'node:timers/promises';
import { readDemoPids, removeDemoFile, writeDemoFile } from './demo-file.ts';
import { commandOf } from './port-holder.ts';

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

/** A process of a demo, and not another that was given its number since. */
const isOfDemo = (pid: number): boolean =>
  isAlive(pid) && /perpmeter|[/\\](cli|sim)[/\\.]|sim\.js|anvil/.test(commandOf(pid) ?? 'perpmeter');

/**
 * Makes this process the demo of the folder: another that runs here would lose its data. What is left of one that was
 * killed ends by itself, and is made to end.
 * @returns why not
 */
export async function claimDemo(): Promise<string | undefined> {
  const { demo, ...parts } = readDemoPids();
  if (demo !== undefined && demo !== process.pid && isOfDemo(demo)) {
    return `a demo runs in this folder already (process ${demo}); stop it, or start this one in another folder`;
  }
  const left = () => Object.values(parts).filter(isOfDemo);
  for (const pid of left()) process.kill(pid, 'SIGKILL');
  for (let waited = 0; left().length > 0 && waited < GONE_MS; waited += POLL_MS) await wait(POLL_MS);
  removeDemoFile();
  writeDemoFile({ pids: { demo: process.pid } });
  return undefined;
}

/** Lets go of the folder, where this process is its demo. */
export function releaseDemo(): void {
  if (readDemoPids().demo === process.pid) removeDemoFile();
}
