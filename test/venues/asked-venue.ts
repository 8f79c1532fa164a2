import { createWorld } from '@perpmeter/sim/create-world';
import type { SimVenue } from '@perpmeter/sim/venue';
import type { SimContract } from '@perpmeter/sim/world';
import type { Decoded } from '../../src/domain/decoded.ts';
import { asMs } from '../../src/domain/units.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { callFor, contextOf } from './samples.ts';
import { type Pairing, type Run, renderRequest, runAdapter } from './sim-run.ts';

export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
export const world = createWorld(1);

/** A venue with its simulated counterpart, and how it is asked. */
export interface AskedVenue {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  /** Addresses with `*` in the place of the symbol. */
  readonly book: string;
  readonly funding: string;
  /** Calls by contract, which together say what the bulk calls say. */
  readonly single: readonly string[];
  /** Frame that subscribes to a book. */
  readonly follow: (symbol: string) => object;
  readonly socket: string;
  /** Addresses that are refused, with the status: in an error body, or in no JSON at all. */
  readonly refused: readonly (readonly [path: string, status: number])[];
  readonly refusedInText: readonly (readonly [path: string, status: number])[];
}

const runs = new Map<AskedVenue, Run>();

/** All that the adapter learns of its simulated venue. */
export function runOf(venue: AskedVenue): Run {
  const run = runs.get(venue) ?? runAdapter(pairingOf(venue), world, AT);
  runs.set(venue, run);
  return run;
}

export const pairingOf = ({ adapter, sim }: AskedVenue): Pairing => ({ adapter, sim, served: [sim] });

/** The live contract of a ticker. */
export function contractOf({ sim }: AskedVenue, ticker: string): SimContract {
  const found = world.contracts(sim.listing).find((c) => c.asset.ticker === ticker && c.status === 'live');
  if (found === undefined) throw new Error(`${sim.id} lists no ${ticker}`);
  return found;
}

/** Answer of a call by contract, decoded. */
export function ask(venue: AskedVenue, address: string, contract: SimContract): Decoded {
  const path = address.replace('*', contract.symbol);
  const request: VenueRequest = { method: 'GET', path, symbol: contract.symbol };
  const call = callFor(venue.adapter, path, 'GET');
  const answer = renderRequest(pairingOf(venue), world, request, AT);
  if (call === undefined || answer?.status !== 200) throw new Error(`${path}: ${answer?.body}`);
  const context = contextOf([...runOf(venue).instruments.values()], request);
  return call.decode(JSON.parse(answer.body), { ...context, receivedAt: asMs(AT) });
}

/** A connection whose time the test owns. */
export function connect(sim: SimVenue, path: string) {
  const frames: unknown[] = [];
  let closed: number | undefined;
  const session = sim.socket?.(
    {
      path,
      send: (frame) => void frames.push(JSON.parse(String(frame))),
      close: (code) => {
        closed = code;
      },
    },
    world,
  );
  session?.onTick(AT);
  return {
    say: (message: unknown) =>
      session?.onMessage(typeof message === 'string' ? message : JSON.stringify(message)),
    tick: (t: number) => session?.onTick(t),
    frames: () => frames.splice(0),
    closed: () => closed,
  };
}
