import { simBackpack } from '@perpmeter/sim/venues/backpack';
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
import { callFor, contextOf } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { backpack } from './index.ts';

const ASKED: AskedVenue = {
  adapter: backpack,
  sim: simBackpack,
  book: '/api/v1/depth?symbol=*&limit=100',
  // The first row is the hour that still runs.
  funding: '/api/v1/fundingRates?symbol=*&limit=49',
  single: ['markPrices', 'openInterest', 'ticker'].map((name) => `/api/v1/${name}?symbol=*`),
  follow: (symbol) => ({ method: 'SUBSCRIBE', params: [`depth.200ms.${symbol}`] }),
  socket: '',
  refused: [
    ['/api/v1/depth?symbol=NOPE_USDC_PERP', 400],
    ['/api/v1/markPrices?symbol=SOL_USDC', 400],
  ],
  refusedInText: [
    ['/api/v1/nope', 404],
    ['/api/v1/depth?symbol=BTC_USDC_PERP&limit=30', 400],
  ],
};

describeByContract(ASKED);

describe('simulated backpack', () => {
  it('the payments of the past: page after page, without a gap', () => {
    const contract = contractOf(ASKED, 'SOL');
    const instrument = runOf(ASKED).instruments.get(contract.symbol);
    const past = backpack.backfill?.find(({ kind }) => kind === 'funding');
    if (past === undefined || instrument === undefined) throw new Error('no history of SOL');
    const pages = [1, 2].map((page) => past.request(instrument, asMs(0), asMs(AT), page).path);
    expect(pages[1]).toContain('limit=1000&offset=1000');
    const [newer = [], older = []] = pages.map((path) => ask(ASKED, path, contract).funding);
    // The hour that runs is the first row of the first page.
    expect([newer.length, older.length]).toEqual([999, 1000]);
    expect(newer.at(-1)?.time).toBe((older[0]?.time ?? 0) + HOUR_MS);
  });

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
    const known = contextOf([...runOf(ASKED).instruments.values()]);
    const quotes = frames().flatMap(
      (frame) => callFor(backpack, 'a channel')?.decode(frame, known).quotes ?? [],
    );
    const { venueTime, ...quote } = Object.assign({}, ...quotes);
    expect(venueTime).toBe(AT);
    expect(quote).toEqual(runOf(ASKED).quotes.get(symbol));
  });

  it('reads candles of mark and index', () => {
    const contract = contractOf(ASKED, 'PEPE');
    const from = (AT - 10 * HOUR_MS) / 1000;
    const of = (type: string) =>
      ask(ASKED, `/api/v1/klines?symbol=*&interval=1h&startTime=${from}&priceType=${type}`, contract).history;
    expect(of('MarkPrice').length).toBeGreaterThan(8);
    for (const { time, markPrice } of of('MarkPrice')) {
      expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 6);
    }
    for (const { time, indexPrice } of of('IndexPrice')) {
      expect((indexPrice ?? 0) / world.index(contract, time)).toBeCloseTo(1, 6);
    }
  });
});
