import { randomUUID } from 'node:crypto';
import { type EventSink, HEARTBEAT_MS } from '../../api/http/event-sink.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Failure } from '../../domain/errors.ts';
import { Due } from '../../runtime/due.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { isPaid } from './meter.ts';
import { MinuteKeeper } from './minute-keeper.ts';
import { payable } from './payable.ts';
import { Places } from './places.ts';
import { type OpenStream, Reader } from './reader.ts';
import { type Filter, filterOf } from './selection.ts';
import type { StreamRecord } from './stream-record.ts';
import type { StreamStore } from './stream-store.ts';
import { Telling } from './telling.ts';
import type { TopicBoard } from './topic-board.ts';

/** The hall looks, begins minutes and tells this often. */
export const TURN_MS = SECOND_MS;
/** Readers of one stream at a time: another one takes the place of the oldest. */
const MOST_OF_STREAM = 2;
const TRIM_MS = 60 * MINUTE_MS;

const SHUTTING_DOWN: Failure = {
  code: 'shutting_down',
  detail: 'The service is restarting. The stream can be opened again in a moment.',
  retryAfterSeconds: 5,
};

export interface HallOptions {
  readonly store: StreamStore;
  readonly board: TopicBoard;
  readonly clock: Clock;
  /** Steady time, ms: it passes evenly, however the clock is set. Left out: of this process. */
  readonly elapsed?: () => number;
  /** Names this process in the store. */
  readonly owner: string;
  /**
   * Hears a fault: of the store, by which nothing is served until the next turn, which tries again; or of what one reader was to be
   * told, which gets it in the next turn.
   */
  readonly onError: (cause: unknown) => void;
}

/**
 * Serves paid streams to their readers: in each turn it begins the minutes that are needed, stores them, looks at the topics once,
 * and tells every reader what is new to it.
 */
