import { describe, expect, it } from 'vitest';
import { BookRig } from '../../../test/books/book-rig.ts';
import { describeChecksums } from '../../../test/books/checksum-book.ts';
import { sessionOf } from '../../../test/books/dialect-session.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import type { BookFeed } from '../book-feed.ts';
import { bitget } from './index.ts';

function booksOf(): BookFeed {
  if (bitget.books === undefined) throw new Error('no books');
  return bitget.books;
}

describeRecorded('samples', 'recorded Bitget books', () => {
  const [snapshot = '', update = ''] = readLines('samples', 'bitget/ws-v3-books-ticker.jsonl');

  it('frames of 2026: a snapshot is taken, a foreign delta rejected', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([76742.8, 2.8986]);
    rig.push(update.replace('483415085712', '483814309999'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['usdt-futures BTCUSDT']);
  });

  it('frames of 2026: the same delta applies where it follows', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(rig.levels('BTCUSDT')?.bids.at(-1)).toEqual([76598.9, 0.0783]);
  });

  it('a delta without a predecessor: applied where the sequence restarts', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update.replace('"pseq": 483415077719', '"pseq": 0').replace('"seq": 483415085712', '"seq": 12'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });
});

describe('numbers of Bitget changes', () => {
  it('one that follows none: a new count, so the held book is of no use', async () => {
    const session = sessionOf('bitget');
    await session.begin();
    expect(session.bestAfter(0, 12)).toBeUndefined();
    expect(session.rig.renewed).toEqual([session.dialect.topic]);
  });
});

describeChecksums(bitget, 'ws-books-v1-dashusdt.jsonl', 'DASHUSDT');

describeKeepAlive(bitget, { ping: 'ping' });
