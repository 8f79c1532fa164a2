import { setMaxListeners } from 'node:events';
import { jittered } from '../../collect/cadence.ts';
import type { CollectLogger } from '../../collect/logger.ts';
import { PRIORITY } from '../../collect/priority.ts';
import type { Clock } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type { SpotDecoded } from '../spot/spot-rows.ts';
import type { BorrowTable } from './borrow/borrow-table.ts';
import type { OfferedCoin, SpotTable } from './market/spot-table.ts';
import type { AskSpot } from './plan/ask-spot.ts';
import { readAnswer } from './plan/read-answer.ts';
import { type BorrowPlan, callName, type PlannedCall, type SpotPlan } from './plan/spot-plan.ts';

/** Periods of the calls, ms. */
export const SPOT_PERIODS = {
  /** Time after the start: the perpetuals come first, and spot is held against them. */
  first: 20 * SECOND_MS,
  tickers: 10 * SECOND_MS,
  list: 10 * MINUTE_MS,
  borrow: 10 * MINUTE_MS,
  /** Each coin of a venue that states one coin a call. */
  coin: HOUR_MS,
} as const;

/** A list that was not read is asked for again after this time. */
const AGAIN_MS = 30 * SECOND_MS;
/** A round over single coins pauses for so long at least between two of them. */
const COIN_PAUSE_MS = 2 * SECOND_MS;

/** Counts of a venue's spot calls. */
export interface SpotCounts {
  /** Answers that were read, and calls that failed, by call. */
  readonly answers: Map<string, number>;
  readonly failures: Map<string, number>;
  /** Rows that were left out, by reason. */
  readonly rejects: Map<string, number>;
}

export interface SpotCollectorOptions {
  readonly plans: readonly SpotPlan[];
  readonly ask: AskSpot;
  readonly spot: SpotTable;
  readonly borrow: BorrowTable;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly logger: CollectLogger;
  /** True while the process is to do less: then nothing new is asked. */
  readonly isHeld: () => boolean;
}

interface AskTerms {
  readonly priority?: number;
  readonly signal?: AbortSignal;
}

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Asks every venue for its list, its tickers and its borrow rates in turn, and hands on what is read. */
export class SpotCollector {
  readonly #options: SpotCollectorOptions;
  readonly #abort = new AbortController();
  readonly #counts = new Map<VenueId, SpotCounts>();
  readonly #loops: Promise<void>[] = [];

  constructor(options: SpotCollectorOptions) {
    this.#options = options;
    // Each loop waits by it.
    setMaxListeners(0, this.#abort.signal);
    for (const { venue } of options.plans)
      this.#counts.set(venue, { answers: new Map(), failures: new Map(), rejects: new Map() });
  }

  get counts(): ReadonlyMap<VenueId, SpotCounts> {
    return this.#counts;
  }

  start(): void {
    const { plans } = this.#options;
    // Venues take turns within a period, so that their answers are not all read at once.
    for (const [i, plan] of plans.entries()) {
      const turnMs = SPOT_PERIODS.first + (SPOT_PERIODS.tickers * i) / plans.length;
      this.#loops.push(this.#run(plan, turnMs));
    }
  }

  /** Asks a call that is not of the plan, after all that is; undefined where nothing came. */
  async read(venue: VenueId, call: PlannedCall, signal: AbortSignal): Promise<SpotDecoded | undefined> {
    const plan = this.#options.plans.find((known) => known.venue === venue);
    if (plan === undefined) return undefined;
    return (await this.#read(plan, call, { priority: PRIORITY.backfill, signal }))?.decoded;
  }

  /** Ends all calls and waits for it. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#loops);
    await this.#options.ask.close();
  }

  async #run(plan: SpotPlan, turnMs: number): Promise<void> {
    const { timer } = this.#options;
    await sleep(timer, turnMs, this.#abort.signal);
    const { borrow } = plan;
    const loops = [this.#markets(plan)];
    if (borrow !== undefined) loops.push(this.#borrow(plan, borrow.list));
    if (borrow?.ofCoin !== undefined) loops.push(this.#coins(plan, borrow, borrow.ofCoin));
    await Promise.all(loops);
  }

  /** The list when it is due, then the tickers. */
  async #markets(plan: SpotPlan): Promise<void> {
    const { clock, spot } = this.#options;
    let listDue = 0;
    while (!this.#abort.signal.aborted) {
      if (plan.list !== undefined && clock.now() >= listDue) {
        const read = await this.#read(plan, plan.list);
        if (read !== undefined) spot.takeList(plan.venue, read.decoded, read.at);
        const isRead = (read?.decoded.markets.length ?? 0) > 0;
        listDue = clock.now() + (isRead ? SPOT_PERIODS.list : AGAIN_MS);
      }
      const read = await this.#read(plan, plan.tickers);
      if (read !== undefined) {
        if (plan.list === undefined) spot.takeList(plan.venue, read.decoded, read.at);
        spot.takeTickers(plan.venue, read.decoded, read.at);
      }
      await this.#pause(SPOT_PERIODS.tickers);
    }
  }

  async #borrow(plan: SpotPlan, list: PlannedCall): Promise<void> {
    const { borrow } = this.#options;
    while (!this.#abort.signal.aborted) {
      const read = await this.#read(plan, list);
      if (read !== undefined)
        this.#keep(() => borrow.takeList(plan.venue, callName(list), read.decoded, read.at));
      const isRead = (read?.decoded.borrow.length ?? 0) > 0;
      await this.#pause(isRead ? SPOT_PERIODS.borrow : AGAIN_MS);
    }
  }

