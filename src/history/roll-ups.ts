import type { CollectLogger } from '../collect/logger.ts';
import type { Clock } from '../domain/clock.ts';
import { readText } from '../domain/read.ts';
import { MEASURES } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import type { Timer } from '../runtime/timer.ts';
import { rollUp } from './hourly-sql.ts';
import { countCell, timeCell } from './queries/cells.ts';
import { ALL_AS_STORED, type Readings } from './reading.ts';
import type { HistoryStore, Query, StoreResult } from './store.ts';
import { stored } from './store.ts';

/** An hour is rolled up when its last sample has had this long to arrive. */
const GRACE_MS = MINUTE_MS;
const TICK_MS = 10_000;
/** Assets of one statement. */
const ASSETS_AT_ONCE = 50;
/** Rows are stamped before they wait to be written; no row waits longer than this. */
const MAX_WAIT_MS = HOUR_MS;

export interface RollUpOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: CollectLogger;
  /** Time of the oldest sample that waits to be written; undefined = none does. */
  readonly oldestWaiting: () => UnixMs | undefined;
  /** The reading of values as of a time; without it they are read as they were written. */
  readonly readings?: (at: UnixMs) => Readings;
}

/** Hours that have to be rolled up again because samples of them came late. */
interface Stale {
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** The assets concerned; all without it. */
  readonly assets?: readonly string[] | undefined;
}

const hourOf = (ms: number): UnixMs => asMs(Math.floor(ms / HOUR_MS) * HOUR_MS);
const seconds = (ms: number): number => Math.floor(ms / 1000);

/**
 * Keeps the hourly roll-ups: each hour when it is over, and again when samples of it come late. Hours are rolled up
 * in order, so everything before `rolledTo` is.
 */
