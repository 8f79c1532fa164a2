import type { Clock } from '../domain/clock.ts';
import { rowCount } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { forEachConcurrent } from '../runtime/for-each-concurrent.ts';
import type { Latch } from '../runtime/latch.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import type { Poll, VenueRequest } from '../venues/adapter.ts';
import { pollBound } from '../venues/answer-bound.ts';
import { jittered } from './cadence.ts';
import { type CallStats, emptyCallStats } from './call-stats.ts';
import type { Contracts } from './contracts.ts';
import {
  type DecodeStats,
  emptyDecodeStats,
  type Reading,
  type VenueDecodePipeline,
} from './decode-pipeline.ts';
import { isSuspiciousDrop, ListWatch } from './list-watch.ts';
import { PRIORITY } from './priority.ts';
import type { VenueCaller } from './venue-caller.ts';

/** Parts that the loops of one venue share. */
export interface VenueScope {
  readonly caller: VenueCaller;
  readonly feed: VenueDecodePipeline;
  readonly contracts: Contracts;
  /** Opens when the contracts are known. */
  readonly ready: Latch;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  /** An instruments poll has finished a round; `changed` when contracts came, went or changed units. */
  readonly instrumentsRead: (source: string, changed: boolean) => void;
}

export interface PollStats extends CallStats, DecodeStats {
  readonly kind: Poll['kind'];
  readonly everyMs: number;
  /** Rounds finished, and those of them in which every request succeeded. */
  rounds: number;
  goodRounds: number;
  lastRoundMs: number | undefined;
}

/** Requests of one poll that may be under way at a time. */
const MAX_CONCURRENT = 8;
/** Pages of one answer followed at most. */
const MAX_PAGES = 100;
/** First rounds are spread over this time, so that not all venues begin in the same instant. */
const START_SPREAD_MS = 250;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = MINUTE_MS;
/** Breath between rounds that take longer than their period. */
const MIN_GAP_MS = 10;

interface Page extends Reading {
  readonly receivedAt: UnixMs;
}

/** Takes a page of an answer, of which it says what is wrong. */
type UsePage = (page: Page, part: string, isFirst: boolean) => string | undefined;

/** A request of a round, and its name over all rounds: its address may hold a moment or the contracts of today. */
interface Part {
  readonly name: string;
  readonly request: VenueRequest;
}

/** One poll of one venue, again and again, never overlapping itself. Nothing it meets ends the loop. */
export class PollLoop {
  readonly stats: PollStats;
  readonly #scope: VenueScope;
  readonly #poll: Poll;
  readonly #source: string;
  readonly #list = new ListWatch();
  /** Rows that the last answer to each request of quotes had that had some. */
  readonly #rowsOf = new Map<string, number>();
  #failedRounds = 0;

  constructor(scope: VenueScope, poll: Poll, source: string) {
    this.#scope = scope;
    this.#poll = poll;
    this.#source = source;
    this.stats = {
      ...emptyCallStats(),
      ...emptyDecodeStats(),
      kind: poll.kind,
      everyMs: poll.everyMs,
      rounds: 0,
      goodRounds: 0,
      lastRoundMs: undefined,
    };
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, timer, random, ready } = this.#scope;
    await sleep(timer, random() * Math.min(START_SPREAD_MS, this.#poll.everyMs), signal);
    if (this.#poll.kind === 'quotes') await ready.opened(signal);
    const elapsed = monotonicFrom(clock);
    while (!signal.aborted) {
      const startedAt = elapsed();
      const good = await this.#round(signal);
      this.stats.rounds++;
      if (good) this.stats.goodRounds++;
      this.stats.lastRoundMs = elapsed() - startedAt;
      this.#failedRounds = good ? 0 : this.#failedRounds + 1;
      const due = startedAt + jittered(this.#period(), random);
      await sleep(timer, Math.max(MIN_GAP_MS, due - elapsed()), signal);
    }
    this.#scope.caller.reserve(this.#source, this.#poll.pool, 0, this.#poll.everyMs);
  }

  /** A list of contracts that could not be read is asked for again soon, whatever its cadence. */
  #period(): number {
    const { everyMs, kind } = this.#poll;
    if (kind === 'quotes' || this.#failedRounds === 0) return everyMs;
    return Math.min(everyMs, MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failedRounds - 1, 10));
  }

  async #round(signal: AbortSignal): Promise<boolean> {
    try {
      return this.#poll.kind === 'instruments'
        ? await this.#readInstruments(signal)
        : await this.#readQuotes(signal);
    } catch (error) {
      // Only a fault in an adapter's or our own code comes here.
      this.#scope.feed.failed(
        this.#source,
        `round failed (${error instanceof Error ? error.message : 'unknown'})`,
      );
      return false;
    }
  }

