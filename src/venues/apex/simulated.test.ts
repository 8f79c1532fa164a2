import { describe, expect, it } from 'vitest';
import { connect } from '../../../test/venues/asked-venue.ts';
import { expectBook, expectSettled, read, sim } from '../../../test/venues/simulated-reads.ts';

describe('simulated apex', () => {
  it('states the book and the rates charged of SOL', () => {
    expectBook('apex', 'SOLUSDT', '/v3/depth?symbol=SOLUSDT&limit=100');
    expectSettled('apex', 'SOLUSDT', '/v3/history-funding?symbol=SOL-USDT&limit=24');
  });

  it('the book of an unknown contract: sides of null, which is a reject', () => {
    expect(read('apex', '/v3/depth?symbol=NOPEUSDT&limit=100')).toMatchObject({
      books: [],
      rejects: [{ symbol: null, reason: 'missing_field' }],
    });
  });

  it('refuses a whole frame for one unknown topic', () => {
    const { say, frames } = connect(sim('apex'), '/realtime_public');
    say({ op: 'subscribe', args: ['orderBook200.H.SOLUSDT', 'orderBook200.H.NOPEUSDT'] });
    expect(frames()).toMatchObject([{ success: false, ret_msg: 'error:handler not found' }]);
    say({ op: 'subscribe', args: ['orderBook200.H.SOLUSDT'] });
    expect(frames()).toMatchObject([{ success: true }, { topic: 'orderBook200.H.SOLUSDT' }]);
    say({ op: 'subscribe', args: ['instrumentInfo.H.SOLUSDT'] });
    expect(frames()).toMatchObject([{ success: true }]);
  });
});
