import type { LiquidationEvent, TradeEvent } from './event-rows.ts';

/**
 * The rule by which a row is known as one that came before.
 *
 * - `id`: by the venue's id.
 * - `frame`: by its values, where a venue repeats frames: equal rows of one frame are several events, and the same rows of
 *   another frame are these again.
 * - `connection`: by its values, where only history repeats: a connection brings each trade once, beside the history that
 *   it begins with, and another connection may bring it again in its history.
 * - `never`: values are too coarse to tell a repeat from a second event.
 */
export type RepeatRule = 'id' | 'frame' | 'connection' | 'never';

/** One frame as it came. */
export interface ArrivedFrame<Event> {
  readonly events: readonly Event[];
  /** Rises with each connection, and with each answer of REST, which is one of its own. */
  readonly connection: number;
}

/** The events of a frame that had not come before, and how many others there were. */
export interface TakenFrame<Event> {
  readonly fresh: readonly Event[];
  readonly repeated: number;
  /** Older than what is remembered: no repeat could be told. Counted, and not taken. */
  readonly tooOld: number;
}

export interface DeduplicatorOptions {
  readonly rule: RepeatRule;
  /** Time for which events are remembered behind the newest one, ms of the venues' own times. */
  readonly windowMs: number;
  /** Most events that are remembered; the oldest are forgotten, which makes the window shorter. */
  readonly maxEvents: number;
}

/** The occurrences of one key, by the part of a connection that brought them. */
interface Count {
  source: number;
  live: number;
  history: number;
  /** The number of events of this key: the most that one part brought. */
  events: number;
}

const BUCKET_MS = 60_000;

const sideOf = (event: LiquidationEvent | TradeEvent): string =>
  'side' in event ? event.side : event.takerSide;

/** Identifies an event by its values, as `id` does where a venue gives one. */
function keyOf(event: LiquidationEvent | TradeEvent, rule: RepeatRule): string {
  const { symbol, id, time, price, sizeRaw } = event;
  const mark = 'mark' in event ? event.mark : '';
  if (rule === 'id' && id !== undefined) return `${symbol} ${mark} ${sideOf(event)} ${id}`;
  return `${symbol} ${mark} ${sideOf(event)} ${time} ${price} ${sizeRaw}`;
}

/**
 * Takes each event of one venue and kind once, over reconnects, repeated frames, history on subscribing and back-fill. It
 * has no clock: what it remembers is bounded by the times of the events.
 */
export class Deduplicator<Event extends LiquidationEvent | TradeEvent> {
  readonly #options: DeduplicatorOptions;
  /** By minute of the event, so that whole minutes are forgotten. */
  readonly #minutes = new Map<number, Map<string, Count>>();
  #newest = Number.NEGATIVE_INFINITY;
  /** Events before this time are forgotten. */
  #horizon = Number.NEGATIVE_INFINITY;
  #remembered = 0;
  #frames = 0;

  constructor(options: DeduplicatorOptions) {
    this.#options = options;
  }

  /** Events that are remembered. */
  get remembered(): number {
    return this.#remembered;
  }

  /** Time before which events are too old to be told from repeats, ms. */
  get horizon(): number {
    return this.#horizon;
  }

  take({ events, connection }: ArrivedFrame<Event>): TakenFrame<Event> {
    this.#frames++;
    const { rule } = this.#options;
    if (rule === 'never') return { fresh: events, repeated: 0, tooOld: 0 };
    const source = rule === 'connection' ? connection : this.#frames;
    const known = events.filter(({ time }) => time >= this.#horizon);
    const fresh = known.filter((event) => this.#isFresh(event, source));
    this.#forget();
    return { fresh, repeated: known.length - fresh.length, tooOld: events.length - known.length };
  }

  #isFresh(event: Event, source: number): boolean {
    const { rule } = this.#options;
    const count = this.#countOf(event.time, keyOf(event, rule));
    if (event.time > this.#newest) this.#newest = event.time;
    if (count.source !== source) {
      count.source = source;
      count.live = 0;
      count.history = 0;
    }
    const isHistory = rule === 'connection' && event.isHistory === true;
    const came = isHistory ? ++count.history : ++count.live;
    const most = rule === 'id' && event.id !== undefined ? 1 : came;
    if (most <= count.events) return false;
    count.events = most;
    return true;
  }

  #countOf(time: number, key: string): Count {
    const minute = Math.floor(time / BUCKET_MS);
    let keys = this.#minutes.get(minute);
    if (keys === undefined) {
      keys = new Map();
      this.#minutes.set(minute, keys);
    }
    let count = keys.get(key);
    if (count === undefined) {
      count = { source: -1, live: 0, history: 0, events: 0 };
      keys.set(key, count);
      this.#remembered++;
    }
    return count;
  }

  /** Drops minutes behind the window, and the oldest ones beyond the bound. */
  #forget(): void {
    const { windowMs, maxEvents } = this.#options;
    const oldest = Math.floor((this.#newest - windowMs) / BUCKET_MS);
    if (this.#remembered <= maxEvents && oldest * BUCKET_MS <= this.#horizon) return;
    const minutes = [...this.#minutes.keys()].sort((a, b) => a - b);
    for (const minute of minutes) {
      if (minute >= oldest && this.#remembered <= maxEvents) break;
      this.#remembered -= this.#minutes.get(minute)?.size ?? 0;
      this.#minutes.delete(minute);
      this.#horizon = Math.max(this.#horizon, (minute + 1) * BUCKET_MS);
    }
    this.#horizon = Math.max(this.#horizon, oldest * BUCKET_MS);
  }
}

/** Venues whose trades have no id and a time too coarse to be told apart. */
const UNTELLABLE: ReadonlySet<string> = new Set(['hibachi', 'bingx', 'orderly']);
/** Venues whose trades have no id, and a finer time. */
const WITHOUT_TRADE_ID: ReadonlySet<string> = new Set(['phemex', 'nado']);
/** Venues whose liquidations have no id. */
const WITHOUT_LIQUIDATION_ID: ReadonlySet<string> = new Set([
  'binance',
  'aster',
  'bybit',
  'okx',
  'bitget',
  'gate',
  'htx',
  'backpack',
  'nado',
]);

/** The rule for events of a venue. */
export function repeatRuleOf(venue: string, kind: 'liquidations' | 'trades'): RepeatRule {
  if (kind === 'liquidations') return WITHOUT_LIQUIDATION_ID.has(venue) ? 'frame' : 'id';
  if (UNTELLABLE.has(venue)) return 'never';
  return WITHOUT_TRADE_ID.has(venue) ? 'connection' : 'id';
}
