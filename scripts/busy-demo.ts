import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { SLOWEST } from '../packages/sim/src/pace.ts';
import { besideBusyLoops } from './busy-loops.ts';

/** Busy processes beside the demo: four for each of two cores. */
const LOOPS = 8;
const WATCHED_MS = 90_000;
const LOOK_MS = 2000;

interface Health {
  readonly venues: { readonly live: number; readonly stale: number; readonly down: number };
  readonly overload: { readonly level: number };
}

interface World {
  readonly slowness: number;
}

interface Addresses {
  readonly base_url: string;
  readonly sim_url: string;
}

/** The worst that a running demo says of itself beside busy loops. */
export interface BusyDemo {
  /** Most venues that were not live in one look. */
  readonly stale: number;
  /** Most steps of load that the service had shed. */
  readonly shed: number;
  /** Most of them that it had shed while the simulated world could still slow. */
  readonly early: number;
  /** Looks that were answered. */
  readonly looks: number;
}

/** Watches a demo that runs, beside eight busy loops that begin now. */
export function watchBusyDemo(): Promise<BusyDemo> {
  const { base_url: base, sim_url: sim } = JSON.parse(readFileSync('var/demo.json', 'utf8')) as Addresses;
  return besideBusyLoops(async () => {
    let worst: BusyDemo = { stale: 0, shed: 0, early: 0, looks: 0 };
    for (const until = Date.now() + WATCHED_MS; Date.now() < until; await wait(LOOK_MS)) {
      // Asked first: the world is slowest for seconds before anything is shed.
      const { slowness } = (await (await fetch(`${sim}/__sim/health`)).json()) as World;
      const { venues, overload } = (await (await fetch(`${base}/v1/health`)).json()) as Health;
      worst = {
        stale: Math.max(worst.stale, venues.stale + venues.down),
        shed: Math.max(worst.shed, overload.level),
        early: Math.max(worst.early, slowness < SLOWEST ? overload.level : 0),
        looks: worst.looks + 1,
      };
    }
    return worst;
  }, LOOPS);
}