  #readQuotes(signal: AbortSignal): Promise<boolean> {
    return this.#eachPage(signal, (page, part, isFirst) => {
      const doubt = isFirst ? this.#emptiness(part, page) : undefined;
      this.#scope.feed.publish(this.#source, page.decoded, page.receivedAt, this.#poll.hasCoarseStamps);
      return doubt;
    });
  }

  /**
   * An answer without a row or a reject is a failure where the same request had some before, whatever its
   * status says: one contract's as well as a part of all. A request that never had a row is empty on purpose.
   *
   * @returns what is wrong with the answer
   */
  #emptiness(part: string, { decoded }: Page): string | undefined {
    const rows = rowCount(decoded) + decoded.rejects.length;
    const before = this.#rowsOf.get(part) ?? 0;
    if (rows > 0) this.#rowsOf.set(part, rows);
    if (rows === 0 && before > 0) return `an answer that had ${before} rows is empty`;
    if (this.#poll.spread === true || !isSuspiciousDrop(before, rows)) return undefined;
    return `an answer has ${rows} rows after ${before}`;
  }

  /** The list replaces the last one only when every request and page of the round was read. */
  async #readInstruments(signal: AbortSignal): Promise<boolean> {
    const { feed, contracts, instrumentsRead } = this.#scope;
    const pages: Page[] = [];
    const rows = new Map<string, number>();
    let complete = await this.#eachPage(signal, (page, part) => {
      pages.push(page);
      const { instruments: listed, rejects } = page.decoded;
      rows.set(part, (rows.get(part) ?? 0) + listed.length + rejects.length);
      return undefined;
    });
    const doubt = complete ? this.#list.judge(rows) : undefined;
    if (doubt !== undefined) {
      complete = false;
      feed.failed(this.#source, doubt);
    }
    const list: Instrument[] = pages.flatMap((page) => page.decoded.instruments);
    let changed = false;
    if (complete && list.length > 0) {
      changed = contracts.replace(this.#source, list);
      feed.publishInstruments(this.#source);
    } else if (complete && !signal.aborted) {
      complete = false;
      feed.failed(this.#source, 'the list of contracts is empty');
    }
    instrumentsRead(this.#source, changed);
    for (const { decoded, receivedAt } of pages) {
      feed.publish(this.#source, decoded, receivedAt, this.#poll.hasCoarseStamps);
    }
    return complete;
  }

  /** Makes the round's requests. Returns whether all of them, with all pages, were read. */
  async #eachPage(signal: AbortSignal, use: UsePage): Promise<boolean> {
    const { clock, timer, contracts } = this.#scope;
    const requests = this.#poll.requests(contracts.plan(clock.now()));
    let good = true;
    const task = async (part: Part): Promise<void> => {
      if (!(await this.#fetch(part, signal, use))) good = false;
    };
    const spreadMs = this.#poll.spread === true ? this.#poll.everyMs : 0;
    this.#reserve(requests);
    await forEachConcurrent(this.#partsOf(requests), task, {
      clock,
      timer,
      signal,
      concurrency: MAX_CONCURRENT,
      spreadMs,
    });
    return good && !signal.aborted;
  }

  /** Requests of all contracts keep their order; those of one contract each are in the order of what is traded. */
  #partsOf(requests: readonly VenueRequest[]): readonly Part[] {
    const { spread } = this.#poll;
    return requests.map((request, place) => ({
      name: spread === true ? (request.symbol ?? request.path) : String(place),
      request,
    }));
  }

  /**
   * The cost of the rounds of a poll of all contracts is kept free for them; the number of pages shows only as
   * they are read.
   */
  #reserve(requests: readonly VenueRequest[]): void {
    const { spread, pool, weight, everyMs } = this.#poll;
    if (spread === true) return;
    const asked = requests.reduce((sum, request) => sum + (request.weight ?? weight), 0);
    const { rounds } = this.stats;
    const usual = rounds === 0 ? 0 : this.stats.weight / rounds;
    this.#scope.caller.reserve(this.#source, pool, Math.max(asked, usual), everyMs);
  }

  async #fetch({ name, request: first }: Part, signal: AbortSignal, use: UsePage): Promise<boolean> {
    const { caller, feed } = this.#scope;
    let request = first;
    for (let page = 0; page < MAX_PAGES; page++) {
      const outcome = await caller.call(request, this.#terms(signal));
      if (!outcome.ok) {
        const { kind } = outcome.failure;
        if (kind !== 'aborted' && kind !== 'circuit_open')
          feed.failed(this.#source, outcome.failure.toString());
        return false;
      }
      const { payload, receivedAt } = outcome.value;
      const reading = feed.read(this.#poll.call, payload, receivedAt, request, this.stats);
      const fault = use({ ...reading, receivedAt }, name, page === 0) ?? reading.fault;
      if (fault === undefined) feed.succeeded(this.#source);
      else feed.failed(this.#source, fault);
      if (fault !== undefined) return false;
      const next = this.#poll.nextPage?.(payload, request);
      if (next === undefined) return true;
      request = next;
    }
    feed.failed(this.#source, `more than ${MAX_PAGES} pages`);
    return false;
  }

  #terms(signal: AbortSignal) {
    const { kind, spread, pool, weight, deadlineMs } = this.#poll;
    const bulk = spread === true ? PRIORITY.perContract : PRIORITY.bulk;
    const priority = kind === 'instruments' ? PRIORITY.instruments : bulk;
    const maxBytes = pollBound(this.#poll);
    return { pool, weight, priority, deadlineMs, maxBytes, signal, stats: this.stats };
  }
}
