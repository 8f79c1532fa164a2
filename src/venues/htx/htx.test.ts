import { describe, expect, it } from 'vitest';
import { decodeCall, reasons } from '../../../test/venues/decode-call.ts';
import { decodeFile } from '../../../test/venues/decode-file.ts';
import { nonsenseProblems } from '../../../test/venues/mutate.ts';
import { mutationProblems } from '../../../test/venues/sample-mutations.ts';
import { callFor, describeSamples, instrumentsFrom } from '../../../test/venues/samples.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { BackfillKind } from '../backfill-endpoint.ts';
import { secondWaysOf } from '../second-way.ts';
import { htx } from './index.ts';

const API = '/linear-swap-api/v1';
const MARKET = '/linear-swap-ex/market';
const NOW = 1_790_000_000_000;
const ok = (data: unknown) => ({ status: 'ok', data, ts: NOW });

const listed = (contract_code: string, more: object = {}) => ({
  symbol: contract_code.split('-')[0],
  contract_code,
  contract_size: 0.01,
  contract_status: 1,
  business_type: 'swap',
  contract_type: 'swap',
  settlement_period: '8',
  tradfi_labels: [],
  ...more,
});

const LISTED = decodeCall(
  htx,
  `${API}/swap_contract_info?business_type=swap`,
  ok([
    listed('ETH-USDT'),
    listed('PEPE-USDT', { contract_size: 1_000_000, settlement_period: '4' }),
    listed('NVDA-USDT', { tradfi_labels: ['Stocks'] }),
    listed('TQQQ-USDT', { tradfi_labels: ['Stocks', 'Indices'] }),
    listed('SPX500-USDT', { tradfi_labels: ['Indices'] }),
    listed('XAU-USDT', { tradfi_labels: ['Metals'] }),
    listed('XOM-USDT', { labels: ['stock'] }),
    listed('OIL-USDT', { tradfi_labels: ['Commodities'] }),
    listed('GAS-USDT', { labels: ['commodity'] }),
    listed('EUR-USDT', { labels: ['forex'] }),
    listed('OLD-USDT', { settlement_period: undefined, tradfi_labels: undefined }),
    listed('币安人生-USDT'),
  ]),
).instruments;

describe('htx contracts', () => {
  it('lists swaps with size, interval and class', () => {
    expect(
      LISTED.map((i) => [i.symbol, i.ticker, i.contractSize, i.fundingIntervalHours, i.assetClass]),
    ).toEqual([
      ['ETH-USDT', 'ETH', 0.01, 8, undefined],
      ['PEPE-USDT', 'PEPE', 1_000_000, 4, undefined],
      ['NVDA-USDT', 'NVDA', 0.01, 8, 'equity'],
      ['TQQQ-USDT', 'TQQQ', 0.01, 8, 'equity'],
      ['SPX500-USDT', 'SPX500', 0.01, 8, 'index'],
      ['XAU-USDT', 'XAU', 0.01, 8, 'commodity'],
      ['XOM-USDT', 'XOM', 0.01, 8, 'equity'],
      ['OIL-USDT', 'OIL', 0.01, 8, 'commodity'],
      ['GAS-USDT', 'GAS', 0.01, 8, 'commodity'],
      ['EUR-USDT', 'EUR', 0.01, 8, 'fx'],
      ['OLD-USDT', 'OLD', 0.01, undefined, undefined],
      ['币安人生-USDT', '币安人生', 0.01, 8, undefined],
    ]);
    expect(LISTED[0]).toMatchObject({ venue: 'htx', base: 'ETH', quote: 'USDT', settle: 'USDT' });
  });

  it('rejects other rows with a reason', () => {
    const rows = [
      listed('BTC-USDT-260925', { business_type: 'futures', contract_type: 'this_week' }),
      listed('BTC-USDT-CQ'),
      listed('BTC-USD'),
      listed('BTC-HUSD'),
      listed('A-USDT', { contract_status: 0 }),
      listed('B-USDT', { contract_status: 2 }),
      listed('C-USDT', { contract_status: 3 }),
      listed('D-USDT', { contract_status: 8 }),
      listed('E-USDT', { contract_status: 77 }),
      listed('F-USDT', { contract_size: 0 }),
      [],
      listed('G-USDT', { business_type: 'futures' }),
      listed('H-USDT', { contract_type: 'this_week' }),
      ...[4, 5, 6, 7, 9].map((contract_status) => listed(`S${contract_status}-USDT`, { contract_status })),
    ];
    const decoded = decodeCall(htx, `${API}/swap_contract_info`, ok(rows));
    expect(decoded.rejects[8]?.detail).toBe('contract_status');
    expect(reasons(decoded)).toEqual([
      ['BTC-USDT-260925', 'dated'],
      ['BTC-USDT-CQ', 'dated'],
      ['BTC-USD', 'inverse'],
      ['BTC-HUSD', 'foreign_quote'],
      ['A-USDT', 'delisted'],
      ['B-USDT', 'prelisting'],
      ['C-USDT', 'not_trading'],
      ['D-USDT', 'delisted'],
      ['E-USDT', 'out_of_range'],
      ['F-USDT', 'out_of_range'],
      [null, 'missing_field'],
      ['G-USDT', 'dated'],
      ['H-USDT', 'dated'],
      ['S4-USDT', 'prelisting'],
      ['S5-USDT', 'not_trading'],
      ['S6-USDT', 'not_trading'],
      ['S7-USDT', 'not_trading'],
      ['S9-USDT', 'not_trading'],
    ]);
  });
});

