import { describe, expect, it } from 'vitest';
import { mutate, nonsenseProblems } from '../../../test/venues/mutate.ts';
import { contextOf, requestFor } from '../../../test/venues/recordings.ts';
import { template } from './index.ts';
import { baseOf, decodeBook, decodeFundingHistory, decodeInstruments, decodeTickers } from './wire.ts';

const row = {
  symbol: '1000PEPE-USDT-PERP',
  type: 'perpetual',
  status: 'trading',
  settle: 'USDT',
  contractSize: '10',
  fundingIntervalMinutes: 240,
  takerFee: '0.0005',
  priceStep: '0.00001',
  sizeStep: '1',
  minSize: '2',
  minValue: '5',
  maxLeverage: 50,
  maintenanceMarginPercent: '1.5',
};
const ticker = {
  symbol: '1000PEPE-USDT-PERP',
  fundingRate: '-0.0001',
  nextFundingTime: 1_792_512_000_000,
  markPrice: '0.01',
  indexPrice: '0.0099',
  bid: '0.008',
  ask: '',
  openInterest: '500',
  volume: '2000',
  turnover: '200',
};
const answer = (data: unknown) => ({ code: 0, data });
const { instruments } = decodeInstruments(answer([row]), contextOf());
const known = contextOf(instruments);

describe('template', () => {
  it('lists live linear perpetuals and rejects the others with a reason', () => {
    expect(instruments).toEqual([
      {
        venue: 'template',
        symbol: '1000PEPE-USDT-PERP',
        base: '1000PEPE',
        ticker: 'PEPE',
        multiplier: 1000,
        contractSize: 10,
        quote: 'USDT',
        settle: 'USDT',
        fundingIntervalHours: 4,
        // Prices per coin; one contract is ten times a thousand coins.
        terms: {
          tick: 1e-8,
          lot: 10_000,
          minSize: 20_000,
          minNotionalUsd: 5,
          maxLeverage: 50,
          maintenanceMargin: 0.015,
        },
      },
    ]);
    const others = [
      { ...row, symbol: 'BTC-USDT-261225', type: 'future' },
      { ...row, symbol: 'BTC-USD-PERP', settle: 'BTC' },
      { ...row, symbol: 'LUNA-USDT-PERP', status: 'delisted' },
      { ...row, symbol: 'NEW-USDT-PERP', status: 'announced' },
      { ...row, symbol: 'ODD-USDT-PERP', contractSize: null },
    ];
    const { rejects, instruments: none } = decodeInstruments(answer(others), contextOf());
    expect(none).toEqual([]);
    expect(rejects.map(({ reason }) => reason)).toEqual([
      'dated',
      'inverse',
      'delisted',
      'prelisting',
      'missing_field',
    ]);
  });

  it('keeps a contract’s own taker fee', () => {
    const [cheap] = decodeInstruments(answer([{ ...row, takerFee: '0.0002' }]), contextOf()).instruments;
    expect(cheap?.takerFeeBps).toBe(2);
  });

  it('prices per ticker unit, amounts in ticker units; a blank is unknown', () => {
    const { quotes, rejects } = decodeTickers(answer([ticker]), known);
    expect(rejects).toEqual([]);
    expect(quotes).toEqual([
      {
        symbol: '1000PEPE-USDT-PERP',
        fundingRate: -0.0001,
        nextFundingTime: 1_792_512_000_000,
        markPrice: 0.00001,
        indexPrice: 0.0000099,
        bestBid: 0.000008,
        openInterestRaw: 500,
        openInterestBase: 5_000_000,
        openInterestUsd: expect.closeTo(50, 9),
        volume24hRaw: 2000,
        volume24hBase: 20_000_000,
        volume24hUsd: 200,
      },
    ]);
  });

  it('leaves base and USD amounts unknown while the contract size is unknown', () => {
    const [quote] = decodeTickers(answer([ticker]), contextOf()).quotes;
    expect(quote?.openInterestRaw).toBe(500);
    expect(quote).not.toHaveProperty('openInterestBase');
    expect(quote).not.toHaveProperty('volume24hBase');
  });

  it('settled rates belong to the requested contract', () => {
    const path = '/api/funding-history?symbol=1000PEPE-USDT-PERP';
    const rows = [{ time: '1792497600004', rate: '0.0002' }];
    const { funding } = decodeFundingHistory(answer(rows), contextOf(instruments, requestFor(path)));
    expect(funding).toEqual([{ symbol: '1000PEPE-USDT-PERP', time: 1_792_497_600_000, rate: 0.0002 }]);
  });

  it('reads books in ticker units', () => {
    const book = { symbol: ticker.symbol, bids: [['0.01', '3']], asks: [['0.011', '2']], sequence: 7 };
    const [read] = decodeBook(answer(book), known).books;
    expect(read).toMatchObject({ bids: [[0.00001, 30_000]], asks: [[0.000011, 20_000]], sequence: 7 });
  });

  it('an error inside HTTP 200 is a reject', () => {
    const error = { code: 1001, message: 'no such symbol' };
    expect(decodeTickers(error, known).rejects).toEqual([
      { symbol: null, reason: 'error_body', detail: '1001 no such symbol' },
    ]);
  });

  it('reads the base from a symbol', () => {
    expect(baseOf('1000PEPE-USDT-PERP')).toBe('1000PEPE');
    expect(baseOf('BTC-USDT-261225')).toBeUndefined();
  });

  it('never reads wrong values from damaged payloads', () => {
    const cases = [
      { name: 'instruments', payload: answer([row]), decode: decodeInstruments },
      { name: 'tickers', payload: answer([ticker]), decode: decodeTickers, context: known },
    ];
    expect(cases.flatMap((sample) => mutate(sample).problems)).toEqual([]);
    expect(nonsenseProblems(template, known)).toEqual([]);
  });
});
