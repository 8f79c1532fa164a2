import type { EventSink } from '../../api/http/event-sink.ts';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { DUE_MS, paidUntil } from './meter.ts';
import type { Filter } from './selection.ts';
import { extendPath } from './stream-purchase.ts';
import type { Credit, Phase, StreamRecord } from './stream-record.ts';
import { sumsOf } from './stream-state.ts';
import type { TopicBoard } from './topic-board.ts';

/** A stream that has readers in this process. */
export interface OpenStream {
  /** As it was last read from the store. */
  record: StreamRecord;
  readonly filter: Filter;
  readonly readers: Set<Reader>;
  /** Undefined until it was first looked at. */
  phase: Phase | undefined;
  /** True while its next state is not stored: its readers get nothing meanwhile. */
  isHeld: boolean;
  /** Steady time since which it has had no row to tell; undefined while it has. */
  silentSince: number | undefined;
  /** Credits that readers have heard of since it is open: their number, and the latest of them. */
  creditCount: number;
  credits: readonly Credit[];
}

/**
 * A reader gets all rows because it is new, its id is not of this run, or the changes since its id, since it read too slowly or since
 * it was paused are no longer kept.
 */
type WholeReason = 'start' | 'unknown_id' | 'too_old' | 'behind' | 'paused';

/** The position that an id names. */
interface Position {
  readonly whole: WholeReason | undefined;
  /** Look up to which the reader has everything. */
  readonly sent: number;
  /** Number of its last event. */
  readonly count: number;
}

/** Stands for the run in ids of events before the first snapshot: their reader holds no rows that changes could be added to. */
const NO_RUN = '00000000';

/** Reads `<run>-<look>-<number>`, as a reader sent it: its events are numbered on, whatever run it is of. */
export function positionOf(id: string | undefined, run: string, look: number): Position {
  if (id === undefined) return { whole: 'start', sent: look, count: 0 };
  const [, ofRun = '', at = '', number = ''] = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  const count = Number(number);
  if (ofRun === NO_RUN) return { whole: 'start', sent: look, count };
  const isKnown = ofRun === run && Number(at) <= look;
  return isKnown ? { whole: undefined, sent: Number(at), count } : { whole: 'unknown_id', sent: look, count };
}

export type ClosingReason = 'shutdown' | 'replaced' | 'unpaid' | 'no_data';

export interface ReaderParts {
  readonly sink: EventSink;
  readonly address: string;
  readonly stream: OpenStream;
  readonly board: TopicBoard;
  readonly run: string;
  readonly lastId: string | undefined;
  /** Hears that several changes were sent as one, or all rows again. */
  readonly conflated: () => void;
}

/**
 * One reader of a stream. The events that it lacks are derived from where the stream stands, so that nothing waits for it but what
 * its connection holds: one event at most beyond what it takes at once.
 */
export class Reader {
  readonly sink: EventSink;
  readonly address: string;
  readonly stream: OpenStream;
  readonly openedAt = performance.now();
  /** Since when it has not been served, for want of minutes or of rows; undefined while it is. */
  unservedSince: number | undefined;
  readonly #parts: ReaderParts;
  #whole: WholeReason | undefined;
  /** The cause for which it may have missed changes; undefined while it hears of each look. */
  #missedBy: WholeReason | undefined = 'too_old';
  #sent: number;
  #count: number;
  #told: Phase = 'served';
  #creditsSeen: number;
  /** End of paid minutes that the last event `due` has named. */
  #dueAt: number | undefined;

  constructor(parts: ReaderParts) {
    const { sink, address, stream, board, run, lastId } = parts;
    this.#parts = parts;
    this.sink = sink;
    this.address = address;
    this.stream = stream;
    const { whole, sent, count } = positionOf(lastId, run, board.look);
    this.#whole = whole;
    this.#sent = sent;
    this.#count = count;
    this.#creditsSeen = stream.creditCount;
  }

  /** Since when it has not taken what waits; undefined while nothing does. */
  get waitsSince(): number | undefined {
    return this.sink.waitsSince;
  }

  /** Tells all that it has not been told, as far as it takes it. */
  tell(now: number): void {
    if (this.waitsSince !== undefined) return;
    const { phase } = this.stream;
    if (phase === undefined || !this.#tellCredits() || !this.#tellPhase(phase) || phase !== 'served') return;
    if (this.#tellRows(now)) this.#tellDue(now);
  }

  /** It has heard nothing of a look or more: something waited for it, or its stream was held. */
  missed(): void {
    this.#missedBy ??= 'behind';
  }

  /** Ends its connection with an event that says why. */
  close(reason: ClosingReason): void {
    this.#send('closing', { reason, ...sumsOf(this.stream.record) });
    this.sink.end(reason);
  }

  #tellCredits(): boolean {
    const { record, credits, creditCount } = this.stream;
    while (this.#creditsSeen < creditCount) {
      const credit = credits.at(this.#creditsSeen - creditCount);
      this.#creditsSeen += 1;
      if (credit === undefined) continue;
      const { at, minutes, reason } = credit;
      if (!this.#send('credited', { at: iso(asMs(at)), minutes, reason, ...sumsOf(record) })) return false;
    }
    return true;
  }

  #tellPhase(phase: Phase): boolean {
    if (phase === 'served') this.unservedSince = undefined;
    else this.unservedSince ??= performance.now();
    if (phase === this.#told) return true;
    const before = this.#told;
    const { record } = this.stream;
    this.#told = phase;
    if (phase === 'served') {
      this.#missedBy = 'paused';
      return this.#send('resumed', { reason: before, ...sumsOf(record) });
    }
    return this.#send('paused', {
      reason: phase,
      extend: extendPath(record.id, record.selection.uses),
      ...sumsOf(record),
    });
  }

  #tellRows(now: number): boolean {
    const { board, conflated } = this.#parts;
    const { filter } = this.stream;
    const { look } = board;
    const missed = this.#whole === undefined ? board.since(this.#sent, filter) : undefined;
    // A fault while rows are read must leave the position as it is: the reader gets them in the next turn.
    const { text, isEmpty } = missed ?? board.snapshot(filter);
    const head = `{"at":"${iso(asMs(now))}"`;
    const from = this.#sent;
    const isLate = this.#missedBy !== undefined;
    const reason = this.#whole ?? this.#missedBy ?? 'behind';
    this.#whole = undefined;
    this.#missedBy = undefined;
    this.#sent = look;
    if (missed === undefined) {
      if (reason !== 'start') conflated();
      return this.#write('snapshot', `${head},"reason":"${reason}","topics":${text}}`);
    }
    if (isEmpty) return true;
    if (!isLate) return this.#write('change', `${head},"topics":${text}}`);
    conflated();
    return this.#write('conflated', `${head},"looks":${look - from},"topics":${text}}`);
  }

  #tellDue(now: number): void {
    const { record } = this.stream;
    const end = paidUntil(record.meter, record.selection.uses, now);
    if (end === undefined || end - now > DUE_MS || end === this.#dueAt) return;
    this.#dueAt = end;
    const { id, selection } = record;
    const extend = extendPath(id, selection.uses);
    this.#send('due', { ends_at: iso(asMs(end)), extend, ...sumsOf(record) });
  }

  #send(event: string, data: object): boolean {
    return this.#write(event, JSON.stringify(data));
  }

  #write(event: string, data: string): boolean {
    this.#count += 1;
    const run = this.#whole === undefined ? this.#parts.run : NO_RUN;
    return this.sink.send(event, data, `${run}-${this.#sent}-${this.#count}`);
  }
}