  /** One coin after another, of those whose markets are offered and that the venue lends. */
  async #coins(plan: SpotPlan, { list }: BorrowPlan, callOf: (asset: string) => PlannedCall): Promise<void> {
    const { clock, spot, borrow } = this.#options;
    while (!this.#abort.signal.aborted) {
      const began = clock.now();
      const offered = spot.offeredCoins(plan.venue);
      const coins = offered.filter(({ ticker }) => borrow.mayLend(plan.venue, callName(list), ticker));
      const pauseMs = Math.max(COIN_PAUSE_MS, SPOT_PERIODS.coin / (coins.length + 1));
      for (const coin of coins) {
        await this.#takeCoin(plan, callOf(coin.base), coin);
        await this.#pause(pauseMs);
      }
      if (coins.length === 0) await this.#pause(AGAIN_MS);
      else await this.#pause(began + SPOT_PERIODS.coin - clock.now());
    }
  }

  /** An answer in order that states no rate is a fact, too. */
  async #takeCoin(plan: SpotPlan, call: PlannedCall, { base, ticker }: OfferedCoin): Promise<void> {
    const read = await this.#read(plan, call);
    if (read === undefined) return;
    const { borrow, rejects } = read.decoded;
    const stated = borrow.length > 0 || rejects.length > 0 ? borrow : [{ asset: base, ticker }];
    this.#keep(() => this.#options.borrow.take(plan.venue, callName(call), { borrow: stated }, read.at));
  }

  #keep(take: () => void): void {
    try {
      take();
    } catch (cause) {
      this.#options.logger.warn({ reason: reasonOf(cause) }, 'samples of borrow rates could not be written');
    }
  }

  /** Asks and reads; undefined where nothing came, or the process is to do less. */
  async #read(
    plan: SpotPlan,
    call: PlannedCall,
    { priority = PRIORITY.bulk, signal = this.#abort.signal }: AskTerms = {},
  ): Promise<{ readonly decoded: SpotDecoded; readonly at: UnixMs } | undefined> {
    const { ask, spot, isHeld } = this.#options;
    const counts = this.#counts.get(plan.venue);
    if (isHeld() || signal.aborted || counts === undefined) return undefined;
    const outcome = await ask.ask(plan, call, signal, priority);
    if (signal.aborted) return undefined;
    const name = callName(call);
    if (!outcome.ok) {
      count(counts.failures, name);
      return undefined;
    }
    const decoded = readAnswer(plan, call, outcome.value.payload, spot.markets(plan.venue));
    if (decoded === undefined) return undefined;
    count(counts.answers, name);
    for (const { reason } of decoded.rejects) count(counts.rejects, reason);
    return { decoded, at: outcome.value.receivedAt };
  }

  #pause(ms: number): Promise<void> {
    const { timer, random } = this.#options;
    return sleep(timer, jittered(Math.max(0, ms), random), this.#abort.signal);
  }
}
