import { silentLogger } from '../../src/collect/logger.ts';
import type { VenueHealth } from '../../src/collect/ports.ts';
import type { Lease } from '../../src/domain/lease.ts';
import { asMs } from '../../src/domain/units.ts';
import type { VenueId, VenueStatus } from '../../src/domain/venue.ts';
import { History } from '../../src/history/history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import {
  type Cells,
  type HistoryStore,
  notStored,
  type Query,
  type Rows,
  stored,
} from '../../src/history/store.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import type { IdentityRecord } from '../../src/market/stores.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { openCorrectedReading } from '../../src/modules/corrections/correction-watch.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import type { Timer } from '../../src/runtime/timer.ts';
import { ManualTime } from '../collect/manual-time.ts';

const RECORD: IdentityRecord = {
  venue: 'binance',
  symbol: 'BTCUSDT',
  canonicalId: 'crypto:BTC',
  ticker: 'BTC',
  assetClass: 'crypto',
  basis: 'registry',
  validFrom: asMs(0),
};

/** A process that may write the history. */
export interface Recorder {
  readonly history: History;
  /** Ends it as SIGKILL does. */
  kill(): void;
  /** Holds it as SIGSTOP does, for longer than its lease. */
  pause(): void;
  resume(): void;
}

interface NotedGap {
  readonly venue: string;
  /** Minutes since the beginning. */
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** Recorders in one time over one store, with a lease that the test gives. */
export class Recorders {
  readonly time = new ManualTime();
  readonly #start = this.time.now;
  readonly #inserts: Rows[] = [];
  readonly #taken = new Map<Recorder | undefined, () => void>();
  readonly #all: Recorder[] = [];
  #holder: Recorder | undefined;
  #epoch = 0;
  /** True if the holder knows at this moment that it is. */
  isCertain = true;
  /** True if the store answers. */
  answers = true;
  /** True if the store takes rows. */
  accepts = true;
  /** End of the hours that are rolled up in the store, as a reader finds it. */
  rolledTo: number | undefined;
  /** Roll-ups that recorders have asked the store for, with the time from which. */
  readonly rollUps: { readonly by: Recorder; readonly from: number }[] = [];
  /** Samples of the last minutes that the store has of two processes. */
  twice = 0;
  /** Warnings of recorders. */
  readonly warnings: string[] = [];
  /** Leases that were given back since the store did not. */
  declined = 0;
  health: readonly VenueHealth[] = [];
  /** The live rows of every process. */
  market: readonly MarketRow[] = [makeRow({ venue: 'binance' })];

