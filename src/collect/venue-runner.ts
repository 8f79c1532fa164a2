import { setMaxListeners } from 'node:events';
import type { Clock } from '../domain/clock.ts';
import type { Instrument } from '../domain/instrument.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { Latch } from '../runtime/latch.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import type { QuoteStream, VenueAdapter, VenueRequest } from '../venues/adapter.ts';
import { type BookCoverage, type BookReport, BookRunner } from './books/book-runner.ts';
import type { RateBudget } from './budget.ts';
import { type CallStats, emptyCallStats } from './call-stats.ts';
import type { CircuitOptions } from './circuit.ts';
import { Contracts } from './contracts.ts';
import { type DecodeStats, emptyDecodeStats, VenueDecodePipeline } from './decode-pipeline.ts';
import { DiscoveryLoop } from './discovery-loop.ts';
import type { VenueHealthBoard } from './health.ts';
import type { Transport } from './http-client.ts';
import { ListRounds } from './list-rounds.ts';
import type { CollectLogger } from './logger.ts';
import { PollLoop, type PollStats } from './poll-loop.ts';
import type { MarketSink } from './ports.ts';
import type { RejectSample } from './reject-sample.ts';
import { SilentTopics } from './silent-topics.ts';
import { StandingQuotes } from './standing-quotes.ts';
import { type StreamOptions, type StreamReport, StreamTransport } from './stream.ts';
import type { Outcome } from './transport-failure.ts';
import { type Answer, type CallTerms, VenueCaller } from './venue-caller.ts';
import { TappedLine, type Wire, type WireKind } from './wire.ts';

export interface VenueStats {
  readonly contracts: number;
  readonly circuits: Readonly<Record<string, string>>;
  readonly polls: Readonly<Record<string, PollStats>>;
  readonly streams: Readonly<Record<string, StreamReport & DecodeStats>>;
  /** Calls outside the polls. */
  readonly requests: CallStats;
  readonly discovery: CallStats | undefined;
  readonly books: BookReport | undefined;
  /** The last payload that a fault was found in. */
  readonly rejectSample: RejectSample | undefined;
}

export interface RunnerOptions {
  readonly adapter: VenueAdapter;
  /** Addresses in force. */
  readonly bases: Readonly<Record<string, string>>;
  readonly http: Transport;
  readonly budget: RateBudget;
  readonly sink: MarketSink;
  readonly health: VenueHealthBoard;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly logger: CollectLogger;
  readonly circuit: CircuitOptions;
  readonly stream: Pick<
    StreamOptions,
    'firstBackoffMs' | 'longestBackoffMs' | 'maxPayloadBytes' | 'dialGapMs'
  >;
  readonly discovered: (adapters: readonly VenueAdapter[]) => void;
  /** Books are collected where this says who keeps them. */
  readonly books?: BookCoverage | undefined;
  /** Hears what the venue sends before it is decoded. */
  readonly wire?: Wire | undefined;
}

interface RunningStream {
  readonly name: string;
  readonly transport: StreamTransport;
  readonly decode: DecodeStats;
  readonly silent: SilentTopics;
  readonly standing: StandingQuotes;
}

/** Topics are planned again after this time even when no contract came or went: volumes change their order. */
const REPLAN_MS = 600_000;
/** The first time sooner: at the start volumes are not known. */
const FIRST_REPLAN_MS = MINUTE_MS;

/** Names for a venue's polls or streams, told apart where two share one. */
function uniqueNames(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const earlier = names.slice(0, i).filter((other) => other === name).length;
    return earlier === 0 ? name : `${name}#${earlier + 1}`;
  });
}

function callerOf({ adapter, bases, http, budget, clock, circuit, wire }: RunnerOptions): VenueCaller {
  return new VenueCaller({
    venue: adapter.id,
    bases,
    headers: adapter.headers,
    http,
    budget,
    clock,
    circuit,
    wire,
  });
}

