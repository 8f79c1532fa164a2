import { expect, it } from 'vitest';
import { bitget } from '../../src/venues/bitget/index.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { BookRig } from './book-rig.ts';
import { describeRecorded, readLines } from './sessions.ts';

function booksOf(): BookFeed {
  if (bitget.books === undefined) throw new Error('no books');
  return bitget.books;
}

describeRecorded('samples', 'recorded Bitget books', () => {
  const [snapshot = '', update = ''] = readLines('samples', 'bitget/ws-v3-books-ticker.jsonl');

  it('frames of 2026: applies a snapshot and rejects a delta that does not follow it', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([76742.8, 2.8986]);
    rig.push(update.replace('483415085712', '483814309999'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['usdt-futures BTCUSDT']);
  });

  it('frames of 2026: applies the same delta where it follows, including deletions of absent levels', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(rig.levels('BTCUSDT')?.bids.at(-1)).toEqual([76598.9, 0.0783]);
  });

  it('applies a delta without a predecessor where the venue restarts its sequence', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update.replace('"pseq": 483415077719', '"pseq": 0').replace('"seq": 483415085712', '"seq": 12'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });
});
