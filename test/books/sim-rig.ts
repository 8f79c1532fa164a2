import { basePath } from '@perpmeter/sim/bases';
import { Faults } from '@perpmeter/sim/faults';
import type { SimConnection } from '@perpmeter/sim/venue';
import { bookTime } from '@perpmeter/sim/venues/stepped-book';
import type { SimBook, SimContract, World } from '@perpmeter/sim/world';
import { BookRunner } from '../../src/collect/books/book-runner.ts';
import { Contracts } from '../../src/collect/contracts.ts';
import { VenueDecodePipeline } from '../../src/collect/decode-pipeline.ts';
import { VenueHealthBoard } from '../../src/collect/health.ts';
import { silentLogger } from '../../src/collect/logger.ts';
import { failed, type Outcome } from '../../src/collect/transport-failure.ts';
import type { Answer } from '../../src/collect/venue-caller.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import type { Poll, VenueRequest } from '../../src/venues/adapter.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { type Pairing, renderRequest } from '../venues/sim-run.ts';
import { MemoryNet, net } from './memory-socket.ts';
import type { PlainLevels } from './plain-book.ts';

/** Time of the sim's ticks and of delivery. */
const TICK_MS = 250;
/** A REST answer's way. */
const REST_MS = 120;
/** Levels of a side that are compared with the truth. */
const COMPARED = 5;

/** A contract as the service and as the world knows it. */
export interface Traded {
  readonly instrument: Instrument;
  readonly contract: SimContract;
}

/** The first contracts of a venue that it streams books of. */
export function tradedAt(pairing: Pairing, world: World, at: number, most: number): readonly Traded[] {
  const { adapter, sim } = pairing;
  const contracts = new Map(world.contracts(sim.listing).map((contract) => [contract.symbol, contract]));
  const traded: Traded[] = [];
  for (const poll of adapter.polls.filter(({ kind }) => kind === 'instruments')) {
    for (const instrument of instrumentsOf(pairing, poll, world, at)) {
      const contract = contracts.get(instrument.symbol);
      if (contract?.status !== 'live' || contract.kind !== 'perp' || contract.dead === true) continue;
      if (adapter.books?.stream?.topicOf(instrument) === undefined) continue;
      traded.push({ instrument, contract });
    }
  }
  return traded.slice(0, most);
}

function instrumentsOf(pairing: Pairing, poll: Poll, world: World, at: number): readonly Instrument[] {
  const found: Instrument[] = [];
  for (const first of poll.requests({ instruments: [], now: asMs(at) })) {
    let request: VenueRequest | undefined = first;
    for (let page = 0; request !== undefined && page < 20; page++) {
      const payload: unknown = JSON.parse(renderRequest(pairing, world, request, at)?.body ?? 'null');
      found.push(...poll.call.decode(payload, { instruments: new Map(), request }).instruments);
      request = poll.nextPage?.(payload, request);
    }
  }
  return found;
}

/** The real runner of one venue's books before its simulated socket and REST, on time of its own. */
export class SimRig {
  readonly time: ManualTime;
  readonly faults: Faults;
  readonly runner: BookRunner;
  readonly feed: BookFeed;
  readonly traded: readonly Traded[];
  readonly #pairing: Pairing;
  readonly #world: World;
  readonly #store;
  readonly #net = new MemoryNet();
  readonly #abort = new AbortController();
  readonly #truths = new Map<string, SimBook>();

