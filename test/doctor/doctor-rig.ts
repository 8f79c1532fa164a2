import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import type { FaultRule } from '@perpmeter/sim/faults';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import {
  type HttpCall,
  HttpClient,
  type HttpOutcome,
  type Transport,
} from '../../src/collect/http-client.ts';
import { examineVenues, type Report } from '../../src/modules/doctor/examine.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { MemoryNet, net } from '../books/memory-socket.ts';
import { ManualTime, settled } from '../collect/manual-time.ts';

/** When the doctor comes. */
export const FROM = Date.UTC(2026, 9, 20, 13, 20, 25);
const GAP_MS = 60_000;
const STREAM_MS = 20_000;
const STEP_MS = 500;
const world = createWorld(1);

/** The real client, and when none of its calls is under way. */
class WatchedHttp implements Transport {
  readonly #client = new HttpClient({ deadlineMs: 60_000 });
  readonly #underWay = new Set<Promise<HttpOutcome>>();

  send(call: HttpCall, signal: AbortSignal): Promise<HttpOutcome> {
    const exchange = this.#client.send(call, signal);
    this.#underWay.add(exchange);
    return exchange.finally(() => this.#underWay.delete(exchange));
  }

  /** Waits until every answer is there and nothing was asked because of it. */
  async answered(): Promise<void> {
    await settled();
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      await settled();
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** A net on which the venues of a simulation's server take sockets in memory. */
function netOf({ faults }: SimServer, { clock }: ManualTime): MemoryNet {
  const made = new MemoryNet();
  made.at = ({ pathname, search }) => {
    const [, id = '', ...rest] = pathname.split('/');
    const venue = SIM_VENUES.find((sim) => sim.id === id);
    const path = `/${rest.join('/')}${search}`;
    if (venue === undefined || faults.onStream(id, path)?.kind === 'status') return undefined;
    return { venue, world, clock, faults, path };
  };
  net.current = made;
  return made;
}

/**
 * Has the doctor look at simulated venues with these faults planted. Calls go over loopback; time moves only while none
 * is under way. The file that calls this has to put `MemorySocket` in the place of the client of `ws`.
 */
export async function examineSimulated(
  venues: readonly VenueAdapter[],
  rules: readonly FaultRule[] = [],
): Promise<Report> {
  const time = new ManualTime(FROM);
  const sim = await startSimServer({ world, venues: SIM_VENUES, clock: time.clock, tickMs: 0 });
  const sockets = netOf(sim, time);
  const http = new WatchedHttp();
  for (const rule of rules) sim.faults.add(rule);
  let isOver = false;
  const examined = examineVenues({
    venues,
    http,
    clock: time.clock,
    signal: new AbortController().signal,
    timer: (ms, run) => time.timer(Math.ceil(ms), run),
    gapMs: GAP_MS,
    streamMs: STREAM_MS,
    keepPayloads: true,
    bases: Object.fromEntries(venues.map(({ id, bases }) => [id, simBases(bases, sim.url, id)])),
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await http.answered();
    if (sockets.pump()) continue;
    await time.advance(STEP_MS);
    sockets.tick();
  }
  await sim.close();
  return examined;
}