describe('htx rates and prices', () => {
  const row = {
    contract_code: 'ETH-USDT',
    funding_rate: '0.000064355479737646',
    funding_time: String(NOW + 1000),
    next_funding_time: null,
    estimated_rate: null,
  };
  const batch = (...rows: readonly unknown[]) =>
    decodeCall(htx, `${API}/swap_batch_funding_rate`, ok(rows), LISTED);

  it('the estimated rate and the next settlement; dated rows: none', () => {
    const decoded = batch(row, { ...row, contract_code: 'BTC-USDT-260925', funding_rate: null });
    expect(decoded.quotes).toEqual([
      { symbol: 'ETH-USDT', fundingRate: 0.000064355479737646, nextFundingTime: NOW + 1000 },
    ]);
    expect(reasons(decoded)).toEqual([['BTC-USDT-260925', 'dated']]);
  });

  it.each([
    ['funding_time', { next_funding_time: String(NOW + 9) }, 'nextFundingTime'],
    ['next_funding_time', {}, 'fundingIntervalHours'],
    ['next_funding_time', { funding_time: String(NOW - 1000) }, 'fundingIntervalHours'],
    ['next_funding_time', { funding_time: null }, 'fundingIntervalHours'],
  ])('a stated %s that cannot be read beside %j is a fault of %s', (name, more, field) => {
    const decoded = batch({ ...row, ...more, [name]: 'soon' });
    expect(decoded.rejects).toEqual([{ symbol: 'ETH-USDT', reason: 'malformed', detail: field }]);
    expect(decoded.quotes[0]).not.toHaveProperty('fundingIntervalHours');
    expect(decoded.quotes[0]).not.toHaveProperty(field);
  });

  it('0E-18: zero; a past settlement: unknown; interval by two times', () => {
    const [zero, past, both] = batch(
      { ...row, funding_rate: '0E-18' },
      { ...row, funding_time: String(NOW - 1000) },
      { ...row, funding_time: String(NOW - 1000), next_funding_time: String(NOW - 1000 + 4 * 3_600_000) },
    ).quotes;
    expect(zero?.fundingRate).toBe(0);
    expect(past).not.toHaveProperty('nextFundingTime');
    expect(both).toMatchObject({ nextFundingTime: NOW - 1000 + 14_400_000, fundingIntervalHours: 4 });
  });

  it('reads the fifth version: several contracts, both settlements', () => {
    const data = [{ ...row, next_funding_time: String(NOW + 1000 + 28_800_000) }];
    const payload = { code: 200, message: 'Success', data, ts: NOW };
    expect(decodeCall(htx, '/v5/market/funding_rate?contract_code=ETH-USDT', payload, LISTED).quotes).toEqual(
      [
        {
          symbol: 'ETH-USDT',
          fundingRate: 0.000064355479737646,
          nextFundingTime: NOW + 1000,
          fundingIntervalHours: 8,
        },
      ],
    );
  });

  it('leaves out a frozen index', () => {
    const index = (contract_code: string, index_ts: number) => ({
      contract_code,
      index_price: 4000.5,
      index_ts,
    });
    const rows = [index('ETH-USDT', NOW - 4000), index('PEPE-USDT', NOW - 4_000_000), index('GONE-USDT', 1)];
    const decoded = decodeCall(htx, `${API}/swap_index`, ok(rows), LISTED);
    expect(decoded.quotes).toEqual([{ symbol: 'ETH-USDT', indexPrice: 4000.5 }]);
    expect(reasons(decoded)).toEqual([
      ['PEPE-USDT', 'not_trading'],
      ['GONE-USDT', 'not_listed'],
    ]);
    const alone = decodeCall(htx, `${API}/swap_index`, ok([index('GONE-USDT', NOW - 4_000_000)]));
    expect(alone.rejects).toEqual([
      { symbol: 'GONE-USDT', reason: 'delisted', detail: 'index stands still' },
    ]);
  });

  it('reads best prices of all contracts; a side without orders is null', () => {
    const ticks = [
      { business_type: 'swap', contract_code: 'ETH-USDT', ask: [4000.1, 9], bid: null, ts: NOW },
    ];
    const payload = { status: 'ok', ticks, ts: NOW };
    expect(decodeCall(htx, `${MARKET}/bbo?business_type=swap`, payload, LISTED).quotes).toEqual([
      { symbol: 'ETH-USDT', bestAsk: 4000.1 },
    ]);
  });

  it('turns each kind of error into one reject, and lists without rows too', () => {
    const bodies = [
      [{ status: 'error', err_code: 1032, err_msg: 'too often', ts: NOW }, '1032 too often'],
      [{ ts: NOW, status: 'error', 'err-code': 'timeout', 'err-msg': 'too late' }, 'timeout too late'],
      [{ timestamp: 'x', status: 404, error: 'Not Found', path: '/x' }, '404 Not Found'],
      [{ code: 1067, message: 'too many', data: null, ts: NOW }, '1067 too many'],
      [{ code: 1067, msg: 'too many', ts: NOW }, '1067 too many'],
    ] as const;
    const paths = [
      `${API}/swap_contract_info`,
      `${API}/swap_batch_funding_rate`,
      `${API}/swap_index`,
      `${API}/swap_open_interest`,
      `${API}/swap_his_open_interest`,
      `${API}/swap_historical_funding_rate`,
      `${MARKET}/bbo`,
      `${MARKET}/depth`,
      `${MARKET}/detail/merged`,
      '/index/market/history/linear_swap_mark_price_kline',
    ];
    for (const path of paths) {
      for (const [body, detail] of bodies)
        expect(decodeCall(htx, path, body).rejects).toEqual([{ symbol: null, reason: 'error_body', detail }]);
      expect(decodeCall(htx, path, {}).rejects).toHaveLength(1);
    }
  });
});

