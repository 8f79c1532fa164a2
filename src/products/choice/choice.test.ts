import { describe, expect, it } from 'vitest';
import { makeMarket } from '../../market/market-fixture.ts';
import { quoteRates } from '../rows/quote-rates.ts';
import { chosenMarket } from './chosen-market.ts';
import { readChoice } from './market-choice.ts';

const WHOLE = { venues: undefined, currencies: undefined, assets: undefined, isScan: false };
const NOTHING = { venues: undefined, exclude: undefined, quote: undefined, symbol: undefined };

const contract = (base: string, quote: string) => ({ base, symbol: `${base}${quote}`, quote, settle: quote });

/** Binance has BTC in two currencies, the more traded in USDT; okx in USDT0 alone; bybit is silent. */
function market() {
  const fixture = makeMarket();
  fixture.list('binance', [contract('BTC', 'USDT'), contract('BTC', 'USDC'), contract('ETH', 'USDC')]);
  fixture.list('okx', [contract('BTC', 'USDT0')]);
  fixture.list('bybit', [contract('BTC', 'USDC')]);
  const usual = { mark: 100, rate: 0.0001, interval: 8, interestUsd: 10 };
  fixture.quote(
    'binance',
    { symbol: 'BTCUSDT', ...usual, volumeUsd: 9e6 },
    { symbol: 'BTCUSDC', ...usual, mark: 99, volumeUsd: 1e6 },
    { symbol: 'ETHUSDC', ...usual, volumeUsd: 1e6 },
  );
  fixture.quote('okx', { symbol: 'BTCUSDT0', ...usual, volumeUsd: 5e6 });
  return fixture.market.view;
}

const symbols = (rows: readonly { readonly symbol: string }[]) => rows.map(({ symbol }) => symbol);

describe('a part of a market', () => {
  it('a currency: the most traded contract in it, not the one shown', () => {
    const whole = market();
    expect(symbols(whole.rowsOf('crypto:BTC'))).toEqual(['BTCUSDT', 'BTCUSDT0']);
    const part = chosenMarket(whole, { ...WHOLE, currencies: new Set(['USDC']) });
    expect(symbols(part.rows())).toEqual(['BTCUSDC', 'ETHUSDC']);
    expect(part.row('binance', 'crypto:BTC')).toMatchObject({ symbol: 'BTCUSDC', markPrice: 99 });
    expect(part.contract('binance', 'BTCUSDT')).toBeUndefined();
    expect(part.totals('binance', 'crypto:BTC')).toMatchObject({ contracts: 1, openInterestUsd: 10 });
    expect(whole.totals('binance', 'crypto:BTC')).toMatchObject({ contracts: 2, openInterestUsd: 20 });
    expect(['binance', 'okx', 'bybit'].map((id) => part.lists(id, 'crypto:BTC'))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('a coin of many names: one currency', () => {
    const part = chosenMarket(market(), { ...WHOLE, currencies: new Set(['USDT']) });
    expect(symbols(part.rowsOf('crypto:BTC'))).toEqual(['BTCUSDT', 'BTCUSDT0']);
  });

  it('a scan: venues without a contract of it take no part, silent ones do', () => {
    const ids = (currency: string, isScan: boolean) =>
      chosenMarket(market(), { ...WHOLE, currencies: new Set([currency]), isScan })
        .venues()
        .map(({ info }) => info.id);
    expect(ids('USDC', true)).toEqual(['binance', 'bybit']);
    expect(ids('USDC', false)).toEqual(['binance', 'okx', 'bybit']);
  });

  it('assets of a scan: their rows, and the venues that list them', () => {
    const part = chosenMarket(market(), { ...WHOLE, assets: new Set(['crypto:ETH']), isScan: true });
    expect(symbols(part.rows())).toEqual(['ETHUSDC']);
    expect(part.venues().map(({ info }) => info.id)).toEqual(['binance']);
  });

  it('rates between currencies: by the prices of all venues', () => {
    const whole = market();
    const part = chosenMarket(whole, { ...WHOLE, venues: new Set(['okx']) });
    expect(symbols(part.rows())).toEqual(['BTCUSDT0']);
    expect(quoteRates(part)).toMatchObject({ list: quoteRates(whole).list });
    expect(quoteRates(part).of('USDC')).toBeCloseTo(100 / 99, 12);
  });
});

describe('a choice that is asked for', () => {
  it('nothing asked: no choice', () => {
    expect(readChoice(market(), NOTHING)).toEqual({ ok: true, value: undefined });
  });

  it('words in any case, spaced and repeated: each once', () => {
    const asked = { venues: 'OKX, binance,okx', exclude: 'Bybit', quote: 'usdt,USDT', symbol: 'btc' };
    expect(readChoice(market(), asked)).toMatchObject({
      value: {
        stated: { venues: ['okx', 'binance'], exclude: ['bybit'], quote: ['USDT'], symbol: ['BTC'] },
        choice: { venues: new Set(['okx', 'binance']), assets: new Set(['crypto:BTC']) },
      },
    });
  });

  it('venues and exclude: the former without the latter', () => {
    const choice = (asked: object) => readChoice(market(), { ...NOTHING, ...asked });
    expect(choice({ venues: 'okx,binance', exclude: 'okx' })).toMatchObject({
      value: { choice: { venues: new Set(['binance']) } },
    });
    expect(choice({ exclude: 'okx' })).toMatchObject({
      value: { choice: { venues: new Set(['binance', 'bybit']) } },
    });
    expect(choice({ venues: 'okx', exclude: 'okx' })).toMatchObject({
      error: { code: 'invalid_parameter', detail: 'exclude: leaves none of the venues' },
    });
  });

  it.each([
    [{ venues: 'okx,binanec' }, 'unknown_venue', { parameter: 'venues', value: 'okx,binance' }],
    [{ exclude: 'bybt' }, 'unknown_venue', { parameter: 'exclude', value: 'bybit' }],
    [{ quote: 'USDD,USDC' }, 'invalid_parameter', { parameter: 'quote', value: 'USDC' }],
    [{ symbol: 'BTC,ETHH' }, 'unknown_ticker', { parameter: 'symbol', value: 'BTC,ETH' }],
  ])('an unknown word, %j: %s with the list mended', (asked, code, correction) => {
    expect(readChoice(market(), { ...NOTHING, ...asked })).toMatchObject({
      error: { code, corrections: [correction] },
    });
  });

  it.each(['venues', 'exclude', 'quote', 'symbol'])('%s of commas alone: 400', (name) => {
    expect(readChoice(market(), { ...NOTHING, [name]: ' , ' })).toMatchObject({
      error: { code: 'invalid_parameter', errors: [{ parameter: name }] },
    });
  });

  it('more than twenty assets: 400, with the first twenty', () => {
    const names = Array.from({ length: 21 }, (_, i) => `A${i}`);
    expect(readChoice(market(), { ...NOTHING, symbol: names.join() })).toMatchObject({
      error: { corrections: [{ parameter: 'symbol', value: names.slice(0, 20).join() }] },
    });
  });

  it('no contract is known yet: a quote is a 503, not unknown', () => {
    const view = makeMarket().market.view;
    expect(readChoice(view, { ...NOTHING, quote: 'USDT' })).toMatchObject({ error: { code: 'not_ready' } });
  });
});
