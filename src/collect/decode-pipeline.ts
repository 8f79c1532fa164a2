import type { Clock } from '../domain/clock.ts';
import { type Decoded, emptyDecoded, rowCount } from '../domain/decoded.ts';
import type { ListReport } from '../domain/list-report.ts';
import { printable } from '../domain/printable.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { isFault } from '../domain/reject.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueAdapter, VenueCall, VenueRequest } from '../venues/adapter.ts';
import type { Contracts } from './contracts.ts';
import type { VenueHealthBoard } from './health.ts';
import type { CollectLogger } from './logger.ts';
import type { MarketSink } from './ports.ts';
import { type RejectSample, RejectSampler } from './reject-sample.ts';

/** Costs and results of decoding, since start. */
export interface DecodeStats {
  decodeMs: number;
  lastDecodeMs: number | undefined;
  quotes: number;
  rejects: number;
  /** Payloads without one readable row. */
  unreadable: number;
}

export const emptyDecodeStats = (): DecodeStats => ({
  decodeMs: 0,
  lastDecodeMs: undefined,
  quotes: 0,
  rejects: 0,
  unreadable: 0,
});

export interface FeedOptions {
  readonly adapter: VenueAdapter;
  readonly contracts: Contracts;
  readonly sink: MarketSink;
  readonly health: VenueHealthBoard;
  readonly clock: Clock;
  readonly logger: CollectLogger;
}

/** Decoded values, or why the payload as a whole could not be read. */
export interface Reading {
  readonly decoded: Decoded;
  readonly fault: string | undefined;
}

function describeFault(decoded: Decoded): string | undefined {
  if (rowCount(decoded) > 0) return undefined;
  const fault = decoded.rejects.find(isFault);
  if (fault === undefined) return undefined;
  return `nothing readable (${fault.reason}${fault.detail === undefined ? '' : `, ${printable(fault.detail)}`})`;
}

/** From payload to the sink for one venue: decoding, volumes, rejects and the age of data. */
export class VenueDecodePipeline {
  readonly #options: FeedOptions;
  readonly #failing = new Set<string>();
  readonly #markOf = (symbol: string): number | undefined => this.#options.contracts.markOf(symbol);

  readonly #sampler = new RejectSampler();

  /** The last payload that a fault was found in. */
  get rejectSample(): RejectSample | undefined {
    return this.#sampler.sample;
  }

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Decodes a payload. A decoder that throws all the same is a fault of that payload. */
  read(
    call: VenueCall,
    payload: unknown,
    receivedAt: UnixMs,
    request: VenueRequest | undefined,
    stats: DecodeStats,
  ): Reading {
    const { adapter, contracts, health } = this.#options;
    const startedAt = performance.now();
    const context = { instruments: contracts.bySymbol, receivedAt, markOf: this.#markOf };
    let decoded: Decoded;
    let fault: string | undefined;
    try {
      decoded = call.decode(payload, request === undefined ? context : { ...context, request });
      fault = describeFault(decoded);
    } catch (error) {
      decoded = emptyDecoded();
      fault = `decoder failed (${error instanceof Error ? error.name : 'unknown error'})`;
    }
    stats.lastDecodeMs = performance.now() - startedAt;
    stats.decodeMs += stats.lastDecodeMs;
    stats.quotes += decoded.quotes.length;
    stats.rejects += decoded.rejects.length;
    if (fault !== undefined) stats.unreadable++;
    health.rejects(adapter.id, decoded.rejects);
    this.#sampler.look(decoded.rejects, call.name, payload, receivedAt);
    return { decoded, fault };
  }

  /**
   * Hands values to the sink. Returns whether there were any.
   *
   * @param isCoarse whether the venue's stamps are whole minutes
   */
  publish(source: string, decoded: Decoded, at: UnixMs, isCoarse?: boolean): boolean {
    const { adapter, contracts, sink } = this.#options;
    const { quotes } = decoded;
    if (quotes.length > 0) {
      contracts.noteVolumes(quotes);
      this.#noteAge(source, quotes, at, isCoarse);
      this.#guard(source, () => sink.quotes(adapter.id, quotes, at));
    }
    for (const store of sink.stores ?? []) {
      if (store.kinds.every((kind) => decoded[kind].length === 0)) continue;
      this.#guard(source, () => store.take(adapter.id, decoded, at));
    }
    return rowCount(decoded) > 0;
  }

  /**
   * Hands on earlier values that still stand at this time. It is no new data, and says nothing of the venue's
   * health.
   */
  restate(source: string, quotes: readonly QuotePatch[], at: UnixMs): void {
    const { adapter, sink } = this.#options;
    if (quotes.length > 0) this.#guard(source, () => sink.quotes(adapter.id, quotes, at));
  }

  /** Hands the venue's whole list of contracts to the sink. */
  publishInstruments(source: string, report: ListReport): void {
    const { adapter, contracts, sink, clock } = this.#options;
    const list = [...contracts.bySymbol.values()];
    this.#guard(source, () => sink.instruments(adapter.id, list, clock.now(), report));
  }

  succeeded(source: string): void {
    const { adapter, health, logger } = this.#options;
    health.succeeded(adapter.id, source);
    if (this.#failing.delete(source)) logger.info({ venue: adapter.id, source }, 'venue call works again');
  }

  /** Data came without a request: ends a failure, if there was one. */
  recovered(source: string): void {
    if (this.#failing.has(source)) this.succeeded(source);
  }

  /** Counts a failure; logs the first of a row. */
  failed(source: string, reason: string): void {
    const { adapter, health, logger } = this.#options;
    health.failed(adapter.id, source, reason);
    if (this.#failing.has(source)) return;
    this.#failing.add(source);
    logger.warn({ venue: adapter.id, source, reason }, 'venue call fails');
  }

  #noteAge(source: string, quotes: readonly QuotePatch[], receivedAt: UnixMs, isCoarse?: boolean): void {
    let stamp = 0;
    let marks = false;
    for (const { venueTime, markPrice } of quotes) {
      if (venueTime !== undefined && venueTime > stamp) stamp = venueTime;
      marks ||= markPrice !== undefined;
    }
    const event = { source, receivedAt, stamp: stamp > 0 ? asMs(stamp) : undefined, isCoarse, marks };
    this.#options.health.data(this.#options.adapter.id, event);
  }

  /** A fault behind the sink must not end the collecting. */
  #guard(source: string, deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      const { adapter, logger } = this.#options;
      const reason = error instanceof Error ? error.message : 'unknown error';
      logger.warn({ venue: adapter.id, source, reason }, 'sink failed');
    }
  }
}