describe('htx amounts', () => {
  const row = {
    contract_code: 'ETH-USDT',
    business_type: 'swap',
    volume: 20_000.0,
    amount: 200.0,
    value: 800_000.5,
    trade_volume: 5010,
    trade_amount: 50.1,
    trade_turnover: 200_400,
  };
  const read = {
    symbol: 'ETH-USDT',
    openInterestRaw: 20_000,
    openInterestBase: 200,
    openInterestUsd: 800_000.5,
    volume24hRaw: 5010,
    volume24hBase: 25.05,
    volume24hUsd: 100_200,
  };

  it('halves what was traded, which counts buys and sells, in both versions', () => {
    expect(decodeCall(htx, `${API}/swap_open_interest`, ok([row])).quotes).toEqual([read]);
    const texts = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)]));
    const payload = { code: 200, message: 'Success', data: texts, ts: NOW };
    expect(
      decodeCall(htx, '/v5/market/open_interest?contract_code=ETH-USDT', payload, LISTED).quotes,
    ).toEqual([read]);
  });

  it('coins not stated: computed from contracts of a known size', () => {
    const bare = { ...row, amount: undefined, trade_amount: undefined };
    const path = `${API}/swap_open_interest`;
    expect(decodeCall(htx, path, ok([bare]), LISTED).quotes[0]).toMatchObject({
      openInterestBase: 200,
      volume24hBase: expect.closeTo(25.05, 9),
    });
    expect(decodeCall(htx, path, ok([bare])).quotes[0]).not.toHaveProperty('openInterestBase');
    expect(reasons(decodeCall(htx, path, ok([{ ...row, business_type: 'futures' }])))).toEqual([
      ['ETH-USDT', 'dated'],
    ]);
  });

  it('versions of the overview: vol counts contracts, then USDT', () => {
    const tick = { contract_code: 'ETH-USDT', amount: '50.1', bid: [3999, 1], ask: [4001, 1] };
    const first = { status: 'ok', ticks: [{ ...tick, vol: '5010', trade_turnover: '200400' }] };
    const second = { status: 'ok', ticks: [{ ...tick, vol: '200400', number_of: '5010' }] };
    const expected = {
      symbol: 'ETH-USDT',
      volume24hRaw: 5010,
      volume24hBase: 25.05,
      volume24hUsd: 100_200,
      bestBid: 3999,
      bestAsk: 4001,
    };
    expect(decodeCall(htx, `${MARKET}/detail/batch_merged`, first).quotes).toEqual([expected]);
    expect(decodeCall(htx, `/v2${MARKET}/detail/batch_merged`, second).quotes).toEqual([expected]);
    const { contract_code: _, ...rest } = tick;
    const one = { ch: 'market.ETH-USDT.detail.merged', status: 'ok', tick: { ...rest, ...first.ticks[0] } };
    expect(decodeCall(htx, `${MARKET}/detail/merged`, one).quotes).toEqual([expected]);
  });
});

