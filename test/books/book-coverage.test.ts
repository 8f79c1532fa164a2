import { describe, expect, it } from 'vitest';
import { BookRig, contract } from './book-rig.ts';
import { BY_SNAPSHOT, scene } from './model-scene.ts';
import { ModelVenue, modelFeed } from './model-venue.ts';

describe('coverage', () => {
  const symbols = Array.from({ length: 12 }, (_, i) => `S${i}`);

  it('the most traded are streamed, and stay until well behind', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 5 });
    expect(rig.list(...symbols)).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
    const swapped = ['S0', 'S1', 'S2', 'S3', 'S5', 'S4', ...symbols.slice(6)];
    expect([...rig.list(...swapped)].sort()).toEqual(['S0', 'S1', 'S2', 'S3', 'S4']);
    const fallen = [...symbols.slice(0, 4), ...symbols.slice(5), 'S4'];
    expect([...rig.list(...fallen)].sort()).toEqual(['S0', 'S1', 'S2', 'S3', 'S5']);
  });

  it('others: polled in rotation, requested books first', async () => {
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

  it('contracts used by answers: streamed though places are taken', () => {
    const many = Array.from({ length: 30 }, (_, i) => `S${i}`);
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 10 });
    expect(rig.list(...many)).toEqual(many.slice(0, 10));
    expect(rig.books.prefer(['S20'])).toBe(true);
    expect(rig.list(...many)).toEqual(['S20', ...many.slice(0, 9)]);
    expect(rig.list(...many), 'planned once more').toEqual(['S20', ...many.slice(0, 9)]);
  });

  it('polls contracts used by answers before others', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0, restPerSecond: 4 });
    rig.list(...symbols);
    rig.books.prefer(['S9', 'S5']);
    rig.pass(250);
    expect(rig.asks.map(({ symbol }) => symbol)).toEqual(['S9', 'S5']);
  });

  it('a small token bucket: the most valuable stay fresh', async () => {
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

  it('rotation: the shallow snapshot; requests: the full one', () => {
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

  it('a stream that stays away: REST, with the source reported', async () => {
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
