import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { World } from '@perpmeter/sim/world';
import type { Decoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import { callRef, callsOf, type VenueRequest } from '../../src/venues/adapter.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { namedCall } from '../venues/named-call.ts';
import { type Pairing, pairingsOf, type Run, renderRequest, runAdapter } from '../venues/sim-run.ts';

/** On a five-minute mark, so that the latest point of a history is the present. */
export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);

/** Simulated venues over HTTP and WebSocket at a time that stands still, beside our own reading of them. */
export class Simulation {
  readonly world: World;
  readonly #runs = new Map<string, Run>();
  readonly #server: SimServer;

  private constructor(server: SimServer, world: World) {
    this.#server = server;
    this.world = world;
  }

  static async start(): Promise<Simulation> {
    const world = createWorld(1);
    // Time stands still, so a limit's window would never end.
    const venues = SIM_VENUES.map((sim) => ({ ...sim, limit: { ...sim.limit, weight: 1e9 } }));
    const clock = { now: () => asMs(AT) };
    return new Simulation(await startSimServer({ world, venues, clock, tickMs: 0 }), world);
  }

  /** Address of a venue; a sub-venue lives at its parent's. */
  addressOf(venue: string): string {
    return `${this.#server.url}/${venue}`;
  }

  /** The adapter of a venue with what is simulated behind it. Throws where nothing is. */
  pairing(id: string): Pairing {
    const adapter = adapterOf(id);
    const parent = adapter?.parent === undefined ? adapter : adapterOf(adapter.parent);
    const pairs = pairingsOf(parent === undefined ? [] : [parent], SIM_VENUES, this.world, AT);
    const found = pairs.find((pairing) => pairing.adapter.id === id);
    if (found === undefined) throw new Error(`${id} is not simulated`);
    return found;
  }

  /** Our adapter's reading of the simulated venue. */
  ours(id: string): Run {
    const run = this.#runs.get(id) ?? runAdapter(this.pairing(id), this.world, AT);
    this.#runs.set(id, run);
    return run;
  }

  /** Our decoder's reading of one answer; `named` where more than the path identifies the call. */
  asked(id: string, request: VenueRequest, named = request.path): Decoded {
    const pairing = this.pairing(id);
    const answer = renderRequest(pairing, this.world, request, AT);
    const call = namedCall(callsOf(pairing.adapter), callRef(named));
    if (answer === undefined || call === undefined) throw new Error(`no ${named} at ${id}`);
    const { instruments } = this.ours(id);
    return call.decode(JSON.parse(answer.body), { instruments, request, receivedAt: asMs(AT) });
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
