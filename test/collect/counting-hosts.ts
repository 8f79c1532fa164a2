import { basePath } from '@perpmeter/sim/bases';
import { type Mount, mountAll } from '@perpmeter/sim/mount';
import type { SimRequest, SimVenue } from '@perpmeter/sim/venue';
import type { World } from '@perpmeter/sim/world';
import type { HttpCall, HttpOutcome, Transport } from '../../src/collect/http-client.ts';
import { TransportFailure } from '../../src/collect/transport-failure.ts';
import type { Poll, VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import type { ManualTime } from './manual-time.ts';

/** A request as it arrived at a host. */
export interface Arrival {
  readonly at: number;
  readonly venue: string;
  readonly host: string;
  /** Pool of the adapter's budget that the call is counted in. */
  readonly pool: string;
  readonly call: string;
  readonly weight: number;
  readonly outcome: 'answered' | 'refused' | 'unknown';
}

/** One way, ms: from a neighbour to another continent. */
const NEAR_MS = 10;
const FAR_MS = 250;

/** The simulated venues in memory, each behind its own count of weight; what arrives is written down. */
export class CountingHosts {
  readonly arrivals: Arrival[] = [];
  readonly #mounts: ReadonlyMap<string, Mount>;
  readonly #world: World;
  readonly #time: ManualTime;
  readonly #random: () => number;
  readonly #payloads = new Map<string, { readonly text: string; readonly payload: unknown }>();
  readonly #planned = new Map<string, Poll>();

  constructor(venues: readonly SimVenue[], world: World, time: ManualTime, random: () => number) {
    this.#mounts = mountAll(venues);
    this.#world = world;
    this.#time = time;
    this.#random = random;
  }

  /** A request of a poll is on its way: its pool counts it. */
  plan(adapter: VenueAdapter, poll: Poll, request: VenueRequest): void {
    this.#planned.set(keyOf(adapter, request), poll);
  }

  /** Makes the calls of one venue; each arrives some time after it was sent, and its answer as long after that. */
  transport(adapter: VenueAdapter): Transport {
    return {
      send: async (call) => {
        await this.#wayMs();
        const exchange = this.#arrive(adapter, call);
        await this.#wayMs();
        return exchange;
      },
      close: async () => {},
    };
  }

  #wayMs(): Promise<void> {
    const ms = Math.round(NEAR_MS + (FAR_MS - NEAR_MS) * this.#random() ** 3);
    return new Promise((arrived) => {
      this.#time.timer(ms, arrived);
    });
  }

  #arrive(adapter: VenueAdapter, { base, method, path, body = '' }: HttpCall): HttpOutcome {
    const host = adapter.parent ?? adapter.id;
    const at = this.#time.now;
    const url = new URL(basePath(base) + path, 'http://sim');
    const request = { method, path: url.pathname, query: url.searchParams, body, now: at };
    const answer = this.#mounts.get(host)?.answer(request, this.#world, at);
    const { outcome, weight } = answer ?? { outcome: 'unknown' as const, weight: 0 };
    const poll = this.#planned.get(keyOf(adapter, { method, path, body }));
    const pool = poll?.pool ?? adapter.budget.pools[0]?.name ?? 'default';
    const call = poll?.call.name ?? `${method} ${url.pathname}`;
    this.arrivals.push({ at, venue: adapter.id, host, pool, call, weight, outcome });
    const { status = 404, headers = {}, body: text = '' } = answer?.response ?? {};
    const failure = new TransportFailure(
      outcome === 'refused' ? 'rate_limited' : 'status',
      `HTTP ${status}`,
      status,
    );
    const result =
      outcome === 'answered'
        ? { ok: true as const, value: this.#parsed(`${host} ${method} ${url} ${body}`, text) }
        : { ok: false as const, failure };
    return { result, headers: { ...headers }, bytes: text.length, durationMs: 0 };
  }

  /** The same object for the same answer to a question, so that its decoding can be remembered too. */
  #parsed(key: string, text: string): unknown {
    const known = this.#payloads.get(key);
    if (known?.text === text) return known.payload;
    const payload: unknown = JSON.parse(text);
    this.#payloads.set(key, { text, payload });
    return payload;
  }
}

function keyOf(adapter: VenueAdapter, { method, path, body = '' }: Omit<VenueRequest, 'base'>): string {
  return `${adapter.id} ${method} ${path} ${body}`;
}

/** A venue that renders each answer once: for where only the count of weight matters, not the moving prices. */
export function remembering(venue: SimVenue): SimVenue {
  const answers = new Map<string, ReturnType<SimVenue['rest']>>();
  const rest = (request: SimRequest, world: World) => {
    const key = `${request.method} ${request.path}?${request.query} ${request.body}`;
    if (!answers.has(key)) answers.set(key, venue.rest(request, world));
    return answers.get(key);
  };
  return { ...venue, rest };
}
