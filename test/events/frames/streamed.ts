import { type EventFrameCase, T } from './frame-case.ts';

const forceOrder = (o: Record<string, unknown>) => ({ e: 'forceOrder', E: T + 700, o });
const ORDER = {
  s: '1000PEPEUSDT',
  S: 'SELL',
  q: '500',
  p: '0.0100',
  ap: '0.0104',
  X: 'FILLED',
  l: '600',
  z: '500',
  T,
};

/** Venues with a stream or a call of liquidations. */
export const STREAMED_FRAMES: readonly EventFrameCase[] = [
  {
    venue: 'binance',
    when: 'a sold order in blocks of 1000: a long, what was filled, at its average',
    payload: { stream: '!forceOrder@arr', data: forceOrder(ORDER) },
    liquidations: [
      {
        side: 'long',
        sizeRaw: 500,
        sizeBase: 500_000,
        price: 0.0104 / 1000,
        priceKind: 'average',
        sizeUsd: 5.2,
        time: T,
      },
    ],
  },
  {
    venue: 'aster',
    when: 'nothing stated as filled: the order at its limit',
    payload: forceOrder({ ...ORDER, s: 'ETHUSDT', S: 'BUY', q: '2', p: '2000', ap: '0', z: '0' }),
    liquidations: [{ side: 'short', sizeBase: 2, price: 2000, priceKind: 'limit', sizeUsd: 4000 }],
  },
  {
    venue: 'binance',
    when: 'rows of the coin-margined host: no second count',
    payload: forceOrder({ ...ORDER, s: 'BTCUSD_PERP' }),
    rejects: ['inverse'],
  },
  {
    venue: 'binance',
    when: 'an aggregate of three fills: the taker sold to a buyer who waited',
    payload: { e: 'aggTrade', E: T, s: 'BTCUSDT', a: 77, p: '90000', q: '0.5', f: 10, l: 12, T, m: true },
    trades: [{ takerSide: 'sell', id: '77', sequence: 77, fills: 3, sizeUsd: 45_000 }],
  },
  {
    venue: 'aster',
    when: 'a transfer of the insurance fund and a deleveraging: no trades',
    payload: [
      { e: 'trade', s: 'BTCUSDT', t: 1, p: '9', q: '1', X: 'INSURANCE_FUND', m: true, T },
      { e: 'trade', s: 'BTCUSDT', t: 2, p: '9', q: '1', X: 'ADL', m: true, T },
      { e: 'trade', s: 'BTCUSDT', t: 3, p: '9', q: '1', X: 'MARKET', m: false, T },
    ],
    trades: [{ takerSide: 'buy', id: '3' }],
    rejects: ['transfer', 'deleveraging'],
  },
  {
    venue: 'binance',
    when: 'an answer of aggregates: the contract by the request',
    path: '/fapi/v1/aggTrades?symbol=BTCUSDT',
    payload: [{ a: 9, p: '90000', q: '1', f: 1, l: 1, T, m: false }],
    trades: [{ symbol: 'BTCUSDT', takerSide: 'buy', id: '9' }],
  },
  {
    venue: 'bybit',
    when: 'Buy is the position: a long, and two equal rows are two events',
    payload: {
      topic: 'allLiquidation.SOLUSDT',
      type: 'snapshot',
      ts: T,
      data: [
        { T, s: 'SOLUSDT', S: 'Buy', v: '3', p: '150.5' },
        { T, s: 'SOLUSDT', S: 'Buy', v: '3', p: '150.5' },
        { T, s: 'SOLUSDT', S: 'Sell', v: '2', p: '151' },
      ],
    },
    liquidations: [
      { side: 'long', priceKind: 'bankruptcy', sizeUsd: 451.5 },
      { side: 'long', sizeBase: 3 },
      { side: 'short', sizeUsd: 302 },
    ],
  },
  {
    venue: 'bybit',
    when: 'a block trade: no taker volume; a coin-margined one is dollars',
    payload: {
      topic: 'publicTrade.BTCUSD',
      ts: T,
      data: [
        { T, s: 'BTCUSD', S: 'Sell', v: '45000', p: '90000', i: 'b2', BT: false },
        { T, s: 'BTCUSD', S: 'Sell', v: '9', p: '90000', i: 'b3', BT: true },
      ],
    },
    trades: [{ takerSide: 'sell', sizeUsd: 45_000, sizeBase: 0.5, inverseBase: 'BTC' }],
    rejects: ['off_book'],
  },
  {
    venue: 'bybit',
    when: 'an answer of trades: newest first, as it came',
    path: '/v5/market/recent-trade?category=linear&symbol=BTCUSDT',
    payload: {
      retCode: 0,
      result: {
        list: [
          {
            execId: 'e1',
            symbol: 'BTCUSDT',
            price: '90000',
            size: '0.1',
            side: 'Buy',
            time: String(T),
            isBlockTrade: false,
            isRPITrade: true,
          },
        ],
      },
    },
    trades: [{ id: 'e1', takerSide: 'buy', mark: 'rpi', sizeUsd: 9000 }],
  },
  {
    venue: 'okx',
    when: 'several details of a contract: each counts, in contracts of the list',
    contracts: { 'ETH-USDT-SWAP': 0.1 },
    payload: {
      arg: { channel: 'liquidation-orders', instType: 'SWAP' },
      data: [
        {
          instId: 'ETH-USDT-SWAP',
          instType: 'SWAP',
          details: [
            { side: 'sell', posSide: 'long', sz: '13', bkPx: '2000', ts: String(T) },
            { side: 'buy', posSide: 'net', sz: '5', bkPx: '2010', ts: String(T - 9000) },
          ],
        },
      ],
    },
    liquidations: [
      { side: 'long', sizeRaw: 13, sizeBase: 1.3, sizeUsd: 2600 },
      { side: 'short', sizeBase: 0.5, time: T - 9000 },
    ],
  },
  {
    venue: 'okx',
    when: 'no list of contracts: size and value are unknown, not zero',
    payload: {
      arg: { channel: 'liquidation-orders', instType: 'SWAP' },
      data: [
        {
          instId: 'ETH-USDT-SWAP',
          details: [{ side: 'buy', posSide: 'short', sz: '13', bkPx: '2000', ts: String(T) }],
        },
      ],
    },
    liquidations: [
      { side: 'short', sizeRaw: 13, sizeUnit: 'contracts', unknownValue: 'contract_size_unknown' },
    ],
  },
  {
    venue: 'okx',
    when: 'a coin-margined contract: dollars, whatever the price',
    payload: {
      data: [
        {
          instType: 'SWAP',
          uly: 'BTC-USD',
          details: [{ side: 'sell', posSide: 'long', sz: '3', bkPx: '60000', ts: String(T) }],
        },
      ],
    },
    path: '/api/v5/public/liquidation-orders?instType=SWAP&uly=BTC-USD',
    liquidations: [{ symbol: 'BTC-USD-SWAP', sizeUsd: 300, sizeBase: 0.005 }],
  },
  {
    venue: 'okx',
    when: 'a row of all fills of one order',
    contracts: { 'BTC-USDT-SWAP': 0.01 },
    payload: {
      arg: { channel: 'trades', instId: 'BTC-USDT-SWAP' },
      data: [
        {
          instId: 'BTC-USDT-SWAP',
          tradeId: '30',
          px: '90000',
          sz: '5',
          side: 'buy',
          ts: String(T),
          count: '4',
        },
      ],
    },
    trades: [{ id: '30', fills: 4, sizeBase: 0.05, sizeUsd: 4500, takerSide: 'buy' }],
  },
  {
    venue: 'bitget',
    when: 'amount is money of the quote currency: divided, not multiplied',
    payload: {
      action: 'update',
      arg: { instType: 'usdt-futures', topic: 'liquidation' },
      data: [{ symbol: 'SOLUSDT', side: 'sell', price: '150', amount: '300', ts: String(T - 15_000) }],
      ts: T,
    },
    liquidations: [{ side: 'short', sizeBase: 2, sizeUsd: 300, time: T - 15_000, sizeUnit: 'quote' }],
  },
  {
    venue: 'bitget',
    when: 'a snapshot: history',
    payload: {
      action: 'snapshot',
      arg: { instType: 'usdt-futures', topic: 'publicTrade', symbol: 'SOLUSDT' },
      data: [{ i: '1432912492051054592', P: '150', v: '2', S: 'sell', T: String(T), isRPI: 'yes' }],
    },
    trades: [{ id: '1432912492051054592', isHistory: true, mark: 'rpi', takerSide: 'sell', sizeUsd: 300 }],
  },
  {
    venue: 'bitget',
    when: 'an answer of fills',
    path: '/api/v2/mix/market/fills?symbol=SOLUSDT&productType=usdt-futures',
    payload: {
      code: '00000',
      data: [{ tradeId: '7', symbol: 'SOLUSDT', price: '150', size: '2', side: 'buy', ts: String(T) }],
    },
    trades: [{ id: '7', takerSide: 'buy', sizeUsd: 300 }],
  },
  {
    venue: 'gate',
    when: 'a position closed in two steps: orders count, not the position twice',
    path: '/api/v4/futures/usdt/liq_orders?from=1&to=2',
    contracts: { BTC_USDT: 0.0001 },
    payload: [
      {
        time: 1_793_715_316,
        contract: 'BTC_USDT',
        size: 700,
        order_size: -300,
        order_price: '89000',
        fill_price: '89100',
        left: 0,
      },
      {
        time: 1_793_715_317,
        contract: 'BTC_USDT',
        size: 400,
        order_size: '-400',
        order_price: '89000',
        fill_price: '89050',
        left: 0,
      },
    ],
    liquidations: [
      {
        side: 'long',
        sizeRaw: 300,
        sizeBase: 0.03,
        priceKind: 'average',
        limitPrice: 89_000,
        time: 1_793_715_316_000,
      },
      { side: 'long', sizeRaw: 400, sizeBase: 0.04 },
    ],
  },
  {
    venue: 'gate',
    when: 'an old row without the order: the position less what was left',
    path: '/api/v4/futures/usdt/liq_orders',
    contracts: { BTC_USDT: 0.0001 },
    payload: [
      {
        time: 1_696_736_132,
        contract: 'BTC_USDT',
        size: -165,
        order_price: '28225',
        fill_price: '28070',
        left: -15,
      },
    ],
    liquidations: [{ side: 'short', sizeRaw: 150 }],
  },
  {
    venue: 'gate',
    when: 'a push: the sign is the position, sums of an interval no event',
    contracts: { BTC_USDT: 0.0001 },
    payload: {
      channel: 'futures.public_liquidates',
      event: 'update',
      result: [{ price: 89_000, size: '-12.5', time_ms: T, contract: 'BTC_USDT' }],
    },
    liquidations: [{ side: 'short', sizeRaw: 12.5, priceKind: 'unstated' }],
  },
  {
    venue: 'gate',
    when: 'sums of an interval: no event',
    payload: {
      channel: 'futures.contract_stats',
      event: 'update',
      result: [{ time: 1_793_715_316, contract: 'BTC_USDT', long_liq_size: 5 }],
    },
    rejects: ['totals'],
  },
  {
    venue: 'gate',
    when: 'trades: the sign is the taker, an internal one is none',
    contracts: { BTC_USDT: 0.0001 },
    payload: {
      channel: 'futures.trades',
      event: 'update',
      result: [
        {
          size: -22,
          id: 5,
          create_time: 1_793_715_316,
          create_time_ms: T,
          price: '90000',
          contract: 'BTC_USDT',
        },
        {
          size: 4,
          id: 6,
          create_time: 1_793_715_316,
          price: '90000',
          contract: 'BTC_USDT',
          is_internal: true,
        },
      ],
    },
    trades: [{ takerSide: 'sell', id: '5', sizeBase: 0.0022, time: T }],
    rejects: ['transfer'],
  },
  {
    venue: 'gate',
    when: 'an answer of trades with whole seconds',
    path: '/api/v4/futures/usdt/trades?contract=BTC_USDT',
    contracts: { BTC_USDT: 0.0001 },
    payload: [{ size: 10, id: 8, create_time: 1_793_715_316, price: '90000', contract: 'BTC_USDT' }],
    trades: [{ takerSide: 'buy', time: 1_793_715_316_000, sizeUsd: 90 }],
  },
  {
    venue: 'htx',
    when: 'a push: amount counts coins, the value is stated',
    payload: {
      op: 'notify',
      topic: 'public.ETH-USDT.liquidation_orders',
      ts: T,
      data: [
        {
          contract_code: 'ETH-USDT',
          direction: 'sell',
          offset: 'close',
          volume: 50,
          price: 2000,
          created_at: T,
          amount: 0.5,
          trade_turnover: 1000,
        },
      ],
    },
    liquidations: [{ side: 'long', sizeBase: 0.5, sizeUsd: 1000, priceKind: 'bankruptcy' }],
  },
  {
    venue: 'htx',
    when: 'an answer of v5: amount counts contracts, the value tells the coins',
    path: '/v5/market/liquidation_orders?contract_code=BTC-USDT',
    payload: {
      code: 200,
      data: [
        {
          id: '150153038758',
          contract_code: 'BTC-USDT',
          liquidation_time: String(T),
          side: 'buy',
          position_side: 'short',
          volume: '2',
          amount: '2',
          bankrupt_price: '60000',
          trade_turnover: '120',
        },
      ],
    },
    liquidations: [
      { side: 'short', id: '150153038758', sizeBase: 0.002, sizeUsd: 120, sizeUnit: 'contracts' },
    ],
  },
  {
    venue: 'htx',
    when: 'an answer of v3: as the push, with an id',
    path: '/linear-swap-api/v3/swap_liquidation_orders',
    payload: {
      code: 200,
      data: [
        {
          query_id: 452057,
          contract_code: 'ETH-USDT',
          direction: 'buy',
          offset: 'close',
          volume: 50,
          price: 2000,
          created_at: T,
          amount: 0.5,
          trade_turnover: 1000,
        },
      ],
    },
    liquidations: [{ side: 'short', id: '452057', sizeBase: 0.5 }],
  },
  {
    venue: 'htx',
    when: 'trades with coins and without them',
    payload: {
      ch: 'market.ETH-USDT.trade.detail',
      ts: T,
      tick: {
        id: 1,
        ts: T,
        data: [
          { amount: 6, quantity: 0.06, trade_turnover: 120, ts: T, id: 11, price: 2000, direction: 'buy' },
          { amount: 6, ts: T, id: 12, price: 2000, direction: 'sell' },
        ],
      },
    },
    trades: [
      { takerSide: 'buy', sizeBase: 0.06, sizeUsd: 120 },
      { takerSide: 'sell', sizeRaw: 6, unknownValue: 'contract_size_unknown' },
    ],
  },
  {
    venue: 'backpack',
    when: 'microseconds, and a side that nothing proves',
    payload: {
      stream: 'liquidation',
      data: { e: 'liquidation', E: T * 1000, q: '2', p: '150', S: 'Bid', s: 'SOL_USDC_PERP', T: T * 1000 },
    },
    liquidations: [{ side: 'short', time: T, sizeUsd: 300, priceKind: 'unstated' }],
  },
  {
    venue: 'backpack',
    when: 'a trade with a number that rises by one',
    payload: {
      stream: 'trade.SOL_USDC_PERP',
      data: {
        e: 'trade',
        E: String(T * 1000),
        T: String(T * 1000),
        s: 'SOL_USDC_PERP',
        m: true,
        p: '150',
        q: '2',
        t: 41,
      },
    },
    trades: [{ takerSide: 'sell', sequence: 41, time: T }],
  },
  {
    venue: 'nado',
    when: 'units of 1e-18: a negative amount is a short, the perpetual leg counts',
    payload: {
      type: 'liquidation',
      timestamp: `${T}000000`,
      product_ids: [3, 4],
      liquidator: '0xa',
      liquidatee: '0xb',
      amount: '-500000000000000000',
      price: '2700000000000000000000',
    },
    liquidations: [
      { symbol: '4', side: 'short', sizeBase: 0.5, price: 2700, sizeUsd: 1350, priceKind: 'takeover' },
    ],
  },
  {
    venue: 'nado',
    when: 'a trade: both quantities are equal, one counts',
    payload: {
      type: 'trade',
      timestamp: `${T}000000`,
      product_id: 4,
      price: '2700000000000000000000',
      taker_qty: '1000000000000000000',
      maker_qty: '1000000000000000000',
      is_taker_buyer: false,
    },
    trades: [{ takerSide: 'sell', sizeBase: 1, sizeUsd: 2700 }],
  },
  {
    venue: 'nado',
    when: 'an answer of trades: seconds, a sale is negative',
    path: '/v2/trades?ticker_id=ETH-PERP_USDT0',
    payload: [
      {
        product_id: 4,
        ticker_id: 'ETH-PERP_USDT0',
        trade_id: 6,
        price: 2700,
        base_filled: -2,
        quote_filled: 5401,
        timestamp: 1_793_715_316,
        trade_type: 'sell',
      },
    ],
    trades: [{ takerSide: 'sell', id: '6', sizeBase: 2, sizeUsd: 5400 }],
  },
];