describe('htx history and books', () => {
  it('reads settled rates of both versions, realised before announced ones', () => {
    const rows = [
      {
        contract_code: 'ETH-USDT',
        funding_rate: '0.0001',
        realized_rate: '0.0002',
        funding_time: String(NOW),
      },
      { contract_code: 'ETH-USDT', funding_rate: '0.0001', realized_rate: null, funding_time: String(NOW) },
    ];
    const page = { total_page: 1, current_page: 1, total_size: 2, data: rows };
    const path = `${API}/swap_historical_funding_rate?contract_code=ETH-USDT`;
    expect(decodeCall(htx, path, ok(page)).funding.map(({ rate }) => rate)).toEqual([0.0002, 0.0001]);
    const fifth = { code: 200, message: 'Success', data: rows.slice(1), ts: NOW };
    expect(decodeCall(htx, '/v5/market/funding_rate_history', fifth).funding).toEqual([
      { symbol: 'ETH-USDT', time: NOW, rate: 0.0001 },
    ]);
  });

  it('reads past open interest in coins, or in contracts of a known size', () => {
    const data = (amount_type: string) => ({
      contract_code: 'ETH-USDT',
      tick: [{ volume: '20000', amount_type, ts: String(NOW), value: '7' }],
    });
    const path = `${API}/swap_his_open_interest?contract_code=ETH-USDT`;
    const points = (type: string, known = LISTED) => decodeCall(htx, path, ok(data(type)), known).history;
    expect(points('2')).toEqual([
      { symbol: 'ETH-USDT', time: NOW, openInterestBase: 20_000, openInterestUsd: 7 },
    ]);
    expect(points('1')).toEqual([
      { symbol: 'ETH-USDT', time: NOW, openInterestBase: 200, openInterestUsd: 7 },
    ]);
    expect(points('1', [])).toEqual([{ symbol: 'ETH-USDT', time: NOW, openInterestUsd: 7 }]);
    const named = decodeCall(htx, `${API}/swap_his_open_interest`, ok(data('2')), LISTED);
    expect(named.history).toHaveLength(1);
  });

  it.each([
    [9, 'out_of_range', 0],
    [{}, 'malformed', 0],
    [undefined, undefined, 1],
  ])('past open interest of amount_type %j is %s', (amount_type, reason, points) => {
    const data = { contract_code: 'ETH-USDT', tick: [{ volume: '20000', amount_type, ts: String(NOW) }] };
    const decoded = decodeCall(htx, `${API}/swap_his_open_interest`, ok(data), LISTED);
    expect(decoded.history).toHaveLength(points);
    expect(reasons(decoded)).toEqual(reason === undefined ? [] : [['ETH-USDT', reason]]);
  });

  it('reads mark candles, and the current mark from the open one', () => {
    const candle = (id: number) => ({ id, open: '4000', close: '4001' });
    const start = Math.floor(NOW / 60_000) * 60;
    const path = '/index/market/history/linear_swap_mark_price_kline?contract_code=ETH-USDT&period=1min';
    const payload = { ch: 'market.ETH-USDT.mark_price.1min', ...ok([candle(start - 60), candle(start)]) };
    const open = decodeCall(htx, path, payload, LISTED);
    expect(open.history).toEqual([
      { symbol: 'ETH-USDT', time: (start - 60) * 1000, markPrice: 4000 },
      { symbol: 'ETH-USDT', time: start * 1000, markPrice: 4000 },
    ]);
    expect(open.quotes).toEqual([{ symbol: 'ETH-USDT', markPrice: 4001 }]);
    expect(decodeCall(htx, path, { ...payload, ts: NOW + 120_000 }, LISTED).quotes).toEqual([]);
    const hour = { ...payload, data: [candle(start - 3600), candle(start)], ts: NOW + 120_000 };
    expect(decodeCall(htx, path, hour, LISTED).quotes).toEqual([{ symbol: 'ETH-USDT', markPrice: 4001 }]);
  });

  const tick = { bids: [[3999.9, 100]], asks: [[4000.1, 50]], version: 1_790_000_000, ts: NOW };

  it('the REST book: in coins; the empty one of a suspension: none', () => {
    const path = `${MARKET}/depth?contract_code=ETH-USDT&type=step0`;
    const answer = (changes: object) => ({ status: 'ok', tick: { ...tick, ...changes }, ts: NOW });
    expect(decodeCall(htx, path, answer({}), LISTED).books).toEqual([
      { symbol: 'ETH-USDT', kind: 'snapshot', bids: [[3999.9, 1]], asks: [[4000.1, 0.5]], venueTime: NOW },
    ]);
    expect(decodeCall(htx, path, answer({ asks: null }), LISTED).books[0]?.asks).toEqual([]);
    expect(reasons(decodeCall(htx, path, answer({ bids: [], asks: [] }), LISTED))).toEqual([
      ['ETH-USDT', 'not_trading'],
    ]);
    const unknown = decodeCall(htx, path, answer({}));
    expect([unknown.books[0]?.bids, reasons(unknown)]).toEqual([
      [[3999.9, 100]],
      [['ETH-USDT', 'unknown_unit']],
    ]);
  });

  it('chains frames by version', () => {
    const ch = 'market.ETH-USDT.depth.size_20.high_freq';
    const frame = (event: string, more: object = {}) =>
      decodeCall(htx, ch, { ch, ts: NOW, tick: { ...tick, ch, event, ...more } }, LISTED).books[0];
    expect(frame('snapshot')).toMatchObject({ kind: 'snapshot', sequence: 1_790_000_000 });
    const change = frame('update', { bids: null, asks: [[4000.1, 0]] });
    expect(change).toMatchObject({
      kind: 'delta',
      previousSequence: 1_789_999_999,
      bids: [],
      asks: [[4000.1, 0]],
    });
    expect(frame('update', { bids: [], asks: [] })).toMatchObject({ bids: [], asks: [] });
  });
});

