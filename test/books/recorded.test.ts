import { expect, it } from 'vitest';
import { binance } from '../../src/venues/binance/index.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { bybit } from '../../src/venues/bybit/index.ts';
import { hyperliquid } from '../../src/venues/hyperliquid/index.ts';
import { kraken } from '../../src/venues/kraken/index.ts';
import { okx } from '../../src/venues/okx/index.ts';
import { BookRig, contract } from './book-rig.ts';
import { PlainBook, type PlainLevels } from './plain-book.ts';
import { describeRecorded, readLines, readPayload, sessionFrames } from './sessions.ts';

function feedOf(adapter: { readonly books?: BookFeed }): BookFeed {
  if (adapter.books === undefined) throw new Error('no books');
  return adapter.books;
}

const best = (levels: PlainLevels | undefined, count = 3) => ({
  bids: levels?.bids.slice(0, count),
  asks: levels?.asks.slice(0, count),
});

const numbers = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([price, size]) => [Number(price), Number(size)]);

/** Frames that may be left out in turn: enough of them, evenly spread. */
function spread(count: number, from: number): number[] {
  const step = Math.max(1, Math.floor((count - from) / 25));
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => i >= from && i < count - 1 && i % step === 0,
  );
}

describeRecorded('samples', 'recorded Binance books', () => {
  const entries = readPayload('samples', 'binance/index.json') as {
    file: string;
    expected?: { derived_by_replay: { applied: number; bids: [string, string][]; asks: [string, string][] } };
  }[];

  const run = async (symbol: string, skip?: number) => {
    const rig = new BookRig(feedOf(binance));
    const frames = readLines('samples', `binance/ws-depth-${symbol.toLowerCase()}.jsonl`);
    rig.follow(symbol);
    const seeded = 12;
    let taken = 0;
    for (const [i, frame] of frames.entries()) {
      if (i === seeded)
        await rig.ask().answer(readPayload('samples', `binance/depth-${symbol.toLowerCase()}.json`));
      if (i !== skip && rig.push(frame)) taken++;
    }
    return { rig, frames, taken, breaks: rig.books.stats().breaks };
  };

  it.each(['SUSHIUSDT', 'CTKUSDT'])(
    '%s: changes join the REST book and end where the index says',
    async (symbol) => {
      const { rig, frames, taken, breaks } = await run(symbol);
      const file = `ws-depth-${symbol.toLowerCase()}.jsonl`;
      const expected = entries.find((entry) => entry.file === file)?.expected?.derived_by_replay;
      expect(taken).toBe(frames.length);
      expect(breaks.gap + breaks.old_seed).toBe(0);
      expect(best(rig.levels(symbol))).toEqual({
        bids: numbers(expected?.bids ?? []),
        asks: numbers(expected?.asks ?? []),
      });
      expect(rig.quote(symbol)).toMatchObject({ source: 'stream', symbol });
    },
  );

  it.each(['SUSHIUSDT', 'CTKUSDT'])(
    '%s: a frame that is missing is found, and nothing is served',
    async (symbol) => {
      const { frames } = await run(symbol);
      for (const skip of spread(frames.length, 13)) {
        const { rig, breaks } = await run(symbol, skip);
        expect(breaks.gap, `without frame ${skip}`).toBe(1);
        expect(rig.levels(symbol)).toBeUndefined();
        expect(rig.quote(symbol)).toBeUndefined();
        // The changes since are held: a new REST book is all that it takes.
        rig.pass(500);
        expect(rig.asks).toHaveLength(1);
      }
    },
  );
});

describeRecorded('samples', 'recorded Kraken Futures books', () => {
  const symbol = 'PI_ETHUSD';

  const run = (skip?: number) => {
    const rig = new BookRig(feedOf(kraken));
    rig.follow(symbol);
    const frames = readLines('samples', 'kraken/ws-book-pi-ethusd.jsonl');
    const plain = new PlainBook();
    for (const [i, frame] of frames.entries()) {
      if (i === skip) continue;
      rig.push(frame);
      for (const update of rig.decode(JSON.parse(frame)).books) {
        if (update.kind === 'snapshot') plain.replace(update);
        else plain.apply(update);
      }
    }
    return { rig, frames, plain, breaks: rig.books.stats().breaks };
  };

  it('a snapshot and 600 changes chain, and end as the plainest book does', () => {
    const { rig, plain, breaks } = run();
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(symbol)).toEqual(plain.levels());
    expect(rig.books.stats()).toMatchObject({ scanned: 601, decoded: 0, live: 1 });
  });

  it('a frame that is missing is found, and the topic is subscribed to again', () => {
    for (const skip of spread(run().frames.length, 3)) {
      const { rig, breaks } = run(skip);
      expect(breaks.gap, `without frame ${skip}`).toBe(1);
      expect(rig.levels(symbol)).toBeUndefined();
      expect(rig.renewed).toEqual([symbol]);
    }
  });
});

