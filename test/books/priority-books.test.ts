import { describe, expect, it } from 'vitest';
import { BookRig } from './book-rig.ts';
import { BY_SEED, BY_SNAPSHOT } from './model-scene.ts';
import { ModelVenue, modelFeed } from './model-venue.ts';

const symbols = Array.from({ length: 12 }, (_, i) => `S${i}`);
const priorityTickers = new Set(['S7', 'S9']);

/** Symbols that were asked for over REST, each answered as it is asked for. */
async function askedWithin(rig: BookRig, ms: number): Promise<readonly string[]> {
  const order: string[] = [];
  for (let passed = 0; passed < ms; passed += 250) {
    for (const ask of [...rig.asks]) {
      order.push(ask.symbol);
      await ask.answer(new ModelVenue(ask.symbol, BY_SNAPSHOT, 1).rest());
    }
    rig.pass(250);
  }
  return order;
}

describe('books of priority assets', () => {
  it('a start that streams: their topics first, at any volume', () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 6, priorityTickers });
    expect(rig.list(...symbols)).toEqual(['S7', 'S9', 'S0', 'S1', 'S2', 'S3']);
  });

  it('a start over REST: they are asked for first', async () => {
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0, restPerSecond: 4, priorityTickers });
    rig.list(...symbols);
    rig.pass(250);
    expect((await askedWithin(rig, 1000)).slice(0, 2)).toEqual(['S7', 'S9']);
  });

  it('snapshots to join: wait, but before those that asked earlier', () => {
    const rig = new BookRig(modelFeed(BY_SEED), { restPerSecond: 1, priorityTickers });
    rig.follow(...symbols);
    for (const symbol of symbols) {
      const venue = new ModelVenue(symbol, BY_SEED, 1);
      rig.push(venue.frame(venue.move()));
    }
    for (let i = 0; i < 12; i++) rig.pass(250);
    // The first came while nobody else waited.
    expect(rig.asks.map(({ symbol }) => symbol).slice(0, 3)).toEqual(['S0', 'S7', 'S9']);
  });

  it('a snapshot that a reader waits for: before unread ones', () => {
    const rig = new BookRig(modelFeed(BY_SEED), { restPerSecond: 1 });
    rig.follow(...symbols);
    for (const symbol of symbols) {
      const venue = new ModelVenue(symbol, BY_SEED, 1);
      rig.push(venue.frame(venue.move()));
    }
    rig.quote('S5');
    for (let i = 0; i < 8; i++) rig.pass(250);
    expect(rig.asks.map(({ symbol }) => symbol).slice(0, 2)).toEqual(['S0', 'S5']);
  });

  it('a budget that does not do for all: theirs stay fresh', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `S${i}`);
    const rig = new BookRig(modelFeed(BY_SNAPSHOT), { mostStreamed: 0, restPerSecond: 1, priorityTickers });
    rig.list(...many);
    await askedWithin(rig, 180_000);
    for (const symbol of priorityTickers) {
      expect(rig.store.view.passive.quote('v', symbol)?.isFresh).toBe(true);
    }
  });
});
