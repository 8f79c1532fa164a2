import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundle } from '../bundle.ts';
import { Random } from './random.ts';
import type { DrainedWatch } from './watch-service.ts';
import { MANNERS, type Manner, Receivers } from './watch-world.ts';

const SERVICE = new URL('./watch-service.ts', import.meta.url);
/** Firings of one life at most. */
const LIFE_FIRINGS = 40;
/** Of the time between two firings. */
const MOMENT_MS = 30;

export interface WatchSoakOptions {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
  /** Watches of each manner of receiver. */
  readonly each: number;
}

export interface WatchSoakReport {
  readonly firings: number;
  readonly taken: number;
  /** Firings of proven receivers that were neither taken nor given up. */
  readonly lost: number;
  /** Firings that came again under the same id, as at least once allows. */
  readonly repeated: number;
  /** Firings under the id of another one, or under a second id. */
  readonly doubled: number;
  /** Firings that came before an earlier one of their watch. */
  readonly disordered: number;
  readonly givenUp: number;
  /** Firings to receivers that did not pass the challenge. */
  readonly unproven: number;
  /** Connections to the trap. */
  readonly trapped: number;
  /** Attempts that the guard refused, in the last life alone. */
  readonly refused: number;
  readonly requests: number;
}

/**
 * One life of the service, which prints a line for each firing.
 *
 * @param kill the firing after which it is killed, and how soon; undefined where it ends by itself
 * @returns its last line
 */
async function live(
  args: readonly string[],
  kill: { readonly after: number; readonly ms: number } | undefined,
): Promise<string> {
  const child = spawn(process.execPath, [await bundle(SERVICE), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });
  const gone = once(child, 'exit');
  let last = '';
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    lines += 1;
    if (lines === kill?.after) setTimeout(() => child.kill('SIGKILL'), kill.ms);
  }
  const [code, signal] = (await gone) as [number | null, string | null];
  const isExpected = kill === undefined ? code === 0 : signal === 'SIGKILL';
  if (!isExpected) throw new Error(`the service ended by itself: ${complaint}`);
  return last;
}

/** Kills a service again and again while it delivers to receivers of all manners, and lets the last one end its work. */
export async function soakDeliveries(options: WatchSoakOptions): Promise<WatchSoakReport> {
  const { folder, kills, seed, each } = options;
  const random = new Random(seed);
  const receivers = new Receivers(seed + 1);
  try {
    const addresses = await receivers.open();
    const watches = MANNERS.flatMap((manner) =>
      Array.from({ length: each }, (_, at) => ({
        id: `${manner}-${at}`,
        webhook: addresses[manner],
        isHonest: isHonest(manner),
      })),
    );
    const list = JSON.stringify(watches);
    for (let life = 0; life < kills; life++)
      await live([folder, String(seed + life), list], {
        after: random.between(1, LIFE_FIRINGS),
        ms: random.between(0, MOMENT_MS),
      });
    const drained = JSON.parse(await live([folder, 'drain', list], undefined)) as readonly DrainedWatch[];
    return reportOf(receivers, drained);
  } finally {
    receivers.close();
  }
}

const isHonest = (manner: Manner): boolean => manner !== 'lie' && manner !== 'forbidden';
const HONEST = MANNERS.filter(isHonest);

function reportOf(receivers: Receivers, drained: readonly DrainedWatch[]): WatchSoakReport {
  const { taken, unproven, trapped, requests } = receivers;
  const report = { lost: 0, repeated: 0, doubled: 0, disordered: 0 };
  for (const { id: watchId, fired, givenUp } of drained) {
    const own = taken.filter((firing) => firing.watchId === watchId);
    const sequences = own.map(({ sequence }) => sequence);
    const known = new Set([...sequences, ...givenUp]);
    if (HONEST.some((manner) => watchId.startsWith(manner)))
      report.lost += fired.filter((seq) => !known.has(seq)).length;
    report.repeated += own.length - new Set(sequences).size;
    report.doubled += own.filter(({ id, sequence }) => id !== `${watchId}.${sequence}`).length;
    report.disordered += sequences.filter((seq, at) => at > 0 && seq < (sequences[at - 1] ?? 0)).length;
  }
  return {
    ...report,
    firings: drained.reduce((sum, { fired }) => sum + fired.length, 0),
    taken: taken.length,
    givenUp: drained.reduce((sum, { givenUp }) => sum + givenUp.length, 0),
    unproven,
    trapped,
    refused: drained[0]?.refused ?? 0,
    requests,
  };
}
