import { describe, expect, it } from 'vitest';
import { BookSync } from '../../src/collect/books/book-sync.ts';
import type { BookLevel } from '../../src/domain/book.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { INCREASING, WHOLE_BOOKS } from '../../src/venues/book-continuity.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { contract } from './book-rig.ts';
import { frameOf } from './frame-of.ts';
import { modelFeed, RULES } from './model-venue.ts';

const NOW = asMs(1_700_000_000_000);
const later = (ms: number): UnixMs => asMs(NOW + ms);

function open(feed: Partial<BookFeed> = {}) {
  const store = createBookStore({ clock: { now: () => NOW } });
  const base = modelFeed(RULES['changes joined with a REST book']);
  const sync = new BookSync(
    { ...base, ...feed },
    store.keeper.open(contract('v', 'A'), { uncrosses: false }),
  );
  return { sync, levels: () => store.view.levels('v', 'A', 100), top: () => store.view.top('v', 'A') };
}

const whole = (sequence: number, bid = 99, ask = 101) =>
  frameOf({ symbol: 'A', kind: 'snapshot', bids: [[bid, 1]], asks: [[ask, 1]], sequence });

const change = (previousSequence: number, sequence: number, bids: BookLevel[], asks: BookLevel[] = []) =>
  frameOf({ symbol: 'A', kind: 'delta', bids, asks, sequence, previousSequence });

describe('a book that waits', () => {
  it('applies what came while its whole book was on the way, and nothing from before it', () => {
    const { sync, levels } = open();
    sync.frame(change(8, 10, [[98, 10]]), NOW);
    sync.frame(change(10, 12, [[97, 12]]), NOW);
    sync.frame(change(12, 15, [[96, 15]]), NOW);
    expect(levels()).toBeUndefined();
    expect(sync.held).toBe(3);
    expect(sync.seed(whole(11), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids).toEqual([
      [99, 1],
      [97, 12],
      [96, 15],
    ]);
    expect(sync.last).toBe(15);
  });

  it('needs a later whole book where its changes begin after the end of the one that came', () => {
    const { sync, levels } = open();
    sync.frame(change(20, 21, [[98, 10]]), NOW);
    expect(sync.seed(whole(15), NOW, undefined)).toBe('old_seed');
    expect(levels()).toBeUndefined();
    expect(sync.held).toBe(1);
    expect(sync.seed(whole(20), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids[1]).toEqual([98, 10]);
  });

  it('keeps of broken changes those from the break on', () => {
    const { sync, levels } = open();
    sync.frame(change(10, 11, [[98, 1]]), NOW);
    sync.frame(change(13, 14, [[97, 1]]), NOW);
    sync.frame(change(14, 15, [[96, 1]]), NOW);
    expect(sync.seed(whole(10), NOW, undefined)).toBe('gap');
    expect(sync.held).toBe(2);
    expect(sync.seed(whole(13), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids.map(([price]) => price)).toEqual([99, 97, 96]);
  });

  it('may take its whole book late, from the stream', () => {
    const { sync, levels } = open({ start: 'frame' });
    sync.frame(change(5, 6, [[98, 6]]), NOW);
    expect(sync.frame(whole(5), NOW)).toBeUndefined();
    expect(levels()?.bids).toHaveLength(2);
  });

  it('finds a gap between its whole book and the first change after it', () => {
    const { sync, levels } = open();
    sync.seed(whole(10), NOW, undefined);
    expect(levels()).toBeDefined();
    expect(sync.frame(change(11, 12, [[98, 1]]), NOW)).toBe('gap');
    expect(levels()).toBeUndefined();
  });

  it('forgets the oldest of too many changes', () => {
    const { sync } = open();
    for (let i = 0; i < 1500; i++) sync.frame(change(i, i + 1, [[98, 1]]), NOW);
    expect(sync.held).toBe(1000);
    expect(sync.seed(whole(100), NOW, undefined)).toBe('old_seed');
    expect(sync.seed(whole(1200), NOW, undefined)).toBeUndefined();
    expect(sync.last).toBe(1500);
  });
});

describe('a book in order', () => {
  it('breaks at a gap, and is not served from that moment', () => {
    const { sync, levels } = open();
    sync.seed(whole(1), NOW, undefined);
    expect(sync.frame(change(1, 2, [[98, 1]]), NOW)).toBeUndefined();
    expect(levels()).toBeDefined();
    expect(sync.frame(change(3, 4, [[97, 1]]), NOW)).toBe('gap');
    expect(sync.isLive).toBe(false);
    expect(levels()).toBeUndefined();
    expect(sync.held).toBe(1);
  });

  it('does not go back to an earlier whole book after a break, but does where the venue goes on counting there', () => {
    const { sync, levels } = open({ start: 'frame' });
    sync.frame(whole(100), NOW);
    sync.break(NOW);
    expect(sync.frame(whole(90), later(1000))).toBe('old_seed');
    expect(levels()).toBeUndefined();
    expect(sync.frame(whole(1), later(40_000))).toBeUndefined();
    expect(levels()).toBeDefined();
  });

  it('takes any whole book on a new connection', () => {
    const { sync } = open({ start: 'frame' });
    sync.frame(whole(100), NOW);
    sync.disconnect(NOW);
    expect(sync.isLive).toBe(false);
    expect(sync.frame(whole(3), NOW)).toBeUndefined();
  });

  it('breaks at an endless run of messages from before it', () => {
    const { sync } = open();
    sync.seed(whole(1000), NOW, undefined);
    const faults = Array.from({ length: 150 }, (_, i) => sync.frame(change(i, i + 1, [[98, 1]]), NOW));
    expect(faults.indexOf('stale_run')).toBe(100);
  });

  it('is not served while crossed, and breaks when it stays so', () => {
    const { sync, levels, top } = open();
    sync.seed(whole(1), NOW, undefined);
    expect(sync.frame(change(1, 2, [[102, 1]]), NOW)).toBeUndefined();
    expect(levels()).toBeUndefined();
    expect(sync.isLive).toBe(true);
    expect(sync.frame(change(2, 3, [[102, 0]]), later(500))).toBeUndefined();
    expect(top()?.bestBid).toBe(99);
    sync.frame(change(3, 4, [[102, 1]]), later(1000));
    expect(sync.overdue(later(1900))).toBeUndefined();
    expect(sync.overdue(later(2100))).toBe('crossed');
    expect(sync.frame(change(4, 5, [[103, 1]]), later(2200))).toBe('crossed');
    expect(sync.isLive).toBe(false);
  });
});

describe('books whose losses do not show', () => {
  it('take holes in growing numbers for nothing, and break at a step back', () => {
    const { sync } = open({ start: 'frame', continuity: INCREASING });
    sync.frame(whole(1), NOW);
    expect(sync.frame(change(0, 9, [[98, 1]]), NOW)).toBeUndefined();
    expect(sync.frame(change(0, 9, [[98, 1]]), NOW)).toBeUndefined();
    expect(sync.frame(change(0, 8, [[98, 1]]), NOW)).toBe('gap');
  });

  it('take the later of whole books by the time that they state', () => {
    const { sync, top } = open({ start: 'frame', continuity: WHOLE_BOOKS });
    const at = (ms: number, bid: number) =>
      frameOf({ symbol: 'A', kind: 'snapshot', bids: [[bid, 1]], asks: [[200, 1]], venueTime: later(ms) });
    sync.frame(at(0, 10), NOW);
    sync.frame(at(500, 20), NOW);
    sync.frame(at(300, 15), NOW);
    expect(top()?.bestBid).toBe(20);
  });
});
