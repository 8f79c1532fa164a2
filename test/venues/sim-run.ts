import { gunzipSync } from 'node:zlib';
import { basePath } from '@perpmeter/sim/bases';
import type { SimResponse, SimVenue } from '@perpmeter/sim/venue';
import type { World } from '@perpmeter/sim/world';
import type { BookUpdate } from '../../src/domain/book.ts';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import type { Reject } from '../../src/domain/reject.ts';
import { asMs } from '../../src/domain/units.ts';
import type {
  DecodeContext,
  Decoder,
  PlanContext,
  Poll,
  Stream,
  VenueAdapter,
  VenueRequest,
} from '../../src/venues/adapter.ts';

/** An adapter with the simulated venues behind its address: its own first, then the parent and its others. */
export interface Pairing {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  readonly served: readonly SimVenue[];
}

/** One payload on its way through a decoder. */
export interface RecordedCall {
  readonly name: string;
  readonly kind: 'instruments' | 'quotes' | 'stream';
  readonly text: string;
  readonly payload: unknown;
  readonly decode: Decoder;
  readonly context: DecodeContext;
  readonly decoded: Decoded;
}

/** All that an adapter learns of its simulated venue at one moment. */
export interface Run {
  readonly at: number;
  readonly calls: readonly RecordedCall[];
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** Last value of each field by symbol, a poll's before a stream's and the other way round. */
  readonly quotes: ReadonlyMap<string, QuotePatch>;
  readonly streamedLast: ReadonlyMap<string, QuotePatch>;
  readonly books: readonly BookUpdate[];
  readonly rejects: readonly Reject[];
  /** Weight a second that polling costs by the venue's own count, each poll at its pace. */
  readonly weightPerSecond: number;
  /** Calls and streams that could not be rendered or decoded at all. */
  readonly problems: readonly string[];
}

/** Pages of one poll followed at most. */
const MAX_PAGES = 50;
/** Stream ticks after subscribing. */
const TICKS = 3;

/** Asks everything that the adapter polls and streams, in memory, at one time of the world. */
export function runAdapter(pairing: Pairing, world: World, at: number): Run {
  const run = new Runner(pairing, world, at);
  const { adapter } = pairing;
  for (const poll of adapter.polls.filter((poll) => poll.kind === 'instruments')) run.poll(poll);
  for (const poll of adapter.polls.filter((poll) => poll.kind === 'quotes')) run.poll(poll);
  for (const stream of adapter.streams ?? []) run.stream(stream);
  return run;
}

class Runner implements Run {
  readonly at: number;
  readonly calls: RecordedCall[] = [];
  readonly instruments = new Map<string, Instrument>();
  readonly #polled = new Map<string, QuotePatch>();
  #snapshot: ReadonlyMap<string, Instrument> | undefined;
  readonly #streamed = new Map<string, QuotePatch>();
  readonly books: BookUpdate[] = [];
  readonly rejects: Reject[] = [];
  readonly problems: string[] = [];
  weightPerSecond = 0;
  /** Both are asked for contract by contract, after the last payload. */
  #quotes: ReadonlyMap<string, QuotePatch> | undefined;
  #streamedLast: ReadonlyMap<string, QuotePatch> | undefined;
  readonly #pairing: Pairing;
  readonly #world: World;

  constructor(pairing: Pairing, world: World, at: number) {
    this.#pairing = pairing;
    this.#world = world;
    this.at = at;
  }

  get quotes(): ReadonlyMap<string, QuotePatch> {
    this.#quotes ??= overlaid(this.#streamed, this.#polled);
    return this.#quotes;
  }

  get streamedLast(): ReadonlyMap<string, QuotePatch> {
    this.#streamedLast ??= overlaid(this.#polled, this.#streamed);
    return this.#streamedLast;
  }

  poll(poll: Poll): void {
    for (const planned of poll.requests(this.#plan())) {
      let request: VenueRequest | undefined = planned;
      for (let page = 0; request !== undefined && page < MAX_PAGES; page++) {
        const payload = this.#ask(poll, request);
        request = payload === undefined ? undefined : poll.nextPage?.(payload, request);
      }
    }
  }

  /** Follows a stream as a client would: connect, subscribe, some ticks. Time stands still meanwhile. */
  stream(stream: Stream): void {
    const topics = stream.topics(this.#plan());
    const { topicsPerConnection, topicsPerFrame } = stream;
    for (const connection of chunks(topics, topicsPerConnection).slice(0, stream.maxConnections)) {
      const frames: (string | Buffer)[] = [];
      const session = this.#open(stream, frames);
      if (session === undefined) {
        this.problems.push(`stream ${stream.name}: no simulated venue takes a socket at ${stream.path}`);
        return;
      }
      session.onTick(this.at);
      chunks(connection, topicsPerFrame).forEach((some, i) => {
        for (const frame of stream.subscribe(some, i + 1)) session.onMessage(frame);
      });
      for (let i = 0; i < TICKS; i++) session.onTick(this.at);
      for (const frame of frames) this.#frame(stream, frame);
    }
  }

  /** The contracts as a decoder sees them; copied again after each list. */
  #known(): ReadonlyMap<string, Instrument> {
    this.#snapshot ??= new Map(this.instruments);
    return this.#snapshot;
  }

  #plan(): PlanContext {
    return { instruments: [...this.instruments.values()], now: asMs(this.at) };
  }

