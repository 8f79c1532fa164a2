/** Deliveries at once: one a host, so many in all, and so many of them to hosts that have yet to answer. */
export interface Places {
  readonly all: number;
  readonly doubtful: number;
}

interface Waiting<T> {
  readonly item: T;
  readonly isDoubtful: boolean;
}

/** An item whose turn it is. */
export interface Turn<T> {
  readonly item: T;
  /** Frees its place, and its host. */
  readonly end: () => void;
}

/**
 * Turns of deliveries: first come, first served of each host, and hosts in the order in which they came to wait. Those
 * that did not answer the last time share a part of the places, so that many that hang hold up nobody else.
 */
export class HostTurns<T> {
  readonly #places: Places;
  readonly #waiting = new Map<string, Waiting<T>[]>();
  /** Free hosts that have something to wait for, by whether its first is doubtful. */
  readonly #sound = new Set<string>();
  readonly #doubtful = new Set<string>();
  readonly #busy = new Set<string>();
  #doubtfulRunning = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Deliveries that run. */
  get running(): number {
    return this.#busy.size;
  }

  /** Puts an item last in the row of its host. */
  add(host: string, item: T, isDoubtful: boolean): void {
    const row = this.#waiting.get(host) ?? [];
    row.push({ item, isDoubtful });
    this.#waiting.set(host, row);
    if (row.length === 1 && !this.#busy.has(host)) this.#offer(host, row);
  }

  /** The next item that may run now; undefined where there is none, or no place. */
  next(): Turn<T> | undefined {
    if (this.#busy.size >= this.#places.all) return undefined;
    const [sound] = this.#sound;
    if (sound !== undefined) return this.#take(sound);
    const [doubtful] = this.#doubtful;
    if (doubtful === undefined || this.#doubtfulRunning >= this.#places.doubtful) return undefined;
    return this.#take(doubtful);
  }

  #offer(host: string, row: readonly Waiting<T>[]): void {
    (row[0]?.isDoubtful ? this.#doubtful : this.#sound).add(host);
  }

  #take(host: string): Turn<T> | undefined {
    this.#sound.delete(host);
    this.#doubtful.delete(host);
    const row = this.#waiting.get(host);
    const first = row?.shift();
    if (row?.length === 0) this.#waiting.delete(host);
    if (first === undefined) return undefined;
    this.#busy.add(host);
    if (first.isDoubtful) this.#doubtfulRunning += 1;
    return { item: first.item, end: () => this.#free(host, first.isDoubtful) };
  }

  #free(host: string, isDoubtful: boolean): void {
    this.#busy.delete(host);
    if (isDoubtful) this.#doubtfulRunning -= 1;
    const row = this.#waiting.get(host);
    if (row !== undefined) this.#offer(host, row);
  }
}
