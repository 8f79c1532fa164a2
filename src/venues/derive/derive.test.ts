import { describe, expect, it } from 'vitest';
import {
  contextOf,
  decodeSample,
  describeSamples,
  loadSample,
  requestFor,
} from '../../../test/venues/samples.ts';
import { derive } from './index.ts';
import { decodeFrame, decodeInstruments, decodeTickers } from './wire.ts';

const none = contextOf();

describe('derive', () => {
  it('lists active perpetuals with their own taker fee; options, spot and inactive rows are left out', () => {
    const row = { instrument_type: 'perp', is_active: true, taker_fee_rate: '0.0003', quote_currency: 'USD' };
    const instruments = [
      { ...row, instrument_name: 'BTC-PERP' },
      { ...row, instrument_name: 'OLD-PERP', is_active: false },
      { ...row, instrument_name: 'ETH-20271231-3500-C', instrument_type: 'option' },
      { ...row, instrument_name: 'ETH-USDC', instrument_type: 'erc20' },
    ];
    const decoded = decodeInstruments({ result: { instruments } });
    expect(decoded.instruments).toMatchObject([{ symbol: 'BTC-PERP', ticker: 'BTC', takerFeeBps: 3 }]);
    expect(decoded.rejects.map((r) => r.reason)).toEqual(['not_trading', 'option', 'spot']);
  });

  it('reads slim tickers keyed by instrument; premium volume is no volume', () => {
    const ticker = {
      f: '0.00001',
      M: '100',
      I: '101',
      b: '0',
      a: '99',
      stats: { oi: '5', c: '7', v: '700', pr: '9' },
      t: 1_779_953_796_714,
    };
    const { quotes, rejects } = decodeTickers(
      { result: { tickers: { 'BTC-PERP': ticker, 'ETH-USDC': ticker } } },
      none,
    );
    expect(quotes).toEqual([
      {
        symbol: 'BTC-PERP',
        fundingRate: 0.00001,
        fundingIntervalHours: 1,
        nextFundingTime: 1_779_955_200_000,
        markPrice: 100,
        indexPrice: 101,
        bestAsk: 99,
        openInterestRaw: 5,
        openInterestBase: 5,
        volume24hBase: 7,
        volume24hUsd: 700,
        volume24hRaw: 700,
        venueTime: 1_779_953_796_714,
      },
    ]);
    expect(rejects).toEqual([{ symbol: 'ETH-USDC', reason: 'spot' }]);
  });

  it('an error inside HTTP 200 is a reject', () => {
    const body = { id: 1, error: { code: -32_000, message: 'Rate limit exceeded' } };
    expect(decodeTickers(body, none).rejects).toMatchObject([{ reason: 'error_body' }]);
    expect(decodeFrame(body, none).rejects).toMatchObject([{ reason: 'error_body' }]);
  });

  describeSamples(derive, () => {
    it('the long ticker', () => {
      expect(decodeSample(derive, loadSample('derive', 'ticker-btc.json'))[0]?.quotes).toMatchObject([
        {
          symbol: 'BTC-PERP',
          fundingRate: -0.000022223906766867,
          markPrice: 99_543.64292635793,
          indexPrice: 99_577.2,
          openInterestBase: 72.80473938948199,
          volume24hBase: 464.712,
          bestBid: 99_554.5,
          bestAsk: 99_567.9,
        },
      ]);
    });

    it('instruments and funding history of the instrument asked for', () => {
      const list = decodeSample(derive, loadSample('derive', 'all-instruments.json'))[0];
      expect(list?.instruments).toMatchObject([{ symbol: 'BTC-PERP', takerFeeBps: 3 }]);
      const history = decodeSample(derive, loadSample('derive', 'funding-rate-history.json'))[0];
      expect(history?.funding).toEqual([
        { symbol: 'BTC-PERP', time: 1_736_215_200_000, rate: -0.000020014, intervalHours: 1 },
      ]);
    });

    it('a slim frame takes its instrument from the channel', () => {
      const payload = loadSample('derive', 'ws-ticker-slim-eth.json').payloads[0];
      const { quotes } = decodeFrame(payload, contextOf([], requestFor('ticker_slim.ETH-PERP.1000')));
      expect(quotes).toMatchObject([
        {
          symbol: 'ETH-PERP',
          markPrice: 1992.49,
          indexPrice: 1991.79,
          fundingRate: 0.0000125,
          openInterestBase: 4248.342,
          volume24hBase: 3088.047,
          volume24hUsd: 6_249_174.098,
          bestBid: 1992.36,
          bestAsk: 1992.37,
          venueTime: 1_779_953_796_714,
        },
      ]);
    });

    it('a book frame is whole', () => {
      const book = decodeSample(derive, loadSample('derive', 'ws-orderbook-btc.jsonl'))[0]?.books[0];
      expect(book).toMatchObject({
        symbol: 'BTC-PERP',
        kind: 'snapshot',
        sequence: 628_419,
        bids: [[104_669, 40]],
      });
    });
  });
});