describe('htx back-fill', () => {
  const [eth] = LISTED;
  const to = asMs(NOW);

  function paths(kind: BackfillKind, hours: number, pages: readonly number[] = [1]) {
    const endpoint = htx.backfill?.find((endpoint) => endpoint.kind === kind);
    if (endpoint === undefined || eth === undefined) throw new Error(`no ${kind}`);
    return pages.map((page) => endpoint.request(eth, asMs(to - hours * HOUR_MS), to, page).path);
  }

  it('asks for payments page by page', () => {
    const query = 'contract_code=ETH-USDT&page_index';
    expect(paths('funding', 720, [1, 2])).toEqual([
      `${API}/swap_historical_funding_rate?${query}=1&page_size=50`,
      `${API}/swap_historical_funding_rate?${query}=2&page_size=50`,
    ]);
    expect(htx.backfill?.[0]).toMatchObject({ kind: 'funding', points: 50, pages: 200 });
  });

  it('asks for as many hours as lie between, no other range exists', () => {
    const mark = '/index/market/history/linear_swap_mark_price_kline?contract_code=ETH-USDT&period=60min';
    expect([paths('mark', 72), paths('mark', 9000)].flat()).toEqual([`${mark}&size=73`, `${mark}&size=2000`]);
    const interest = `${API}/swap_his_open_interest?contract_code=ETH-USDT&period=60min&amount_type=1`;
    expect([paths('interest', 72), paths('interest', 720)].flat()).toEqual([
      `${interest}&size=73`,
      `${interest}&size=200`,
    ]);
    const latest = htx.backfill?.filter(({ isLatestOnly }) => isLatestOnly);
    expect(latest?.map(({ kind, points, reachMs }) => [kind, points, reachMs])).toEqual([
      ['mark', 2000, 2000 * HOUR_MS],
      ['interest', 200, 200 * HOUR_MS],
    ]);
  });

  it('is no burden of the second reader, which asks for the newest as it did', () => {
    const asked = secondWaysOf(htx).map(({ call, request }) => [call.name, eth && request(eth, to).path]);
    expect(asked.map(([name]) => name)).toEqual([
      'batch_merged (v2)',
      'swap_his_open_interest',
      'mark_price_kline',
      'funding history',
    ]);
    expect(asked.at(-1)?.[1]).toMatch(/page_size=50$/);
  });
});

