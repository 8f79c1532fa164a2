import { describe, expect, it } from 'vitest';
import { asBase, asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import { completenessOf, LIQUIDATIONS } from '../../src/modules/events/completeness.ts';
import { Deduplicator, type RepeatRule, repeatRuleOf } from '../../src/modules/events/deduplicator.ts';
import type { LiquidationEvent, TradeEvent } from '../../src/modules/events/event-rows.ts';
import { Random } from '../soak/random.ts';
import { type BrokenFeed, type BrokenFeedOptions, brokenFeed, largestASecond } from './broken-feed.ts';
import { decodeCase } from './decode-case.ts';
import { EVENT_FRAMES } from './event-frames.ts';

const HOUR = 3_600_000;
const dedup = <Event extends LiquidationEvent | TradeEvent>(
  rule: RepeatRule,
  windowMs = HOUR,
  maxEvents = 1e6,
) => new Deduplicator<Event>({ rule, windowMs, maxEvents });

/** The events that come out of a feed. */
function taken({ frames }: BrokenFeed, rule: RepeatRule): LiquidationEvent[] {
  const state = dedup<LiquidationEvent>(rule);
  return frames.flatMap((frame) => state.take(frame).fresh);
}

const textOf = ({ symbol, time, id = '', side, sizeRaw, price }: LiquidationEvent): string =>
  `${symbol} ${time} ${id} ${side} ${sizeRaw} ${price}`;
const sorted = (events: readonly LiquidationEvent[]): string[] => events.map(textOf).sort();
const sum = (events: readonly LiquidationEvent[]): number =>
  events.reduce((total, { sizeUsd = 0 }) => total + sizeUsd, 0);

const feed = (seed: number, options: Omit<BrokenFeedOptions, 'random'>): BrokenFeed =>
  brokenFeed({ random: new Random(seed), ...options });

const trade = (more: Partial<TradeEvent> = {}): TradeEvent => ({
  symbol: 'BTCUSDT',
  time: asMs(1_793_715_316_170),
  takerSide: 'buy',
  price: asPrice(100),
  sizeRaw: 1,
  sizeUnit: 'base',
  sizeBase: asBase(1),
  sizeUsd: asUsd(100),
  ...more,
});

describe('events over connections that break', () => {
  it('ids and back-fill, 10,000 breaks: every event once, sums equal', () => {
    const broken = feed(1, { breaks: 10_000, hasIds: true, history: 8, backfills: true });
    const events = taken(broken, 'id');
    expect(sorted(events)).toEqual(sorted(broken.truth));
    expect(sum(events)).toBe(sum(broken.truth));
  });

  it('no ids and no back-fill, 10,000 breaks: what was sent, once', () => {
    const broken = feed(2, { breaks: 10_000, hasIds: false, history: 8, backfills: false });
    expect(broken.sent.length).toBeLessThan(broken.truth.length);
    const events = taken(broken, 'frame');
    expect(sorted(events)).toEqual(sorted(broken.sent));
    expect(sum(events)).toBe(sum(broken.sent));
  });

  it('a throttled venue, 10,000 breaks: what its rule lets through', () => {
    const broken = feed(3, { breaks: 10_000, hasIds: false, history: 0, backfills: false, throttled: true });
    const events = taken(broken, 'frame');
    expect(sorted(events)).toEqual(sorted(broken.sent));
    expect(sorted(events)).toEqual(sorted(largestASecond(events)));
    expect(events.length).toBeLessThan(broken.truth.length);
  });

  it('memory: bounded, whatever comes', () => {
    const state = dedup<LiquidationEvent>('id', HOUR, 500);
    const { frames } = feed(4, { breaks: 2000, hasIds: true, history: 3, backfills: false });
    const sizes = frames.map((frame) => {
      state.take(frame);
      return state.remembered;
    });
    const most = Math.max(...sizes);
    expect(most).toBeLessThan(600);
    expect(state.horizon).toBeGreaterThan(0);
  });
});

describe('one event and its repeats', () => {
  it('two equal rows of one frame: two; the same frame again: none', () => {
    const given = EVENT_FRAMES.find(
      ({ venue, liquidations = [] }) => venue === 'bybit' && liquidations.length === 3,
    );
    if (given === undefined) throw new Error('no frame of three rows');
    const { liquidations: events } = decodeCase(given);
    const state = dedup<LiquidationEvent>(repeatRuleOf('bybit', 'liquidations'));
    expect(state.take({ events, connection: 1 }).fresh).toHaveLength(3);
    expect(state.take({ events, connection: 1 })).toEqual({ fresh: [], repeated: 3, tooOld: 0 });
  });

  it('equal trades of one connection: two; its history and the next: none', () => {
    const state = dedup<TradeEvent>('connection');
    const live = { events: [trade()], connection: 1 };
    expect([state.take(live).fresh.length, state.take(live).fresh.length]).toEqual([1, 1]);
    const history = trade({ isHistory: true });
    expect(state.take({ events: [history, history], connection: 1 }).fresh).toEqual([]);
    expect(state.take({ events: [history, history, history], connection: 2 }).fresh).toHaveLength(1);
  });

  it('a snapshot of bitget that an update repeats: one', () => {
    const state = dedup<TradeEvent>(repeatRuleOf('bitget', 'trades'));
    const events = [trade({ id: '9', isHistory: true })];
    expect(state.take({ events, connection: 1 }).fresh).toHaveLength(1);
    expect(state.take({ events: [trade({ id: '9' })], connection: 1 }).fresh).toEqual([]);
  });

  it('both positions of one id, and an RPI trade of it: all', () => {
    const state = dedup<TradeEvent>('id');
    const events = [
      trade({ id: '1' }),
      trade({ id: '1', takerSide: 'sell' }),
      trade({ id: '1', mark: 'rpi' }),
    ];
    expect(state.take({ events, connection: 1 }).fresh).toHaveLength(3);
  });

  it('too coarse to be told: never a repeat', () => {
    const state = dedup<TradeEvent>(repeatRuleOf('hibachi', 'trades'));
    const events = [trade()];
    expect(state.take({ events, connection: 1 }).fresh).toHaveLength(1);
    expect(state.take({ events, connection: 1 }).fresh).toHaveLength(1);
  });

  it('history of weeks ago, as of dydx: too old, counted, not taken', () => {
    const state = dedup<TradeEvent>('id', HOUR);
    state.take({ events: [trade({ id: 'now' })], connection: 1 });
    const old = trade({ id: 'old', isHistory: true, time: asMs(1_793_715_316_170 - 19 * 24 * HOUR) });
    expect(state.take({ events: [old], connection: 2 })).toEqual({ fresh: [], repeated: 0, tooOld: 1 });
  });

  it('the rule of every venue: as its frames have ids', () => {
    for (const given of EVENT_FRAMES.filter(({ path }) => path === undefined)) {
      const { liquidations, trades } = decodeCase(given);
      const hasIds = (events: readonly { readonly id?: string }[]) =>
        events.every(({ id }) => id !== undefined);
      const venue = given.venue;
      if (liquidations.length > 0 && completenessOf(venue)?.completeness !== 'not_published')
        expect(hasIds(liquidations), venue).toBe(repeatRuleOf(venue, 'liquidations') === 'id');
      if (trades.length > 0 && venue !== 'bingx')
        expect(hasIds(trades), venue).toBe(repeatRuleOf(venue, 'trades') === 'id');
    }
    expect(Object.keys(LIQUIDATIONS).map((venue) => repeatRuleOf(venue, 'liquidations'))).toContain('id');
  });
});
