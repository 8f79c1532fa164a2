import { simCryptocom } from '@perpmeter/sim/venues/cryptocom';
import { describe, expect, it } from 'vitest';
import {
  type AskedVenue,
  AT,
  ask,
  connect,
  contractOf,
  runOf,
  world,
} from '../../../test/venues/asked-venue.ts';
import { describeByContract } from '../../../test/venues/by-contract.ts';
import { cryptocom } from './index.ts';

const ASKED: AskedVenue = {
  adapter: cryptocom,
  sim: simCryptocom,
  book: '/public/get-book?instrument_name=*&depth=50',
  funding: '/public/get-valuations?instrument_name=*&valuation_type=funding_hist&count=48',
  single: [
    '/public/get-tickers?instrument_name=*',
    ...['mark_price', 'index_price', 'funding_rate'].map(
      (type) => `/public/get-valuations?instrument_name=*&valuation_type=${type}&count=1`,
    ),
  ],
  follow: (symbol) => ({
    id: 1,
    method: 'subscribe',
    params: { channels: [`book.${symbol}.50`], book_subscription_type: 'SNAPSHOT_AND_UPDATE' },
  }),
  socket: '/exchange/v1/market',
  refused: [
    ['/public/get-book?instrument_name=NOPEUSD-PERP&depth=10', 400],
    ['/public/get-book?instrument_name=BTCUSD-PERP&depth=200', 400],
    ['/public/get-valuations?valuation_type=mark_price', 400],
    ['/public/get-nope', 404],
  ],
  refusedInText: [],
};

describeByContract(ASKED);

describe('simulated cryptocom', () => {
  it('allows 400 channels and wants its heartbeats answered', () => {
    const { say, tick, frames, closed } = connect(simCryptocom, '/exchange/v1/market');
    const perps = [...runOf(ASKED).instruments.values()];
    const channels = perps.flatMap(({ symbol, indexId }) => [
      `mark.${symbol}`,
      `index.${indexId}`,
      `ticker.${symbol}`,
    ]);
    expect(channels.length).toBeGreaterThan(401);
    say({ id: 9, method: 'subscribe', params: { channels: channels.slice(0, 401) } });
    const answers = frames();
    expect(answers).toHaveLength(401);
    expect(answers.at(-1)).toMatchObject({ id: 9, code: 40_107 });
    // The first push of a channel carries the number of its request.
    expect(answers[0]).toMatchObject({ id: 9, code: 0, result: { channel: 'mark' } });
    for (let beat = 1; beat <= 5; beat++) tick(AT + beat * 30_000);
    expect(closed()).toBe(1000);
  });

  it('an answered heartbeat: keeps the connection', () => {
    const { say, tick, frames, closed } = connect(simCryptocom, '/exchange/v1/market');
    const [stream] = cryptocom.streams ?? [];
    for (let beat = 1; beat <= 6; beat++) {
      tick(AT + beat * 30_000);
      for (const frame of frames()) say(stream?.pong?.(frame));
    }
    expect(closed()).toBeUndefined();
    say({ id: 1, method: 'subscribe', params: { channels: ['index.BTCUSD-PERP', 'nope.BTCUSD-PERP'] } });
    expect(frames()).toMatchObject([
      { message: 'Unsupported instrument' },
      { message: 'Unrecognized channel' },
    ]);
  });

  it('reads a sparse series of marks and indices', () => {
    const contract = contractOf(ASKED, 'BTC');
    const of = (type: string) =>
      ask(ASKED, `/public/get-valuations?instrument_name=*&valuation_type=${type}&count=8`, contract).history;
    expect(of('mark_price')).toHaveLength(8);
    for (const { time, markPrice } of of('mark_price')) {
      expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 6);
    }
    for (const { time, indexPrice } of of('index_price')) {
      expect((indexPrice ?? 0) / world.index(contract, time)).toBeCloseTo(1, 6);
    }
  });
});
