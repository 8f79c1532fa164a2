import { expect, it } from 'vitest';
import { BookSync } from '../../src/collect/books/book-sync.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { bitget } from '../../src/venues/bitget/index.ts';
import { interleavedCrc32 } from '../../src/venues/book-checksum.ts';
import { UNNUMBERED } from '../../src/venues/book-continuity.ts';
import type { BookFeed } from '../../src/venues/book-feed.ts';
import { type BookFrame, frameOf } from '../../src/venues/book-frame.ts';
import { BookRig, contract } from './book-rig.ts';
import { describeRecorded, readLines, readPayload } from './sessions.ts';

function booksOf(): BookFeed {
  if (bitget.books === undefined) throw new Error('no books');
  return bitget.books;
}

type TextLevel = readonly [price: string, size: string];

interface Entry {
  readonly file: string;
  readonly expected?: {
    readonly derived_by_replay?: { readonly bids: TextLevel[]; readonly asks: TextLevel[] };
  };
}

/** Frames of 2022 have no number; their checksum is over the text of the levels. */
const BY_CHECKSUM: BookFeed = {
  ...booksOf(),
  continuity: UNNUMBERED,
  checksum: interleavedCrc32(25),
};

const SYMBOL = 'DASHUSDT';

/** A frame as the venue's decoder reads it, with its levels as they were written. */
function frameWithText(text: string): BookFrame {
  const payload = JSON.parse(text) as { data: { bids: TextLevel[]; asks: TextLevel[] }[] };
  const instruments = new Map([[SYMBOL, contract('bitget', SYMBOL)]]);
  const [update] = booksOf().stream?.call.decode(payload, { instruments }).books ?? [];
  const [row] = payload.data;
  if (update === undefined || row === undefined) throw new Error('no book');
  return frameOf({ ...update, texts: { bids: row.bids, asks: row.asks } });
}

function syncOf() {
  const store = createBookStore({ clock: { now: () => asMs(1) } });
  const sync = new BookSync(BY_CHECKSUM, store.keeper.open(contract('bitget', SYMBOL), { uncrosses: false }));
  return { sync, levels: () => store.view.levels('bitget', SYMBOL, 1e6) };
}

describeRecorded('samples', 'recorded Bitget books', () => {
  const file = 'ws-books-v1-dashusdt.jsonl';
  const frames = readLines('samples', `bitget/${file}`).map(frameWithText);

  it('agrees with every checksum of 60 frames, and ends where the index says', () => {
    const { sync, levels } = syncOf();
    expect(frames).toHaveLength(60);
    expect(frames.map((frame) => sync.frame(frame, asMs(1)))).toEqual(frames.map(() => undefined));
    const entries = readPayload('samples', 'bitget/index.json') as Entry[];
    const stated = entries.find((entry) => entry.file === file)?.expected?.derived_by_replay;
    const numbers = (side: TextLevel[] = []) => side.map((level) => level.map(Number));
    expect(levels()?.bids.slice(0, 3)).toEqual(numbers(stated?.bids));
    expect(levels()?.asks.slice(0, 3)).toEqual(numbers(stated?.asks));
  });

  it('finds by its checksum every frame that is missing', () => {
    for (let skip = 1; skip < frames.length - 1; skip++) {
      const { sync } = syncOf();
      const faults = frames.filter((_, i) => i !== skip).map((frame) => sync.frame(frame, asMs(1)));
      expect(
        faults.find((fault) => fault !== undefined),
        `without frame ${skip}`,
      ).toBe('checksum');
      expect(sync.isLive).toBe(false);
    }
  });

  const [snapshot = '', update = ''] = readLines('samples', 'bitget/ws-v3-books-ticker.jsonl');

  it('frames of 2026: a snapshot is taken, the change that does not follow it is not', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot);
    expect(rig.levels('BTCUSDT')?.bids[0]).toEqual([76742.8, 2.8986]);
    rig.push(update.replace('483415085712', '483814309999'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.renewed).toEqual(['usdt-futures BTCUSDT']);
  });

  it('frames of 2026: the same change is taken where it follows, its deletions of nothing too', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update);
    expect(rig.books.stats().breaks.gap).toBe(0);
    expect(rig.levels('BTCUSDT')?.bids.at(-1)).toEqual([76598.9, 0.0783]);
  });

  it('a change that follows nothing: the venue counts anew', () => {
    const rig = new BookRig(booksOf());
    rig.follow('BTCUSDT');
    rig.push(snapshot.replace('483814309734', '483415077719'));
    rig.push(update.replace('"pseq": 483415077719', '"pseq": 0').replace('"seq": 483415085712', '"seq": 12'));
    expect(rig.levels('BTCUSDT')).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
  });
});
