import { setMaxListeners } from 'node:events';
import type { CollectLogger } from '../../collect/logger.ts';
import { PRIORITY } from '../../collect/priority.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BackfillThrottle } from '../../history/backfill/backfill-throttle.ts';
import type { SendRequest } from '../../history/backfill/contract-history.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { sleep, systemTimer, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { type SecondWay, secondWaysOf } from '../../venues/second-way.ts';
import { type Comparison, compareReadings } from './compare-readings.ts';
import type { ComparedField } from './field-rules.ts';
import { Rotation } from './rotation.ts';
import { secondReadings } from './second-readings.ts';
import { shownReadings } from './shown-readings.ts';

/** One field of one contract as two ways have it. */
export interface ContractComparison extends Comparison {
  readonly venue: VenueId;
  readonly symbol: string;
  /** The call that was asked the second time. */
  readonly way: string;
}

/** What becomes of what is read. */
export interface SecondReadSink {
  /** All that one look at a contract compared. */
  compared(venue: VenueId, symbol: string, comparisons: readonly ContractComparison[]): void;
  /** A contract is gone. */
  gone(venue: VenueId, symbol: string): void;
  /** What an answer says besides: settled payments. */
  decoded(venue: VenueId, decoded: Decoded): void;
}

export interface SecondReaderOptions {
  readonly venues: () => readonly VenueAdapter[];
  readonly instruments: (venue: VenueId) => ReadonlyMap<string, Instrument>;
  /** The row of a contract, by the venue's own symbol. */
  readonly row: (venue: VenueId, symbol: string) => MarketRow | undefined;
  readonly send: SendRequest;
  /** Holds requests to the part of the budget that is for them. */
  readonly throttle: BackfillThrottle;
  readonly spreadOf: (venue: VenueId, symbol: string, field: ComparedField) => number | undefined;
  readonly sink: SecondReadSink;
  /** Assets that are looked at in every round. */
  readonly majors: readonly string[];
  /** Time between two looks at a major, ms. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly timer?: Timer;
  readonly logger: CollectLogger;
}

/** Counters since start. */
export interface SecondReaderState {
  requests: number;
  failures: number;
  /** Contracts looked at. */
  looks: number;
}

/** Half a day, so that every contract is looked at once a day where some looks fail. */
const OTHERS_MS = 12 * HOUR_MS;
/** What disagreed is asked again this soon. */
const AGAIN_MS = 30_000;
const LEAST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const VENUES_MS = 10_000;
/** Contracts come and go seldom: their list is looked through this often. */
const LISTING_MS = 60_000;

const pauseUntil = (dueMs: number): number => Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, dueMs));

/** Whether a settlement lies between two times: rates on both sides of it are of different intervals. */
function isPaidBetween(a: UnixMs, b: UnixMs, intervalHours = 1): boolean {
  const intervalOf = (at: UnixMs): number => Math.floor(at / (intervalHours * HOUR_MS));
  return intervalOf(a) !== intervalOf(b);
}

interface Answered {
  readonly decoded: Decoded;
  readonly receivedAt: UnixMs;
}

/** Asks every venue for what it shows on another way, contract by contract, for as long as it runs. */
export class SecondReader {
  readonly state: SecondReaderState = { requests: 0, failures: 0, looks: 0 };
  readonly #options: SecondReaderOptions;
  readonly #timer: Timer;
  readonly #abort = new AbortController();
  readonly #running = new Map<VenueId, Promise<void>>();
  #watching: Promise<void> | undefined;

