import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { nonsenseProblems } from '../../../test/venues/mutate.ts';
import { mutationProblems } from '../../../test/venues/sample-mutations.ts';
import { callFor, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { bingx } from './index.ts';

const QUOTE = '/openApi/swap/v2/quote';
const ok = (data: unknown) => ({ code: 0, msg: '', data });

const listed = (symbol: string, more: object = {}) => ({
  symbol,
  size: '0.0001',
  currency: symbol.split('-')[1],
  asset: symbol.split('-')[0],
  status: 1,
  takerFeeRate: 0.0005,
  apiStateOpen: 'true',
  apiStateClose: 'true',
  ...more,
});

const LISTED = decodeCall(
  bingx,
  `${QUOTE}/contracts`,
  ok([
    listed('BTC-USDT', { status: '1', takerFeeRate: '0.0005' }),
    listed('BTC-USDC'),
    listed('1000PEPE-USDT'),
    listed('1000000MOG-USDT'),
    listed('10000NEX-USDT'),
    listed('NCSKTSLA2USD-USDT', { takerFeeRate: 0.0004 }),
    listed('NCFXEUR2USD-USDT'),
    listed('NCCOGOLD2USD-USDT'),
    listed('NCSI724SP5002USD-USDT'),
    listed('NCFXUSD2JPY-USDT'),
    listed('NCFXUSDBRL2USD-USDT'),
    listed('NCCO1OILWTI2USD-USDT'),
    listed('NCCO724OILWTI2USD-USDT'),
    listed('NCCO7241NATGAS2USD-USDT'),
    listed('NCSISP5002USD-USDT'),
    listed('NCSI10Y2USD-USDT'),
    listed('AAPLX-USDT'),
    listed('NEIROCTO-USDT', { displayName: 'NEIRO-USDT', apiStateOpen: 'false' }),
  ]),
).instruments;

describe('bingx contracts', () => {
  it('lists open contracts, with blocks by name and the class by prefix', () => {
    expect(LISTED.map((i) => [i.symbol, i.base, i.ticker, i.multiplier, i.quote, i.assetClass])).toEqual([
      ['BTC-USDT', 'BTC', 'BTC', 1, 'USDT', undefined],
      ['BTC-USDC', 'BTC', 'BTC', 1, 'USDC', undefined],
      ['1000PEPE-USDT', '1000PEPE', 'PEPE', 1000, 'USDT', undefined],
      ['1000000MOG-USDT', '1000000MOG', 'MOG', 1_000_000, 'USDT', undefined],
      ['10000NEX-USDT', '10000NEX', 'NEX', 10_000, 'USDT', undefined],
      ['NCSKTSLA2USD-USDT', 'NCSKTSLA2USD', 'TSLA', 1, 'USDT', 'equity'],
      ['NCFXEUR2USD-USDT', 'NCFXEUR2USD', 'EUR', 1, 'USDT', 'fx'],
      ['NCCOGOLD2USD-USDT', 'NCCOGOLD2USD', 'GOLD', 1, 'USDT', 'commodity'],
      ['NCSI724SP5002USD-USDT', 'NCSI724SP5002USD', 'SP500', 1, 'USDT', 'index'],
      ['NCFXUSD2JPY-USDT', 'NCFXUSD2JPY', 'USDJPY', 1, 'USDT', 'fx'],
      ['NCFXUSDBRL2USD-USDT', 'NCFXUSDBRL2USD', 'USDBRL', 1, 'USDT', 'fx'],
      ['NCCO1OILWTI2USD-USDT', 'NCCO1OILWTI2USD', 'OILWTI', 1, 'USDT', 'commodity'],
      ['NCCO724OILWTI2USD-USDT', 'NCCO724OILWTI2USD', 'OILWTI', 1, 'USDT', 'commodity'],
      ['NCCO7241NATGAS2USD-USDT', 'NCCO7241NATGAS2USD', 'NATGAS', 1, 'USDT', 'commodity'],
      ['NCSISP5002USD-USDT', 'NCSISP5002USD', 'SP500', 1, 'USDT', 'index'],
      ['NCSI10Y2USD-USDT', 'NCSI10Y2USD', '10Y', 1, 'USDT', 'index'],
      ['AAPLX-USDT', 'AAPLX', 'AAPLX', 1, 'USDT', undefined],
      ['NEIROCTO-USDT', 'NEIROCTO', 'NEIROCTO', 1, 'USDT', undefined],
    ]);
    expect(LISTED.filter(({ contractSize }) => contractSize !== 1)).toEqual([]);
    expect(LISTED.flatMap(({ takerFeeBps }) => takerFeeBps ?? [])).toEqual([4]);
  });

  it('rejects other rows with a reason', () => {
    const rows = [
      listed('A-USDT', { status: 0 }),
      listed('B-USDT', { status: '25' }),
      listed('C-USDT', { status: 5 }),
      listed('D-USDT', { status: 7 }),
      listed('E-USDT', { status: '' }),
      listed('BTC-USD'),
      listed('BTC-EUR'),
      listed('F-USDT', { currency: 'BTC' }),
      'x',
    ];
    const decoded = decodeCall(bingx, `${QUOTE}/contracts`, ok(rows));
    expect(decoded.rejects[3]?.detail).toBe('status');
    expect(reasons(decoded)).toEqual([
      ['A-USDT', 'delisted'],
      ['B-USDT', 'not_trading'],
      ['C-USDT', 'prelisting'],
      ['D-USDT', 'out_of_range'],
      ['E-USDT', 'missing_field'],
      ['BTC-USD', 'inverse'],
      ['BTC-EUR', 'foreign_quote'],
      ['F-USDT', 'quanto'],
      [null, 'malformed'],
    ]);
  });

  it('parses the base of a symbol', () => {
    expect(['1000PEPE-USDT', 'NCSKTSLA2USD-USDT', 'BTC-USD'].map(bingx.baseOf)).toEqual([
      '1000PEPE',
      'TSLA',
      undefined,
    ]);
  });
});

describe('bingx metrics', () => {
  const premium = {
    symbol: '1000PEPE-USDT',
    markPrice: '0.01',
    indexPrice: '0.0101',
    lastFundingRate: '-0.00025100',
    nextFundingTime: 1_790_006_400_000,
    fundingIntervalHours: 4,
    minFundingRate: '-0.02',
    updateTime: 1_789_992_000_000,
  };

  it('rate, interval, time and prices: per single coin, of one or all', () => {
    const expected = {
      symbol: '1000PEPE-USDT',
      fundingRate: -0.000251,
      fundingIntervalHours: 4,
      fundingFloor: -0.02,
      nextFundingTime: 1_790_006_400_000,
      markPrice: 0.01 / 1000,
      indexPrice: 0.0101 / 1000,
    };
    for (const data of [[premium], premium]) {
      expect(decodeCall(bingx, `${QUOTE}/premiumIndex`, ok(data), LISTED).quotes).toEqual([expected]);
    }
    expect(decodeCall(bingx, `${QUOTE}/premiumIndex`, premium, LISTED).quotes).toEqual([expected]);
  });

  it.each([
    ['premiumIndex', ['fundingRate', 'markPrice']],
    ['openInterest', ['openInterestRaw']],
  ])('%s says what a row lacks', (name, lacks) => {
    const { rejects } = decodeCall(bingx, `${QUOTE}/${name}`, ok([{ symbol: 'BTC-USDT' }]), LISTED);
    expect(rejects.map(({ reason, detail }) => [reason, detail])).toEqual(
      lacks.map((field) => ['missing_field', field]),
    );
  });

  it('leaves the interval of older rows unknown, and unlisted contracts out', () => {
    const old = { ...premium, fundingIntervalHours: undefined };
    const rows = [old, { ...premium, symbol: 'SOL-USDT' }, { ...premium, symbol: 'BTC-USD' }];
    const decoded = decodeCall(bingx, `${QUOTE}/premiumIndex`, ok(rows), LISTED);
    expect(decoded.quotes[0]).not.toHaveProperty('fundingIntervalHours');
    expect(reasons(decoded)).toEqual([
      ['SOL-USDT', 'not_listed'],
      ['BTC-USD', 'inverse'],
    ]);
  });

  it('reads volume and touch of the ticker', () => {
    const ticker = {
      symbol: '1000PEPE-USDT',
      priceChangePercent: '4.15%',
      volume: '5000',
      quoteVolume: '50.5',
      bidPrice: '0.0099',
      askPrice: '0.0101',
    };
    expect(decodeCall(bingx, `${QUOTE}/ticker`, ok([ticker]), LISTED).quotes).toEqual([
      {
        symbol: '1000PEPE-USDT',
        volume24hRaw: 5000,
        volume24hBase: 5_000_000,
        volume24hUsd: 50.5,
        bestBid: 0.0099 / 1000,
        bestAsk: 0.0101 / 1000,
      },
    ]);
  });

  it('reads open interest as notional, requested contract by contract', () => {
    const data = { openInterest: '7409966.52', symbol: '1000PEPE-USDT', time: 1_702_719_692_859 };
    expect(decodeCall(bingx, `${QUOTE}/openInterest?symbol=1000PEPE-USDT`, ok(data), LISTED).quotes).toEqual([
      { symbol: '1000PEPE-USDT', openInterestRaw: 7_409_966.52, openInterestUsd: 7_409_966.52 },
    ]);
    const poll = bingx.polls.find(({ call }) => call.name === 'openInterest');
    const requests = poll?.requests({ instruments: LISTED, now: asMs(0) }) ?? [];
    expect(poll?.spread).toBe(true);
    expect(requests).toHaveLength(LISTED.length);
    expect(requests[0]).toEqual({
      method: 'GET',
      path: '/openApi/swap/v2/quote/openInterest?symbol=BTC-USDT',
      symbol: 'BTC-USDT',
    });
  });

  it('turns error bodies with HTTP 200 into one reject', () => {
    for (const path of ['contracts', 'premiumIndex', 'ticker', 'openInterest', 'depth', 'fundingRate']) {
      const body = { code: 109_425, msg: 'X-USDT not exist', data: {} };
      expect(decodeCall(bingx, `${QUOTE}/${path}?symbol=X-USDT`, body).rejects).toEqual([
        { symbol: null, reason: 'error_body', detail: '109425 X-USDT not exist' },
      ]);
      expect(reasons(decodeCall(bingx, `${QUOTE}/${path}`, ok(null)))).toEqual([[null, 'unexpected_shape']]);
    }
    expect(decodeCall(bingx, `${QUOTE}/premiumIndex`, { ...ok(premium), code: '0' }).quotes).toHaveLength(1);
  });
});

describe('bingx history and books', () => {
  it('reads settled rates, and mark candles as objects or lists', () => {
    const rates = [{ symbol: 'BTC-USDT', fundingRate: '0.0003', fundingTime: 1_790_006_400_000 }];
    expect(decodeCall(bingx, `${QUOTE}/fundingRate?symbol=BTC-USDT`, ok(rates)).funding).toEqual([
      { symbol: 'BTC-USDT', time: 1_790_006_400_000, rate: 0.0003 },
    ]);
    const path = '/openApi/swap/v1/market/markPriceKlines?symbol=BTC-USDT&interval=1m';
    const forms = [
      { open: '90000', close: '1', openTime: 1_790_000_000_000 },
      { open: '90000', close: '1', time: 1_790_000_000_000 },
      [1_790_000_000_000, '90000', '1', '1', '1', '0'],
    ];
    for (const form of forms) {
      expect(decodeCall(bingx, path, ok([form])).history).toEqual([
        { symbol: 'BTC-USDT', time: 1_790_000_000_000, markPrice: 90_000 },
      ]);
    }
  });

  it('both units stated: coins; both sides sorted, zero sizes dropped', () => {
    const data = {
      T: 1_790_000_000_000,
      bids: [['1', '70']],
      asks: [['1', '70']],
      bidsCoin: [
        ['0.0097', '3'],
        ['0.0099', '5'],
        ['0.0098', '0.0000'],
      ],
      asksCoin: [
        ['0.0103', '2'],
        ['0.0101', '4'],
      ],
    };
    expect(decodeCall(bingx, `${QUOTE}/depth?symbol=1000PEPE-USDT&limit=5`, ok(data), LISTED).books).toEqual([
      {
        symbol: '1000PEPE-USDT',
        kind: 'snapshot',
        bids: [
          [0.0099 / 1000, 5000],
          [0.0097 / 1000, 3000],
        ],
        asks: [
          [0.0101 / 1000, 4000],
          [0.0103 / 1000, 2000],
        ],
        venueTime: 1_790_000_000_000,
      },
    ]);
    const now = { T: 1_790_000_000_000, bids: [['90000', '2']], asks: [['90001', '1']] };
    expect(decodeCall(bingx, `${QUOTE}/depth?symbol=BTC-USDT`, ok(now)).books[0]?.bids).toEqual([
      [90_000, 2],
    ]);
    expect(reasons(decodeCall(bingx, `${QUOTE}/depth`, ok(now)))).toEqual([[null, 'missing_field']]);
  });
});

describe('bingx rows without their envelope', () => {
  it('are decoded', () => {
    const rate = { symbol: 'BTC-USDT', fundingRate: '0.0003', fundingTime: 1_790_006_400_000 };
    expect(decodeCall(bingx, `${QUOTE}/fundingRate`, rate).funding).toMatchObject([{ rate: 0.0003 }]);
    const candle = { open: '90000', openTime: 1_790_000_000_000 };
    const path = '/openApi/swap/v1/market/markPriceKlines?symbol=BTC-USDT';
    expect(decodeCall(bingx, path, candle).history).toMatchObject([{ markPrice: 90_000 }]);
    expect(decodeCall(bingx, `${QUOTE}/contracts`, listed('BTC-USDT')).instruments).toHaveLength(1);
    const book = { T: 1_790_000_000_000, bids: [['1', '2']], asks: [] };
    expect(decodeCall(bingx, `${QUOTE}/depth?symbol=BTC-USDT`, book).books).toHaveLength(1);
  });
});

describe('bingx frames', () => {
  const push = (dataType: string, data: unknown, more: object = {}) =>
    decodeCall(bingx, dataType, { code: 0, dataType, data, ...more }, LISTED);

  it('reads deltas whose ids rise and may skip', () => {
    const all = {
      action: 'all',
      lastUpdateId: 7,
      time: 1_790_000_000_000,
      bids: [['2', '1']],
      asks: [['3', '1']],
    };
    const zero = ['4', '0.0000'];
    const rounded = { ...all, bids: [...all.bids, zero], asks: [zero, ...all.asks] };
    const sides = { bids: [[2, 1]], asks: [[3, 1]] };
    for (const whole of [all, rounded])
      expect(push('BTC-USDT@incrDepth', whole).books).toEqual([
        { symbol: 'BTC-USDT', kind: 'snapshot', ...sides, sequence: 7, venueTime: 1_790_000_000_000 },
      ]);
    const update = {
      ...all,
      action: 'update',
      lastUpdateId: 12,
      asks: [
        ['5', '0.0000'],
        ['4', '1'],
      ],
    };
    const [delta] = push('BTC-USDT@incrDepth', update).books;
    expect(delta).toMatchObject({
      kind: 'delta',
      sequence: 12,
      asks: [
        [4, 1],
        [5, 0],
      ],
    });
    expect(delta).not.toHaveProperty('previousSequence');
    expect(reasons(push('BTC-USDT@incrDepth', { ...all, action: 'more' }))).toEqual([
      ['BTC-USDT', 'unexpected_shape'],
    ]);
  });

  it('reads snapshots, marks, tickers and best prices', () => {
    const whole = push(
      'BTC-USDT@depth20@200ms',
      { bids: [['2', '1']], asks: [['3', '1']] },
      { ts: 1_790_000_000_000 },
    );
    expect(whole.books).toMatchObject([{ kind: 'snapshot', venueTime: 1_790_000_000_000 }]);
    const stamp = { E: 1_790_000_000_009, T: 1_790_000_000_001, s: 'BTC-USDT' };
    expect(push('BTC-USDT@markPrice', { ...stamp, p: '90000' }).quotes).toEqual([
      { symbol: 'BTC-USDT', markPrice: 90_000, venueTime: 1_790_000_000_009 },
    ]);
    const touch = { ...stamp, b: '1', B: '9', a: '2', A: '9' };
    expect(push('BTC-USDT@bookTicker', touch).quotes).toEqual([
      { symbol: 'BTC-USDT', bestBid: 1, bestAsk: 2, venueTime: 1_790_000_000_001 },
    ]);
    expect(push('SOL-USDT@markPrice', { p: '1' }).rejects).toEqual([
      { symbol: 'SOL-USDT', reason: 'not_listed' },
    ]);
  });

  it('best prices: in a list or by event; incomplete ones are rejected', () => {
    const touch = {
      e: 'bookTicker',
      u: 3,
      E: 1_790_000_000_009,
      s: 'BTC-USDT',
      b: '1',
      B: '9',
      a: '2',
      A: '8',
    };
    const expected = [{ symbol: 'BTC-USDT', bestBid: 1, bestAsk: 2 }];
    expect(push('BTC-USDT@bookTicker', [touch]).quotes).toEqual(expected);
    const unnamed = decodeCall(bingx, 'BTC-USDT@bookTicker', { code: 0, dataType: '', data: touch }, LISTED);
    expect(unnamed.quotes).toEqual(expected);
    const byEvent = (e: string, data: object) =>
      decodeCall(
        bingx,
        'BTC-USDT@ticker',
        { code: 0, dataType: '', data: { e, s: 'BTC-USDT', ...data } },
        LISTED,
      );
    expect(byEvent('markPriceUpdate', { p: '90000' }).quotes).toEqual([
      { symbol: 'BTC-USDT', markPrice: 90_000 },
    ]);
    const ticker = { v: '3', q: '270000', B: '89999', A: '90001', E: 1_790_000_000_009 };
    const quote = {
      symbol: 'BTC-USDT',
      volume24hRaw: 3,
      volume24hBase: 3,
      volume24hUsd: 270_000,
      bestBid: 89_999,
      bestAsk: 90_001,
      venueTime: 1_790_000_000_009,
    };
    for (const { quotes } of [push('BTC-USDT@ticker', ticker), byEvent('24hTicker', ticker)])
      expect(quotes).toEqual([quote]);
    expect(byEvent('trade', {}).rejects).toMatchObject([{ detail: 'no data of a known type' }]);
    expect(reasons(push('BTC-USDT@bookTicker', ['x']))).toEqual([['BTC-USDT', 'malformed']]);
    expect(reasons(push('BTC-USDT@bookTicker', { e: 'bookTicker' }))).toEqual([
      ['BTC-USDT', 'missing_field'],
    ]);
  });

  it('acknowledgements, keep-alives, other topics: ignored; refusals: not', () => {
    const frames = [
      'Ping',
      { id: 'x', code: 0, msg: '', dataType: '', data: null },
      { id: 'x', reqType: 'sub', dataType: 'BTC-USDT@depth5' },
    ];
    for (const frame of frames) {
      const { books, quotes, rejects } = decodeCall(bingx, 'BTC-USDT@incrDepth', frame);
      expect([books, quotes, rejects]).toEqual([[], [], []]);
    }
    expect(push('BTC-USDT@trade', [{ p: '1' }]).rejects).toEqual([]);
    expect(push('BTC-USDT@lastPrice', { c: '1' })).toMatchObject({ quotes: [], rejects: [] });
    const refusal = { id: 'x', code: 80_015, msg: 'dataType not support', dataType: '', data: null };
    for (const refused of [refusal, { code: 80_015, msg: 'dataType not support' }])
      expect(reasons(decodeCall(bingx, 'BTC-USDT@incrDepth', refused))).toEqual([[null, 'error_body']]);
    expect(reasons(push('BTC-USDT@markPrice', null))).toEqual([['BTC-USDT', 'malformed']]);
  });
});

describe('bingx calls', () => {
  it.each([
    ['https://open-api.bingx.com/openApi/swap/v2/quote/premiumIndex?symbol=BTC-USDT', 'premiumIndex'],
    ['openApi/swap/v2/quote/contracts', 'contracts'],
    ['/openApi/swap/v1/market/markPriceKlines', 'markPriceKlines'],
    ['BTC-USDT@depth20@100ms', 'frame'],
    ['{"id":"1","reqType":"sub","dataType":"BTC-USDT@incrDepth"}', 'frame'],
    ['wss://open-api-swap.bingx.com/swap-market', 'frame'],
  ])('%s is %s', (text, name) => {
    expect(callFor(bingx, text)?.name).toBe(name);
  });

  it('reads no data from nonsense', () => {
    expect(nonsenseProblems(bingx)).toEqual([]);
  });
});

describeSamples(bingx, (samples) => {
  it('every recording but trade candles and foreign errors: has a call', () => {
    const without = samples.filter(({ url, method }) => callFor(bingx, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['klines-2023-12.json', 'errors.jsonl']);
  });

  it('reads recorded contracts, whose size of 2025 counts nothing today', () => {
    for (const file of ['contracts-2023-12.json', 'contracts-BTC-2025.json']) {
      expect(decodeFile(bingx, file).instruments[0]).toMatchObject({ symbol: 'BTC-USDT', contractSize: 1 });
    }
  });

  it('reads recorded metrics', () => {
    expect(decodeFile(bingx, 'premiumIndex-BTC-2023-12.json').quotes).toEqual([
      {
        symbol: 'BTC-USDT',
        fundingRate: 0.000251,
        nextFundingTime: 1_702_742_400_000,
        markPrice: 42_216.4,
        indexPrice: 42_219.9,
      },
    ]);
    expect(decodeFile(bingx, 'openInterest-EOS-2023-12.json').quotes[0]?.openInterestUsd).toBe(7_409_966.52);
    expect(decodeFile(bingx, 'ticker-SFP-2023-12.json').quotes[0]).toMatchObject({
      volume24hBase: 4_308_212,
      volume24hUsd: 3_085_449.53,
      bestBid: 0.7413,
      bestAsk: 0.7414,
    });
    expect(decodeFile(bingx, 'ws-ticker-ETH-2024-05.jsonl').quotes[0]).toMatchObject({
      volume24hBase: 608_870.36,
      bestBid: 2986.15,
      bestAsk: 2986.17,
    });
    expect(decodeFile(bingx, 'ws-markPrice-2026-09.jsonl').quotes[0]?.markPrice).toBe(86_379.1);
  });

  it('reads recorded rates and books', () => {
    expect(decodeFile(bingx, 'fundingRate-history-QNT-2023-12.json').funding).toEqual([
      { symbol: 'QNT-USDT', time: 1_702_713_600_000, rate: 0.000271 },
      { symbol: 'QNT-USDT', time: 1_702_684_800_000, rate: 0.000128 },
    ]);
    const [old] = decodeFile(bingx, 'depth-BTC-2025-03.json').books;
    expect([old?.bids, old?.asks[0]]).toEqual([
      [
        [83_760.7, 0.0007],
        [83_757.7, 0.0002],
      ],
      [83_780.1, 0.0018],
    ]);
    const [window] = decodeFile(bingx, 'ws-depth20-ETH-2024-05.jsonl').books;
    expect([window?.bids[0], window?.asks[0], window?.asks.length]).toEqual([
      [2990.64, 14.13],
      [2990.71, 15.26],
      20,
    ]);
    const session = decodeFile(bingx, 'ws-incrDepth-2026-09.jsonl');
    expect(session.books.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['snapshot', 857_550_007],
      ['delta', 857_550_008],
    ]);
    expect(reasons(session)).toEqual([[null, 'error_body']]);
  });

  it('survives every field of every recording broken', () => {
    const known = instrumentsFrom(bingx, 'contracts-2023-12.json');
    expect([...mutationProblems(bingx, samples), ...mutationProblems(bingx, samples, known)]).toEqual([]);
  });
});
