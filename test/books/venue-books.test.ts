import { describe, expect, it } from 'vitest';
import { BookRig } from './book-rig.ts';
import { BY_SEED, BY_SNAPSHOT, EITHER, scene } from './model-scene.ts';
import { ModelVenue, modelFeed, RULES } from './model-venue.ts';

describe('resynchronisation', () => {
  it('subscribes again once at a time with a growing backoff', () => {
    const { rig, venue } = scene(BY_SNAPSHOT);
    rig.push(venue.frame(venue.whole()));
    venue.move();
    rig.push(venue.frame(venue.move()));
    expect(rig.renewed).toEqual(['A']);
    for (let i = 0; i < 20; i++) rig.push(venue.frame(venue.move()));
    expect(rig.renewed).toHaveLength(1);
    rig.pass(3000);
    expect(rig.renewed).toHaveLength(1);
    rig.pass(60_000);
    const asked = rig.renewed.length;
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(20);
    rig.pass(300_000);
    // After so many failures it asks twice a minute.
    expect(rig.renewed.length - asked).toBeLessThan(75);
    rig.pass(60_000);
    const before = rig.renewed.length;
    rig.pass(120_000);
    expect(rig.renewed.length - before).toBeLessThanOrEqual(5);
  });

  it('waits longer each time the book breaks again at once', () => {
    const { rig, venue } = scene(BY_SNAPSHOT);
    const gaps: number[] = [];
    for (let round = 0; round < 5; round++) {
      rig.push(venue.frame(venue.whole()));
      const asked = rig.renewed.length;
      venue.move();
      rig.push(venue.frame(venue.move()));
      const since = rig.time.now;
      while (rig.renewed.length === asked) rig.pass(250);
      gaps.push(rig.time.now - since);
    }
    expect(gaps).toEqual([0, 250, 500, 1000, 2000]);
  });

  it('uses one REST snapshot at a time where deltas join it', async () => {
    const { rig, venue } = scene(BY_SEED);
    rig.push(venue.frame(venue.move()));
    expect(rig.ask().isUrgent).toBe(true);
    rig.push(venue.frame(venue.move()));
    rig.pass(5000);
    expect(rig.asks).toHaveLength(1);
    await rig.ask().answer(venue.rest(2));
    expect(rig.levels('A')).toEqual(venue.truth);
    expect(rig.quote('A')?.source).toBe('stream');
    expect(rig.renewed).toEqual([]);
  });

  it('requests again after a snapshot that was too old or failed', async () => {
    const { rig, venue } = scene(BY_SEED);
    venue.move();
    venue.move();
    rig.push(venue.frame(venue.move()));
    await rig.ask().answer(venue.rest(3));
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.asks).toHaveLength(0);
    rig.pass(1000);
    await rig.ask().answer(undefined);
    rig.pass(2000);
    await rig.ask().answer(venue.rest());
    expect(rig.levels('A')).toEqual(venue.truth);
    expect(rig.books.stats()).toMatchObject({
      initialRequested: 3,
      fetchFailures: 1,
      breaks: { old_seed: 1 },
    });
  });

  it('tries REST first where both ways exist, then the stream', async () => {
    const { rig, venue } = scene(EITHER);
    rig.push(venue.frame(venue.whole()));
    venue.move();
    rig.push(venue.frame(venue.move()));
    expect(rig.renewed).toEqual([]);
    for (let i = 0; i < 4; i++) {
      await rig.asks[0]?.answer(undefined);
      rig.pass(4000);
    }
    expect(rig.renewed).toEqual(['A']);
  });

  it('takes the initial snapshot from REST where the stream sends none', async () => {
    const { rig, venue } = scene(EITHER);
    rig.push(venue.frame(venue.move()));
    rig.pass(3500);
    expect(rig.asks).toHaveLength(0);
    rig.pass(1000);
    await rig.ask().answer(venue.rest());
    expect(rig.levels('A')).toEqual(venue.truth);
  });

  it('asks on where the clock is set back', () => {
    const { rig } = scene(BY_SNAPSHOT);
    rig.time.setBack(3_600_000);
    rig.pass(1000);
    expect(rig.renewed).toEqual(['A']);
    rig.pass(8000);
    expect(rig.renewed.length).toBeGreaterThan(1);
  });

  it('follows a message that cannot be read', () => {
    const { rig, venue } = scene(BY_SNAPSHOT);
    rig.push(venue.frame(venue.whole()));
    rig.push(venue.badFrame());
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.books.stats().breaks.malformed).toBe(1);
  });
});

