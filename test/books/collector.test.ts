import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectorStats } from '../../src/collect/collector.ts';
import { isWire } from '../../src/domain/read.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import type { BookFeed, BookStream } from '../../src/venues/book-feed.ts';
import { type CollectorRig, eachWithRig } from '../collect/collector-rig.ts';
import { serveWs, type WsLoopback } from '../collect/ws-loopback.ts';
import { ModelVenue, modelFeed, RULES } from './model-venue.ts';

const RULE = RULES['changes joined with a REST book'];

describe('books behind a real socket', () => {
  let rig: CollectorRig;
  let server: WsLoopback;
  let store: BookStore;
  let venue: ModelVenue;
  eachWithRig((made) => {
    rig = made;
  });
  beforeEach(async () => {
    server = await serveWs();
    venue = new ModelVenue('A', RULE, 1);
    store = createBookStore({
      clock: rig.time.clock,
      wanted: (id, symbol) => rig.collector?.wantBook(id, symbol),
    });
  });
  afterEach(() => server.close());

  const start = async (feed: BookFeed): Promise<void> => {
    const rest = `${rig.server.url}/v`;
    const adapter = rig.venueAt('v', { bases: { rest, ws: server.url }, books: feed });
    rig.answers['/v/A'] = (res) => res.end(JSON.stringify(venue.rest()));
    rig.answers['/v/B'] = (res) => res.end(JSON.stringify(new ModelVenue('B', RULE, 2).rest()));
    const tuning = { stream: { dialGapMs: 0, firstBackoffMs: 100 } };
    rig.collect([adapter], { books: { bookSink: store.bookSink, streamed: 1 }, options: tuning });
    await rig.collector?.start();
    await rig.until(() => expect(server.peers[0]?.received).toHaveLength(1));
  };

  const books = (): CollectorStats['venues'][string]['books'] => rig.collector?.stats().venues.v?.books;
  const push = (peer: number, text: string): void => server.peers[peer]?.socket.send(text);

  it('the first contract: streamed; the other: polled; both named', async () => {
    await start(modelFeed(RULE));
    expect(server.peers[0]?.received).toEqual(['sub A']);
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth));
    push(0, venue.frame(venue.move()));
    await rig.until(() =>
      expect(store.view.quote('v', 'A')).toMatchObject({ source: 'stream', isFresh: true }),
    );
    expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth);
    await rig.until(() => expect(store.view.quote('v', 'B')).toMatchObject({ source: 'rest' }));
    expect(books()).toMatchObject({ contracts: 2, streamed: 1, live: 1, stream: { open: 1, topics: 1 } });
  });

  it('keeps no book of a venue that is removed', async () => {
    await start(modelFeed(RULE));
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth));
    await rig.until(() => expect(store.view.quote('v', 'B')).toMatchObject({ source: 'rest' }));
    rig.collector?.removeVenue('v', 'no longer listed');
    expect(store.memory()).toMatchObject({ books: 0, levels: 0 });
    expect(store.view.quote('v', 'B')).toBeUndefined();
    await rig.time.advance(10_000);
    expect(store.memory()).toMatchObject({ books: 0, levels: 0 });
  });

  it('reads no book of a contract whose book is only indicative', async () => {
    const list = ['A', 'B'].map((symbol) => ({ symbol, list: true, rfq: symbol === 'B' }));
    rig.answers['/v/instruments'] = (res) => res.end(JSON.stringify(list));
    await start(modelFeed(RULE));
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth));
    expect(rig.collector?.stats().venues.v?.contracts).toBe(2);
    expect(books()).toMatchObject({ contracts: 1, streamed: 1 });
    expect(rig.hits).not.toContain('/v/B');
  });

  it('serves nothing of a lost connection, and resynchronises on the next', async () => {
    await start(modelFeed(RULE));
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toBeDefined());
    server.peers[0]?.socket.terminate();
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toBeUndefined(), 0);
    venue.move();
    await rig.until(() => expect(server.peers[1]?.received).toEqual(['sub A']));
    push(1, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth));
    expect(books()?.breaks.disconnected).toBe(1);
  });

  it('frames: read by the scanner unparsed, others by the decoder', async () => {
    const feed = modelFeed(RULE);
    const scanner: BookStream['scanner'] = () => (bytes, length, into) => {
      const text = new TextDecoder().decode(bytes.subarray(0, length));
      if (!text.startsWith('fast ')) return false;
      into.reset();
      const [, symbol = '', previous, sequence, price, size] = text.split(' ');
      into.symbol = symbol;
      into.previousSequence = Number(previous);
      into.sequence = Number(sequence);
      into.bids.add(Number(price), Number(size));
      return true;
    };
    const { stream } = feed;
    await start({ ...feed, ...(stream === undefined ? {} : { stream: { ...stream, scanner } }) });
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toBeDefined());
    push(0, 'fast A 1 2 1.5 44');
    await rig.until(() => expect(store.view.levels('v', 'A', 100)?.bids.at(-1)).toEqual([1.5, 44]));
    expect(books()).toMatchObject({ scanned: 1, decoded: 1 });
  });

  it('reconnects where only that brings a snapshot', async () => {
    const feed = modelFeed(RULES['snapshot in the stream, each change names the one before']);
    const { stream } = feed;
    await start({
      ...feed,
      ...(stream === undefined ? {} : { stream: { ...stream, renewal: 'connection' } }),
    });
    push(0, venue.frame(venue.whole()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toBeDefined());
    venue.move();
    push(0, venue.frame(venue.move()));
    await rig.until(() => expect(server.peers).toHaveLength(2));
    push(1, venue.frame(venue.whole()));
    await rig.until(() => expect(store.view.levels('v', 'A', 100)).toEqual(venue.truth));
  });

  it('reports a failed REST snapshot in the venue’s health', async () => {
    await start(modelFeed(RULE));
    rig.answers['/v/B'] = (res) => {
      res.statusCode = 500;
      res.end('{}');
    };
    rig.collector?.wantBook('v', 'B');
    await rig.until(() => expect(rig.collector?.health.of('v')?.lastError).toMatch(/^books: /));
    expect(isWire(books()?.rest)).toBe(true);
    expect(books()?.fetchFailures).toBeGreaterThan(0);
  });
});