export class RollUps {
  readonly #options: RollUpOptions;
  readonly #stale: Stale[] = [];
  #rolledTo = asMs(0);
  /** End of the hours that are being rolled up. */
  #rollingTo = asMs(0);
  /** End of the hours whose roll-ups can be read on every node. */
  #readableTo = asMs(0);
  #cancel: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: RollUpOptions) {
    this.#options = options;
  }

  /** End of the last hour that is rolled up. */
  get rolledTo(): UnixMs {
    return this.#rolledTo;
  }

  /** Until when the roll-ups of an asset say all that its samples say: the hours before are not waiting to be redone. */
  currentTo(canonicalId: string): UnixMs {
    let to = this.#readableTo;
    for (const { from, assets } of this.#stale) {
      if (from < to && (assets === undefined || assets.includes(canonicalId))) to = from;
    }
    return to;
  }

  /** Reads how far the roll-ups are; for those who only read, too. */
  async refresh(): Promise<StoreResult<void>> {
    const read = await this.#readRolledTo();
    this.#readableTo = this.#rolledTo;
    return read;
  }

  async #readRolledTo(): Promise<StoreResult<void>> {
    const rolled = await this.#time('SELECT toUnixTimestamp(max(ts)), count() FROM hours');
    if (!rolled.ok) return rolled;
    if (rolled.value !== undefined) this.#rolledTo = asMs(rolled.value + HOUR_MS);
    if (rolled.value !== undefined || this.#rolledTo > 0) return stored(undefined);
    const first = await this.#time('SELECT toUnixTimestamp(min(ts)), count() FROM samples');
    if (!first.ok) return first;
    this.#rolledTo = hourOf(first.value ?? this.#options.clock.now());
    return stored(undefined);
  }

  /** Begins to roll up; what came late before the last stop is found first. */
  start(): void {
    this.#stopped = false;
    this.#working = this.#findStale();
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#working;
    // The next writer finds it again.
    this.#stale.length = 0;
  }

  /** Rolls up again, once, what was written late by a process that keeps the roll-ups no more. */
  async redo(late: readonly Stale[]): Promise<StoreResult<void>> {
    const delivered = await this.#options.store.deliver('samples');
    if (!delivered.ok) return delivered;
    const over = late.filter(({ from }) => from < this.#rolledTo);
    const spans = over.map(({ from, to, assets }) => ({ from: hourOf(from), to: this.#endOf(to), assets }));
    for (const part of mergeStale(spans)) {
      const rolled = await this.#roll(part, true);
      if (!rolled.ok) return rolled;
    }
    return this.#options.store.deliver('hours');
  }

  /** Samples of these hours were written: where they are rolled up already, they will be again. */
  written(from: UnixMs, to: UnixMs, assets?: readonly string[]): void {
    // Rows that are written while their hour is being rolled up may be missing there.
    const rolledTo = Math.max(this.#rolledTo, this.#rollingTo);
    if (from >= rolledTo) return;
    this.#stale.push({ from: hourOf(from), to: this.#endOf(to, rolledTo), assets });
  }

  /** Of a process that rolls up nothing: these hours and no others wait for another to roll them up again. */
  leave(spans: readonly Stale[]): void {
    this.#stale.length = 0;
    for (const { from, to, assets } of spans) this.written(from, to, assets);
  }

  #endOf(to: UnixMs, rolledTo: number = this.#rolledTo): UnixMs {
    return asMs(Math.min(hourOf(to) + HOUR_MS, rolledTo));
  }

  /** Rolls up all that can be, and says so when it could not. */
  async work(): Promise<void> {
    const { logger } = this.#options;
    const result = await this.#rollAll();
    if (!result.ok) logger.warn({ reason: result.fault.message }, 'history is not rolled up');
  }

  async #rollAll(): Promise<StoreResult<void>> {
    const { store } = this.#options;
    const found = await store.deliver('samples');
    const open = found.ok ? await this.#rollOpen() : found;
    const again = open.ok ? await this.#rollStale() : open;
    if (!again.ok) return again;
    const delivered = await store.deliver('hours');
    if (!delivered.ok) return delivered;
    this.#stale.splice(0, again.value);
    this.#readableTo = this.#rolledTo;
    return stored(undefined);
  }

  #next(): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.timer(TICK_MS, () => {
      this.#working = this.#working.then(() => this.work()).finally(() => this.#next());
    });
  }

  async #rollOpen(): Promise<StoreResult<void>> {
    const { clock, oldestWaiting } = this.#options;
    const end = hourOf(Math.min(clock.now() - GRACE_MS, oldestWaiting() ?? Number.POSITIVE_INFINITY));
    while (this.#rolledTo < end && !this.#stopped) {
      const to = asMs(Math.min(end, this.#rolledTo + DAY_MS));
      this.#rollingTo = to;
      const done = await this.#roll({ from: this.#rolledTo, to }, false);
      if (!done.ok) return done;
      this.#rolledTo = to;
    }
    return stored(undefined);
  }

  /** @returns how many of the stale spans, from the first, are done */
  async #rollStale(): Promise<StoreResult<number>> {
    let done = 0;
    while (done < this.#stale.length && !this.#stopped) {
      const taken = this.#stale.slice(done);
      for (const part of mergeStale(taken)) {
        const rolled = await this.#roll(part, true);
        if (!rolled.ok) return rolled;
      }
      done += taken.length;
    }
    return stored(done);
  }

  #roll({ from, to, assets }: Stale, isAgain: boolean): Promise<StoreResult<void>> {
    const { store, clock, readings } = this.#options;
    const now = clock.now();
    const reading = (readings?.(now) ?? ALL_AS_STORED).of({ from }, MEASURES);
    const span = "ts >= toDateTime({from:UInt32}, 'UTC') AND ts < toDateTime({to:UInt32}, 'UTC')";
    const chosen = assets === undefined ? '' : 'canonical_id IN {assets:Array(String)} AND ';
    return store.run({
      sql: rollUp(chosen + span, reading, isAgain),
      params: {
        from: seconds(from),
        to: seconds(to),
        recorded_at: now,
        ...(assets === undefined ? {} : { assets }),
      },
    });
  }

  /** A process that ended at once may have written samples of hours that it had rolled up before. */
  async #findStale(): Promise<void> {
    const { store, logger } = this.#options;
    const newest = await store.select(
      { sql: 'SELECT toUnixTimestamp64Milli(max(recorded_at)) FROM hours', params: {} },
      'maintain',
    );
    const rolledAt = newest.ok ? countCell(newest.value[0]?.[0]) : 0;
    if (rolledAt === 0) return;
    const late = await store.select(
      {
        sql:
          'SELECT canonical_id, toUnixTimestamp(min(ts)), toUnixTimestamp(max(ts)) FROM samples ' +
          "WHERE ts < toDateTime({rolled_to:UInt32}, 'UTC') AND recorded_at > fromUnixTimestamp64Milli({since:Int64}) GROUP BY canonical_id",
        params: { rolled_to: seconds(this.#rolledTo), since: rolledAt - MAX_WAIT_MS },
      },
      'maintain',
    );
    if (!late.ok) {
      logger.warn({ reason: late.fault.message }, 'late samples could not be looked for');
      return;
    }
    for (const [asset, from, to] of late.value) {
      this.written(timeCell(from), timeCell(to), [readText(asset) ?? '']);
    }
  }

  async #time(sql: string): Promise<StoreResult<UnixMs | undefined>> {
    const query: Query = { sql, params: {} };
    const rows = await this.#options.store.select(query, 'maintain');
    if (!rows.ok) return rows;
    const [time, count] = rows.value[0] ?? [];
    return stored(countCell(count) === 0 ? undefined : timeCell(time));
  }
}

/** Fewer, larger parts: all assets in one, the others by the fifty. */
function mergeStale(parts: readonly Stale[]): readonly Stale[] {
  const span = (list: readonly { readonly from: UnixMs; readonly to: UnixMs }[]) => ({
    from: asMs(Math.min(...list.map(({ from }) => from))),
    to: asMs(Math.max(...list.map(({ to }) => to))),
  });
  const everything = parts.filter(({ assets }) => assets === undefined);
  const merged: Stale[] = everything.length > 0 ? [span(everything)] : [];
  const byAsset = new Map<string, Stale>();
  for (const part of parts) {
    for (const asset of part.assets ?? []) byAsset.set(asset, span([part, byAsset.get(asset) ?? part]));
  }
  const entries = [...byAsset];
  for (let at = 0; at < entries.length; at += ASSETS_AT_ONCE) {
    const some = entries.slice(at, at + ASSETS_AT_ONCE);
    merged.push({ ...span(some.map(([, part]) => part)), assets: some.map(([asset]) => asset) });
  }
  return merged;
}