describeRecorded('sessions', 'recorded sessions of several contracts', () => {
  it('Kraken Futures: every contract chains to the end', () => {
    const frames = sessionFrames('kraken-futures-2021-07.jsonl');
    const symbols = [
      ...new Set(
        frames.flatMap((f) => /"feed":"book(?:_snapshot)?","product_id":"([^"]+)"/.exec(f)?.[1] ?? []),
      ),
    ];
    const rig = new BookRig(feedOf(kraken));
    rig.follow(...symbols);
    for (const frame of frames) rig.push(frame);
    const stats = rig.books.stats();
    expect(stats.live).toBe(symbols.length);
    expect(symbols.length).toBeGreaterThan(5);
    expect(stats.breaks.gap).toBe(0);
    expect(stats.scanned).toBeGreaterThan(6000);
  });

  it('Binance: both contracts join their recorded REST books', async () => {
    const rig = new BookRig(feedOf(binance));
    const seeds = readLines('sessions', 'binance-usdm-2021-07.snapshots.jsonl').map(
      (line) => JSON.parse(line) as { url: string; body: string },
    );
    rig.follow('SUSHIUSDT', 'CTKUSDT');
    for (const [i, frame] of sessionFrames('binance-usdm-2021-07.jsonl').entries()) {
      if (i === 60) {
        for (const ask of [...rig.asks]) {
          const seed = seeds.find(({ url }) => url.includes(ask.symbol));
          await ask.answer(JSON.parse(seed?.body ?? 'null'));
        }
      }
      if (frame.includes('depthUpdate')) rig.push(frame);
    }
    expect(rig.books.stats()).toMatchObject({ live: 2, breaks: { gap: 0, old_seed: 0 } });
  });
});

describeRecorded('samples', 'recorded OKX books', () => {
  it('chains the newer frames by their numbers', () => {
    const rig = new BookRig(feedOf(okx));
    rig.follow('NEAR-USDT');
    const [snapshot = '', update = ''] = readLines('samples', 'okx/ws-books-seq-near-usdt.jsonl');
    expect(rig.push(snapshot)).toBe(true);
    expect(rig.push(update)).toBe(true);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(rig.levels('NEAR-USDT')?.bids.slice(0, 3)).toEqual([
      [1.782, 2173.46443964],
      [1.781, 14694.07509503],
      [1.78, 12102.991384],
    ]);
    expect(
      rig.push(
        update.replace(
          '"seqId":9690930617,"prevSeqId":9690930615',
          '"seqId":9690930621,"prevSeqId":9690930619',
        ),
      ),
    ).toBe(true);
    expect(rig.levels('NEAR-USDT')).toBeUndefined();
  });
});

describeRecorded('samples', 'recorded Bybit and Hyperliquid books', () => {
  it('Bybit: a snapshot and the change that follows it', () => {
    const rig = new BookRig(feedOf(bybit));
    rig.follow('BTCUSDT');
    const [snapshot = '', change = ''] = readLines('samples', 'bybit/ws-orderbook-spot-roq.jsonl');
    rig.push(snapshot);
    rig.push(change);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([27579.99, 0.031244]);
    expect(rig.levels('BTCUSDT')?.bids).toHaveLength(50);
    rig.push(change.replace('"u":1323397', '"u":1323399'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['orderbook.1000.BTCUSDT']);
  });

  it('Hyperliquid: every frame is the book', () => {
    const rig = new BookRig(feedOf(hyperliquid));
    rig.follow('BTC', contract('v', 'kPEPE', { multiplier: 1000 }), 'MATIC');
    for (const frame of readLines('samples', 'hyperliquid/ws-frames.jsonl')) rig.push(frame);
    expect(best(rig.levels('BTC'), 1)).toEqual({ bids: [[84143, 10.25923]], asks: [[84144, 50.66449]] });
    expect(rig.levels('kPEPE')?.bids[0]?.[1]).toBe(2_058_973_000);
    expect(rig.levels('MATIC')).toEqual({ bids: [], asks: [] });
  });
});