describe('htx books and notices that say less', () => {
  const ch = 'market.BTC-USDT-CQ.depth.step6';
  const tick = { bids: [[4000, 3]], asks: [[4001, 5]], ts: NOW };
  const frame = { ch, ts: NOW, tick };

  it('a foreign contract: as published, until a list is known', () => {
    expect(decodeCall(htx, ch, frame).books).toMatchObject([{ bids: [[4000, 3]], asks: [[4001, 5]] }]);
    expect(reasons(decodeCall(htx, ch, frame, LISTED))).toEqual([['BTC-USDT-CQ', 'dated']]);
  });

  it('a pushed book without both sides: a reject, and it starts again', () => {
    const ours = 'market.ETH-USDT.depth.step6';
    const decoded = decodeCall(htx, ours, { ch: ours, ts: NOW, tick: { odd: 1 } }, LISTED);
    expect(decoded).toMatchObject({
      books: [],
      rejects: [{ symbol: 'ETH-USDT', reason: 'unexpected_shape', detail: 'no levels' }],
    });
  });

  it.each([
    ['no side', {}, [[null, 'unexpected_shape', 'no levels']]],
    ['sides without levels', { bids: [], asks: null }, [['ETH-USDT', 'not_trading', 'empty book']]],
    ['one empty side', { bids: [], asks: [[4001, 5]] }, []],
    ['a side that is none', { bids: 7, asks: [] }, [['ETH-USDT', 'malformed', 'bids']]],
  ])('a REST book of %s', (_, sides, expected) => {
    const payload = { status: 'ok', ts: NOW, tick: { ts: NOW, ...sides } };
    const decoded = decodeCall(htx, `${MARKET}/depth?contract_code=ETH-USDT&type=step0`, payload, LISTED);
    expect(decoded.rejects.map(({ symbol, reason, detail }) => [symbol, reason, detail])).toEqual(expected);
    expect(decoded.books).toHaveLength(expected.length === 0 ? 1 : 0);
  });

  it.each([
    ['no topic', { data: [] }, []],
    ['a topic that is no text', { topic: {} }, [{ reason: 'unexpected_shape', detail: 'topic' }]],
    ['another topic', { topic: 'public.*.liquidation_orders', data: [{}] }, []],
    ['no rows', { topic: 'public.*.funding_rate' }, [{ reason: 'unexpected_shape', detail: 'no rows' }]],
  ])('a notice of %s', (_, more, expected) => {
    const decoded = decodeCall(htx, 'public.*.funding_rate', { op: 'notify', ts: NOW, ...more }, LISTED);
    expect(decoded).toMatchObject({ quotes: [], rejects: expected });
  });

  it.each([
    ['a time', {}, ok([]).ts],
    ['a time of receipt', { index_ts: 1 }, undefined],
  ])('takes an index without %s as one of now', (_, more, ts) => {
    const payload = { ...ok([{ contract_code: 'ETH-USDT', index_price: 4000, ...more }]), ts };
    expect(decodeCall(htx, `${API}/swap_index`, payload, LISTED).quotes).toEqual([
      { symbol: 'ETH-USDT', indexPrice: 4000 },
    ]);
  });
});

describe('htx rows without their envelope', () => {
  it('are decoded', () => {
    const rate = { contract_code: 'ETH-USDT', funding_rate: '0.0001', funding_time: String(NOW) };
    expect(decodeCall(htx, `${API}/swap_historical_funding_rate`, rate).funding).toHaveLength(1);
    expect(decodeCall(htx, `${API}/swap_batch_funding_rate`, rate).quotes).toMatchObject([
      { nextFundingTime: NOW },
    ]);
    expect(decodeCall(htx, `${API}/swap_contract_info`, listed('ETH-USDT')).instruments).toHaveLength(1);
    const past = { volume: '20', amount_type: '2', ts: String(NOW), value: '7' };
    const path = `${API}/swap_his_open_interest?contract_code=ETH-USDT`;
    for (const form of [past, { contract_code: 'ETH-USDT', tick: [past] }]) {
      expect(decodeCall(htx, path, form).history).toMatchObject([{ openInterestBase: 20 }]);
    }
    const candles = '/index/market/history/linear_swap_mark_price_kline?contract_code=ETH-USDT';
    expect(decodeCall(htx, candles, { id: NOW / 1000, open: '4000', close: '1' }).history).toHaveLength(1);
  });
});

