import type { Clock } from '../../domain/clock.ts';
import type { Failure } from '../../domain/errors.ts';
import { SECOND_MS } from '../../runtime/duration.ts';

/** A copy whose server has not answered for so long may lack what others have written. */
export const BEHIND_MS = 5 * SECOND_MS;
/** A sale is at every host so long after its answer. */
const YOUNG_MS = 5 * SECOND_MS;
/** Ids that are remembered. */
const MOST_IDS = 1000;

interface SoldInto {
  /** Empty until a server that hosts share has answered. */
  readonly mark: string;
  readonly silentMs: number;
  isOwn(id: string): boolean;
}

/**
 * Tells an id that nobody has from one that this host may not know yet: a sale is answered before a server has stored it, and
 * before the copies of other hosts have it.
 */
export class UnknownIds {
  readonly #store: SoldInto;
  readonly #clock: Clock;
  readonly #away: Failure;
  /** When an id was first asked for, Unix ms. */
  readonly #asked = new Map<string, number>();

  /** @param name of the store, as it is called in messages */
  constructor(store: SoldInto, clock: Clock, name: string) {
    this.#store = store;
    this.#clock = clock;
    this.#away = { code: 'not_ready', detail: `${name} does not answer.`, retryAfterSeconds: 10 };
  }

  /** 503 until a server has answered for the first time. */
  get unread(): Failure | undefined {
    return this.#store.mark === '' ? this.#away : undefined;
  }

  /** 503 of an id that is not in the store and may be soon; undefined where it is unknown. */
  refusal(id: string): Failure | undefined {
    const { silentMs } = this.#store;
    if (silentMs > BEHIND_MS) return this.#away;
    if (silentMs === 0 || !this.#store.isOwn(id)) return this.unread;
    const now = this.#clock.now();
    const since = this.#asked.get(id) ?? now;
    this.#asked.set(id, since);
    const [first] = this.#asked.keys();
    if (first !== undefined && this.#asked.size > MOST_IDS) this.#asked.delete(first);
    return now - since < YOUNG_MS ? notYet(id) : undefined;
  }
}

const notYet = (id: string): Failure => ({
  code: 'not_ready',
  detail: `${id} is not known here, or not yet: ask again in a second.`,
  retryAfterSeconds: 1,
});
