/** Deliveries at once: one a host, so many in all, and so many of them to hosts of a standing. */
export interface Places {
  readonly all: number;
  readonly untried: number;
  readonly doubtful: number;
}

/** `doubtful`: it did not answer the last time, or was slow. In the order in which they have their turns. */
const STANDINGS = ['sound', 'untried', 'doubtful'] as const;
export type Standing = (typeof STANDINGS)[number];

interface Waiting<T> {
  readonly item: T;
  readonly standing: Standing;
}

/** An item whose turn it is. */
export interface Turn<T> {
  readonly item: T;
  /** Frees its place, and its host. */
  readonly end: () => void;
}

/**
 * Turns of deliveries: first come, first served of each host, and hosts in the order in which they came to wait. Those
 * that did not answer the last time share a part of the places, and so do those that were never asked, so that many that hang hold up
 * neither these nor anybody else.
 */
export class HostTurns<T> {
  readonly #places: Places;
  readonly #waiting = new Map<string, Waiting<T>[]>();
  /** Free hosts that have something to wait for, by the standing of their first. */
  readonly #free = { sound: new Set<string>(), untried: new Set<string>(), doubtful: new Set<string>() };
  readonly #running = { sound: 0, untried: 0, doubtful: 0 };
  readonly #busy = new Set<string>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** Deliveries that run. */
  get running(): number {
    return this.#busy.size;
  }

  /** Puts an item last in the row of its host. */
  add(host: string, item: T, standing: Standing): void {
    const row = this.#waiting.get(host) ?? [];
    row.push({ item, standing });
    this.#waiting.set(host, row);
    if (row.length === 1 && !this.#busy.has(host)) this.#offer(host, row);
  }

  /** The next item that may run now; undefined where there is none, or no place. */
  next(): Turn<T> | undefined {
    if (this.#busy.size >= this.#places.all) return undefined;
    for (const standing of STANDINGS) {
      const [host] = this.#free[standing];
      const most = standing === 'sound' ? this.#places.all : this.#places[standing];
      if (host !== undefined && this.#running[standing] < most) return this.#take(host, standing);
    }
    return undefined;
  }

  #offer(host: string, row: readonly Waiting<T>[]): void {
    this.#free[row[0]?.standing ?? 'sound'].add(host);
  }

  #take(host: string, standing: Standing): Turn<T> | undefined {
    this.#free[standing].delete(host);
    const row = this.#waiting.get(host);
    const first = row?.shift();
    if (row?.length === 0) this.#waiting.delete(host);
    if (first === undefined) return undefined;
    this.#busy.add(host);
    this.#running[standing] += 1;
    return { item: first.item, end: () => this.#release(host, standing) };
  }

  #release(host: string, standing: Standing): void {
    this.#busy.delete(host);
    this.#running[standing] -= 1;
    const row = this.#waiting.get(host);
    if (row !== undefined) this.#offer(host, row);
  }
}
