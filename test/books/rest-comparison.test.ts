import { describe, expect, it } from 'vitest';
import { BookRig } from './book-rig.ts';
import { BY_SEED, BY_SNAPSHOT, scene } from './model-scene.ts';
import { ModelVenue, modelFeed, RULES } from './model-venue.ts';

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

  it('losses not visible: compared on a schedule, and counted', async () => {
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
