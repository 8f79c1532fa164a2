import { describeCases, paid, reject } from './case.ts';

/** Rows of the past as bug reports have shown them to be misread, with figures of our own. */

describeCases('the past', [
  {
    name: 'gate: a page cut from its old end holds its newest payments',
    venue: 'gate',
    call: '/futures/usdt/funding_rate?contract=SOL_USDT&limit=1000&from=1643673600',
    payloads: [
      [1_646_236_800, 1_646_208_000, 1_646_179_200].map((t, at) => ({ t, r: String((at - 1) / 1e4) })),
    ],
    lines: [
      paid('2022-03-02T16:00:00.000Z', -0.0001),
      paid('2022-03-02T08:00:00.000Z', 0),
      paid('2022-03-02T00:00:00.000Z', 0.0001),
    ],
  },
  {
    name: 'cryptocom: hourly rates, oldest first',
    venue: 'cryptocom',
    call: '/public/get-valuations?instrument_name=SOLUSD-PERP&valuation_type=funding_hist&count=2',
    payloads: [
      {
        id: 1,
        method: 'public/get-valuations',
        code: 0,
        result: {
          instrument_name: 'SOLUSD-PERP',
          data: [
            { v: '0.000004', t: 1_687_885_200_000 },
            { v: '-0.000005', t: 1_687_888_800_000 },
          ],
        },
      },
    ],
    lines: [
      paid('2023-06-27T17:00:00.000Z', 0.000_004, { funding_interval_hours: 1 }),
      paid('2023-06-27T18:00:00.000Z', -0.000_005, { funding_interval_hours: 1 }),
    ],
  },
  {
    name: 'kraken: periods of four hours count by the relative rate',
    venue: 'kraken',
    call: '/derivatives/api/v4/historicalfundingrates?symbol=PF_ETHUSD',
    payloads: [
      {
        result: 'success',
        rates: [
          { timestamp: '2022-03-22T16:00:00.000Z', fundingRate: 0.06, relativeFundingRate: 0.000_02 },
          { timestamp: '2022-03-22T20:00:00.000Z', fundingRate: -0.03, relativeFundingRate: -0.000_01 },
        ],
      },
    ],
    // Rows are stamped with the beginning of their period.
    lines: [
      paid('2022-03-22T20:00:00.000Z', 0.000_02, { funding_interval_hours: 4 }),
      paid('2022-03-23T00:00:00.000Z', -0.000_01, { funding_interval_hours: 4 }),
    ],
  },
  {
    name: 'deribit: the past of an inverse perpetual is left out',
    venue: 'deribit',
    call: '/api/v2/public/get_funding_rate_history?instrument_name=BTC-PERPETUAL',
    payloads: [
      {
        jsonrpc: '2.0',
        result: [{ timestamp: 1_691_157_600_000, interest_1h: 3e-5, interest_8h: 2e-4, index_price: 29_000 }],
      },
    ],
    lines: [reject('BTC-PERPETUAL', 'inverse')],
  },
  {
    name: 'edgex: a preview among settled rows is left out',
    venue: 'edgex',
    call: '/api/v2/public/funding/getFundingRatePage?contractId=9&size=10&filterSettlementFundingRate=true',
    payloads: [
      {
        code: 'SUCCESS',
        data: {
          dataList: [
            { fundingTime: '1789243200000', fundingRate: '0.00004', isSettlement: true },
            { fundingTime: '1789243140000', fundingRate: '0.00003', isSettlement: false },
            { fundingTime: '1789228800000', fundingRate: '-0.00002', isSettlement: true },
          ].map((row) => ({
            contractId: '9',
            fundingRateIntervalMin: '240',
            forecastFundingRate: '',
            ...row,
          })),
        },
      },
    ],
    lines: [
      paid('2026-09-12T20:00:00.000Z', 0.000_04, { funding_interval_hours: 4 }),
      paid('2026-09-12T16:00:00.000Z', -0.000_02, { funding_interval_hours: 4 }),
    ],
  },
  {
    name: 'extended: payments stamped minutes late are of their full hour',
    venue: 'extended',
    call: '/api/v1/info/SOL-USD/funding?startTime=1&endTime=2',
    payloads: [
      {
        status: 'OK',
        data: [772, 559_000, 1_018].map((late, at) => ({
          m: 'SOL-USD',
          f: `${at - 1}e-5`,
          T: 1_789_182_000_000 - at * 3_600_000 + late,
        })),
      },
    ],
    lines: [
      paid('2026-09-12T03:00:00.000Z', -1e-5, { funding_interval_hours: 1 }),
      paid('2026-09-12T02:00:00.000Z', 0, { funding_interval_hours: 1 }),
      paid('2026-09-12T01:00:00.000Z', 1e-5, { funding_interval_hours: 1 }),
    ],
  },
  {
    name: 'pacifica: what an hour paid is the next_funding_rate of its row',
    venue: 'pacifica',
    call: '/api/v1/funding_rate/history?symbol=SOL&limit=2',
    payloads: [
      {
        success: true,
        data: [
          { funding_rate: '0.00002', next_funding_rate: '0.00003', created_at: 1_789_246_800_398 },
          { funding_rate: '0.00001', next_funding_rate: '0.00002', created_at: 1_789_243_200_397 },
        ].map((row) => ({ oracle_price: '150', bid_impact_price: '149', ask_impact_price: '151', ...row })),
        error: null,
        code: null,
        has_more: false,
      },
    ],
    lines: [
      paid('2026-09-12T21:00:00.000Z', 0.000_03, { funding_interval_hours: 1 }),
      paid('2026-09-12T20:00:00.000Z', 0.000_02, { funding_interval_hours: 1 }),
    ],
  },
  {
    name: 'paradex: samples seconds apart are observed, no payments',
    venue: 'paradex',
    call: '/v1/funding/data?market=SOL-USD-PERP',
    payloads: [
      {
        next: '',
        prev: null,
        results: [2, 1].map((second) => ({
          market: 'SOL-USD-PERP',
          funding_rate: '-0.00004',
          funding_rate_8h: '-0.00004',
          funding_index: '20',
          funding_premium: '-1',
          funding_period_hours: 8,
          created_at: 1_764_160_320_000 + second * 1000,
        })),
      },
    ],
    lines: [
      paid('2025-11-26T12:32:02.000Z', -0.000_04, { observed: true, funding_interval_hours: 8 }),
      paid('2025-11-26T12:32:01.000Z', -0.000_04, { observed: true, funding_interval_hours: 8 }),
    ],
  },
  {
    name: 'hyperliquid: a payment without a premium is a payment',
    venue: 'hyperliquid',
    call: '/info {"type":"fundingHistory","coin":"SOL","startTime":1769904000000}',
    payloads: [
      [
        { coin: 'SOL', fundingRate: '0.0000125', premium: '0.0001', time: 1_769_904_000_000 },
        { coin: 'SOL', fundingRate: '-0.000004', time: 1_769_907_600_000 },
      ],
    ],
    lines: [
      paid('2026-02-01T00:00:00.000Z', 0.000_012_5, { symbol: 'SOL', funding_interval_hours: 1 }),
      paid('2026-02-01T01:00:00.000Z', -0.000_004, { symbol: 'SOL' }),
    ],
  },
]);
