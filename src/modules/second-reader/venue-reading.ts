import type { SendRequest } from '../../collect/background-request.ts';
import type { BackgroundThrottle } from '../../collect/background-throttle.ts';
import { PRIORITY } from '../../collect/priority.ts';
import { failed, type Outcome } from '../../collect/transport-failure.ts';
import type { Answer as CallAnswer } from '../../collect/venue-caller.ts';
import type { Clock } from '../../domain/clock.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire } from '../../domain/read.ts';
import { SETTLING_MS } from '../../domain/settling.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { unlessAborted } from '../../runtime/timer.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import { LIST_BOUND, secondWayBound } from '../../venues/answer-bound.ts';
import { SECOND_PAYMENTS_MS, type SecondWay, secondWaysOf } from '../../venues/second-way.ts';
import { CcxtReading } from './ccxt/ccxt-reading.ts';
import type { OpenSecondVenue } from './ccxt/second-venue.ts';
import { type Comparison, compareReadings } from './readings/compare-readings.ts';
import type { ComparedField } from './readings/field-rules.ts';
import { secondReadings } from './readings/second-readings.ts';
import { shownReadings } from './readings/shown-readings.ts';

/** One field of one contract as two ways have it. */
export interface ContractComparison extends Comparison {
  readonly venue: VenueId;
  readonly symbol: string;
  /** The call that was asked the second time. */
  readonly way: string;
}

/** Contracts that a venue lists, by its own symbols. */
export type ListedContracts = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** Receives the readings. */
export interface SecondReadSink {
  /** All that one look at a contract compared. */
  compared(venue: VenueId, symbol: string, comparisons: readonly ContractComparison[]): void;
  /** A contract is gone. */
  gone(venue: VenueId, symbol: string): void;
  /** All that a venue lists, whenever it is looked through. */
  listed(venue: VenueId, contracts: ListedContracts): void;
  /** Takes further content of an answer: settled payments. */
  decoded(venue: VenueId, decoded: Decoded): void;
}

/** Means for requests to a venue. */
export interface VenueReadingOptions {
  readonly instruments: (venue: VenueId) => ReadonlyMap<string, Instrument>;
  /** The row of a contract, by the venue's own symbol. */
  readonly row: (venue: VenueId, symbol: string) => MarketRow | undefined;
  readonly send: SendRequest;
  /** Holds requests to the part of the budget that is for them. */
  readonly throttle: BackgroundThrottle;
  /** Loads ccxt for fields without another way; absent where it is not to be used. */
  readonly ccxt?: OpenSecondVenue | undefined;
  readonly volatilityOf: (venue: VenueId, symbol: string, field: ComparedField) => number | undefined;
  readonly sink: SecondReadSink;
  /** Time between two looks at a major, ms. */
  readonly everyMs: number;
  readonly clock: Clock;
}

/** Counters since start. */
export interface SecondReaderState {
  requests: number;
  failures: number;
  /** Contracts looked at. */
  looks: number;
}

/** A field that disagreed is asked for again this soon, ms. */
export const AGAIN_MS = 30_000;

/**
 * True if a settlement lies between two times, or right before two that are far from each other: rates on both
 * sides of it are of different intervals, and the mean behind a rate moves fast as it begins.
 */
function areOfTwoRates(a: UnixMs, b: UnixMs, intervalHours = 1): boolean {
  const [earlier, later] = a < b ? [a, b] : [b, a];
  const settlingMs = later - earlier > MINUTE_MS ? SETTLING_MS : 0;
  const intervalOf = (at: number): number => Math.floor(at / (intervalHours * HOUR_MS));
  return intervalOf(earlier - settlingMs) !== intervalOf(later);
}

interface Answered {
  readonly decoded: Decoded;
  readonly receivedAt: UnixMs;
}

/** The second ways of one venue. */
export class VenueReading {
  readonly #adapter: VenueAdapter;
  readonly #options: VenueReadingOptions;
  readonly #signal: AbortSignal;
  readonly #state: SecondReaderState;
  readonly #ways: readonly SecondWay[];
  /** Answers about all contracts, for the looks of one round. */
  readonly #bulk = new Map<SecondWay, Answered>();
  readonly #ccxt: CcxtReading | undefined;

  constructor(
    adapter: VenueAdapter,
    options: VenueReadingOptions,
    signal: AbortSignal,
    state: SecondReaderState,
  ) {
    this.#adapter = adapter;
    this.#options = options;
    this.#signal = signal;
    this.#state = state;
    this.#ways = secondWaysOf(adapter);
    const { ccxt, instruments, row, clock, everyMs } = options;
    this.#ccxt =
      ccxt &&
      new CcxtReading(adapter, {
        open: ccxt,
        clock,
        heldMs: Math.min(everyMs, AGAIN_MS),
        send: (request) => this.#sendOf(request, costOf(adapter, request)),
        instruments: () => instruments(adapter.id),
        markOf: (symbol) => row(adapter.id, symbol)?.markPrice,
      });
  }

