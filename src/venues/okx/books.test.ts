import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeChecksums, type Frame, TextBook, unnumberedRig } from '../../../test/books/checksum-book.ts';
import { describeRecorded, readLines, sessionFrames } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { okx } from './index.ts';

describeRecorded('samples', 'recorded OKX books', () => {
  it('chains the newer frames by their numbers', () => {
    const rig = rigOf(okx, 'NEAR-USDT');
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

describeChecksums(okx, 'ws-books-uni-usd-swap.jsonl', 'UNI-USD-SWAP');

describeRecorded('sessions', 'recorded OKX session', () => {
  it('agrees with every checksum on both contracts', () => {
    const books = new Map([
      ['UNI-USD-SWAP', new TextBook()],
      ['BTC-USDT', new TextBook()],
    ]);
    const rig = unnumberedRig(okx, ...books.keys());
    const texts = sessionFrames('okx-2022-05.jsonl').filter((text) =>
      /"channel":"books".*"action"/.test(text),
    );
    expect(texts).toHaveLength(191);
    for (const text of texts) {
      const frame = JSON.parse(text) as Frame;
      rig.push(text);
      expect(books.get(frame.arg.instId)?.take(frame)).toBe(true);
      expect(rig.levels(frame.arg.instId)).toEqual(books.get(frame.arg.instId)?.levels());
    }
  });
});

describeKeepAlive(okx, { ping: 'ping' });
