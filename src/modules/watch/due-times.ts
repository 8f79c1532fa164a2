interface Due<T> {
  readonly item: T;
  readonly at: number;
}

/** Entries of times that were changed are let go of once there are this many more than things. */
const MOST_STALE = 1000;

/** Things with the times at which they are due, Unix ms: to take those whose time has come touches no other. */
export class DueTimes<T> {
  /** The only valid time of each; an entry of the heap with another one is skipped. */
  readonly #times = new Map<T, number>();
  /** A binary heap: no entry is due before its parent, which is at half its place. */
  #heap: Due<T>[] = [];

  /** Sets the time of one, in place of the one before. */
  set(item: T, at: number): void {
    if (this.#times.get(item) === at) return;
    this.#times.set(item, at);
    this.#heap.push({ item, at });
    this.#rise(this.#heap.length - 1);
    if (this.#heap.length > 2 * this.#times.size + MOST_STALE)
      this.#heap = this.#heap.filter((each) => this.#isValid(each)).sort((a, b) => a.at - b.at);
  }

  delete(item: T): void {
    this.#times.delete(item);
  }

  clear(): void {
    this.#times.clear();
    this.#heap = [];
  }

  /** Takes all whose time is this one or earlier, the earliest first. */
  take(now: number): readonly T[] {
    const taken: T[] = [];
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      this.#removeFirst();
      if (!this.#isValid(first)) continue;
      this.#times.delete(first.item);
      taken.push(first.item);
    }
    return taken;
  }

  #isValid({ item, at }: Due<T>): boolean {
    return this.#times.get(item) === at;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#swapIfEarlier(place, parent)) return;
      place = parent;
    }
  }

  #sink(): void {
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#atOf(left + 1) < this.#atOf(left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, place)) return;
      place = child;
    }
  }

  #atOf(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swapIfEarlier(lower: number, upper: number): boolean {
    const below = this.#heap[lower];
    const above = this.#heap[upper];
    if (below === undefined || above === undefined || below.at >= above.at) return false;
    this.#heap[lower] = above;
    this.#heap[upper] = below;
    return true;
  }
}