  constructor(options: SecondReaderOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    // The wait of every venue listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Begins with the venues that there are; those found later are taken up within seconds. */
  start(): void {
    this.#watching ??= this.#watch();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#watching;
    await Promise.all(this.#running.values());
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      for (const adapter of this.#options.venues()) {
        if (this.#running.has(adapter.id) || secondWaysOf(adapter).length === 0) continue;
        this.#running.set(adapter.id, this.#follow(adapter));
      }
      await sleep(this.#timer, VENUES_MS, signal);
    }
  }

  async #follow(adapter: VenueAdapter): Promise<void> {
    const { signal } = this.#abort;
    const { clock, everyMs, instruments, sink } = this.#options;
    const { id } = adapter;
    const rotation = new Rotation({
      majorMs: everyMs,
      otherMs: Math.max(everyMs, OTHERS_MS),
      againMs: Math.min(everyMs, AGAIN_MS),
    });
    const venue = new VenueReading(adapter, this.#options, signal, this.state);
    let listedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (rotation.size === 0 || clock.now() - listedAt >= LISTING_MS) {
        const now = clock.now();
        listedAt = now;
        const isMajor = (symbol: string): boolean => this.#isMajor(id, symbol);
        for (const gone of rotation.follow(this.#known(id), isMajor, now)) sink.gone(id, gone);
      }
      const symbol = rotation.next(clock.now());
      const instrument = instruments(id).get(symbol ?? '');
      const agrees = instrument && (await this.#look(venue, instrument));
      if (symbol === undefined) await sleep(this.#timer, pauseUntil(rotation.dueIn(clock.now())), signal);
      else rotation.done(symbol, clock.now(), agrees === false);
    }
  }

  /** A fault in a decoder or behind the sink must not end the reading of a venue. */
  async #look(venue: VenueReading, instrument: Instrument): Promise<boolean> {
    try {
      return await venue.look(instrument);
    } catch (error) {
      const { symbol, venue: id } = instrument;
      const reason = error instanceof Error ? error.message : 'unknown error';
      this.#options.logger.warn({ venue: id, symbol, reason }, 'second reading of a contract failed');
      return true;
    }
  }

  /** Contracts with a row: those that show nothing have nothing to compare. */
  #known(venue: VenueId): string[] {
    const { instruments, row } = this.#options;
    return [...instruments(venue).keys()].filter((symbol) => row(venue, symbol) !== undefined);
  }

  #isMajor(venue: VenueId, symbol: string): boolean {
    const { row, majors } = this.#options;
    return majors.includes(row(venue, symbol)?.canonicalId ?? '');
  }
}

/** The second ways of one venue. */
class VenueReading {
  readonly #adapter: VenueAdapter;
  readonly #options: SecondReaderOptions;
  readonly #signal: AbortSignal;
  readonly #state: SecondReaderState;
  readonly #ways: readonly SecondWay[];
  /** Answers about all contracts, for the looks of one round. */
  readonly #bulk = new Map<SecondWay, Answered>();

  constructor(
    adapter: VenueAdapter,
    options: SecondReaderOptions,
    signal: AbortSignal,
    state: SecondReaderState,
  ) {
    this.#adapter = adapter;
    this.#options = options;
    this.#signal = signal;
    this.#state = state;
    this.#ways = secondWaysOf(adapter);
  }

  /** Asks all ways for one contract. Returns whether all that was compared agrees. */
  async look(instrument: Instrument): Promise<boolean> {
    const { sink } = this.#options;
    const { symbol } = instrument;
    const found: ContractComparison[] = [];
    for (const way of this.#ways) {
      const answered = await this.#ask(way, instrument);
      if (this.#signal.aborted) return true;
      if (answered !== undefined) found.push(...this.#compare(way, symbol, answered));
    }
    this.#state.looks += 1;
    sink.compared(this.#adapter.id, symbol, found);
    return found.every(({ agrees }) => agrees);
  }

  #compare(way: SecondWay, symbol: string, { decoded, receivedAt }: Answered): ContractComparison[] {
    const { row: rowOf, spreadOf } = this.#options;
    const { id: venue } = this.#adapter;
    const row = rowOf(venue, symbol);
    if (row === undefined) return [];
    const shown = shownReadings(row);
    const contract = {
      symbol,
      markPrice: row.markPrice,
      intervalHours: row.fundingIntervalHours,
      nextFundingTime: row.nextFundingTime,
    };
    const second = secondReadings(decoded, contract, receivedAt);
    return (Object.keys(second) as ComparedField[]).flatMap((field) => {
      const [one, other] = [shown[field], second[field]];
      if (one === undefined || other === undefined) return [];
      if (field === 'funding_rate' && isPaidBetween(one.at, other.at, row.fundingIntervalHours)) return [];
      const compared = compareReadings(field, one, other, spreadOf(venue, symbol, field));
      return compared === undefined ? [] : [{ ...compared, venue, symbol, way: way.call.name }];
    });
  }

  async #ask(way: SecondWay, instrument: Instrument): Promise<Answered | undefined> {
    const { clock, everyMs, sink } = this.#options;
    const held = this.#bulk.get(way);
    if (held !== undefined && clock.now() - held.receivedAt < Math.min(everyMs, AGAIN_MS)) return held;
    const answered = await this.#send(way, instrument);
    if (answered === undefined) return undefined;
    if (way.isBulk) this.#bulk.set(way, answered);
    sink.decoded(this.#adapter.id, { ...emptyDecoded(), funding: answered.decoded.funding });
    return answered;
  }

  async #send(way: SecondWay, instrument: Instrument): Promise<Answered | undefined> {
    const { throttle, send, clock, instruments } = this.#options;
    const { budget, id } = this.#adapter;
    const { weight = 1, pool = 'default', call } = way;
    await throttle.acquire({ budget, pool, weight }, () => true, this.#signal);
    if (this.#signal.aborted) return undefined;
    const request = way.request(instrument, clock.now());
    const outcome = await send(id, request, {
      weight,
      priority: PRIORITY.backfill,
      ...(way.pool && { pool }),
    });
    this.#state.requests += 1;
    if (!outcome.ok) {
      this.#state.failures += 1;
      return undefined;
    }
    const { payload, receivedAt } = outcome.value;
    return {
      decoded: call.decode(payload, { instruments: instruments(id), request, receivedAt }),
      receivedAt,
    };
  }
}
