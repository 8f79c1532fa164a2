/** A waiting item, and its owner. Lower priority numbers go first. */
export interface Queued {
  readonly priority: number;
  readonly owner: string;
}

/** Every so many turns the longest waiting goes first, whatever its priority, so that nothing starves. */
const PATIENCE = 10;

/**
 * Queue with priorities; within one priority the owner served least recently goes first. Meant for short
 * queues (callers bound what they have waiting), hence the plain scan.
 */
export class FairQueue<T extends Queued> {
  #waiting: T[] = [];
  readonly #servedAt = new Map<string, number>();
  #turn = 0;

  get size(): number {
    return this.#waiting.length;
  }

  push(item: T): void {
    this.#waiting.push(item);
  }

  remove(item: T): void {
    this.#waiting = this.#waiting.filter((other) => other !== item);
  }

  /** The next item by turn among those that may go, left in the queue. */
  peek(mayGo: (item: T) => boolean = () => true): T | undefined {
    const isPatient = this.#turn % PATIENCE === PATIENCE - 1;
    let best: T | undefined;
    for (const item of this.#waiting) {
      if (!mayGo(item)) continue;
      if (best === undefined || this.#isBefore(item, best)) best = item;
      if (isPatient) break;
    }
    return best;
  }

  /** Takes the item that `peek` named out of the queue and ends its turn. */
  serve(item: T): void {
    this.remove(item);
    this.#turn++;
    this.#servedAt.set(item.owner, this.#turn);
  }

  #isBefore(a: T, b: T): boolean {
    if (a.priority !== b.priority) return a.priority < b.priority;
    return (this.#servedAt.get(a.owner) ?? 0) < (this.#servedAt.get(b.owner) ?? 0);
  }
}