/** Everything that runs for one venue. */
export class VenueRunner {
  readonly #options: RunnerOptions;
  readonly #contracts = new Contracts();
  readonly #ready = new Latch();
  readonly #feed: VenueDecodePipeline;
  readonly #caller: VenueCaller;
  readonly #polls: ReadonlyMap<string, PollLoop>;
  readonly #streams: readonly RunningStream[];
  readonly #discovery: DiscoveryLoop | undefined;
  readonly #books: BookRunner | undefined;
  readonly #requests = emptyCallStats();
  readonly #unread: Set<string>;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
    // Every wait of every loop listens to it.
    setMaxListeners(0, this.#abort.signal);
    const { adapter, sink, health, clock, timer, random, logger } = options;
    this.#feed = new VenueDecodePipeline({
      adapter,
      contracts: this.#contracts,
      sink,
      health,
      clock,
      logger,
    });
    this.#caller = callerOf(options);
    const names = uniqueNames(adapter.polls.map((poll) => poll.call.name));
    const named = adapter.polls.map((poll, i) => [names[i] ?? poll.call.name, poll] as const);
    this.#unread = new Set(named.filter(([, poll]) => poll.kind === 'instruments').map(([name]) => name));
    const scope = {
      caller: this.#caller,
      feed: this.#feed,
      contracts: this.#contracts,
      lists: new ListRounds(this.#unread),
      ready: this.#ready,
      clock,
      timer,
      random,
      instrumentsRead: (source: string, changed: boolean) => this.#instrumentsRead(source, changed),
    };
    this.#polls = new Map(named.map(([name, poll]) => [name, new PollLoop(scope, poll, name)]));
    const streamNames = uniqueNames((adapter.streams ?? []).map((stream) => stream.name));
    this.#streams = (adapter.streams ?? []).map((stream, i) =>
      this.#makeStream(stream, `stream ${streamNames[i] ?? stream.name}`),
    );
    this.#books = this.#makeBooks();
    if (adapter.discovery !== undefined) {
      const { discovery } = adapter;
      const shared = { caller: this.#caller, feed: this.#feed, clock, timer, random };
      this.#discovery = new DiscoveryLoop({ ...shared, discovery, found: options.discovered });
    }
  }

  get adapter(): VenueAdapter {
    return this.#options.adapter;
  }

  /** Live contracts by the venue's own symbol. */
  get instruments(): ReadonlyMap<string, Instrument> {
    return this.#contracts.bySymbol;
  }

  /** Launches all loops; returns at once. */
  start(): void {
    const { signal } = this.#abort;
    if (this.#unread.size === 0) this.#ready.open();
    const loops = [...this.#polls.values()].map((poll) => poll.run(signal));
    if (this.#discovery !== undefined) loops.push(this.#discovery.run(signal));
    if (this.#streams.length > 0 || this.#books !== undefined) loops.push(this.#runStreams(signal));
    if (this.#books !== undefined) loops.push(this.#books.run(signal));
    this.#running = Promise.allSettled(loops);
  }

  /** Ends all loops and connections; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#abort.abort();
    for (const { transport } of this.#streams) transport.close();
    this.#books?.close();
    await this.#running;
  }

  /** As `stop`, and keeps nothing of the venue: it is collected no more. */
  async leave(): Promise<void> {
    const ended = this.stop();
    this.#books?.dropAll();
    await ended;
  }

  /** One call outside the polls, within the venue's budget. */
  request(request: VenueRequest, terms: Omit<CallTerms, 'stats' | 'signal'>): Promise<Outcome<Answer>> {
    return this.#caller.call(request, { ...terms, signal: this.#abort.signal, stats: this.#requests });
  }

  /** Somebody reads this contract's book. */
  wantBook(symbol: string): void {
    this.#books?.want(symbol);
  }

  /** Computed answers rest on the books of these contracts. */
  preferBooks(symbols: readonly string[]): void {
    this.#books?.prefer(symbols);
  }

  stats(): VenueStats {
    const polls = [...this.#polls].map(([name, loop]) => [name, structuredClone(loop.stats)] as const);
    const streams = this.#streams.map(
      ({ name, transport, decode }) => [name, { ...transport.stats(), ...decode }] as const,
    );
    return {
      contracts: this.#contracts.bySymbol.size,
      circuits: this.#caller.circuits(),
      polls: Object.fromEntries(polls),
      streams: Object.fromEntries(streams),
      requests: structuredClone(this.#requests),
      discovery: this.#discovery === undefined ? undefined : structuredClone(this.#discovery.stats),
      books: this.#books?.stats(),
      rejectSample: this.#feed.rejectSample,
    };
  }

  /** Quotes and streams begin once every list was asked for and there is a contract. */
  #instrumentsRead(source: string, changed: boolean): void {
    this.#unread.delete(source);
    if (this.#unread.size === 0 && this.#contracts.bySymbol.size > 0) {
      if (this.#ready.isOpen && changed) this.#refreshStreams();
      this.#ready.open();
    }
  }

  #makeStream(stream: QuoteStream, name: string): RunningStream {
    const { clock, timer, random, logger, bases } = this.#options;
    const decode = emptyDecodeStats();
    const silent = new SilentTopics(stream);
    const standing = new StandingQuotes();
    const transport = new StreamTransport({
      ...this.#options.stream,
      stream,
      bases,
      clock,
      timer,
      random,
      logger,
      plan: () => this.#contracts.plan(clock.now()),
      line: this.#lineOf('tickers', name),
      sink: {
        frame: (payload, at, connection) => {
          const { decoded, fault } = this.#feed.read(stream.call, payload, at, undefined, decode);
          silent.heard(decoded.quotes);
          const hasData = this.#feed.publish(name, decoded, at);
          if (fault !== undefined) this.#feed.failed(name, fault);
          else if (hasData) this.#feed.recovered(name);
          if (!stream.repeats) {
            standing.doubt(decoded.rejects.flatMap(({ symbol }) => symbol ?? []));
            this.#feed.restate(name, standing.take(connection, decoded.quotes, at), at);
          }
          return hasData;
        },
        lost: (_topics, connection) => standing.forget(connection),
        ended: (connection) => standing.forget(connection),
      },
      report: (reason) => {
        if (reason === undefined) this.#feed.succeeded(name);
        else this.#feed.failed(name, reason);
      },
    });
    return { name, transport, decode, silent, standing };
  }

  #makeBooks(): BookRunner | undefined {
    const { adapter, books: coverage, bases, clock, timer, random, logger } = this.#options;
    const { books } = adapter;
    if (books === undefined || coverage === undefined) return undefined;
    return new BookRunner({
      adapter,
      bases,
      books,
      coverage,
      feed: this.#feed,
      clock,
      timer,
      random,
      logger,
      stream: this.#options.stream,
      line: this.#lineOf('books', 'stream books'),
      plan: () => this.#contracts.planBooks(clock.now()),
      request: (request, terms) => this.request(request, terms),
    });
  }

  #lineOf(kind: WireKind, stream: string): TappedLine | undefined {
    const { adapter, wire } = this.#options;
    return wire === undefined ? undefined : new TappedLine(wire, { venue: adapter.id, kind, stream });
  }

  async #runStreams(signal: AbortSignal): Promise<void> {
    const { timer } = this.#options;
    await this.#ready.opened(signal);
    this.#refreshStreams();
    await sleep(timer, FIRST_REPLAN_MS, signal);
    while (!signal.aborted) {
      this.#refreshStreams();
      this.#renewSilent();
      await sleep(timer, REPLAN_MS, signal);
    }
  }

  #refreshStreams(): void {
    if (this.#abort.signal.aborted) return;
    for (const { name, transport, standing } of this.#streams) {
      standing.keepOnly(this.#contracts.bySymbol);
      this.#guard(name, () => transport.refresh());
    }
    this.#guard('books', () => this.#books?.refresh());
  }

  /** A subscription that was refused would else stay away for as long as its connection lives. */
  #renewSilent(): void {
    const { clock } = this.#options;
    for (const { name, transport, silent, standing } of this.#streams) {
      this.#guard(name, () => {
        const { topics, symbols } = silent.look(this.#contracts.plan(clock.now()));
        standing.doubt(symbols);
        for (const topic of topics) transport.renew([topic]);
      });
    }
  }

  /** A fault in an adapter's topics must not end the others. */
  #guard(name: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#feed.failed(name, `topics failed (${error instanceof Error ? error.message : 'unknown'})`);
    }
  }
}
