import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runCli, scratchFolder, startCli } from '../../../test/cli/run-cli.ts';

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const PREMIUM = [
  {
    symbol: '1000PEPEUSDT',
    markPrice: '0.012',
    indexPrice: '0.0121',
    lastFundingRate: '0.0001',
    nextFundingTime: 1_732_723_200_000,
    time: 1_732_715_655_000,
  },
  {
    symbol: 'BTCUSDT_250328',
    markPrice: '96000',
    indexPrice: '95000',
    lastFundingRate: '',
    nextFundingTime: 0,
  },
];

describe('perpmeter decode', () => {
  it('its help names what a recording needs beside it', async () => {
    expect((await runCli(['decode', '--help'])).stdout).toContain('--context');
  });

  it('prints one record a line, per ticker unit, and rejects', async () => {
    const run = await runCli(['decode', '--venue', 'binance', '--url', '/fapi/v1/premiumIndex', '-'], {
      input: JSON.stringify(PREMIUM),
    });
    expect(run.code).toBe(0);
    const [quote, reject] = lines(run.stdout);
    expect(quote).toMatchObject({
      type: 'quote',
      venue: 'binance',
      symbol: '1000PEPEUSDT',
      ticker: 'PEPE',
      multiplier: 1000,
      funding_rate: 0.0001,
      next_funding_time: '2024-11-27T16:00:00.000Z',
      mark_price: 0.000012,
    });
    expect(quote).not.toHaveProperty('open_interest_base');
    expect(reject).toMatchObject({ type: 'reject', symbol: 'BTCUSDT_250328' });
    expect(run.stderr).toContain('1 quote');
  });

  it('a list of contracts: the terms that it states', async () => {
    const contract = {
      symbol: 'BTCUSDT',
      pair: 'BTCUSDT',
      contractType: 'PERPETUAL',
      status: 'TRADING',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      underlyingType: 'COIN',
      onboardDate: 1_567_965_300_000,
      deliveryDate: 4_133_404_800_000,
      filters: [
        { filterType: 'PRICE_FILTER', tickSize: '0.10' },
        { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.001' },
        { filterType: 'MIN_NOTIONAL', notional: '100' },
      ],
    };
    const run = await runCli(['decode', '--venue', 'binance', '--url', '/fapi/v1/exchangeInfo', '-'], {
      input: JSON.stringify({ symbols: [contract] }),
    });
    const [instrument] = lines(run.stdout);
    expect(instrument).toMatchObject({
      type: 'instrument',
      terms: { tick: 0.1, lot: 0.001, min_size: 0.001, min_notional_usd: 100 },
    });
  });

  it('a page in the place of an answer: one reject says that it is no JSON', async () => {
    const run = await runCli(['decode', '--venue', 'binance', '--url', '/fapi/v1/premiumIndex', '-'], {
      input: '<!DOCTYPE html>\n<html>\n<body>403</body>\n</html>\n',
    });
    expect(run.code).toBe(0);
    expect(lines(run.stdout)).toMatchObject([{ type: 'reject', symbol: null, detail: 'no JSON' }]);
  });

  it('reads frames by the columns that an earlier frame named', async () => {
    const method = 'perp_market24h_pack_p.update';
    const fields = ['symbol', 'markRp', 'indexRp'];
    const row = (mark: string) => [['BTCUSDT', mark, '95000']];
    const frames = [
      { method, fields, data: row('96000'), type: 'snapshot' },
      { method, data: row('96001'), type: 'incremental' },
    ];
    const run = await runCli(
      ['decode', '--venue', 'phemex', '--url', 'perp_market24h_pack_p.subscribe', '-'],
      {
        input: frames.map((frame) => JSON.stringify(frame)).join('\n'),
      },
    );
    expect(lines(run.stdout)).toMatchObject([{ mark_price: 96_000 }, { mark_price: 96_001 }]);
  });

  it('takes units from a recorded instrument list', async () => {
    const folder = scratchFolder();
    const instrument = {
      instId: 'ETH-USDT-SWAP',
      instType: 'SWAP',
      ctType: 'linear',
      state: 'live',
      settleCcy: 'USDT',
      ctVal: '0.1',
      ctMult: '1',
      ctValCcy: 'ETH',
      uly: 'ETH-USDT',
      instFamily: 'ETH-USDT',
    };
    const book = { asks: [['2001', '20', '0', '1']], bids: [['2000', '10', '0', '1']], ts: '1732715655000' };
    writeFileSync(join(folder, 'instruments.json'), JSON.stringify({ code: '0', data: [instrument] }));
    writeFileSync(join(folder, 'book.json'), JSON.stringify({ code: '0', data: [book] }));
    const run = await runCli(
      [
        'decode',
        '--venue',
        'okx',
        '--url',
        'https://www.okx.com/api/v5/market/books?instId=ETH-USDT-SWAP',
        '--context',
        'instruments.json',
        '--',
        'book.json',
      ],
      { cwd: folder },
    );
    expect(lines(run.stdout)).toMatchObject([
      { type: 'book', symbol: 'ETH-USDT-SWAP', bids: [[2000, 1]], asks: [[2001, 2]] },
    ]);
  });

  it('reads frames, one a line, and the body out of the url', async () => {
    const frames = [
      'not json',
      '{"channel":"pong"}',
      '{"channel":"l2Book","data":{"coin":"abc:XYZ","time":1732715655000,"levels":[[{"px":"1","sz":"2","n":1}],[{"px":"1.1","sz":"3","n":1}]]}}',
    ];
    const run = await runCli(
      ['decode', '--venue', 'hyperliquid-abc', '--url', '{"type":"l2Book","coin":"abc:XYZ"}', '-'],
      {
        input: frames.join('\n'),
      },
    );
    expect(run.code).toBe(0);
    expect(lines(run.stdout).filter(({ type }) => type === 'book')).toMatchObject([
      { venue: 'hyperliquid-abc', symbol: 'abc:XYZ', bids: [[1, 2]], asks: [[1.1, 3]] },
    ]);
  });

  it('an unknown call or venue: exits 2 with those it knows', async () => {
    const call = await runCli(['decode', '--venue', 'binance', '--url', '/fapi/v1/nonsense', '-'], {
      input: '{}',
    });
    expect([call.code, call.stdout]).toEqual([2, '']);
    expect(call.stderr).toContain('no decoder');
    const venue = await runCli(['decode', '--venue', 'nowhere', '--url', '/x', '-'], { input: '{}' });
    expect(venue.code).toBe(2);
    expect(venue.stderr).toContain('binance');
  });

  it.each([
    ['bybit', 'tikcers', 'did you mean tickers?'],
    ['bybit', '/v5/market/ticker?category=linear', 'did you mean tickers?'],
    ['okx', '/api/v5/market/funding-rate', 'did you mean public/funding-rate'],
    ['mexc', 'https://contract.mexc.com/api/v1/contract/tikcer', 'did you mean ticker'],
    ['binance', '/fapi/v1/exchangeinfo', 'did you mean exchangeInfo'],
    ['binance', '/qqqqqqqqqqqqqqqqqqqqqq', '"; it decodes: exchangeInfo'],
  ])('names the calls of %s that are spelled most like %s', async (venue, url, said) => {
    const run = await runCli(['decode', '--venue', venue, '--url', url, '-'], { input: '{}' });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain(said);
  });

  it('takes a call by the name that it is listed under', async () => {
    const run = await runCli(['decode', '--venue', 'okx', '--url', 'market/tickers', '-'], {
      input: JSON.stringify({ code: '0', data: [{ instId: 'BTC-USDT', vol24h: '1' }] }),
    });
    expect([run.code, lines(run.stdout)]).toEqual([
      0,
      [{ type: 'reject', venue: 'okx', symbol: 'BTC-USDT', reason: 'spot' }],
    ]);
  });

  it('prints what was traded in the hour of a candle', async () => {
    const url = '/fapi/v1/klines?symbol=BTCUSDT&interval=1h';
    const candle = [
      1_732_712_400_000,
      '1',
      '1',
      '1',
      '1',
      '5',
      1_732_715_999_999,
      '480000.5',
      9,
      '2',
      '3',
      '0',
    ];
    const run = await runCli(['decode', '--venue', 'binance', '--url', url, '-'], {
      input: JSON.stringify([candle]),
    });
    expect(lines(run.stdout)).toEqual([
      {
        type: 'history_point',
        venue: 'binance',
        symbol: 'BTCUSDT',
        time: '2024-11-27T13:00:00.000Z',
        hour_usd: 480_000.5,
      },
    ]);
  });

  it('ends quietly when the reader closes the pipe after some lines', async () => {
    const many = Array.from({ length: 5000 }, () => PREMIUM[0]);
    const child = startCli(
      ['decode', '--venue', 'binance', '--url', '/fapi/v1/premiumIndex', '-'],
      scratchFolder(),
    );
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
    stdin.end(JSON.stringify(many));
    stdout.once('data', () => stdout.destroy());
    const [said, [code]] = await Promise.all([text(stderr), once(child, 'exit')]);
    expect([code, said]).toEqual([0, '']);
  });

  it('says that a file is missing', async () => {
    const run = await runCli([
      'decode',
      '--venue',
      'binance',
      '--url',
      '/fapi/v1/premiumIndex',
      'nothing.json',
    ]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('nothing.json');
  });
});

describe('perpmeter decode --market spot', () => {
  const LIST = {
    symbols: [
      {
        symbol: '1000SATSUSDT',
        status: 'TRADING',
        baseAsset: '1000SATS',
        quoteAsset: 'USDT',
        isSpotTradingAllowed: true,
        filters: [
          { filterType: 'PRICE_FILTER', tickSize: '0.0000001' },
          { filterType: 'LOT_SIZE', stepSize: '1' },
        ],
      },
    ],
  };
  const TICKERS = [{ symbol: '1000SATSUSDT', bidPrice: '0.0002', askPrice: '0.00021', quoteVolume: '500' }];
  const spot = ['decode', '--market', 'spot', '--venue', 'binance'];

  it('tickers with their list: per coin, dollars by the quote', async () => {
    const folder = scratchFolder();
    const list = join(folder, 'list.json');
    writeFileSync(list, JSON.stringify(LIST));
    const run = await runCli([...spot, '--url', '/api/v3/ticker/24hr', '-', '--context', list], {
      input: JSON.stringify(TICKERS),
    });
    expect(run.code).toBe(0);
    const [ticker] = lines(run.stdout);
    expect(ticker).toMatchObject({ type: 'spot_ticker', ticker: 'SATS', quote: 'USDT', volume_24h_usd: 500 });
    expect(ticker?.best_bid).toBeCloseTo(2e-7, 15);
    expect(run.stderr).toContain(
      '0 spot_market, 1 spot_ticker, 0 borrow_rate, 0 spot_book, 0 spot_candle, 0 reject',
    );
  });

  it('another kind, venue or call: what there is', async () => {
    const kind = await runCli(['decode', '--market', 'options', '--venue', 'okx', '--url', '/x', '-'], {
      input: '{}',
    });
    expect(kind).toMatchObject({ code: 2 });
    expect(kind.stderr).toContain(
      'no market "options"; known are perpetual, liquidations, trades, taker-bars, spot',
    );
    const venue = await runCli(['decode', '--market', 'spot', '--venue', 'dydx', '--url', '/x', '-'], {
      input: '{}',
    });
    expect(venue.stderr).toContain('no venue "dydx"; known are aster, ');
    const call = await runCli([...spot, '--url', '/fapi/v1/premiumIndex', '-'], { input: '{}' });
    expect(call.stderr).toContain('binance has no decoder for "/fapi/v1/premiumIndex"');
  });
});

describe('perpmeter decode --market liquidations, trades and taker-bars', () => {
  const frames = [
    '{"data":[{"i":2104498792354025474,"m":"SOL-USD","S":"SELL","tT":"LIQUIDATION","T":1793715316170,"p":"150","q":"2"}],"ts":1793715316180,"seq":6}',
    '{"data":[{"i":2104498792354025474,"m":"SOL-USD","S":"SELL","tT":"LIQUIDATION","T":1793715316170,"p":"150","q":"2"},{"i":2104498792354025475,"m":"SOL-USD","S":"BUY","tT":"TRADE","T":1793715317000,"p":"151","q":"1"}],"ts":1793715316190,"seq":1}',
  ].join('\n');
  const decode = (market: string) =>
    runCli(['decode', '--market', market, '--venue', 'extended', '--url', 'publicTrades', '-'], {
      input: frames,
    });

  it('a liquidation and its repeat: the position, ids digit by digit', async () => {
    const run = await decode('liquidations');
    const event = { type: 'liquidation', symbol: 'SOL-USD', side: 'long', price_kind: 'fill', size_usd: 300 };
    expect(lines(run.stdout)).toMatchObject([
      { ...event, id: '2104498792354025474', time: '2026-11-03T14:15:16.170Z' },
      { ...event, repeat: true, history: true },
    ]);
    expect(run.stderr).toContain('2 payloads, 2 liquidation, 0 reject');
  });

  it('trades: the taker, with the position where it was liquidated', async () => {
    const run = await decode('trades');
    expect(lines(run.stdout)).toMatchObject([
      { taker_side: 'sell', liquidated: 'long' },
      { repeat: true },
      { taker_side: 'buy', id: '2104498792354025475' },
    ]);
  });

  it('minutes of them: each trade once', async () => {
    const run = await decode('taker-bars');
    expect(lines(run.stdout)).toMatchObject([
      { type: 'taker_bar', start: '2026-11-03T14:15:00.000Z', buy_usd: 151, sell_usd: 300, count: 2 },
    ]);
  });
});
