import { describe, expect, it } from 'vitest';
import { simBackpack } from '../../src/sim/venues/backpack.ts';
import { simCryptocom } from '../../src/sim/venues/cryptocom.ts';
import { simPhemex } from '../../src/sim/venues/phemex.ts';
import { simWhitebit } from '../../src/sim/venues/whitebit.ts';
import { backpack } from '../../src/venues/backpack/index.ts';
import { cryptocom } from '../../src/venues/cryptocom/index.ts';
import { phemex } from '../../src/venues/phemex/index.ts';
import { whitebit } from '../../src/venues/whitebit/index.ts';
import { AT, BACKPACK, CRYPTOCOM, connect, PHEMEX, pairingOf, runOf, WHITEBIT, world } from './cex-rig.ts';
import { callFor, contextOf } from './samples.ts';
import { renderRequest } from './sim-run.ts';

/** Bounds and habits of the venues themselves, as the simulation keeps them. */

describe('phemex', () => {
  it('the funding call has pages, short ones unless asked otherwise', () => {
    const rows = (path: string) => {
      const answer = renderRequest(pairingOf(PHEMEX), world, { method: 'GET', path }, AT);
      return (JSON.parse(answer?.body ?? '') as { data: { rows: unknown[]; total: number } }).data;
    };
    const path = '/contract-biz/public/real-funding-rates';
    expect(rows(path).rows).toHaveLength(20);
    expect(rows(`${path}?pageSize=1000`).rows).toHaveLength(200);
    const asked = runOf(PHEMEX).calls.filter(({ name }) => name.startsWith('real-funding-rates'));
    expect(asked).toHaveLength(Math.ceil(rows(path).total / 200));
    expect(asked.length).toBeGreaterThan(1);
  });

  it('sends the ticker of all contracts in columns, and marks by their own names', () => {
    const { say, frames } = connect(simPhemex, '');
    say({ id: 2, method: 'perp_market24h_pack_p.subscribe', params: [] });
    say({ id: 3, method: 'tick_p.subscribe', params: ['.Mu1000PEPEUSDT'] });
    const call = callFor(phemex, 'a channel');
    const known = [...runOf(PHEMEX).instruments.values()];
    const quotes = frames().flatMap((frame) => call?.decode(frame, contextOf(known)).quotes ?? []);
    expect(quotes.length).toBe(known.length + 1);
    for (const quote of quotes) {
      const bulk = runOf(PHEMEX).quotes.get(quote.symbol);
      expect(bulk).toMatchObject(quote);
    }
  });

  it('ends a socket that does not ping, and counts its books', () => {
    const idle = connect(simPhemex, '');
    const kept = connect(simPhemex, '');
    for (const { symbol } of [...runOf(PHEMEX).instruments.values()].slice(0, 102))
      kept.say(PHEMEX.follow(symbol));
    expect(kept.frames().at(-1)).toMatchObject({ error: { code: 6015 } });
    for (let t = AT; t <= AT + 40_000; t += 10_000) {
      kept.say({ id: 0, method: 'server.ping', params: [] });
      kept.tick(t);
      idle.tick(t);
    }
    expect([kept.closed(), idle.closed()]).toEqual([undefined, 1006]);
  });
});

describe('whitebit', () => {
  it('pushes mark, index, rate and settlement of delisted markets', () => {
    const { say, frames } = connect(simWhitebit, '/ws');
    say({ id: 5, method: 'premiumIndex_subscribe', params: [] });
    const known = [...runOf(WHITEBIT).instruments.values()];
    const decoded = frames().map((frame) => callFor(whitebit, 'a channel')?.decode(frame, contextOf(known)));
    const quotes = decoded.flatMap((d) => d?.quotes ?? []);
    expect(quotes).toHaveLength(known.length);
    for (const quote of quotes) expect(runOf(WHITEBIT).quotes.get(quote.symbol)).toMatchObject(quote);
    const reasons = decoded.flatMap((d) => d?.rejects ?? []).map(({ reason }) => reason);
    expect(reasons).toEqual(Array(7).fill('not_listed'));
  });

  it('a book asked for without "true" ends the others; silence ends the socket', () => {
    const { say, tick, frames, closed } = connect(simWhitebit, '/ws');
    say(WHITEBIT.follow('BTC_PERP'));
    say({ id: 2, method: 'depth_subscribe', params: ['ETH_PERP', 5, '0', false] });
    frames();
    tick(AT + 1000);
    const markets = frames().map((frame) => (frame as { params: unknown[] }).params[2]);
    expect(new Set(markets)).toEqual(new Set(['ETH_PERP']));
    tick(AT + 61_000);
    expect(closed()).toBe(1006);
  });
});

describe('cryptocom', () => {
  it('allows 400 channels and wants its heartbeats answered', () => {
    const { say, tick, frames, closed } = connect(simCryptocom, '/exchange/v1/market');
    const perps = [...runOf(CRYPTOCOM).instruments.values()];
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

  it('an answered heartbeat keeps the connection; an index has no name but its own', () => {
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
});

describe('backpack', () => {
  it('ignores unknown topics, and answers unreadable messages with an error', () => {
    const { say, frames } = connect(simBackpack, '');
    say({ method: 'SUBSCRIBE', params: ['depth.NOPE_USDC_PERP'] });
    expect(frames()).toEqual([]);
    say({ method: 'SUBSCRIBE', params: ['depth.100ms.BTC_USDC_PERP', 'nope.BTC_USDC_PERP'] });
    say('no json');
    const codes = frames().map((frame) => (frame as { error: { code: number } }).error.code);
    expect(codes).toEqual([4008, 4006, 4002]);
  });

  it('pushes what the bulk calls say', () => {
    const { say, tick, frames } = connect(simBackpack, '');
    const symbol = 'kPEPE_USDC_PERP';
    say({
      method: 'SUBSCRIBE',
      params: ['markPrice', 'ticker', 'openInterest'].map((name) => `${name}.${symbol}`),
    });
    tick(AT);
    const known = contextOf([...runOf(BACKPACK).instruments.values()]);
    const quotes = frames().flatMap(
      (frame) => callFor(backpack, 'a channel')?.decode(frame, known).quotes ?? [],
    );
    const { venueTime, ...quote } = Object.assign({}, ...quotes);
    expect(venueTime).toBe(AT);
    expect(quote).toEqual(runOf(BACKPACK).quotes.get(symbol));
  });
});