describe('htx frames', () => {
  const push = (ch: string, tick: object) => decodeCall(htx, ch, { ch, ts: NOW, tick }, LISTED);

  it('reads marks, indices, overviews and touches by channel', () => {
    expect(push('market.ETH-USDT.mark_price.1min', { id: 1, open: '1', close: '4000.5' }).quotes).toEqual([
      { symbol: 'ETH-USDT', markPrice: 4000.5 },
    ]);
    expect(push('market.ETH-USDT.index.1min', { close: '4000.5' }).quotes).toEqual([
      { symbol: 'ETH-USDT', indexPrice: 4000.5 },
    ]);
    const detail = { amount: '50.1', vol: '5010', trade_turnover: '200400' };
    expect(push('market.ETH-USDT.detail', detail).quotes).toMatchObject([
      { volume24hRaw: 5010, volume24hBase: 25.05, volume24hUsd: 100_200 },
    ]);
    expect(push('market.ETH-USDT.bbo', { bid: [1, 2], ask: [3, 4] }).quotes).toMatchObject([
      { bestBid: 1, bestAsk: 3 },
    ]);
    expect(push('market.ETH-USDT.premium_index.1min', { close: '1' })).toMatchObject({
      quotes: [],
      rejects: [],
    });
    expect(reasons(push('market.SOL-USDT.mark_price.1min', { close: '1' }))).toEqual([
      ['SOL-USDT', 'not_listed'],
    ]);
  });

  it('pushed rates: funding_time is their computation; pushed contracts', () => {
    const data = [
      {
        contract_code: 'ETH-USDT',
        funding_rate: '0.0001',
        funding_time: String(NOW),
        settlement_time: String(NOW + 9),
      },
    ];
    const notice = { op: 'notify', topic: 'public.*.funding_rate', ts: NOW, data };
    expect(decodeCall(htx, 'public.*.funding_rate', notice, LISTED).quotes).toEqual([
      { symbol: 'ETH-USDT', fundingRate: 0.0001, nextFundingTime: NOW + 9, venueTime: NOW },
    ]);
    const info = {
      op: 'notify',
      topic: 'public.ETH-USDT.contract_info',
      event: 'update',
      data: [listed('ETH-USDT')],
    };
    expect(decodeCall(htx, 'public.*.contract_info', info).instruments).toHaveLength(1);
  });

  it('a frame whose op is no text is a reject', () => {
    expect(decodeCall(htx, 'market sockets', { op: {}, ts: NOW }).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'op' },
    ]);
  });

  it.each([{ bids: [[4000, 1]], asks: [], event: {}, version: 7 }, {}])(
    'a book without its kind, or without both sides: a reject: %j',
    (tick) => {
      const decoded = push('market.ETH-USDT.depth.size_150.high_freq', tick);
      expect([decoded.books.length, decoded.rejects.length]).toEqual([0, 1]);
    },
  );

  it.each([{}, 4000])('a side of the touch of %j is a fault, null is none', (bid) => {
    const decoded = push('market.ETH-USDT.bbo', { bid, ask: [4001, 5] });
    expect(decoded.quotes).toEqual([{ symbol: 'ETH-USDT', bestAsk: 4001 }]);
    expect(decoded.rejects).toMatchObject([{ symbol: 'ETH-USDT', detail: 'bestBid' }]);
    expect(push('market.ETH-USDT.bbo', { bid: null, ask: [4001, 5] }).rejects).toEqual([]);
  });

  it('states no next settlement where a notice arrives after its settlement', () => {
    const settled = { contract_code: 'ETH-USDT', funding_rate: '0.0001', settlement_time: String(NOW) };
    const notice = { op: 'notify', topic: 'public.ETH-USDT.funding_rate', ts: NOW, data: [settled] };
    const { quotes, rejects } = decodeCall(htx, 'public.*.funding_rate', notice, LISTED);
    expect([quotes, rejects]).toEqual([[{ symbol: 'ETH-USDT', fundingRate: 0.0001 }], []]);
    const odd = { ...notice, data: [{ ...settled, settlement_time: 'soon' }] };
    expect(reasons(decodeCall(htx, 'public.*.funding_rate', odd, LISTED))).toEqual([
      ['ETH-USDT', 'malformed'],
    ]);
  });

  it('ignores pings and acknowledgements, and rejects refusals', () => {
    const frames = [
      { ping: NOW },
      { op: 'ping', ts: String(NOW) },
      { id: '1', status: 'ok', subbed: 'market.ETH-USDT.mark_price.1min', ts: NOW },
      { op: 'sub', cid: '1', topic: 'public.*.funding_rate', ts: NOW, 'err-code': 0 },
      { sub: 'market.ETH-USDT.bbo', id: '1' },
      ...['pong', 'subbed', 'unsubbed', 'rep', 'unsub'].map((field) => ({ [field]: 'market.ETH-USDT.bbo' })),
      { id: '1', status: 'ok', ts: NOW },
    ];
    for (const frame of frames) {
      const { quotes, books, rejects } = decodeCall(htx, 'market sockets', frame);
      expect([quotes, books, rejects]).toEqual([[], [], []]);
    }
    const refusal = { op: 'sub', cid: '1', 'err-code': 2011, 'err-msg': 'Invalid command', ts: NOW };
    expect(reasons(decodeCall(htx, 'market sockets', refusal))).toEqual([[null, 'error_body']]);
    expect(decodeCall(htx, 'market sockets', { hello: 1 }).rejects).toEqual([
      { symbol: null, reason: 'unexpected_shape', detail: 'no push' },
    ]);
  });

  it('streams the mark of every contract, and answers pings', () => {
    const [marks] = htx.streams ?? [];
    const topics = marks?.topics({ instruments: LISTED, now: asMs(NOW) }) ?? [];
    expect(topics).toHaveLength(LISTED.length);
    expect(marks?.subscribe(topics.slice(0, 1), 3)).toEqual([
      '{"sub":"market.ETH-USDT.mark_price.1min","id":"3"}',
    ]);
    expect([marks?.pong?.({ ping: NOW }), marks?.pong?.({ ch: 'x' })]).toEqual([
      `{"pong":${NOW}}`,
      undefined,
    ]);
  });
});

describe('htx calls', () => {
  it.each([
    ['https://api.hbdm.com/linear-swap-api/v1/swap_contract_info?business_type=swap', 'swap_contract_info'],
    ['/v2/linear-swap-ex/market/detail/batch_merged', 'batch_merged (v2)'],
    ['/linear-swap-ex/market/detail/batch_merged?business_type=swap', 'batch_merged'],
    ['v5/market/open_interest?contract_code=BTC-USDT', 'open_interest (v5)'],
    ['/linear-swap-api/v1/swap_funding_rate?contract_code=BTC-USDT', 'funding_rate'],
    ['wss://api.hbdm.com/ws_index', 'frame'],
    ['market.BTC-USDT.detail', 'frame'],
    ['{"op":"sub","cid":"1","topic":"public.*.funding_rate"}', 'frame'],
  ])('%s is %s', (text, name) => {
    expect(callFor(htx, text)?.name).toBe(name);
  });

  it('reads no data from nonsense', () => {
    expect(nonsenseProblems(htx)).toEqual([]);
  });
});

