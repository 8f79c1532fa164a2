import { simWhitebit } from '@perpmeter/sim/venues/whitebit';
import { describe, expect, it } from 'vitest';
import { type AskedVenue, AT, connect, runOf } from '../../../test/venues/asked-venue.ts';
import { describeByContract } from '../../../test/venues/by-contract.ts';
import { callFor, contextOf } from '../../../test/venues/samples.ts';
import { whitebit } from './index.ts';

const ASKED: AskedVenue = {
  adapter: whitebit,
  sim: simWhitebit,
  book: '/api/v4/public/orderbook/*?limit=30',
  funding: '/api/v4/public/funding-history/*?limit=48',
  // Has no calls by contract, and ignores the parameters of this one.
  single: ['/api/v4/public/futures?market=*'],
  follow: (symbol) => ({ id: 1, method: 'depth_subscribe', params: [symbol, 30, '0', true] }),
  socket: '/ws',
  refused: [
    ['/api/v4/public/orderbook/NOPE_PERP', 422],
    ['/api/v4/public/funding-history/BTC_PERP?limit=101', 422],
    ['/api/v4/public/collateral/markets', 451],
  ],
  refusedInText: [['/api/v4/public/nope', 404]],
};

describeByContract(ASKED);

describe('simulated whitebit', () => {
  it('pushes mark, index, rate and settlement of delisted markets', () => {
    const { say, frames } = connect(simWhitebit, '/ws');
    say({ id: 5, method: 'premiumIndex_subscribe', params: [] });
    const known = [...runOf(ASKED).instruments.values()];
    const decoded = frames().map((frame) => callFor(whitebit, 'a channel')?.decode(frame, contextOf(known)));
    const quotes = decoded.flatMap((d) => d?.quotes ?? []);
    expect(quotes).toHaveLength(known.length);
    for (const quote of quotes) expect(runOf(ASKED).quotes.get(quote.symbol)).toMatchObject(quote);
    const reasons = decoded.flatMap((d) => d?.rejects ?? []).map(({ reason }) => reason);
    expect(reasons).toEqual(Array(7).fill('not_listed'));
  });

  it('a book without "true": ends the others; silence ends the socket', () => {
    const { say, tick, frames, closed } = connect(simWhitebit, '/ws');
    say(ASKED.follow('BTC_PERP'));
    say({ id: 2, method: 'depth_subscribe', params: ['ETH_PERP', 5, '0', false] });
    frames();
    tick(AT + 1000);
    const markets = frames().map((frame) => (frame as { params: unknown[] }).params[2]);
    expect(new Set(markets)).toEqual(new Set(['ETH_PERP']));
    tick(AT + 61_000);
    expect(closed()).toBe(1006);
  });
});