  constructor(pairing: Pairing, world: World, traded: readonly Traded[], at: number, random: () => number) {
    const { adapter, served } = pairing;
    const { books } = adapter;
    if (books === undefined) throw new Error(`${adapter.id} has no books`);
    this.#pairing = pairing;
    this.#world = world;
    this.traded = traded;
    this.feed = books;
    this.time = new ManualTime(at);
    const { clock, timer } = this.time;
    this.faults = new Faults(clock);
    net.current = this.#net;
    const host = served.find(({ socket }) => socket !== undefined);
    const hostBase = Object.values(adapter.bases).map((base) => new URL(base).host);
    this.#net.at = (url) => {
      if (host === undefined || !hostBase.includes(url.host)) return undefined;
      return { venue: host, world, clock, faults: this.faults, path: url.pathname + url.search };
    };
    this.#store = createBookStore({ clock });
    const contracts = new Contracts();
    contracts.replace(
      'all',
      traded.map(({ instrument }) => instrument),
    );
    const health = new VenueHealthBoard(clock);
    const sink = { venue: () => {}, instruments: () => {}, quotes: () => {} };
    this.runner = new BookRunner({
      adapter,
      bases: adapter.bases,
      books,
      clock,
      timer,
      random,
      logger: silentLogger,
      stream: {},
      coverage: { bookSink: this.#store.bookSink, streamed: 100 },
      feed: new VenueDecodePipeline({ adapter, contracts, sink, health, clock, logger: silentLogger }),
      plan: () => contracts.plan(clock.now()),
      request: (request) => this.#request(request),
    });
    this.runner.refresh();
    void this.runner.run(this.#abort.signal);
  }

  get now(): number {
    return this.time.now;
  }

  /** Lets time pass; `look` sees every moment at which something may have changed. */
  async pass(ms: number, look: () => void = () => {}): Promise<void> {
    for (let left = ms; left > 0; left -= TICK_MS) {
      await this.#step(Math.min(left, TICK_MS));
      look();
    }
  }

  /** The served levels of a contract that count: those of a fresh quote. */
  served(symbol: string): PlainLevels | undefined {
    const { venue } = this.#pairing.adapter.books === undefined ? { venue: '' } : this.#venueOf(symbol);
    const quote = this.#store.view.quote(venue, symbol);
    if (quote === undefined || !quote.isFresh) return undefined;
    return this.#store.view.levels(venue, symbol, COMPARED);
  }

  /** True if these levels were the venue's best of a step between the two times. */
  wasTrue({ contract }: Traded, served: PlainLevels, from: number, to: number): boolean {
    for (let t = bookTime(to); t >= from; t = bookTime(t - 1)) {
      if (isSame(served, this.#truth(contract, t))) return true;
    }
    return false;
  }

  /** Describes served and true levels, for a failure's message. */
  describe({ contract }: Traded, served: PlainLevels | undefined): string {
    const { bids, asks } = this.#truth(contract, bookTime(this.now));
    const truth = { bids: bids.slice(0, COMPARED), asks: asks.slice(0, COMPARED) };
    return `${contract.symbol} at ${this.now}: ${JSON.stringify({ served, truth, stats: this.runner.stats() })}`;
  }

  close(): void {
    this.#abort.abort();
    this.runner.close();
  }

  #venueOf(symbol: string): { readonly venue: string } {
    return this.traded.find(({ instrument }) => instrument.symbol === symbol)?.instrument ?? { venue: '' };
  }

  #truth(contract: SimContract, t: number): SimBook {
    const key = `${contract.symbol} ${t}`;
    const truth = this.#truths.get(key) ?? this.#world.book(contract, t, COMPARED);
    this.#truths.set(key, truth);
    return truth;
  }

  async #step(ms: number): Promise<void> {
    await this.time.advance(ms);
    this.#net.tick();
    for (let rounds = 0; this.#net.pump() && rounds < 20; rounds++) await this.time.advance(0);
  }

  /** The book of the moment in the middle of the way. */
  #request(request: VenueRequest): Promise<Outcome<Answer>> {
    return new Promise((resolve) => {
      this.time.timer(REST_MS / 2, () => {
        const response = renderRequest(this.#pairing, this.#world, request, this.now);
        this.time.timer(REST_MS / 2, () => {
          if (response?.status !== 200) resolve(failed('status', `${request.path} ${response?.status}`));
          else
            resolve({ ok: true, value: { payload: JSON.parse(response.body), receivedAt: asMs(this.now) } });
        });
      });
    });
  }
}

/** True if the simulated venue's socket sends book frames of the subscribed topics. */
export function carriesBooks(pairing: Pairing, world: World, at: number): boolean {
  const { adapter, served } = pairing;
  const stream = adapter.books?.stream;
  const host = served.find(({ socket }) => socket !== undefined);
  const [one] = tradedAt(pairing, world, at, 1);
  const topic = one && stream?.topicOf(one.instrument);
  if (stream === undefined || host === undefined || topic === undefined) return false;
  let tagged = 0;
  const base = basePath(adapter.bases[stream.base] ?? 'ws://unnamed');
  const connection: SimConnection = {
    path: base + stream.path,
    send: (_, about) => {
      tagged += about === undefined ? 0 : 1;
    },
    close: () => {},
  };
  const session = host.socket?.(connection, world);
  session?.onTick(at);
  for (const frame of stream.subscribe([topic], 1)) session?.onMessage(frame);
  for (let i = 1; i <= 5; i++) session?.onTick(at + i * 1000);
  return tagged > 0;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));
}

function isSame(served: PlainLevels, truth: SimBook): boolean {
  return isSameSide(served.bids, truth.bids) && isSameSide(served.asks, truth.asks);
}

function isSameSide(served: PlainLevels['bids'], truth: SimBook['bids']): boolean {
  return served.every(([price, size], rank) => {
    const level = truth[rank];
    return level !== undefined && isNear(price, level[0]) && isNear(size, level[1]);
  });
}
