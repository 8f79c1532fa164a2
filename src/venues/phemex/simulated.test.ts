import { simPhemex } from '@perpmeter/sim/venues/phemex';
import { describe, expect, it } from 'vitest';
import { type AskedVenue, AT, connect, pairingOf, runOf, world } from '../../../test/venues/asked-venue.ts';
import { describeByContract } from '../../../test/venues/by-contract.ts';
import { callFor, contextOf } from '../../../test/venues/samples.ts';
import { renderRequest } from '../../../test/venues/sim-run.ts';
import { phemex } from './index.ts';

const ASKED: AskedVenue = {
  adapter: phemex,
  sim: simPhemex,
  book: '/md/v2/orderbook?symbol=*',
  funding: '/api-data/public/data/funding-rate-history?symbol=.*FR8H&limit=48',
  single: ['/md/v3/ticker/24hr?symbol=*', '/contract-biz/public/real-funding-rates?symbol=*'],
  follow: (symbol) => ({ id: 1, method: 'orderbook_p.subscribe', params: [symbol, true, 30] }),
  socket: '',
  refused: [
    ['/md/v2/orderbook?symbol=NOPE', 500],
    ['/md/v3/ticker/24hr?symbol=sBTCUSDT', 500],
  ],
  refusedInText: [['/nope', 403]],
};

describeByContract(ASKED);

describe('simulated phemex', () => {
  it('the funding call has pages, short ones unless asked otherwise', () => {
    const rows = (path: string) => {
      const answer = renderRequest(pairingOf(ASKED), world, { method: 'GET', path }, AT);
      return (JSON.parse(answer?.body ?? '') as { data: { rows: unknown[]; total: number } }).data;
    };
    const path = '/contract-biz/public/real-funding-rates';
    expect(rows(path).rows).toHaveLength(20);
    expect(rows(`${path}?pageSize=1000`).rows).toHaveLength(200);
    const asked = runOf(ASKED).calls.filter(({ name }) => name.startsWith('real-funding-rates'));
    expect(asked).toHaveLength(Math.ceil(rows(path).total / 200));
    expect(asked.length).toBeGreaterThan(1);
  });

  it('the ticker of all contracts in columns, marks by their own names', () => {
    const { say, frames } = connect(simPhemex, '');
    say({ id: 2, method: 'perp_market24h_pack_p.subscribe', params: [] });
    say({ id: 3, method: 'tick_p.subscribe', params: ['.Mu1000PEPEUSDT'] });
    const call = callFor(phemex, 'a channel');
    const known = [...runOf(ASKED).instruments.values()];
    const quotes = frames().flatMap((frame) => call?.decode(frame, contextOf(known)).quotes ?? []);
    expect(quotes.length).toBe(known.length + 1);
    for (const quote of quotes) {
      const bulk = runOf(ASKED).quotes.get(quote.symbol);
      expect(bulk).toMatchObject(quote);
    }
  });

  it('ends a socket that does not ping, and counts its books', () => {
    const idle = connect(simPhemex, '');
    const kept = connect(simPhemex, '');
    for (const { symbol } of [...runOf(ASKED).instruments.values()].slice(0, 102))
      kept.say(ASKED.follow(symbol));
    expect(kept.frames().at(-1)).toMatchObject({ error: { code: 6015 } });
    for (let t = AT; t <= AT + 40_000; t += 10_000) {
      kept.say({ id: 0, method: 'server.ping', params: [] });
      kept.tick(t);
      idle.tick(t);
    }
    expect([kept.closed(), idle.closed()]).toEqual([undefined, 1006]);
  });
});
