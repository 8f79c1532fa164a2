import { describe, expect, it } from 'vitest';
import { BookSync } from '../../src/collect/books/book-sync.ts';
import type { BookLevel } from '../../src/domain/book.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { INCREASING, SNAPSHOTS_ONLY } from '../../src/venues/book-continuity.ts';
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
    store.bookSink.open(contract('v', 'A'), { uncrosses: false }),
  );
  return { sync, levels: () => store.view.levels('v', 'A', 100), top: () => store.view.top('v', 'A') };
}

const whole = (sequence: number, bid = 99, ask = 101) =>
  frameOf({ symbol: 'A', kind: 'snapshot', bids: [[bid, 1]], asks: [[ask, 1]], sequence });

const change = (previousSequence: number, sequence: number, bids: BookLevel[], asks: BookLevel[] = []) =>
  frameOf({ symbol: 'A', kind: 'delta', bids, asks, sequence, previousSequence });

describe('a book waiting for its snapshot', () => {
  it('applies the deltas buffered since the snapshot, and none before it', () => {
    const { sync, levels } = open();
    sync.frame(change(8, 10, [[98, 10]]), NOW);
    sync.frame(change(10, 12, [[97, 12]]), NOW);
    sync.frame(change(12, 15, [[96, 15]]), NOW);
    expect(levels()).toBeUndefined();
    expect(sync.buffered).toBe(3);
    expect(sync.applySnapshot(whole(11), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids).toEqual([
      [99, 1],
      [97, 12],
      [96, 15],
    ]);
    expect(sync.lastSequence).toBe(15);
  });

  it('deltas that start after the snapshot: a later one is needed', () => {
    const { sync, levels } = open();
    sync.frame(change(20, 21, [[98, 10]]), NOW);
    expect(sync.applySnapshot(whole(15), NOW, undefined)).toBe('old_seed');
    expect(levels()).toBeUndefined();
    expect(sync.buffered).toBe(1);
    expect(sync.applySnapshot(whole(20), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids[1]).toEqual([98, 10]);
  });

  it('keeps the buffered deltas from the gap on', () => {
    const { sync, levels } = open();
    sync.frame(change(10, 11, [[98, 1]]), NOW);
    sync.frame(change(13, 14, [[97, 1]]), NOW);
    sync.frame(change(14, 15, [[96, 1]]), NOW);
    expect(sync.applySnapshot(whole(10), NOW, undefined)).toBe('gap');
    expect(sync.buffered).toBe(2);
    expect(sync.applySnapshot(whole(13), NOW, undefined)).toBeUndefined();
    expect(levels()?.bids.map(([price]) => price)).toEqual([99, 97, 96]);
  });

  it('accepts a late snapshot from the stream', () => {
    const { sync, levels } = open({ initialSnapshot: 'stream' });
    sync.frame(change(5, 6, [[98, 6]]), NOW);
    expect(sync.frame(whole(5), NOW)).toBeUndefined();
    expect(levels()?.bids).toHaveLength(2);
  });

  it('detects a gap between the snapshot and the first delta', () => {
    const { sync, levels } = open();
    sync.applySnapshot(whole(10), NOW, undefined);
    expect(levels()).toBeDefined();
    expect(sync.frame(change(11, 12, [[98, 1]]), NOW)).toBe('gap');
    expect(levels()).toBeUndefined();
  });

  it('drops the oldest buffered deltas above its limit', () => {
    const { sync } = open();
    for (let i = 0; i < 1500; i++) sync.frame(change(i, i + 1, [[98, 1]]), NOW);
    expect(sync.buffered).toBe(1000);
    expect(sync.applySnapshot(whole(100), NOW, undefined)).toBe('old_seed');
    expect(sync.applySnapshot(whole(1200), NOW, undefined)).toBeUndefined();
    expect(sync.lastSequence).toBe(1500);
  });
});

describe('a live book', () => {
  it('is invalidated at a sequence gap', () => {
    const { sync, levels } = open();
    sync.applySnapshot(whole(1), NOW, undefined);
    expect(sync.frame(change(1, 2, [[98, 1]]), NOW)).toBeUndefined();
    expect(levels()).toBeDefined();
    expect(sync.frame(change(3, 4, [[97, 1]]), NOW)).toBe('gap');
    expect(sync.isLive).toBe(false);
    expect(levels()).toBeUndefined();
    expect(sync.buffered).toBe(1);
  });

  it('a snapshot older than the break: rejected unless continued', () => {
    const { sync, levels } = open({ initialSnapshot: 'stream' });
    sync.frame(whole(100), NOW);
    sync.break(NOW);
    expect(sync.frame(whole(90), later(1000))).toBe('old_seed');
    expect(levels()).toBeUndefined();
    expect(sync.frame(whole(1), later(40_000))).toBeUndefined();
    expect(levels()).toBeDefined();
  });

  it('accepts any snapshot on a new connection', () => {
    const { sync } = open({ initialSnapshot: 'stream' });
    sync.frame(whole(100), NOW);
    sync.disconnect(NOW);
    expect(sync.isLive).toBe(false);
    expect(sync.frame(whole(3), NOW)).toBeUndefined();
  });

  it('is invalidated by a long run of stale messages', () => {
    const { sync } = open();
    sync.applySnapshot(whole(1000), NOW, undefined);
    const faults = Array.from({ length: 150 }, (_, i) => sync.frame(change(i, i + 1, [[98, 1]]), NOW));
    expect(faults.indexOf('stale_run')).toBe(100);
  });

  it('is not served while crossed, and is invalidated when it stays crossed', () => {
    const { sync, levels, top } = open();
    sync.applySnapshot(whole(1), NOW, undefined);
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

describe('books whose sequence cannot reveal a loss', () => {
  it('accept holes in a growing sequence, and are invalidated by a step back', () => {
    const { sync } = open({ initialSnapshot: 'stream', continuity: INCREASING });
    sync.frame(whole(1), NOW);
    expect(sync.frame(change(0, 9, [[98, 1]]), NOW)).toBeUndefined();
    expect(sync.frame(change(0, 9, [[98, 1]]), NOW)).toBeUndefined();
    expect(sync.frame(change(0, 8, [[98, 1]]), NOW)).toBe('gap');
  });

  it('keep the later snapshot by venue time', () => {
    const { sync, top } = open({ initialSnapshot: 'stream', continuity: SNAPSHOTS_ONLY });
    const at = (ms: number, bid: number) =>
      frameOf({ symbol: 'A', kind: 'snapshot', bids: [[bid, 1]], asks: [[200, 1]], venueTime: later(ms) });
    sync.frame(at(0, 10), NOW);
    sync.frame(at(500, 20), NOW);
    sync.frame(at(300, 15), NOW);
    expect(top()?.bestBid).toBe(20);
  });
});
