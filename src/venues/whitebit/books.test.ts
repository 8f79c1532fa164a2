import { describe, expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { START, sessionOf } from '../../../test/books/dialect-session.ts';
import { edited } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { whitebit } from './index.ts';

describeRecorded('samples', 'recorded WhiteBIT books', () => {
  const symbol = 'ETH_PERP';
  const [ack = '', snapshot = '', change = ''] = readLines('samples', 'whitebit/ws-depth-eth-perp.jsonl');

  it('the change follows the snapshot by past_update_id, its asks left out', () => {
    const rig = rigOf(whitebit, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [2747.92, 9.31],
        [2747.78, 4.32],
        [2747.71, 0.04],
        [2747.18, 0.36],
        [2746.57, 0.36],
      ],
      asks: [
        [2747.93, 0.2],
        [2748.56, 0.71],
        [2748.65, 1.32],
      ],
    });
  });

  it('a change after one that is missing is found', () => {
    const rig = rigOf(whitebit, symbol);
    rig.push(snapshot);
    rig.push(change);
    const later = edited(
      change,
      '"update_id":21244231356,"past_update_id":21244231142',
      '"update_id":21244231999,"past_update_id":21244231800',
    );
    rig.push(later);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([symbol]);
  });

  it('a delta without a snapshot is not applied', () => {
    const [lone = '', resting = ''] = readLines('samples', 'whitebit/ws-depth-other.jsonl');
    const rig = rigOf(whitebit, 'BTC_PERP');
    rig.push(lone);
    rig.push(resting);
    expect(rig.levels('BTC_PERP')).toBeUndefined();
  });
});

describe('a quiet WhiteBIT book', () => {
  it('is resent as a snapshot with an equal or higher sequence', async () => {
    const session = sessionOf('whitebit');
    const { dialect } = session;
    await session.begin();
    session.rig.pass(10_000);
    const jump = session.numberOf(0) + 5;
    session.rig.push(dialect.whole(jump, START));
    expect(session.rig.quote(dialect.symbol)).toMatchObject({ ageMs: 0 });
    session.rig.push(dialect.change(jump, jump + 3, { bids: [['149.95', '12']], asks: [] }));
    expect(session.levels?.bids[0]).toEqual([149.95, 12]);
    expect(session.rig.books.stats().breaks.gap).toBe(0);
  });
});

describeKeepAlive(whitebit, { ping: { id: 0, method: 'ping', params: [] } });
