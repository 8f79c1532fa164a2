import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { extended } from './index.ts';

describeRecorded('samples', 'recorded Extended books', () => {
  it('a change states the size that a level came to, and follows by count', () => {
    const [whole = '', change = ''] = readLines('samples', 'extended/ws-book.jsonl');
    const rig = rigOf(extended, 'BTC-USD');
    rig.push(whole);
    rig.push(change);
    expect(rig.levels('BTC-USD')).toEqual({
      bids: [
        [63720, 14.79329],
        [63717, 0.85928],
      ],
      asks: [[63721, 5.1]],
    });
    rig.push(edited(change, '"seq":2', '"seq":4'));
    expect(rig.levels('BTC-USD')).toBeUndefined();
  });
});

describeKeepAlive(extended, {});
