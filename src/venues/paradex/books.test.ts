import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { paradex } from './index.ts';

describeRecorded('samples', 'recorded Paradex books', () => {
  it('a frame is the book', () => {
    const rig = rigOf(paradex, 'BTC-USD-PERP');
    rig.push(readLines('samples', 'paradex/ws-frames.jsonl')[0] ?? '');
    expect(rig.levels('BTC-USD-PERP')).toEqual({ bids: [[67629.7, 0.992]], asks: [[69378.6, 3.137]] });
  });
});

describeKeepAlive(paradex, {});
