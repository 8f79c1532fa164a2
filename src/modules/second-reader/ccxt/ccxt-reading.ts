import type { Outcome } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Decoded } from '../../../domain/decoded.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { UnixMs } from '../../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { VenueAdapter, VenueRequest } from '../../../venues/adapter.ts';
import { isAboutAll, type SecondCall, secondByCcxt, secondDecoder } from './second-fields.ts';
import {
  knownTo,
  type OpenSecondVenue,
  type SecondMarket,
  type SecondSend,
  type SecondVenue,
} from './second-venue.ts';

/** ccxt's answer about a contract. */
export interface CcxtAnswer {
  /** As comparisons name it: `ccxt fetchFundingRate`. */
  readonly way: string;
  readonly decoded: Decoded;
  readonly receivedAt: UnixMs;
}

export interface CcxtReadingOptions {
  readonly open: OpenSecondVenue;
  readonly send: SecondSend;
  readonly instruments: () => ReadonlyMap<string, Instrument>;
  readonly markOf: (symbol: string) => number | undefined;
  readonly clock: Clock;
  /** An answer about all contracts serves the looks of so long, ms. */
  readonly heldMs: number;
}

/** A start has better to do than to load what weighs as much as the service itself. */
const BEGIN_MS = 10 * MINUTE_MS;
/** ccxt's list of contracts is read again this often, or after a failure. */
const LISTING_MS = DAY_MS;
const RETRY_MS = HOUR_MS;
/** Failures in a row, after which a call rests for as long: ccxt may ask what the venue does not answer any more. */
const MAX_FAILURES = 3;

const wayOf = ({ call }: SecondCall): string => `ccxt ${call}`;

/** The fields of a venue that only ccxt reads a second time. */
export class CcxtReading {
  readonly #adapter: VenueAdapter;
  readonly #options: CcxtReadingOptions;
  readonly #calls: readonly SecondCall[];
  readonly #bulk = new Map<SecondCall, Answer>();
  /** Requests of this look: one answer may serve several calls of an exchange. */
  readonly #sent = new Map<string, Promise<Outcome<Answer>>>();
  readonly #failures = new Map<SecondCall, number>();
  /** Until when calls rest. */
  readonly #restUntil = new Map<SecondCall, number>();
  #exchange: SecondVenue | undefined;
  #markets: readonly SecondMarket[] = [];
  #loadAt: number;

  constructor(adapter: VenueAdapter, options: CcxtReadingOptions) {
    this.#adapter = adapter;
    this.#options = options;
    this.#calls = secondByCcxt(adapter)?.calls ?? [];
    this.#loadAt = this.#calls.length === 0 ? Number.POSITIVE_INFINITY : options.clock.now() + BEGIN_MS;
  }

  /** Calls that ccxt is asked by the second time; none before it is loaded. */
  get ways(): readonly string[] {
    return this.#markets.length > 0 ? this.#calls.map(wayOf) : [];
  }

  /** All that ccxt says of a contract; nothing where it does not have it, or is not installed. */
  async look(instrument: Instrument): Promise<readonly CcxtAnswer[]> {
    try {
      return await this.#lookAt(instrument);
    } finally {
      this.#sent.clear();
    }
  }

  async #lookAt({ symbol }: Instrument): Promise<readonly CcxtAnswer[]> {
    await this.#list();
    const exchange = this.#exchange;
    if (exchange === undefined) return [];
    const known = knownTo(this.#markets, this.#options.instruments());
    const altId = known.get(symbol)?.altId;
    if (altId === undefined) return [];
    const answers: CcxtAnswer[] = [];
    for (const second of this.#calls) {
      const answer = await this.#ask(exchange, second, altId);
      if (answer === undefined) continue;
      const { payload, receivedAt } = answer;
      const decode = secondDecoder(this.#adapter, secondByCcxt(this.#adapter)?.exchange ?? '', second);
      const { markOf } = this.#options;
      answers.push({
        way: wayOf(second),
        decoded: decode(payload, { instruments: known, receivedAt, markOf }),
        receivedAt,
      });
    }
    return answers;
  }

  async #list(): Promise<void> {
    const { open, clock } = this.#options;
    if (clock.now() < this.#loadAt) return;
    this.#loadAt = clock.now() + RETRY_MS;
    this.#exchange ??= await open(this.#adapter, (request) => this.#sendOnce(request));
    if (this.#exchange === undefined) {
      this.#loadAt = Number.POSITIVE_INFINITY;
      return;
    }
    const loaded = await this.#exchange.load();
    if (!loaded.ok) return;
    this.#markets = loaded.value;
    this.#loadAt = clock.now() + LISTING_MS;
  }

  #sendOnce(request: VenueRequest): Promise<Outcome<Answer>> {
    const key = JSON.stringify(request);
    const sent = this.#sent.get(key) ?? this.#options.send(request);
    this.#sent.set(key, sent);
    return sent;
  }

  async #ask(exchange: SecondVenue, second: SecondCall, altId: string): Promise<Answer | undefined> {
    const { clock, heldMs } = this.#options;
    const held = this.#bulk.get(second);
    // Without the sign: after the clock was set back an answer is not held for as long, nor does a call rest longer.
    if (held !== undefined && Math.abs(clock.now() - held.receivedAt) < heldMs) return held;
    const restMs = (this.#restUntil.get(second) ?? 0) - clock.now();
    if (restMs > 0 && restMs <= RETRY_MS) return undefined;
    const isBulk = isAboutAll(second.call);
    const outcome = await exchange.ask(second.call, isBulk ? undefined : altId);
    const failures = outcome.ok ? 0 : (this.#failures.get(second) ?? 0) + 1;
    this.#failures.set(second, failures % MAX_FAILURES);
    if (failures === MAX_FAILURES) this.#restUntil.set(second, clock.now() + RETRY_MS);
    if (!outcome.ok) return undefined;
    if (isBulk) this.#bulk.set(second, outcome.value);
    return outcome.value;
  }
}