describeSamples(htx, (samples) => {
  it('has a call for every recording but the collection of errors', () => {
    const without = samples.filter(({ url, method }) => callFor(htx, url, method) === undefined);
    expect(without.map(({ file }) => file)).toEqual(['errors.jsonl']);
  });

  it('reads recorded contracts, rates and prices', () => {
    expect(decodeFile(htx, 'swap-contract-info-2021.json').instruments).toMatchObject([
      { symbol: 'BTC-USDT', contractSize: 0.001 },
    ]);
    // The rate was asked for a day after the settlement that it names.
    expect(decodeFile(htx, 'swap-batch-funding-rate-2021.json').quotes).toEqual([
      { symbol: 'ETC-USDT', fundingRate: -0.0075 },
      { symbol: 'ADA-USDT', fundingRate: -0.0075 },
    ]);
    expect(decodeFile(htx, 'swap-index-2020.json').quotes[0]?.indexPrice).toBe(13_076.32986568);
    expect(decodeFile(htx, 'ws-mark-kline-2026-09.jsonl').quotes[0]?.markPrice).toBe(86_826.6);
    expect(decodeFile(htx, 'ws-funding-2026-09.jsonl').quotes).toMatchObject([
      { fundingRate: 6.4355479737646e-5, nextFundingTime: 1_790_150_400_000 },
    ]);
    expect(decodeFile(htx, 'v5-funding-rate-2026-06.json').quotes).toMatchObject([
      { fundingRate: 0.000083024939363172, nextFundingTime: 1_781_251_200_000, fundingIntervalHours: 8 },
    ]);
    expect(decodeFile(htx, 'bbo-2021.json').quotes).toEqual([
      { symbol: 'BTC-USDT', bestBid: 48_508.9, bestAsk: 48_511.6 },
    ]);
  });

  it('reads recorded open interest as published, and half of what was traded', () => {
    expect(decodeFile(htx, 'batch-merged-v2-2022.json').quotes[0]).toMatchObject({
      volume24hBase: 6891.566 / 2,
      volume24hUsd: 273_472_535.834 / 2,
      volume24hRaw: 6_891_566,
    });
    expect(decodeFile(htx, 'detail-merged-v1-2020.json').quotes[0]).toMatchObject({
      volume24hBase: 12.526 / 2,
      volume24hUsd: 163_247.3982 / 2,
      volume24hRaw: 12_526,
    });
    expect(decodeFile(htx, 'swap-open-interest-2022-06.json').quotes[0]).toEqual({
      symbol: 'MANA-USDT',
      openInterestRaw: 288_491,
      openInterestBase: 2_884_910,
      openInterestUsd: 2_788_265.515,
      volume24hRaw: 807_332,
      volume24hBase: 8_073_320 / 2,
      volume24hUsd: 7_868_174.158 / 2,
    });
    expect(decodeFile(htx, 'v5-open-interest-2026-06.json').quotes[0]).toMatchObject({
      openInterestRaw: 32_476_092,
      openInterestBase: 32_476.092,
      openInterestUsd: 2_063_137_924.9668,
    });
    expect(decodeFile(htx, 'his-open-interest-2022.json').history[0]).toMatchObject({
      time: 1_648_220_400_000,
      openInterestBase: 4385.435,
    });
  });

  it('reads recorded books in coins once the size is known', () => {
    const known = instrumentsFrom(htx, 'swap-contract-info-2021.json');
    const [whole, change] = decodeFile(htx, 'ws-depth-incremental-2026-09.jsonl', known).books;
    expect([whole?.kind, whole?.bids[0]]).toEqual(['snapshot', [86_859.8, expect.closeTo(6.172, 9)]]);
    expect(change).toMatchObject({ kind: 'delta', previousSequence: whole?.sequence });
    expect(change?.bids[1]).toEqual([86_848.5, 0]);
    expect(reasons(decodeFile(htx, 'depth-step6-2021.json', known))).toEqual([['BTC-USDT-CQ', 'dated']]);
    expect(reasons(decodeFile(htx, 'ws-errors-2026-09.jsonl'))).toEqual(Array(2).fill([null, 'error_body']));
  });

  it('survives every field of every recording broken', () => {
    const known = instrumentsFrom(htx, 'swap-contract-info-2021.json');
    expect([...mutationProblems(htx, samples), ...mutationProblems(htx, samples, known)]).toEqual([]);
  });
});
