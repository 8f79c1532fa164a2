import { type EventFrameCase, T } from './frame-case.ts';

/** Venues that publish trades alone. */
export const PLAIN_FRAMES: readonly EventFrameCase[] = [
  {
    venue: 'kucoin',
    when: 'lots of the list, nanoseconds as text',
    contracts: { SOLUSDTM: 0.1 },
    payload: {
      type: 'message',
      topic: '/contractMarket/execution:SOLUSDTM',
      subject: 'match',
      data: { symbol: 'SOLUSDTM', side: 'sell', size: 20, price: '150', tradeId: '17', ts: `${T}123456` },
    },
    trades: [{ takerSide: 'sell', sizeBase: 2, sizeUsd: 300, time: T, id: '17' }],
  },
  {
    venue: 'kucoin',
    when: 'an answer: the contract by the request; a coin-margined lot is a dollar',
    path: '/api/v1/trade/history?symbol=XBTUSDM',
    payload: {
      code: '200000',
      data: [{ sequence: 1, tradeId: 't', side: 'buy', size: 45_000, price: '90000', ts: `${T}000000` }],
    },
    trades: [{ symbol: 'XBTUSDM', sizeUsd: 45_000, sizeBase: 0.5 }],
  },
  {
    venue: 'mexc',
    when: 'contracts of the list, a trade with oneself is marked',
    contracts: { SOL_USDT: 0.1 },
    payload: {
      symbol: 'SOL_USDT',
      channel: 'push.deal',
      ts: 1,
      data: [
        { p: 150, v: 20, T: 2, O: 3, M: 1, t: T, i: '130' },
        { p: 150, v: 20, T: 1, O: 3, M: 2, t: T - 1, i: '131' },
      ],
    },
    trades: [
      { takerSide: 'sell', sizeBase: 2, mark: 'self_trade', id: '130' },
      { takerSide: 'buy', id: '131' },
    ],
  },
  {
    venue: 'mexc',
    when: 'an answer of deals: the contract by the path',
    path: '/api/v1/contract/deals/SOL_USDT',
    contracts: { SOL_USDT: 0.1 },
    payload: { success: true, data: [{ p: 150, v: 20, T: 1, O: 3, M: 2, t: T }] },
    trades: [{ symbol: 'SOL_USDT', sizeUsd: 300 }],
  },
  {
    venue: 'bingx',
    when: 'the buyer was the maker: the taker sold; no id',
    payload: { code: 0, dataType: 'SOL-USDT@trade', data: [{ q: '2', p: '150', T, m: true, s: 'SOL-USDT' }] },
    trades: [{ takerSide: 'sell', sizeUsd: 300 }],
  },
  {
    venue: 'bingx',
    when: 'a coin-margined one: contracts of unknown value',
    payload: {
      code: 0,
      dataType: 'BTC-USD@trade',
      data: { e: 'trade', s: 'BTC-USD', t: '39', p: '90000', q: '1', T, m: false },
    },
    trades: [{ takerSide: 'buy', unknownValue: 'contract_size_unknown', sizeUnit: 'contracts', id: '39' }],
  },
  {
    venue: 'bingx',
    when: 'an answer',
    path: '/openApi/swap/v2/quote/trades?symbol=SOL-USDT',
    payload: { code: 0, data: [{ time: T, isBuyerMaker: false, price: '150', qty: '2', quoteQty: '300' }] },
    trades: [{ symbol: 'SOL-USDT', takerSide: 'buy', sizeUsd: 300 }],
  },
  {
    venue: 'phemex',
    when: 'cells without names; a snapshot is history',
    payload: {
      sequence: 1,
      symbol: 'u1000PEPEUSDT',
      trades_p: [[`${T}162039`, 'Sell', '0.02', '1000']],
      type: 'snapshot',
    },
    trades: [{ takerSide: 'sell', sizeBase: 1_000_000, sizeUsd: 20, time: T, isHistory: true }],
  },
  {
    venue: 'phemex',
    when: 'the old model: prices of ten thousandths, contracts of a dollar',
    payload: {
      sequence: 1,
      symbol: 'BTCUSD',
      trades: [[`${T}000000`, 'Buy', 900_000_000, 45_000]],
      type: 'incremental',
    },
    trades: [{ takerSide: 'buy', price: 90_000, sizeUsd: 45_000, sizeBase: 0.5 }],
  },
  {
    venue: 'whitebit',
    when: 'seconds with a fraction are rounded to milliseconds',
    payload: {
      method: 'trades_update',
      params: ['SOL_PERP', [{ id: 9, time: 1_793_715_316.17, price: '150', amount: '2', type: 'buy' }]],
    },
    trades: [{ symbol: 'SOL_PERP', takerSide: 'buy', time: T, id: '9' }],
  },
  {
    venue: 'whitebit',
    when: 'an answer: whole seconds',
    path: '/api/v4/public/trades/SOL_PERP?type=sell',
    payload: [
      {
        tradeID: 9,
        price: '150',
        quote_volume: '300',
        base_volume: '2',
        trade_timestamp: 1_793_715_316,
        type: 'sell',
      },
    ],
    trades: [{ symbol: 'SOL_PERP', takerSide: 'sell', sizeUsd: 300 }],
  },
  {
    venue: 'cryptocom',
    when: 'an id above 2^53 as text',
    payload: {
      code: 0,
      method: 'subscribe',
      result: {
        instrument_name: 'SOLUSD-PERP',
        subscription: 'trade.SOLUSD-PERP',
        channel: 'trade',
        data: [{ d: '2358394540212355488', s: 'SELL', p: '150', q: '2', t: T, i: 'SOLUSD-PERP' }],
      },
    },
    trades: [{ takerSide: 'sell', id: '2358394540212355488', sizeUsd: 300 }],
  },
  {
    venue: 'grvt',
    when: 'rows that are sent on subscribing: history; a quote on request is none',
    payload: {
      stream: 'v1.trade',
      selector: 'SOL_USDT_Perp@50',
      sequence_number: '0',
      feed: {
        event_time: `${T}193871`,
        instrument: 'SOL_USDT_Perp',
        is_taker_buyer: true,
        size: '2',
        price: '150',
        trade_id: '19-1',
        venue: 'ORDERBOOK',
        is_rpi: true,
      },
    },
    trades: [{ takerSide: 'buy', isHistory: true, time: T, id: '19-1', mark: 'rpi' }],
  },
  {
    venue: 'grvt',
    when: 'short names, on request',
    payload: {
      s: 'v1.trade',
      s1: 'SOL_USDT_Perp@50',
      sn: '5',
      f: { et: `${T}000000`, i: 'SOL_USDT_Perp', it: false, s: '2', p: '150', ti: '20-1', v: 'RFQ' },
    },
    rejects: ['off_book'],
  },
  {
    venue: 'grvt',
    when: 'an answer',
    path: '/full/v1/trade',
    payload: {
      result: [
        {
          event_time: `${T}000000`,
          instrument: 'SOL_USDT_Perp',
          is_taker_buyer: false,
          size: '2',
          price: '150',
          trade_id: '21-1',
          venue: 'ORDERBOOK',
        },
      ],
    },
    trades: [{ takerSide: 'sell', sizeUsd: 300 }],
  },
  {
    venue: 'apex',
    when: 'the first frame: history',
    payload: {
      topic: 'recentlyTrade.H.SOLUSDT',
      type: 'snapshot',
      ts: T,
      data: [{ T, s: 'SOLUSDT', S: 'Sell', v: '2', p: '150', i: 'a-1' }],
    },
    trades: [{ takerSide: 'sell', isHistory: true, id: 'a-1' }],
  },
  {
    venue: 'apex',
    when: 'an answer',
    path: '/api/v3/trades?symbol=SOLUSDT',
    payload: { data: [{ i: 'a-2', p: '150', S: 'Buy', v: '2', s: 'SOLUSDT', T }] },
    trades: [{ symbol: 'SOLUSDT', takerSide: 'buy' }],
  },
  {
    venue: 'edgex',
    when: 'the buyer was not the maker: the taker bought',
    payload: {
      type: 'quote-event',
      channel: 'trades.10000001',
      content: {
        dataType: 'Snapshot',
        channel: 'trades.10000001',
        data: [
          {
            ticketId: '1',
            time: String(T),
            price: '90000',
            size: '0.1',
            value: '9000',
            contractId: '10000001',
            isBuyerMaker: false,
          },
        ],
      },
    },
    trades: [{ symbol: '10000001', takerSide: 'buy', isHistory: true, sizeUsd: 9000 }],
  },
  {
    venue: 'hibachi',
    when: 'one trade a frame, in whole seconds',
    payload: {
      data: { trade: { price: '150', quantity: '2', takerSide: 'Sell', timestamp: 1_793_715_316 } },
      symbol: 'SOL/USDT-P',
      topic: 'trades',
    },
    trades: [{ symbol: 'SOL/USDT-P', takerSide: 'sell', sizeUsd: 300, time: 1_793_715_316_000 }],
  },
  {
    venue: 'hibachi',
    when: 'an answer: the contract by the request',
    path: '/market/data/trades?symbol=SOL/USDT-P',
    payload: { trades: [{ price: '150', quantity: '2', takerSide: 'Buy', timestamp: 1_793_715_316 }] },
    trades: [{ symbol: 'SOL/USDT-P', takerSide: 'buy' }],
  },
];
