import type { Clock } from '../domain/clock.ts';
import { rowCount } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { ListReport } from '../domain/list-report.ts';
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
import { ContractList } from './contract-list.ts';
import { ContractRows } from './contract-rows.ts';
import type { Contracts } from './contracts.ts';
import {
  type DecodeStats,
  emptyDecodeStats,
  type Reading,
  type VenueDecodePipeline,
} from './decode-pipeline.ts';
import type { ListRounds } from './list-rounds.ts';
import { ListWatch } from './list-watch.ts';
import { PartFaults } from './part-faults.ts';
import { type PollPart, pollParts } from './poll-part.ts';
import { PRIORITY } from './priority.ts';
import type { VenueCaller } from './venue-caller.ts';
import type { WireKind } from './wire.ts';

/** Parts that the loops of one venue share. */
export interface VenueScope {
  readonly caller: VenueCaller;
  readonly feed: VenueDecodePipeline;
  readonly contracts: Contracts;
  readonly lists: ListRounds;
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

/** Takes the pages of a round as they come, and the parts that were read to their last page. */
interface Round {
  /** @returns whether success may be told at once */
  readonly page: (page: Page, part: PollPart, isFirst: boolean) => boolean;
  readonly whole?: (part: PollPart) => void;
}

/** One poll of one venue, again and again, never overlapping itself. Nothing it meets ends the loop. */
export class PollLoop {
  readonly stats: PollStats;
  readonly #scope: VenueScope;
  readonly #poll: Poll;
  readonly #source: string;
  readonly #list = new ContractList();
  readonly #watch = new ListWatch();
  readonly #faults: PartFaults;
  readonly #rows: ContractRows;
  #failedRounds = 0;

  constructor(scope: VenueScope, poll: Poll, source: string) {
    this.#scope = scope;
    this.#poll = poll;
    this.#source = source;
    this.#faults = new PartFaults(scope.feed, source);
    this.#rows = new ContractRows(scope.contracts, scope.clock);
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

  /** A list of contracts that could not be read is asked for again soon, whatever its cadence; rare calls as well. */
  #period(): number {
    const { everyMs, kind, spread } = this.#poll;
    if (this.#failedRounds === 0 || spread === true) return everyMs;
    if (kind === 'quotes') return Math.min(everyMs, MAX_RETRY_MS);
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

  async #readQuotes(signal: AbortSignal): Promise<boolean> {
    let hasRows = true;
    const { good } = await this.#readParts(signal, {
      page: (page, part, isFirst) => {
        const isGood = !isFirst || this.#hasRows(part, page);
        hasRows &&= isGood;
        this.#publish(page);
        return isGood;
      },
    });
    return good && hasRows;
  }

