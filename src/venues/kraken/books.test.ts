import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { replay, spread } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines, sessionFrames } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { kraken } from './index.ts';

describeRecorded('samples', 'recorded Kraken Futures books', () => {
  const symbol = 'PI_ETHUSD';

  const frames = readLines('samples', 'kraken/ws-book-pi-ethusd.jsonl');
  const run = (skip?: number) => replay(kraken, symbol, frames, skip);

  it('a snapshot and 600 changes chain, and end as the plainest book does', () => {
    const { rig, plain, breaks } = run();
    expect(Object.values(breaks).every((count) => count === 0)).toBe(true);
    expect(rig.levels(symbol)).toEqual(plain.levels());
    expect(rig.books.stats()).toMatchObject({ scanned: 601, decoded: 0, live: 1 });
  });

  it('a frame that is missing is found, and the topic is subscribed to again', () => {
    for (const skip of spread(frames.length, 3)) {
      const { rig, breaks } = run(skip);
      expect(breaks.gap, `without frame ${skip}`).toBe(1);
      expect(rig.levels(symbol)).toBeUndefined();
      expect(rig.renewed).toEqual([symbol]);
    }
  });
});

describeRecorded('sessions', 'a recorded Kraken Futures session', () => {
  it('every contract chains to the end', () => {
    const frames = sessionFrames('kraken-futures-2021-07.jsonl');
    const symbols = [
      ...new Set(
        frames.flatMap((f) => /"feed":"book(?:_snapshot)?","product_id":"([^"]+)"/.exec(f)?.[1] ?? []),
      ),
    ];
    const rig = rigOf(kraken, ...symbols);
    for (const frame of frames) rig.push(frame);
    const stats = rig.books.stats();
    expect(stats.live).toBe(symbols.length);
    expect(symbols.length).toBeGreaterThan(5);
    expect(stats.breaks.gap).toBe(0);
    expect(stats.scanned).toBeGreaterThan(6000);
  });
});

describeKeepAlive(kraken, {});
