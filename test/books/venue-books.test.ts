import { describe, expect, it } from 'vitest';
import { BookRig, contract, type RigOptions } from './book-rig.ts';
import { type ModelRule, ModelVenue, modelFeed, RULES } from './model-venue.ts';

const BY_SNAPSHOT = RULES['snapshot in the stream, each change names the one before'];
const BY_SEED = RULES['changes joined with a REST book'];
const EITHER = RULES['a snapshot in the stream or a REST book'];

function scene(rule: ModelRule, symbols = ['A'], options: RigOptions = {}) {
  const rig = new BookRig(modelFeed(rule), options);
  const venues = symbols.map((symbol, i) => new ModelVenue(symbol, rule, i + 1));
  rig.follow(...symbols);
  const [venue] = venues;
  if (venue === undefined) throw new Error('no contract');
  return { rig, venue, venues };
}

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
  it('invalidates its books when it is lost, and nothing is requested before it is back', () => {
    const { rig, venues } = scene(BY_SEED, ['A', 'B']);
    for (const venue of venues) rig.push(venue.frame(venue.move()));
    expect(rig.asks).toHaveLength(2);
    rig.books.lost(['A', 'B'], 1);
    expect(rig.books.stats()).toMatchObject({ live: 0, waiting: 2 });
    rig.pass(1000);
    expect(rig.books.stats().initialRequested).toBe(2);
  });

  it('with numbered frames invalidates all its books, and only those, at a gap', () => {
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

describe('a connection that has to be made again for a fresh snapshot', () => {
  function byConnection(symbols: readonly string[]) {
    const { stream, ...feed } = modelFeed(BY_SNAPSHOT);
    if (stream === undefined) throw new Error('no stream');
    const rig = new BookRig({ ...feed, stream: { ...stream, topicOf: () => 'all', renewal: 'connection' } });
    rig.follow(...symbols);
    return rig;
  }

  it('is left to the books in order where one has no snapshot, which REST brings', async () => {
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

describe('coverage', () => {
  const symbols = Array.from({ length: 12 }, (_, i) => `S${i}`);

  it('streams the most traded contracts, and keeps a stream until its contract falls well behind', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 5 });
    expect(rig.list(...symbols)).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
    const swapped = ['S0', 'S1', 'S2', 'S3', 'S5', 'S4', ...symbols.slice(6)];
    expect([...rig.list(...swapped)].sort()).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
    const fallen = [...symbols.slice(0, 4), ...symbols.slice(5), 'S4'];
    expect([...rig.list(...fallen)].sort()).toEqual(['S0', 'S1', 'S2', 'S3', 'S5']);
  });

  it('polls the others in rotation within the token bucket, requested books first', async () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0, restPerSecond: 4 });
    rig.list(...symbols);
    expect(rig.quote('S9')).toBeUndefined();
    rig.pass(250);
    expect(rig.asks.map(({ symbol }) => symbol)[0]).toBe('S9');
    // Half of the token bucket is kept back from the rotation, so that breaks find some.
    expect(rig.asks).toHaveLength(2);
    const order: string[] = [];
    for (let i = 0; i < 24; i++) {
      for (const ask of [...rig.asks]) {
        order.push(ask.symbol);
        const venue = new ModelVenue(ask.symbol, BY_SNAPSHOT, i + 1);
        await ask.answer(venue.rest());
      }
      rig.pass(250);
    }
    expect(new Set(order).size).toBe(12);
    expect(order.filter((symbol) => symbol === 'S9').length, 'again after five seconds').toBe(2);
    expect(rig.quote('S9')).toMatchObject({ source: 'rest', isFresh: true });
    expect(rig.store.view.liveBooks('v')).toBe(12);
  });

  it('prefers contracts used by answers for at most half of the streams', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 4 });
    const list = () => rig.list(...symbols);
    expect(list()).toEqual(['S0', 'S1', 'S2', 'S3']);
    expect(rig.books.prefer(['S1']), 'streamed already').toBe(false);
    expect(rig.books.prefer(['S9', 'S7', 'S8']), 'not streamed yet').toBe(true);
    expect(rig.books.prefer(['S9', 'S7', 'S8']), 'planned for already').toBe(false);
    expect(list()).toEqual(['S1', 'S7', 'S0', 'S2']);
    rig.pass(599_000);
    expect(list(), 'for ten minutes after the last time').toContain('S7');
    rig.pass(2000);
    expect(list()).toEqual(['S0', 'S1', 'S2', 'S3']);
  });

  it('polls contracts used by answers before others', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0, restPerSecond: 4 });
    rig.list(...symbols);
    rig.books.prefer(['S9', 'S5']);
    rig.pass(250);
    expect(rig.asks.map(({ symbol }) => symbol)).toEqual(['S9', 'S5']);
  });

  it('keeps the most valuable of them fresh where the token bucket does not suffice for all', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `S${i}`);
    // One book a second: fewer than there are within the minute that a book stays fresh.
    const { rig, venues } = scene(BY_SNAPSHOT, many, { mostStreamed: 0, restPerSecond: 1 });
    const valued = [...many].reverse();
    const isFresh = (symbol: string): boolean => rig.quote(symbol)?.isFresh === true;
    const run = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        rig.books.prefer(valued);
        rig.pass(1000);
        for (const ask of [...rig.asks]) await ask.answer(venues[many.indexOf(ask.symbol)]?.rest());
      }
    };
    await run(120);
    for (let call = 0; call < 4; call++) {
      await run(20);
      const peeked = valued.slice(0, 40).map((symbol) => rig.store.peek('v', symbol)?.isFresh);
      expect(peeked).toEqual(Array(40).fill(true));
    }
    expect(isFresh(valued.at(-1) ?? '')).toBe(false);
  });

  it('uses the shallow snapshot in rotation, and the full one for requested books', () => {
    const feed = modelFeed(BY_SNAPSHOT);
    const request = { request: () => ({ method: 'GET', path: '/short' }) as const, weight: 1, levels: 5 };
    const rest = feed.rest === undefined ? undefined : { ...feed.rest, weight: 9, shallow: request };
    const rig = new BookRig({ ...feed, ...(rest === undefined ? {} : { rest }) }, { mostStreamed: 0 });
    rig.list('A', 'B');
    rig.books.want('B');
    rig.pass(250);
    expect(rig.asks.map(({ symbol, request: asked }) => [symbol, asked.weight])).toEqual([
      ['B', 9],
      ['A', 1],
    ]);
  });

  it('falls back to REST for a stream that stays away, and reports the source', async () => {
    const { rig, venue } = scene(BY_SNAPSHOT);
    rig.books.lost(['A'], 1);
    rig.pass(4000);
    expect(rig.asks).toHaveLength(0);
    rig.pass(2000);
    await rig.ask().answer(venue.rest());
    expect(rig.quote('A')).toMatchObject({ source: 'rest' });
    rig.books.subscribed(['A'], 2);
    rig.push(venue.frame(venue.whole()));
    expect(rig.quote('A')).toMatchObject({ source: 'stream' });
  });

  it('backs off for a contract that REST does not answer', async () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0 });
    rig.list('A');
    let asked = 0;
    for (let i = 0; i < 240; i++) {
      rig.pass(1000);
      if (rig.asks.length === 0) continue;
      asked++;
      await rig.ask().answer(undefined);
    }
    expect(asked).toBeLessThan(8);
  });

  it('ends when the contract is delisted, and restarts when its units change', async () => {
    const { rig, venue } = scene(BY_SNAPSHOT, ['A', 'B']);
    rig.push(venue.frame(venue.whole()));
    rig.list('A');
    expect(rig.books.stats()).toMatchObject({ contracts: 1, live: 1 });
    rig.list(contract('v', 'A', { contractSize: 10 }));
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.books.stats()).toMatchObject({ contracts: 1, live: 0, waiting: 1 });
    rig.push(venue.frame(venue.whole()));
    expect(rig.levels('A')).toBeDefined();
    rig.list();
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.store.memory()).toMatchObject({ books: 0, levels: 0 });
  });
});

