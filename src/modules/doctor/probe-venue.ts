import { Contracts } from '../../collect/contracts.ts';
import { silentLogger } from '../../collect/logger.ts';
import { StreamTransport } from '../../collect/stream.ts';
import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import { asMs } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { forEachConcurrent } from '../../runtime/for-each-concurrent.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type {
  PlanContext,
  Poll,
  Stream,
  VenueAdapter,
  VenueCall,
  VenueRequest,
} from '../../venues/adapter.ts';
import { BOOK_BOUND, LIST_BOUND, pageBound, pollBound } from '../../venues/answer-bound.ts';
import { keepPayload, readInto, recordOf } from './call-log.ts';
import { type CallRecord, mergeQuote, type VenueProbe } from './venue-probe.ts';
import { type Terms, VisitCall, type VisitOptions } from './visit-call.ts';

export interface ProbeOptions extends VisitOptions {
  readonly timer: Timer;
  /** Time between the two looks at the quotes, ms; 0 = one look. */
  readonly gapMs: number;
  /** The time that a stream may take to its first data, ms. */
  readonly streamMs: number;
  /** Keep a redacted payload of every call. */
  readonly keepPayloads: boolean;
  /** Sub-venues that the venue lists. */
  readonly discovered: (adapters: readonly VenueAdapter[]) => void;
}

/** Contracts that are asked for one by one, and pages that are followed, at most. */
const SAMPLED = 40;
const MAX_PAGES = 100;
const MAX_CONCURRENT = 8;
/** Frames for each topic of a stream, where it has several, after which nothing new is expected. */
const FRAMES_PER_TOPIC = 3;
const HISTORY_MS = 3 * DAY_MS;

/** Requests everything of a venue once, and its quotes twice. Never rejects. */
export function probeVenue(options: ProbeOptions): Promise<VenueProbe> {
  return new Prober(options).run();
}

