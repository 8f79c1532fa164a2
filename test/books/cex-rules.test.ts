import { describe, expect, it } from 'vitest';
import { contract } from './book-rig.ts';
import { dialects, END, feedOf, Session, START } from './dialect-session.ts';

describe.each(dialects)('$adapter.id', (dialect) => {
  const feed = feedOf(dialect);

  it('subscribes to the topic of the contract', () => {
    const { stream } = feed;
    const topic = stream?.topicOf(contract(dialect.adapter.id, dialect.symbol));
    expect(topic).toBe(dialect.topic);
    expect(stream?.subscribe([dialect.topic], 7).map((frame) => JSON.parse(frame))).toEqual([
      dialect.subscription,
    ]);
  });

  it('reaches the same book through a chain of deltas', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 2, 3]) session.change(n);
    expect(session.levels).toEqual(END);
    expect(session.rig.quote(dialect.symbol)?.source).toBe('stream');
    const { breaks } = session.rig.books.stats();
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
  });

  it('skips a duplicate message', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 2, 2, 3]) session.change(n);
    expect(session.levels).toEqual(END);
    expect(session.rig.books.stats().breaks.gap).toBe(0);
  });

  it('serves nothing after reordered messages', async () => {
    const session = new Session(dialect);
    await session.begin();
    for (const n of [1, 3, 2]) session.change(n);
    expect(session.levels).toBeUndefined();
    expect(session.rig.books.stats().breaks.gap).toBe(1);
  });

  it('never serves a crossed book', async () => {
    const session = new Session(dialect);
    await session.begin();
    session.rig.push(
      dialect.change(session.numberOf(0), session.numberOf(1), { bids: [['150.15', '3']], asks: [] }),
    );
    expect(session.levels).toBeUndefined();
  });

  it('accepts a snapshot older than the buffered deltas', async () => {
    const session = new Session(dialect);
    session.change(1);
    session.change(2);
    await session.begin(1, { ...START, bids: [['149.95', '12'], ...START.bids] });
    session.change(3);
    expect(session.levels).toEqual(END);
  });
});

describe.each(dialects.filter(({ adapter }) => adapter.books?.continuity.detectsLoss))(
  '$adapter.id sequence',
  (dialect) => {
    it('detects a missing message and requests the book again', async () => {
      const session = new Session(dialect);
      await session.begin();
      session.change(1);
      session.change(3);
      expect(session.levels).toBeUndefined();
      const { rig } = session;
      if (feedOf(dialect).initialSnapshot !== 'stream') {
        rig.pass(500);
        expect(rig.asks).toHaveLength(1);
      } else expect(rig.renewed).toEqual([dialect.topic]);
      await session.begin(2, { bids: [['149.95', '12'], ...START.bids], asks: START.asks });
      expect(session.levels).toBeDefined();
    });
  },
);
