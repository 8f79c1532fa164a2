import { asMs, type UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { countCell, timeCell } from './queries/cells.ts';
import type { ConnectionRole, HistoryStore, Query, StoreResult } from './store.ts';
import { stored } from './store.ts';

const NEWEST = 'SELECT toUnixTimestamp(max(ts)), count() FROM samples';

/** The time of the newest sample that is stored. */
export class NewestSample {
  readonly #store: HistoryStore;
  #at: UnixMs | undefined;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  get at(): UnixMs | undefined {
    return this.#at;
  }

  /** One of this time was stored. */
  written(at: UnixMs): void {
    this.#at = asMs(Math.max(this.#at ?? 0, at));
  }

  async find(): Promise<StoreResult<void>> {
    const newest = await this.#time({ sql: NEWEST, params: {} });
    if (!newest.ok) return newest;
    if (newest.value !== undefined) this.#at = newest.value;
    return stored(undefined);
  }

  /** Time of the newest sample that a service took: a back-fill may have brought later ones. Call `find` first. */
  async findTaken(): Promise<StoreResult<UnixMs | undefined>> {
    if (this.#at === undefined) return stored(undefined);
    const query = {
      sql: `${NEWEST} WHERE origin = 'sampled' AND ts >= toDateTime({from:UInt32}, 'UTC')`,
      params: { from: Math.max(0, Math.floor((this.#at - DAY_MS) / 1000)) },
    };
    // It reads that column of a whole partition.
    const taken = await this.#time(query, 'maintain');
    return taken.ok ? stored(taken.value ?? this.#at) : taken;
  }

  async #time(query: Query, role?: ConnectionRole): Promise<StoreResult<UnixMs | undefined>> {
    const newest = await this.#store.select(query, role);
    if (!newest.ok) return newest;
    const [time, count] = newest.value[0] ?? [];
    return stored(countCell(count) > 0 ? timeCell(time) : undefined);
  }
}