  #context(request?: VenueRequest): DecodeContext {
    return {
      instruments: this.#known(),
      receivedAt: asMs(this.at),
      ...(request === undefined ? {} : { request }),
    };
  }

  #ask(poll: Poll, request: VenueRequest): unknown {
    const name = `${poll.call.name} ${request.method} ${request.path}`;
    const response = renderRequest(this.#pairing, this.#world, request, this.at);
    if (response?.status !== 200) {
      this.problems.push(`${name}: simulated venue answers ${response?.status ?? 'nothing'}`);
      return undefined;
    }
    this.weightPerSecond += ((response.weight ?? 1) * 1000) / poll.everyMs;
    return this.#take(name, poll.kind, response.body, poll.call.decode, this.#context(request));
  }

  #open(stream: Stream, frames: (string | Buffer)[]) {
    const { adapter, served } = this.#pairing;
    const base = adapter.bases[stream.base];
    if (base === undefined) return undefined;
    const connection = {
      path: basePath(base) + stream.path,
      send: (frame: string | Buffer) => void frames.push(frame),
      close: () => void this.problems.push(`stream ${stream.name}: closed by the venue`),
    };
    const host = served.find((stream) => stream.socket !== undefined);
    return host?.socket?.(connection, this.#world);
  }

  #frame(stream: Stream, frame: string | Buffer): void {
    let text: string;
    try {
      text = unpack(stream, frame);
    } catch (error) {
      this.problems.push(`stream ${stream.name}: a frame cannot be unpacked: ${String(error)}`);
      return;
    }
    this.#take(`stream ${stream.name}`, 'stream', text, stream.call.decode, this.#context());
  }

  #take(
    name: string,
    kind: RecordedCall['kind'],
    text: string,
    decode: Decoder,
    context: DecodeContext,
  ): unknown {
    let payload: unknown;
    try {
      payload = JSON.parse(text);
    } catch {
      if (kind !== 'stream') this.problems.push(`${name}: no JSON: ${text.slice(0, 60)}`);
      return undefined;
    }
    const decoded = this.#decode(name, payload, decode, context);
    if (decoded === undefined) return undefined;
    this.calls.push({ name, kind, text, payload, decode, context, decoded });
    if (decoded.instruments.length > 0) this.#snapshot = undefined;
    // As for the collector, other calls than the list are no source of contracts where it has them.
    for (const instrument of decoded.instruments) {
      const isListed = kind !== 'instruments' && this.instruments.has(instrument.symbol);
      if (!isListed) this.instruments.set(instrument.symbol, instrument);
    }
    this.#quotes = undefined;
    this.#streamedLast = undefined;
    mergeQuotes(kind === 'stream' ? this.#streamed : this.#polled, decoded.quotes);
    this.books.push(...decoded.books);
    this.rejects.push(...decoded.rejects);
    return payload;
  }

  #decode(name: string, payload: unknown, decode: Decoder, context: DecodeContext): Decoded | undefined {
    try {
      return decode(payload, context);
    } catch (error) {
      this.problems.push(`${name}: the decoder threw ${String(error)}`);
      return undefined;
    }
  }
}

/** Writes patches over earlier ones, field by field. */
export function mergeQuotes(into: Map<string, QuotePatch>, patches: readonly QuotePatch[]): void {
  for (const patch of patches) into.set(patch.symbol, { ...into.get(patch.symbol), ...patch });
}

function overlaid(
  below: ReadonlyMap<string, QuotePatch>,
  above: ReadonlyMap<string, QuotePatch>,
): ReadonlyMap<string, QuotePatch> {
  const both = new Map<string, QuotePatch>();
  mergeQuotes(both, [...below.values()]);
  mergeQuotes(both, [...above.values()]);
  return both;
}

/** The answer of the simulated venue behind the adapter's address. */
export function renderRequest(
  pairing: Pairing,
  world: World,
  request: VenueRequest,
  at: number,
): SimResponse | undefined {
  const base = pairing.adapter.bases[request.base ?? 'rest'];
  if (base === undefined) return undefined;
  const [path = '', search = ''] = split(basePath(base) + request.path);
  const simRequest = {
    method: request.method,
    path,
    query: new URLSearchParams(search),
    body: request.body ?? '',
    now: at,
  };
  for (const sim of pairing.served) {
    const response = sim.rest(simRequest, world);
    if (response !== undefined) return response;
  }
  return undefined;
}

function split(target: string): [string, string] {
  const q = target.indexOf('?');
  return q < 0 ? [target, ''] : [target.slice(0, q), target.slice(q + 1)];
}

function unpack(stream: Stream, frame: string | Buffer): string {
  if (typeof frame === 'string') return frame;
  return (stream.compression === 'gzip' ? gunzipSync(frame) : frame).toString('utf8');
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  const out: T[][] = [];
  for (let i = 0; i < list.length; i += size) out.push(list.slice(i, i + size));
  return out;
}

/** Adapters that have a simulated venue, sub-venues found by discovery included. */
export function pairingsOf(
  adapters: readonly VenueAdapter[],
  sims: readonly SimVenue[],
  world: World,
  at: number,
): Pairing[] {
  const pairs: Pairing[] = [];
  for (const adapter of adapters) {
    const sim = sims.find((sim) => sim.id === adapter.id);
    if (sim === undefined) continue;
    const pairing = pairingOf(adapter, sim, sims);
    pairs.push(pairing);
    if (adapter.discovery === undefined) continue;
    const answer = renderRequest(pairing, world, adapter.discovery.request, at);
    if (answer?.status !== 200) continue;
    pairs.push(...pairingsOf(adapter.discovery.adapters(JSON.parse(answer.body)), sims, world, at));
  }
  return pairs;
}

function pairingOf(adapter: VenueAdapter, sim: SimVenue, sims: readonly SimVenue[]): Pairing {
  const host = sims.find((other) => other.id === sim.parent) ?? sim;
  return { adapter, sim, served: [host, ...sims.filter((sim) => sim.parent === host.id)] };
}
