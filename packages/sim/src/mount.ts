import type { SimRequest, SimResponse, SimVenue } from './venue.ts';
import { WeightWindow } from './weight-window.ts';
import type { World } from './world.ts';

/** An answer with its accounting. */
export interface Accounted {
  readonly response: SimResponse;
  /** Weight charged; 0 when refused or unknown. */
  readonly weight: number;
  readonly outcome: 'answered' | 'refused' | 'unknown';
}

/** A venue under its prefix, with the venues that share its address, behind one rate limit. */
export class Mount {
  readonly venue: SimVenue;
  readonly #members: readonly SimVenue[];
  readonly #window: WeightWindow;

  constructor(venue: SimVenue, sharing: readonly SimVenue[]) {
    this.venue = venue;
    this.#members = [venue, ...sharing];
    this.#window = new WeightWindow(venue.limit.weight, venue.limit.perMs);
  }

  /** The venue's answer to a request that arrives at `now` (the request's own time may be frozen). */
  answer(request: SimRequest, world: World, now: number): Accounted {
    const response = this.#render(request, world);
    if (response === undefined) return { response: NOT_FOUND, weight: 0, outcome: 'unknown' };
    const weight = response.weight ?? 1;
    if (!this.#window.take(weight, now)) {
      return { response: this.#refusal(now), weight: 0, outcome: 'refused' };
    }
    return { response: this.#withUsage(response, now), weight, outcome: 'answered' };
  }

  #render(request: SimRequest, world: World): SimResponse | undefined {
    for (const member of this.#members) {
      const response = member.rest(request, world);
      if (response !== undefined) return response;
    }
    return undefined;
  }

  #refusal(now: number): SimResponse {
    const { limit } = this.venue;
    const remaining = this.#window.remainingMs(now);
    const retryAfter = limit.retryAfterUnit === 'ms' ? remaining : Math.max(1, Math.ceil(remaining / 1000));
    return this.#withUsage(
      { status: limit.status, body: limit.body, headers: { 'retry-after': String(retryAfter) } },
      now,
    );
  }

  #withUsage(response: SimResponse, now: number): SimResponse {
    const { usedHeader } = this.venue.limit;
    if (usedHeader === undefined) return response;
    return { ...response, headers: { ...response.headers, [usedHeader]: String(this.#window.used(now)) } };
  }
}

const NOT_FOUND: SimResponse = {
  status: 404,
  body: '{"error":"the simulated venue has no such call"}',
};

/** Mounts by prefix. A venue with a parent shares the parent's mount, if the parent is there. */
export function mountAll(venues: readonly SimVenue[]): ReadonlyMap<string, Mount> {
  const ids = new Set(venues.map((venue) => venue.id));
  const mounts = new Map<string, Mount>();
  for (const venue of venues) {
    if (venue.parent !== undefined && ids.has(venue.parent)) continue;
    const sharing = venues.filter((other) => other.parent === venue.id);
    mounts.set(venue.id, new Mount(venue, sharing));
  }
  return mounts;
}