describe('comparison with REST', () => {
  it('confirms a quiet book that is equal', async () => {
    const { rig, venue } = scene(BY_SEED);
    rig.push(venue.frame(venue.move()));
    await rig.ask().answer(venue.rest());
    expect(rig.quote('A')?.source, 'nothing of the stream is in it yet').toBe('rest');
    rig.push(venue.frame(venue.move()));
    rig.pass(24_000);
    expect(rig.asks).toHaveLength(0);
    rig.pass(2000);
    expect(rig.quote('A')?.ageMs).toBe(26_000);
    await rig.ask().answer(venue.rest());
    expect(rig.quote('A')).toMatchObject({ ageMs: 0, source: 'stream' });
    expect(rig.books.stats()).toMatchObject({ same: 1, different: 0 });
  });

  it('detects a stalled stream', async () => {
    const { rig, venue } = scene(BY_SEED);
    rig.push(venue.frame(venue.move()));
    await rig.ask().answer(venue.rest());
    venue.move();
    venue.move();
    rig.pass(26_000);
    await rig.ask().answer(venue.rest());
    expect(rig.levels('A'), 'it has a moment to catch up').toBeDefined();
    rig.pass(4000);
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.books.stats().breaks.stalled).toBe(1);
  });

  it('accepts a stream that catches up', async () => {
    const { rig, venue } = scene(BY_SEED);
    rig.push(venue.frame(venue.move()));
    await rig.ask().answer(venue.rest());
    const waiting = venue.frame(venue.move());
    rig.pass(26_000);
    await rig.ask().answer(venue.rest());
    rig.push(waiting);
    rig.pass(5000);
    expect(rig.levels('A')).toEqual(venue.truth);
    expect(rig.books.stats().breaks.stalled).toBe(0);
  });

  it('runs on a schedule where losses are not visible, and counts differences', async () => {
    const rule = RULES['whole books only'];
    const { rig, venue } = scene(rule);
    let asked = 0;
    for (let second = 0; second < 130; second++) {
      rig.push(venue.frame(venue.move()));
      rig.pass(1000);
      if (rig.asks.length === 0) continue;
      asked++;
      await rig.ask().answer(venue.rest());
    }
    expect(asked).toBe(1);
    expect(rig.books.stats()).toMatchObject({ same: 1, different: 0, undecided: 0 });
    rig.pass(120_000);
    // The venue shows a book far from the one that is streamed.
    const far = { symbol: 'A', kind: 'snapshot', bids: [[10, 1]], asks: [[11, 1]], sequence: 1 };
    await rig.ask().answer({ book: far });
    expect(rig.books.stats()).toMatchObject({ different: 1, breaks: { different: 1 } });
    expect(rig.levels('A')).toBeUndefined();
    expect(rig.renewed).toEqual(['A']);
  });

  it('adopts a later snapshot where the stream sends snapshots', async () => {
    const { rig, venue } = scene(RULES['whole books only']);
    rig.push(venue.frame(venue.whole()));
    venue.move();
    rig.pass(26_000);
    await rig.ask().answer(venue.rest());
    expect(rig.levels('A')).toEqual(venue.truth);
    expect(rig.quote('A')).toMatchObject({ source: 'rest', ageMs: 0 });
  });
});

describe('a venue without REST books', () => {
  it('subscribes again to a quiet book before it goes stale', () => {
    const { rest: _, ...feed } = modelFeed(BY_SNAPSHOT);
    const rig = new BookRig(feed);
    const venue = new ModelVenue('A', BY_SNAPSHOT, 1);
    rig.follow('A');
    rig.push(venue.frame(venue.whole()));
    rig.pass(44_000);
    expect(rig.renewed).toEqual([]);
    rig.pass(2000);
    expect(rig.renewed).toEqual(['A']);
    expect(rig.levels('A')).toBeDefined();
    rig.push(venue.frame(venue.whole()));
    expect(rig.quote('A')?.ageMs).toBe(0);
  });
});