  /**
   * @param aheadMs how far its clock is ahead
   * @param isAlone without a lease: it writes as soon as it is there
   */
  async start(aheadMs = 0, isAlone = false): Promise<Recorder> {
    const clock = { now: () => asMs(this.time.now + aheadMs) };
    const process = new Process(this.time.timer);
    const lease: Lease = {
      campaign: (taken) => void this.#taken.set(recorder, taken),
      epoch: () => (this.#holder === recorder && this.isCertain ? this.#epoch : undefined),
      resign: async () => {
        this.declined += 1;
        this.#holder = undefined;
      },
    };
    const logger = {
      ...silentLogger,
      warn: (...said: unknown[]) => void this.warnings.push(JSON.stringify(said)),
    };
    const history = new History({
      store: this.#storeOf(() => recorder),
      clock,
      timer: process.timer,
      logger,
      ...(!isAlone && { lease }),
      retention: DEFAULT_RETENTION,
      reading: openCorrectedReading,
      health: { of: () => undefined, all: () => this.health },
      recordsOf: () => [RECORD],
      rows: () => this.market,
    });
    const recorder: Recorder = {
      history,
      kill: () => this.#hold(recorder, process),
      pause: () => this.#hold(recorder, process),
      resume: () => process.resume(),
    };
    this.#all.push(recorder);
    const started = await history.start();
    if (!started.ok) throw new Error(started.fault.message);
    return recorder;
  }

  /** Gives the lease to one of them, or to none. */
  give(recorder: Recorder | undefined): void {
    if (recorder === this.#holder) return;
    this.#holder = recorder;
    this.#epoch += 1;
    this.#taken.get(recorder)?.();
  }

  #hold(recorder: Recorder, process: Process): void {
    process.hold();
    if (this.#holder === recorder) this.give(undefined);
  }

  /** Sets the health of a venue from now on. */
  say(venue: VenueId, status: VenueStatus): void {
    const rejects = { rejects5m: 0, rejectsByReason: {}, errorRate5m: 0, lastError: undefined };
    const now = this.time.clock.now();
    this.health = [{ venue, status, since: now, lastUpdateAt: now, ...rejects }];
  }

  advance(ms: number): Promise<void> {
    return this.time.advance(ms);
  }

  async stop(): Promise<void> {
    for (const one of this.#all) one.resume();
    const stopped = Promise.all(this.#all.map(({ history }) => history.stop()));
    await this.time.advance(MINUTE_MS);
    await stopped;
  }

  /** Rows of a table by column, in the order in which they were written. */
  rows(table: string): readonly Readonly<Record<string, string>>[] {
    return this.#inserts
      .filter((rows) => rows.table === table)
      .flatMap(({ columns, lines }) =>
        lines.map((line) => {
          const cells = line.split('\t');
          return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
        }),
      );
  }

  /** Minutes that were sampled, by their number. */
  sampled(): readonly number[] {
    return this.rows('samples')
      .map(({ ts }) => this.#minute(ts))
      .sort((a, b) => a - b);
  }

  gaps(): readonly NotedGap[] {
    return this.rows('gaps').map(({ venue = '', ts, until, reason = '' }) => ({
      venue,
      reason,
      from: this.#minute(ts),
      to: this.#minute(until),
    }));
  }

  /** Names of the statements that were written. */
  tokens(): readonly (string | undefined)[] {
    return this.#inserts.map(({ token }) => token);
  }

  #minute(seconds: string | undefined): number {
    return (Number(seconds) * 1000 - this.#start) / MINUTE_MS;
  }

  #storeOf(asks: () => Recorder): HistoryStore {
    const away = notStored('unavailable', 'nobody answers');
    return {
      engine: 'server',
      select: async (query) => (this.answers ? stored(this.#select(query)) : away),
      selectOnNodes: async () => (this.answers ? stored([]) : away),
      run: async ({ sql, params }) => {
        if (sql.includes('INTO hours')) this.rollUps.push({ by: asks(), from: Number(params.from) * 1000 });
        return stored(undefined);
      },
      runOnNodes: async () => stored(undefined),
      insert: async (rows) => {
        if (!this.accepts) return away;
        this.#inserts.push(rows);
        return stored(undefined);
      },
      deliver: async () => stored(undefined),
      close: async () => {},
    };
  }

  #select({ sql }: Query): readonly Cells[] {
    if (/max\(ts\).* FROM hours$/.test(sql) && this.rolledTo !== undefined)
      return [[(this.rolledTo - HOUR_MS) / 1000, 1]];
    if (sql.includes('uniqExact(recorded_at) > 1')) return [[this.twice]];
    if (sql.includes("status = 'live'"))
      return this.rows('venue_status').flatMap(({ venue, status }) => (status === 'live' ? [[venue]] : []));
    if (sql.includes('FROM venue_status'))
      return this.rows('venue_status').map(({ venue, ts, status }) => [
        venue,
        Math.floor(Number(ts)),
        status,
      ]);
    if (sql.includes('max(until)'))
      return this.rows('gaps').map(({ venue, until }) => [venue, Number(until)]);
    if (!/max\(ts\).* FROM samples/.test(sql)) return [];
    const times = this.rows('samples').map(({ ts }) => Number(ts));
    return [[Math.max(0, ...times), times.length]];
  }
}

/** Timers of a process that can be held. */
class Process {
  readonly #timer: Timer;
  #isHeld = false;
  #due: (() => void)[] = [];

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  readonly timer: Timer = (ms, run) => {
    let isCanceled = false;
    const now = (): void => {
      if (!isCanceled) run();
    };
    const cancel = this.#timer(ms, () => {
      if (this.#isHeld) this.#due.push(now);
      else now();
    });
    return () => {
      isCanceled = true;
      cancel();
    };
  };

  hold(): void {
    this.#isHeld = true;
  }

  resume(): void {
    this.#isHeld = false;
    for (const run of this.#due.splice(0)) run();
  }
}