describe('a connection', () => {
  it('a lost connection: books invalid, no request before it is back', () => {
    const { rig, venues } = scene(BY_SEED, ['A', 'B']);
    for (const venue of venues) rig.push(venue.frame(venue.move()));
    expect(rig.asks).toHaveLength(2);
    rig.books.lost(['A', 'B'], 1);
    expect(rig.books.stats()).toMatchObject({ live: 0, waiting: 2 });
    rig.pass(1000);
    expect(rig.books.stats().initialRequested).toBe(2);
  });

  it('a gap in numbered frames: all its books invalid, no others', () => {
    const rule = RULES['frames numbered by connection'];
    const { rig } = scene(rule, ['A', 'B']);
    const book = (symbol: string, frame: number, kind = 'snapshot') =>
      JSON.stringify({ frame, book: { symbol, kind, bids: [[99, frame]], asks: [[101, 1]] } });
    rig.books.subscribed(['B'], 2);
    rig.push(book('A', 1), 1);
    rig.push(book('B', 1), 2);
    rig.push(book('A', 2, 'delta'), 1);
    expect(rig.levels('A')?.bids).toEqual([[99, 2]]);
    rig.push(book('A', 2, 'delta').replace('[99,2]', '[99,77]'), 1);
    expect(rig.levels('A')?.bids, 'a number that was here says nothing new').toEqual([[99, 2]]);
    rig.push(book('A', 4, 'delta'), 1);
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.levels('B')).toBeDefined();
    expect(rig.renewed).toEqual(['A']);
  });
});

describe('a connection that is left', () => {
  it('a topic planned again: carried once subscribed to again', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 1 });
    rig.follow('A', 'B');
    expect([rig.list('B', 'A'), rig.list('A', 'B')]).toEqual([['B'], ['A']]);
    rig.pass(10_000);
    expect(rig.renewed).toEqual([]);
    rig.books.subscribed(['A'], 2);
    rig.pass(10_000);
    expect(rig.renewed).toContain('A');
  });

  it('that was ended takes the count of its frames with it', () => {
    const { rig } = scene(RULES['frames numbered by connection']);
    const whole = (frame: number, size: number) =>
      JSON.stringify({
        frame,
        book: { symbol: 'A', kind: 'snapshot', bids: [[99, size]], asks: [[101, 1]] },
      });
    rig.push(whole(5, 1));
    rig.push(whole(5, 2));
    expect(rig.levels('A')?.bids).toEqual([[99, 1]]);
    rig.books.ended(1);
    rig.push(whole(5, 3));
    expect(rig.levels('A')?.bids).toEqual([[99, 3]]);
  });
});

describe('a connection that has to be made again for a fresh snapshot', () => {
  function byConnection(symbols: readonly string[]) {
    const { stream, ...feed } = modelFeed(BY_SNAPSHOT);
    if (stream === undefined) throw new Error('no stream');
    const rig = new BookRig({ ...feed, stream: { ...stream, topicOf: () => 'all', renewal: 'connection' } });
    rig.follow(...symbols);
    return rig;
  }

  it('one book without a snapshot: left in place, and REST brings it', async () => {
    const rig = byConnection(['A', 'B']);
    const venues = ['A', 'B'].map((symbol, i) => new ModelVenue(symbol, BY_SNAPSHOT, i + 1));
    const [a] = venues;
    let connections = -1;
    for (let second = 0; second < 300; second++) {
      if (connections !== rig.renewed.length) rig.push(a?.frame(a.whole()) ?? '');
      connections = rig.renewed.length;
      rig.pass(1000);
      for (const ask of [...rig.asks])
        await ask.answer(venues.find(({ symbol }) => symbol === ask.symbol)?.rest());
    }
    expect(rig.renewed.length).toBeGreaterThan(0);
    expect(rig.renewed.length).toBeLessThanOrEqual(10);
    expect(rig.quote('A')).toMatchObject({ source: 'stream', isFresh: true });
    expect(rig.quote('B')).toMatchObject({ source: 'rest', isFresh: true });
  });

  it('is made ever more seldom where it brings no book at all', () => {
    const rig = byConnection(['A', 'B', 'C']);
    rig.pass(600_000);
    expect(rig.renewed.length).toBeGreaterThan(30);
    expect(rig.renewed.length).toBeLessThan(60);
  });

  it('is made again at once for a book that breaks after it was in order', () => {
    const rig = byConnection(['A', 'B']);
    const [a, b] = ['A', 'B'].map((symbol, i) => new ModelVenue(symbol, BY_SNAPSHOT, i + 1));
    rig.push(a?.frame(a.whole()) ?? '');
    rig.push(b?.frame(b.whole()) ?? '');
    rig.pass(20_000);
    a?.move();
    rig.push(a?.frame(a.move()) ?? '');
    expect(rig.renewed).toEqual(['all']);
  });
});