  get ccxtWays(): readonly string[] {
    return this.#ccxt?.ways ?? [];
  }

  /** Asks all ways for one contract. Returns whether all that was compared agrees. */
  async look(instrument: Instrument): Promise<boolean> {
    const { sink } = this.#options;
    const { symbol } = instrument;
    const found: ContractComparison[] = [];
    for (const way of this.#ways) {
      const answered = await this.#ask(way, instrument);
      if (this.#signal.aborted) return true;
      if (answered !== undefined) found.push(...this.#compare(way.call.name, symbol, answered));
    }
    for (const { way, ...answered } of (await this.#ccxt?.look(instrument)) ?? []) {
      found.push(...this.#compare(way, symbol, answered));
    }
    if (this.#signal.aborted) return true;
    this.#state.looks += 1;
    sink.compared(this.#adapter.id, symbol, found);
    return found.every(({ agrees }) => agrees);
  }

  #compare(way: string, symbol: string, { decoded, receivedAt }: Answered): ContractComparison[] {
    const { row: rowOf, volatilityOf } = this.#options;
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
      const one = shown[field];
      const other = second[field];
      if (one === undefined || other === undefined) return [];
      if (field === 'funding_rate' && areOfTwoRates(one.at, other.at, row.fundingIntervalHours)) return [];
      const compared = compareReadings(field, one, other, volatilityOf(venue, symbol, field));
      return compared === undefined ? [] : [{ ...compared, venue, symbol, way }];
    });
  }

  async #ask(way: SecondWay, instrument: Instrument): Promise<Answered | undefined> {
    const { clock, everyMs, sink } = this.#options;
    const held = this.#bulk.get(way);
    // Without the sign: after the clock was set back an answer is not held for as long.
    if (held !== undefined && Math.abs(clock.now() - held.receivedAt) < Math.min(everyMs, AGAIN_MS))
      return held;
    const answered = await this.#send(way, instrument);
    if (answered === undefined) return undefined;
    if (way.isBulk) this.#bulk.set(way, answered);
    // Some venues answer with all that a page holds. Older points are the back-fill's, and would be written at
    // every look.
    const since = clock.now() - SECOND_PAYMENTS_MS;
    const funding = answered.decoded.funding.filter(({ time }) => time >= since);
    sink.decoded(this.#adapter.id, { ...emptyDecoded(), funding });
    return answered;
  }

  async #send(way: SecondWay, instrument: Instrument): Promise<Answered | undefined> {
    const { clock, instruments } = this.#options;
    const { weight = 1, pool, call, beside } = way;
    const terms = { weight, pool, maxBytes: secondWayBound(way) };
    const request = way.request(instrument, clock.now());
    const outcome = await this.#sendOf(request, terms);
    const other = outcome.ok && beside ? await this.#sendOf(beside, terms) : outcome;
    if (!outcome.ok || !other.ok) return undefined;
    const { payload, receivedAt } = outcome.value;
    const context = { instruments: instruments(this.#adapter.id), request, receivedAt };
    return {
      decoded: call.decode(beside ? joined(payload, other.value.payload) : payload, context),
      receivedAt,
    };
  }

  /** Waits for its part of the budget, and sends. */
  async #sendOf(
    request: VenueRequest,
    { weight, pool, maxBytes }: RequestTerms,
  ): Promise<Outcome<CallAnswer>> {
    const { throttle, send } = this.#options;
    const { budget, id } = this.#adapter;
    await throttle.acquire({ budget, pool: pool ?? 'default', weight }, () => true, this.#signal);
    if (this.#signal.aborted) return failed('aborted', 'stopped');
    const terms = { weight, priority: PRIORITY.backfill, maxBytes };
    const sent = send(id, request, { ...terms, ...(pool && { pool }) });
    const outcome = (await unlessAborted(sent, this.#signal)) ?? failed('aborted', 'stopped');
    this.#state.requests += 1;
    if (!outcome.ok) this.#state.failures += 1;
    return outcome;
  }
}

/** The fields of two answers, as of one. */
export const joined = (first: unknown, other: unknown): unknown =>
  isWire(first) && isWire(other) ? { ...first, ...other } : first;

interface RequestTerms {
  readonly weight: number;
  readonly pool: string | undefined;
  /** Largest answer that is read, bytes. */
  readonly maxBytes: number;
}

/** The weight of a ccxt request: that of our call of the same path, else of the heaviest of our polls. */
function costOf(adapter: VenueAdapter, { path }: VenueRequest): RequestTerms {
  const asked = path.split('?')[0];
  const calls = [...adapter.polls, ...secondWaysOf(adapter)].map(({ call, weight = 1, pool }) => ({
    call,
    weight,
    pool,
    maxBytes: LIST_BOUND,
  }));
  const same = calls.find(({ call }) => call.path === asked);
  const heaviest = calls
    .filter(({ pool }) => pool === undefined)
    .reduce((most, { weight }) => Math.max(most, weight), 1);
  return same ?? { weight: heaviest, pool: undefined, maxBytes: LIST_BOUND };
}
