import type { Clock } from '../domain/clock.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import type { Discovery, VenueAdapter } from '../venues/adapter.ts';
import { LIST_BOUND } from '../venues/answer-bound.ts';
import { jittered } from './cadence.ts';
import { type CallStats, emptyCallStats } from './call-stats.ts';
import type { VenueDecodePipeline } from './decode-pipeline.ts';
import { ListWatch } from './list-watch.ts';
import { PRIORITY } from './priority.ts';
import type { VenueCaller } from './venue-caller.ts';

export interface DiscoveryOptions {
  readonly discovery: Discovery;
  readonly caller: VenueCaller;
  readonly feed: VenueDecodePipeline;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  /** All sub-venues that are there now. */
  readonly found: (adapters: readonly VenueAdapter[]) => void;
}

const SOURCE = 'discovery';
const RETRY_MS = 10_000;

/** Looks for sub-venues at start and at its cadence. */
export class DiscoveryLoop {
  readonly stats: CallStats = emptyCallStats();
  readonly #options: DiscoveryOptions;
  readonly #list = new ListWatch();
  #hasAnswered = false;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, timer, random, discovery } = this.#options;
    const elapsed = monotonicFrom(clock);
    while (!signal.aborted) {
      const startedAt = elapsed();
      const good = await this.#look(signal);
      const period = good ? discovery.everyMs : Math.min(discovery.everyMs, RETRY_MS);
      await sleep(timer, startedAt + jittered(period, random) - elapsed(), signal);
    }
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { caller, discovery, feed, found } = this.#options;
    const { weight } = discovery;
    const bounds = { pool: undefined, weight, priority: PRIORITY.instruments, maxBytes: LIST_BOUND };
    const terms = { ...bounds, kind: 'instruments' as const };
    try {
      const outcome = await caller.call(discovery.request, { ...terms, signal, stats: this.stats });
      if (!outcome.ok) {
        const { kind } = outcome.failure;
        if (kind !== 'aborted' && kind !== 'circuit_open') feed.failed(SOURCE, outcome.failure.toString());
        return false;
      }
      const adapters = discovery.adapters(outcome.value.payload);
      feed.succeeded(SOURCE);
      if (signal.aborted || !this.#isCredible(adapters.length)) return false;
      found(adapters);
      return true;
    } catch (error) {
      feed.failed(SOURCE, `discovery failed (${error instanceof Error ? error.message : 'unknown'})`);
      return false;
    }
  }

  /**
   * A deployer of sub-venues may end them all, so that none is possible. None in the first answer, or most of
   * them gone at once, is more likely half an answer: it is asked for again soon and takes a second one to be
   * believed.
   */
  #isCredible(count: number): boolean {
    const answer = { rows: count, bySettle: new Map<string, number>(), mayBeEmpty: true };
    const isFirst = !this.#hasAnswered;
    this.#hasAnswered = true;
    const doubt = isFirst && count === 0 ? 'none in the first answer' : this.#list.judge(SOURCE, answer);
    if (doubt !== undefined) this.#options.feed.failed(SOURCE, `sub-venues: ${doubt}`);
    return doubt === undefined;
  }
}