export class StreamHall {
  /** Events since the start; `begun` and `credited` count paid minutes. */
  readonly counts = {
    opened: 0,
    refused: 0,
    conflated: 0,
    cut: 0,
    begun: 0,
    credited: 0,
    failures: 0,
  };
  readonly #options: HallOptions;
  readonly #keeper: MinuteKeeper;
  readonly #run = randomUUID().slice(0, 8);
  readonly #streams = new Map<string, OpenStream>();
  readonly #places = new Places({
    left: (reader) => this.#left(reader),
    cut: () => {
      this.counts.cut += 1;
    },
  });
  /** Streams whose first reader has come since the last turn. */
  readonly #fresh = new Set<OpenStream>();
  readonly #telling = new Telling((reader) => this.#tell(reader));
  #closed = false;
  readonly #due = {
    beat: new Due(HEARTBEAT_MS),
    trim: new Due(TRIM_MS),
  };

  constructor(options: HallOptions) {
    this.#options = options;
    const { store, board, clock, owner, elapsed = () => performance.now() } = options;
    this.#keeper = new MinuteKeeper({ store, board, clock, owner, elapsed, counts: this.counts });
  }

  /** Streams that have readers here. */
  get size(): number {
    return this.#streams.size;
  }

  get readers(): number {
    return this.#places.all.length;
  }

  readersOf(id: string): number {
    return this.#streams.get(id)?.readers.size ?? 0;
  }

  /** The reason for which no reader is taken any more; undefined while it serves. */
  get stopping(): Failure | undefined {
    return this.#closed ? SHUTTING_DOWN : undefined;
  }

  /** The reason for which no reader of a stream is taken; nothing is used by it. */
  refusal(address: string, record: StreamRecord): Failure | undefined {
    const refusal = this.#refusal(address, record);
    if (refusal !== undefined) this.counts.refused += 1;
    return refusal;
  }

  #refusal(address: string, { meter, selection }: StreamRecord): Failure | undefined {
    if (this.stopping !== undefined) return this.stopping;
    const { board, clock } = this.#options;
    const isPaying = isPaid(meter, selection.uses, clock.now());
    return this.#places.refusal(address, isPaying) ?? board.refusal(filterOf(selection));
  }

  /**
   * Takes a reader of a stream, which gets its first events within this turn of the event loop or the next.
   *
   * @param lastId id of the last event that it has, as it sent it
   * @throws what the topics throw when they are read first; then nothing is begun or used
   */
  enter(record: StreamRecord, sink: EventSink, address: string, lastId: string | undefined): Reader {
    const { board } = this.#options;
    this.#places.letGo();
    const filter = this.#streams.get(record.id)?.filter ?? filterOf(record.selection);
    board.want(filter);
    sink.begin({ taken: () => this.drained(reader), closed: () => this.leave(reader) });
    this.#places.makeRoom();
    const stream = this.#open(record, filter);
    const [oldest] = stream.readers;
    if (oldest !== undefined && stream.readers.size >= MOST_OF_STREAM) this.#places.end(oldest, 'replaced');
    const conflated = (): void => {
      this.counts.conflated += 1;
    };
    const reader = new Reader({ sink, address, stream, board, run: this.#run, lastId, conflated });
    stream.readers.add(reader);
    this.#places.add(reader);
    this.counts.opened += 1;
    if (this.#fresh.size === 0) setImmediate(() => this.#tried(() => this.#begin()));
    this.#fresh.add(stream);
    return reader;
  }

  #open(record: StreamRecord, filter: Filter): OpenStream {
    const known = this.#streams.get(record.id);
    if (known !== undefined) return known;
    const stream: OpenStream = {
      record,
      filter,
      readers: new Set(),
      phase: undefined,
      isHeld: true,
      silentSince: undefined,
      creditCount: 0,
      credits: [],
    };
    this.#streams.set(record.id, stream);
    return stream;
  }

  /** The connection of a reader is closed. */
  leave(reader: Reader): void {
    this.#places.remove(reader);
  }

  #left(reader: Reader): void {
    const { readers, record } = reader.stream;
    if (readers.delete(reader) && readers.size === 0) this.#streams.delete(record.id);
  }

  /** A reader has taken what waited for it. */
  drained(reader: Reader): void {
    reader.missed();
    this.#places.taken(reader);
    this.#tell(reader);
  }

  /** Begins minutes, looks, and tells; and what has to be done every so often. */
  turn(): void {
    if (this.#closed) return;
    const { board, store, clock } = this.#options;
    this.#places.letGo();
    store.refresh();
    const streams = payable(this.#streams.values(), store, clock.now());
    board.lookAt(streams.map(({ filter }) => filter));
    this.#fresh.clear();
    for (const { isHeld, readers } of streams) if (isHeld) for (const reader of readers) reader.missed();
    this.#advance(streams, () => this.#telling.begin(this.#places.all));
    this.#upkeep();
  }

  /** The first events of readers that have just come. */
  #begin(): void {
    this.#places.letGo();
    // Nothing begins for one that is gone again.
    const fresh = [...this.#fresh].filter(({ readers }) => readers.size > 0);
    this.#fresh.clear();
    if (this.#closed) return;
    this.#advance(fresh, () => {
      for (const { readers } of fresh) for (const reader of readers) this.#tell(reader);
    });
  }

  /**
   * Takes each stream to its next state, stored before it counts.
   *
   * @param tell tells readers, but for those of streams that are held: called again once a server has answered
   */
  #advance(streams: readonly OpenStream[], tell: () => void): void {
    void this.#tried(() => {
      const advanced = this.#keeper.advance(streams);
      return advanced instanceof Promise ? advanced.then(tell) : undefined;
    });
    tell();
  }

  /** Tells a reader what is new to it. A fault of one reader keeps no other from its events. */
  #tell(reader: Reader): void {
    const isReady = reader.waitsSince === undefined && !reader.stream.isHeld;
    if (this.#closed || !isReady || !this.#places.has(reader)) return;
    void this.#tried(() => reader.tell(this.#options.clock.now()));
    this.#places.told(reader);
  }

  #upkeep(): void {
    const at = performance.now();
    const { beat, trim } = this.#due;
    void this.#tried(() => {
      if (beat.comes(at)) this.#places.beat(at);
    });
    void this.#tried(() => this.#keeper.upkeep());
    if (trim.comes(at)) this.#trim();
  }

  /** Lets go of what is old, part by part. */
  #trim(): void {
    const { store, clock } = this.#options;
    void this.#tried(() =>
      soon(store.trim(clock.now()), (hasMore) => {
        if (hasMore && !this.#closed) setImmediate(() => this.#trim());
      }),
    );
  }

  /** Credits what it breaks off, tells every reader to come back, and takes no more. Rejects never. */
  stop(): Soon<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#telling.stop();
    const left = this.#tried(() => this.#keeper.leave(this.#streams.values()));
    return soon(left, () => {
      for (const reader of this.#places.all) reader.close('shutdown');
    });
  }

  /** Work with the store, whose fault ends neither the turn nor the process. */
  #tried(work: () => Soon<void>): Soon<void> {
    try {
      const done = work();
      return done instanceof Promise ? done.catch((cause: unknown) => this.#fault(cause)) : done;
    } catch (cause) {
      this.#fault(cause);
    }
  }

  #fault(cause: unknown): void {
    this.counts.failures += 1;
    this.#options.onError(cause);
  }
}
