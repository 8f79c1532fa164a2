import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventSink } from '../../src/api/http/event-sink.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { makeInstrument, makeMarket } from '../../src/market/market-fixture.ts';
import { StreamDesk } from '../../src/modules/paid-stream/desk.ts';
import { StreamHall } from '../../src/modules/paid-stream/hall.ts';
import type { Reader } from '../../src/modules/paid-stream/reader.ts';
import { type AskedSelection, readSelection } from '../../src/modules/paid-stream/selection.ts';
import type { StreamRecord } from '../../src/modules/paid-stream/stream-record.ts';
import { openStreamStore, type StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { TopicBoard } from '../../src/modules/paid-stream/topic-board.ts';
import { atOnce } from '../at-once.ts';
import { frameOf } from '../books/frame-of.ts';

export interface Heard {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the data of every event
  readonly data: any;
}

/** A connection of a reader that takes everything, unless the test says otherwise. */
export class HeardSink implements EventSink {
  readonly heard: Heard[] = [];
  isOpen = true;
  waitsSince: number | undefined;
  #isTaking = true;
  /** Bytes that wait where it takes nothing. */
  waiting = 1;
  ended = false;
  destroyed = false;

  /** Told to take again, it has taken what waited. */
  set isTaking(isTaking: boolean) {
    this.#isTaking = isTaking;
    if (isTaking) this.waitsSince = undefined;
  }

  begin(): void {}

  send(event: string, data: string, id = ''): boolean {
    this.heard.push({ id, event, data: JSON.parse(data) });
    if (!this.#isTaking) this.waitsSince ??= performance.now();
    return this.#isTaking;
  }

  beat(): void {}

  end(): void {
    this.ended = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  get names(): readonly string[] {
    return this.heard.map(({ event }) => event);
  }

  get last(): Heard | undefined {
    return this.heard.at(-1);
  }
}

/** A market on a clock of the test. */
export function streamMarket() {
  const fixture = makeMarket();
  let setBy = 0;
  const clock = { now: () => asMs(fixture.now() + setBy) };
  /** Sets the clock that minutes are measured by. */
  const setClock = (ms: number): void => {
    setBy += ms;
  };
  const asked = new Set<string>();
  const books = createBookStore({
    clock: { now: fixture.now },
    wanted: (venue, symbol) => asked.add(`${venue} ${symbol}`),
  });
  /** The book of BTC on a venue, with so much on each side. */
  const fillBook = (venue: string, bid: number, ask: number, amount: number): void => {
    const writer = books.bookSink.open(makeInstrument({ venue }), { uncrosses: false });
    const sides = { bids: [[bid, amount]], asks: [[ask, amount]] } as const;
    const frame = frameOf({ symbol: 'BTCUSDT', kind: 'snapshot', ...sides });
    writer.replace(frame, fixture.now(), { source: 'rest' });
  };
  return {
    ...fixture,
    clock,
    setClock,
    elapsed: fixture.now,
    asked,
    fillBook,
    ports: { market: fixture.market.view, books: books.view, clock: { now: fixture.now } },
  };
}
export type StreamMarket = ReturnType<typeof streamMarket>;

interface RigOptions {
  readonly folder?: string;
  readonly owner?: string;
  /** True: minutes are there once they are sold; default: as soon as they are asked for. */
  readonly isCharging?: boolean;
  /** Left out: of its own folder. */
  readonly store?: StreamStore;
}

/** Paid streams over a market, in a process that may be killed. */
export function streamRig(rig: StreamMarket, options: RigOptions = {}) {
  const {
    folder = mkdtempSync(join(tmpdir(), 'paid-streams-')),
    owner = 'one',
    isCharging = false,
    store = openStreamStore(folder),
  } = options;
  const { clock, ports, elapsed } = rig;
  const faults: unknown[] = [];
  const onError = (cause: unknown): void => void faults.push(cause);
  const board = new TopicBoard(ports, onError);
  const hall = new StreamHall({ store, board, clock, elapsed, owner, onError });
  const readers = (id: string): number => hall.readersOf(id);
  const desk = new StreamDesk({ store, clock, isCharging, readers });
  let isOpen = true;
  /** The process is gone without a word. */
  const kill = async (): Promise<void> => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  return {
    folder,
    store,
    board,
    hall,
    desk,
    faults,
    kill,
    record: (id: string): StreamRecord => desk.find(id) as StreamRecord,
    /** A stream with so many paid minutes; its id. */
    buy: (minutes: number, asked: AskedSelection = { symbol: 'BTC' }): string => {
      const selection = readSelection(asked, rig.market.view);
      if (!selection.ok) throw new Error(selection.error.detail);
      return atOnce(desk.offer(selection.value, minutes)).id;
    },
    /** A reader of a stream, which has had its first events. */
    read: async (id: string, lastId?: string, sink = new HeardSink()) => {
      const reader: Reader = hall.enter(desk.find(id) as StreamRecord, sink, 'address', lastId);
      await new Promise((resolve) => setImmediate(resolve));
      return { reader, sink };
    },
    /** Turns of a second each. */
    turn: (seconds = 1): void => {
      for (let second = 0; second < seconds; second += 1) {
        rig.pass(1000);
        hall.turn();
      }
    },
    close: async (): Promise<void> => {
      if (isOpen) await hall.stop();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
