import { describe, expect, it } from 'vitest';
import { SHED_ORDER, type Shed } from '../../src/collect/load-shedding.ts';
import { BookRig, type RigOptions } from './book-rig.ts';
import { ModelVenue, modelFeed, RULES } from './model-venue.ts';

const RULE = RULES['a snapshot in the stream or a REST book'];
const SYMBOLS = ['S0', 'S1', 'S2', 'S3', 'S4', 'S5'];

/** Six books of which three are streamed, on a machine that sheds the given number of kinds of work. */
function scene(options: RigOptions = {}, feed = modelFeed(RULE)) {
  const load = { level: 0 };
  const isShed = (what: Shed): boolean => SHED_ORDER.indexOf(what) < load.level;
  const rig = new BookRig(feed, { mostStreamed: 3, ...options, isShed });
  const plan = (): readonly string[] => rig.list(...SYMBOLS);
  return { rig, load, plan };
}

describe('streams of books, when load is shed', () => {
  it('end for books that nobody reads, and begin again when no load is shed', () => {
    const { rig, load, plan } = scene();
    expect(plan()).toEqual(['S0', 'S1', 'S2']);
    rig.books.want('S2');
    rig.books.prefer(['S1']);
    load.level = 1;
    expect(plan()).toEqual(['S1', 'S0', 'S2']);
    load.level = 2;
    expect(plan()).toEqual(['S1', 'S2']);
    load.level = 0;
    expect([...plan()].sort()).toEqual(['S0', 'S1', 'S2']);
  });

  it('end for what was read long ago', () => {
    const { rig, load, plan } = scene();
    plan();
    rig.books.want('S2');
    rig.books.prefer(['S1']);
    load.level = 2;
    rig.pass(21_000);
    expect(plan(), 'no answer rests on S1 any more').toEqual(['S2']);
    rig.pass(280_000);
    expect(plan()).toEqual([]);
  });

  it('leaves a delisted book before one that stands still', () => {
    const { rig, load, plan } = scene();
    const venue = new ModelVenue('S0', RULE, 1);
    rig.books.subscribed(plan(), 1);
    rig.push(venue.frame(venue.whole()));
    expect(rig.store.peek('v', 'S0')).toMatchObject({ isFresh: true });
    load.level = 2;
    plan();
    expect(rig.store.peek('v', 'S0')).toBeUndefined();
  });

  it('a book that is read now without REST: planned again', () => {
    const { rest: _, ...streamOnly } = modelFeed(RULE);
    const { rig, load, plan } = scene({}, streamOnly);
    plan();
    expect(rig.books.want('S0'), 'nothing is given up').toBe(false);
    rig.pass(301_000);
    load.level = 2;
    expect(plan()).toEqual([]);
    expect(rig.books.want('S0')).toBe(true);
    expect(rig.books.want('S0'), 'planned for already').toBe(false);
    expect(plan()).toEqual(['S0']);
  });
});

describe('books over REST, when load is shed', () => {
  it('have no turn in rotation, and grow old', async () => {
    const { rig, load, plan } = scene({ mostStreamed: 0 });
    plan();
    rig.pass(250);
    const first = rig.asks[0];
    if (first === undefined) throw new Error('nothing was asked for');
    await first.answer(new ModelVenue(first.symbol, RULE, 1).rest());
    load.level = 3;
    const asked = rig.asks.length;
    rig.pass(61_000);
    expect(rig.asks).toHaveLength(asked);
    expect(rig.store.peek('v', first.symbol)).toMatchObject({ isFresh: false });
  });

  it('are fetched for their readers, whatever is shed', () => {
    const { rig, load, plan } = scene({ mostStreamed: 0 });
    load.level = 4;
    plan();
    rig.pass(1000);
    expect(rig.asks).toHaveLength(0);
    rig.quote('S4');
    rig.books.prefer(['S5']);
    rig.pass(250);
    expect(rig.asks.map(({ symbol }) => symbol)).toEqual(['S4', 'S5']);
  });
});