  /** An answer without a row or a reject is a fault whatever its status says, and so are few rows after many. */
  #hasRows(part: PollPart, { decoded, fault }: Page): boolean {
    if (fault !== undefined) return true;
    const rows = rowCount(decoded) + decoded.rejects.length;
    const mayBeEmpty = this.#poll.mayBeEmpty !== undefined;
    const doubt =
      this.#poll.spread === true
        ? this.#rows.judge(part.name, rows, mayBeEmpty)
        : this.#watch.judge(part.name, { rows, bySettle: new Map(), mayBeEmpty });
    if (doubt !== undefined) this.#fail(part, doubt);
    else if (part.label !== undefined) this.#faults.succeeded(part.label);
    return doubt === undefined;
  }

  #fail({ label }: PollPart, reason: string): void {
    if (label === undefined) this.#scope.feed.failed(this.#source, reason);
    else this.#faults.failed(label, reason);
  }

  #publish({ decoded, receivedAt }: Page): void {
    this.#scope.feed.publish(this.#source, decoded, receivedAt, this.#poll.hasCoarseStamps);
  }

  /** Each part of the list replaces the last one when all of its pages were read and are believed. */
  async #readInstruments(signal: AbortSignal): Promise<boolean> {
    const { feed, instrumentsRead } = this.#scope;
    const pages = new Map<string, Page[]>();
    const whole: PollPart[] = [];
    const { good, parts } = await this.#readParts(signal, {
      page: (page, { name }) => {
        pages.set(name, [...(pages.get(name) ?? []), page]);
        return false;
      },
      whole: (part) => whole.push(part),
    });
    let complete = good;
    for (const part of whole) if (!this.#takePart(part, pages.get(part.name) ?? [])) complete = false;
    const list = this.#list.contracts(parts.map(({ name }) => name));
    const read = [...pages.values()].flat();
    const report = this.#scope.lists.take(
      this.#source,
      complete && list !== undefined && list.length > 0,
      read.map(({ decoded }) => decoded),
    );
    const changed = list !== undefined && list.length > 0 && this.#replace(list, report);
    if (complete && list?.length === 0) {
      complete = false;
      feed.failed(this.#source, 'the list of contracts is empty');
    }
    if (complete) feed.succeeded(this.#source);
    instrumentsRead(this.#source, changed);
    for (const page of read) this.#publish(page);
    return complete;
  }

  #takePart(part: PollPart, pages: readonly Page[]): boolean {
    const doubt = this.#list.take(part.name, {
      instruments: pages.flatMap(({ decoded }) => decoded.instruments),
      rejected: pages.reduce((sum, { decoded }) => sum + decoded.rejects.length, 0),
      mayBeEmpty: this.#poll.mayBeEmpty !== undefined,
    });
    if (doubt !== undefined) this.#fail(part, `list of contracts: ${doubt}`);
    else if (part.label !== undefined) this.#faults.succeeded(part.label);
    return doubt === undefined;
  }

  #replace(list: readonly Instrument[], report: ListReport): boolean {
    const { contracts, feed, clock } = this.#scope;
    const changed = contracts.replace(this.#source, list, clock.now());
    feed.publishInstruments(this.#source, report);
    return changed;
  }

  /** Makes the round's requests, and says whether all of them, with all pages, were read. */
  async #readParts(
    signal: AbortSignal,
    round: Round,
  ): Promise<{ readonly good: boolean; readonly parts: readonly PollPart[] }> {
    const { clock, timer, contracts } = this.#scope;
    const requests = this.#poll.requests(contracts.plan(clock.now()));
    const parts = pollParts(requests, this.#poll);
    this.#faults.keepOnly(new Set(parts.flatMap(({ label }) => label ?? [])));
    this.#rows.keepOnly(new Set(parts.map(({ name }) => name)));
    let good = true;
    const task = async (part: PollPart): Promise<void> => {
      if (await this.#fetch(part, signal, round)) round.whole?.(part);
      else good = false;
    };
    const spreadMs = this.#poll.spread === true ? this.#poll.everyMs : 0;
    this.#reserve(requests);
    const terms = { clock, timer, signal, concurrency: MAX_CONCURRENT, spreadMs };
    await forEachConcurrent(parts, task, terms);
    return { good: good && !signal.aborted, parts };
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

  async #fetch(part: PollPart, signal: AbortSignal, round: Round): Promise<boolean> {
    const { caller, feed } = this.#scope;
    let { request } = part;
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
      if (reading.fault !== undefined) feed.failed(this.#source, reading.fault);
      const isGood = round.page({ ...reading, receivedAt }, part, page === 0);
      if (reading.fault !== undefined) return false;
      if (isGood) feed.succeeded(this.#source);
      const next = this.#poll.nextPage?.(payload, request);
      if (next === undefined) return true;
      request = next;
    }
    feed.failed(this.#source, `more than ${MAX_PAGES} pages`);
    return false;
  }

  #terms(signal: AbortSignal) {
    const { spread, pool, weight, deadlineMs } = this.#poll;
    const kind: WireKind = this.#poll.kind === 'instruments' ? 'instruments' : 'tickers';
    const bulk = spread === true ? PRIORITY.perContract : PRIORITY.bulk;
    const priority = kind === 'instruments' ? PRIORITY.instruments : bulk;
    const maxBytes = pollBound(this.#poll);
    return { pool, weight, priority, deadlineMs, maxBytes, signal, kind, stats: this.stats };
  }
}
