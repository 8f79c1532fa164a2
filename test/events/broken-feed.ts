import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import type { ArrivedFrame } from '../../src/modules/events/deduplicator.ts';
import type { LiquidationEvent } from '../../src/modules/events/event-rows.ts';
import type { Random } from '../soak/random.ts';

/** A simulated venue over connections that break. */
export interface BrokenFeedOptions {
  readonly random: Random;
  /** Connections that end. */
  readonly breaks: number;
  /** Events have ids. */
  readonly hasIds: boolean;
  /** Most events that a subscription repeats. */
  readonly history: number;
  /** After a break REST is asked for what was missed, and some of what was not. */
  readonly backfills: boolean;
  /** Most events a contract and second that the venue lets through; the largest of them. */
  readonly throttled?: true;
}

export interface BrokenFeed {
  /** Frames in the order in which they arrive. */
  readonly frames: readonly ArrivedFrame<LiquidationEvent>[];
  /** The events that the venue sent, each once: all that one can know. */
  readonly sent: readonly LiquidationEvent[];
  /** The events that happened. */
  readonly truth: readonly LiquidationEvent[];
}

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const;
const START = 1_793_715_000_000;

const whole = (random: Random, below: number): number => Math.floor(random.next() * below);

function eventAt(random: Random, time: number, id: number | undefined): LiquidationEvent {
  const price = 100 + whole(random, 5);
  const size = 1 + whole(random, 4);
  return {
    symbol: SYMBOLS[whole(random, SYMBOLS.length)] ?? 'BTCUSDT',
    time: asMs(time),
    ...(id !== undefined && { id: String(id) }),
    side: random.next() < 0.5 ? 'long' : 'short',
    priceKind: 'fill',
    price: asPrice(price),
    sizeRaw: size,
    sizeUnit: 'base',
    sizeBase: asBase(size),
    sizeUsd: asUsd(size * price),
  };
}

/** The largest of each contract and second. */
export function largestASecond(events: readonly LiquidationEvent[]): readonly LiquidationEvent[] {
  const largest = new Map<string, LiquidationEvent>();
  for (const event of events) {
    const key = `${event.symbol} ${Math.floor(event.time / 1000)}`;
    const held = largest.get(key);
    if (held === undefined || event.sizeRaw > held.sizeRaw) largest.set(key, event);
  }
  const kept = new Set(largest.values());
  return events.filter((event) => kept.has(event));
}

/** Frames of a moment each: events of one frame may be equal, those of different frames never are. */
function moments(options: BrokenFeedOptions, from: number, firstId: number): LiquidationEvent[][] {
  const { random, hasIds, throttled } = options;
  let id = firstId;
  return Array.from({ length: 1 + whole(random, 6) }, (_, at) => {
    const time = from + at * 1000;
    const one = () => eventAt(random, time + (throttled ? whole(random, 900) : 0), hasIds ? id++ : undefined);
    const events = Array.from({ length: 1 + whole(random, 4) }, one);
    const again = events[0];
    return hasIds || again === undefined || random.next() < 0.7 ? events : [...events, { ...again }];
  });
}

/** Plays connections that begin with history, repeat frames, end, and leave gaps that REST fills or nothing does. */
export function brokenFeed(options: BrokenFeedOptions): BrokenFeed {
  const { random, breaks, history, backfills, throttled } = options;
  const frames: ArrivedFrame<LiquidationEvent>[] = [];
  const sent: LiquidationEvent[] = [];
  const truth: LiquidationEvent[] = [];
  const past: LiquidationEvent[][] = [];
  let time = START;
  let connection = 0;
  for (let broken = 0; broken < breaks; broken++) {
    connection++;
    const repeated = past.slice(past.length - whole(random, history + 1)).map((events) => ({
      events: events.map((event) => ({ ...event, isHistory: true as const })),
      connection,
    }));
    if (history > 0) frames.push(...repeated);
    const happened = moments(options, time, truth.length);
    time += 10_000;
    const cut = whole(random, happened.length + 1);
    for (const [at, all] of happened.entries()) {
      truth.push(...all);
      const events = throttled ? largestASecond(all) : all;
      const isSeen = at < cut;
      if (isSeen || backfills) sent.push(...events);
      if (isSeen) frames.push({ events, connection });
      if (isSeen && random.next() < 0.3)
        frames.push({ events: events.map((event) => ({ ...event })), connection });
      if (isSeen || backfills) past.push([...events]);
    }
    if (backfills) {
      connection++;
      for (const events of past.slice(-happened.length - whole(random, 5)))
        frames.push({ events, connection });
    }
  }
  return { frames, sent, truth };
}