class Prober {
  readonly #options: ProbeOptions;
  readonly #visit: VisitCall;
  readonly #contracts = new Contracts();
  readonly #probe: VenueProbe;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#visit = new VisitCall(options);
    const { adapter, bases } = options;
    this.#probe = {
      adapter,
      bases,
      calls: new Map(),
      rounds: [new Map(), new Map()],
      instruments: new Map(),
      gapMs: undefined,
      isComplete: false,
    };
  }

  async run(): Promise<VenueProbe> {
    const { adapter, gapMs, timer, clock, signal } = this.#options;
    const ofKind = (kind: Poll['kind']): readonly Poll[] =>
      adapter.polls.filter((poll) => poll.kind === kind);
    await this.#discover();
    for (const poll of ofKind('instruments')) await this.#poll(poll, 0);
    const startedAt = clock.now();
    const quotes = ofKind('quotes');
    await this.#look(quotes, 0);
    await Promise.all([this.#streams(), this.#books(), this.#backfill()]);
    if (gapMs > 0) {
      await sleep(timer, startedAt + gapMs - clock.now(), signal);
      this.#probe.gapMs = clock.now() - startedAt;
      await this.#look(quotes, 1);
    }
    this.#probe.isComplete = !signal.aborted;
    return { ...this.#probe, instruments: this.#contracts.bySymbol };
  }

  /** Calls of all contracts first: they tell which contracts are traded most. */
  async #look(quotes: readonly Poll[], round: 0 | 1): Promise<void> {
    const isSpread = (poll: Poll): boolean => poll.spread === true;
    await Promise.all(quotes.filter((poll) => !isSpread(poll)).map((poll) => this.#poll(poll, round)));
    await Promise.all(quotes.filter(isSpread).map((poll) => this.#poll(poll, round)));
  }

  async #discover(): Promise<void> {
    const { discovery } = this.#options.adapter;
    if (discovery === undefined) return;
    const record = this.#record('sub-venues', 'discovery');
    const terms = { weight: discovery.weight, maxBytes: LIST_BOUND };
    const answer = await this.#visit.send(record, discovery.request, terms);
    if (!answer.ok) return;
    const found = discovery.adapters(record.keys.watch(answer.value.payload));
    record.rows += found.length;
    this.#options.discovered(found);
  }

  async #poll(poll: Poll, round: 0 | 1): Promise<void> {
    const { timer, clock, signal } = this.#options;
    const { call, kind, spread, hasCoarseStamps, weight, pool } = poll;
    const terms = { weight, pool, maxBytes: pollBound(poll) };
    const record = this.#record(call.name, kind, hasCoarseStamps);
    const found: Instrument[] = [];
    const requests = poll.requests(this.#contracts.plan(clock.now()));
    const task = async (request: VenueRequest): Promise<void> => {
      let next: VenueRequest | undefined = request;
      for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
        const asked: VenueRequest = next;
        const reading = await this.#read(record, call, asked, terms, round);
        found.push(...(reading?.decoded?.instruments ?? []));
        next = reading === undefined ? undefined : poll.nextPage?.(reading.payload, asked);
      }
    };
    const sampled = spread === true ? requests.slice(0, SAMPLED) : requests;
    await forEachConcurrent(sampled, task, {
      clock,
      timer,
      signal,
      concurrency: MAX_CONCURRENT,
      spreadMs: 0,
    });
    if (kind === 'instruments') this.#contracts.replace(call.name, found);
  }

  async #read(
    record: CallRecord,
    call: VenueCall,
    request: VenueRequest,
    terms: Terms,
    round: 0 | 1 = 0,
  ): Promise<{ readonly payload: unknown; readonly decoded: Decoded | undefined } | undefined> {
    const answer = await this.#visit.send(record, request, terms);
    if (!answer.ok) return undefined;
    const { payload, receivedAt } = answer.value;
    return { payload, decoded: this.#decode(record, call, payload, receivedAt, round, request) };
  }

  #decode(
    record: CallRecord,
    call: VenueCall,
    payload: unknown,
    receivedAt: UnixMs,
    round: 0 | 1,
    request?: VenueRequest,
  ): Decoded | undefined {
    const context = {
      instruments: this.#contracts.bySymbol,
      receivedAt,
      markOf: (symbol: string) => this.#contracts.markOf(symbol),
      ...(request !== undefined && { request }),
    };
    const decoded = readInto(record, call, payload, context, round);
    if (this.#options.keepPayloads) keepPayload(record, payload, request, decoded);
    if (decoded !== undefined) {
      this.#contracts.noteVolumes(decoded.quotes);
      for (const patch of decoded.quotes) mergeQuote(this.#probe.rounds[round], patch);
    }
    return decoded;
  }

  async #streams(): Promise<void> {
    await Promise.all((this.#options.adapter.streams ?? []).map((stream) => this.#follow(stream, 'stream')));
  }

  async #books(): Promise<void> {
    const { books } = this.#options.adapter;
    const { instruments } = this.#contracts.planBooks(this.#options.clock.now());
    const [contract] = instruments;
    if (books === undefined || contract === undefined) return;
    const { stream, rest } = books;
    if (rest !== undefined) {
      const request = { ...rest.request(contract), symbol: contract.symbol };
      await this.#read(this.#record(`${rest.call.name} (book)`, 'books'), rest.call, request, {
        weight: rest.weight,
        pool: rest.pool,
        maxBytes: BOOK_BOUND,
      });
    }
    if (stream === undefined) return;
    const topics = instruments.flatMap((instrument) => stream.topicOf(instrument) ?? []).slice(0, 1);
    await this.#follow({ ...stream, name: 'books', topics: () => topics }, 'books');
  }

  async #backfill(): Promise<void> {
    const { adapter, clock } = this.#options;
    const now = clock.now();
    const [contract] = this.#contracts.plan(now).instruments;
    if (contract === undefined) return;
    for (const past of adapter.backfill ?? []) {
      const request = past.request(contract, asMs(now - HISTORY_MS), now);
      const record = this.#record(`${past.call.name} (past ${past.kind})`, 'past');
      await this.#read(record, past.call, request, {
        weight: past.weight ?? 1,
        pool: past.pool,
        maxBytes: pageBound(past),
      });
    }
  }

  /** Follows a stream until every topic had its say, or the time is over. */
  async #follow(stream: Stream, kind: 'stream' | 'books'): Promise<void> {
    const { clock, signal, streamMs } = this.#options;
    const record = this.#record(`stream ${stream.name}`, kind);
    const { instruments } = this.#contracts.plan(clock.now());
    const plan = { instruments: instruments.slice(0, SAMPLED), now: clock.now() };
    const topics = stream.topics(plan).length;
    if (topics === 0) return;
    record.asked++;
    const wanted = kind === 'books' || topics === 1 ? 1 : topics * FRAMES_PER_TOPIC;
    const { connects, frames } = await this.#listen(stream, record, plan, wanted);
    if (record.rows > 0) {
      record.answered++;
      record.failures.clear();
    } else if (!signal.aborted) {
      const said = connects === 0 ? 'no connection' : `connected, ${frames} frames, no data`;
      record.failures.add(`${said} within ${streamMs / 1000} s`);
    }
  }

  /** Connects and subscribes until so many frames carried data. Returns what the connections counted. */
  async #listen(stream: Stream, record: CallRecord, plan: PlanContext, wanted: number) {
    const { timer, clock, signal, streamMs, bases } = this.#options;
    const enough = new AbortController();
    let received = 0;
    const transport = new StreamTransport({
      stream,
      bases,
      timer,
      clock,
      random: Math.random,
      logger: silentLogger,
      plan: () => plan,
      report: (reason) => void (reason !== undefined && record.failures.add(reason)),
      sink: {
        frame: (payload, at) => {
          const before = record.rows;
          this.#decode(record, stream.call, payload, at, 0);
          if (record.rows > before && ++received >= wanted) enough.abort();
          return record.rows > before;
        },
      },
    });
    transport.refresh();
    await sleep(timer, streamMs, AbortSignal.any([signal, enough.signal]));
    transport.close();
    return transport.stats();
  }

  #record(name: string, kind: CallRecord['kind'], isCoarse?: boolean): CallRecord {
    return recordOf(this.#probe.calls, name, kind, isCoarse);
  }
}
