import { DurationCounts } from '../../domain/duration-counts.ts';

/** Counts of requests to a route, since start. */
export interface RouteTally {
  /** Answers by HTTP status. */
  readonly statuses: Map<number, number>;
  /** From the head of the request to the answer handed to the connection. */
  readonly durations: DurationCounts;
}

/** Paths that no route has. */
const NO_ROUTE = 'none';

/** Counts answers by route. It stands in the hot path, so it keeps plain numbers. */
export class RequestTally {
  readonly #routes = new Map<string, RouteTally>();
  /** Connections that sent what is no request. */
  broken = 0;

  /** All routes are there from the start: a count that appears with its first event has no rate at that moment. */
  constructor(routeIds: readonly string[]) {
    for (const id of [...routeIds, NO_ROUTE]) this.#begin(id);
  }

  get routes(): ReadonlyMap<string, RouteTally> {
    return this.#routes;
  }

  /** @param seconds as measured by a monotonic clock */
  count(routeId: string, status: number, seconds: number): void {
    const { statuses, durations } = this.#routes.get(routeId) ?? this.#begin(routeId);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    durations.add(seconds);
  }

  /** A path that no route has. */
  countUnmatched(status: number, seconds: number): void {
    this.count(NO_ROUTE, status, seconds);
  }

  #begin(id: string): RouteTally {
    const made = { statuses: new Map<number, number>(), durations: new DurationCounts() };
    this.#routes.set(id, made);
    return made;
  }
}
