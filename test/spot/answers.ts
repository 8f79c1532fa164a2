/** An answer of a spot call, written from the format that its venue documents. */
export interface SpotAnswer {
  readonly venue: string;
  readonly url: string;
  readonly payload: unknown;
}

/** Milliseconds of 2026-11-28T12:00:00Z. */
export const AT = 1_795_867_200_000;

const okxRow = (instId: string, more: object) => ({ instType: 'SPOT', instId, ts: String(AT), ...more });

const binanceRow = (symbol: string, bid: string, ask: string) => ({
  symbol,
  bidPrice: bid,
  bidQty: '2.5',
  askPrice: ask,
  askQty: '1.25',
  lastPrice: bid,
  volume: '1000',
  quoteVolume: '50000000',
  closeTime: AT,
});

const binanceMarket = (symbol: string, baseAsset: string, quoteAsset: string, more: object = {}) => ({
  symbol,
  status: 'TRADING',
  baseAsset,
  quoteAsset,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: [
    { filterType: 'PRICE_FILTER', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.002' },
    { filterType: 'NOTIONAL', minNotional: '5' },
  ],
  ...more,
});

const bybitAnswer = (category: string | undefined, list: readonly object[]) => ({
  retCode: 0,
  retMsg: 'OK',
  result: { category, list },
  time: AT,
});

const bybitMarket = (symbol: string, baseCoin: string, more: object = {}) => ({
  symbol,
  baseCoin,
  quoteCoin: 'USDT',
  status: 'Trading',
  marginTrading: 'utaOnly',
  lotSizeFilter: { basePrecision: '0.001', minOrderQty: '0.002', minOrderAmt: '5' },
  priceFilter: { tickSize: '0.01' },
  ...more,
});

const gateMarket = (base: string, quote: string, base_name: string, trade_status = 'tradable') => ({
  id: `${base}_${quote}`,
  base,
  base_name,
  quote,
  fee: '0.2',
  min_base_amount: '0.002',
  min_quote_amount: '3',
  amount_precision: 3,
  precision: 2,
  trade_status,
  type: 'normal',
});

const kucoinMarket = (symbol: string, base: string, more: object = {}) => ({
  symbol,
  name: symbol,
  baseCurrency: base,
  quoteCurrency: 'USDT',
  market: 'USDS',
  baseMinSize: '0.002',
  baseIncrement: '0.001',
  priceIncrement: '0.01',
  minFunds: '0.1',
  isMarginEnabled: true,
  enableTrading: true,
  takerFeeCoefficient: '1.00',
  ...more,
});

const krakenMarket = (wsname: string, more: object = {}) => ({
  wsname,
  aclass_base: 'currency',
  pair_decimals: 1,
  tick_size: '0.1',
  lot_decimals: 8,
  ordermin: '0.00005',
  costmin: '0.5',
  status: 'online',
  fees: [
    [0, 0.4],
    [10_000, 0.35],
  ],
  leverage_sell: [2, 3],
  ...more,
});

const whitebitMarket = (name: string, more: object = {}) => ({
  name,
  stock: name.split('_')[0],
  money: name.split('_')[1],
  type: 'spot',
  stockPrec: '3',
  moneyPrec: '2',
  minAmount: '0.002',
  minTotal: '5',
  takerFee: '0.1',
  tradesEnabled: true,
  isCollateral: true,
  delistedAt: null,
  ...more,
});

const backpackMarket = (base: string, more: object = {}) => ({
  symbol: `${base}_USDC`,
  baseSymbol: base,
  quoteSymbol: 'USDC',
  marketType: 'SPOT',
  orderBookState: 'Open',
  visible: true,
  createdAt: '2025-01-21T06:34:54.691858',
  filters: { price: { tickSize: '0.01' }, quantity: { stepSize: '0.001', minQuantity: '0.002' } },
  ...more,
});

const htxMarket = (base: string, more: object = {}) => ({
  symbol: `${base}usdt`,
  'base-currency': base,
  'quote-currency': 'usdt',
  'price-precision': 2,
  'amount-precision': 3,
  state: 'online',
  'limit-order-min-order-amt': 0.002,
  'min-order-value': 5,
  tags: '',
  ...more,
});

const HYPERLIQUID_TOKENS = [
  { name: 'USDC', szDecimals: 8, index: 0, tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054' },
  // Anybody may deploy a token of this name.
  { name: 'BTC', szDecimals: 5, index: 77, tokenId: '0x00000000000000000000000000000077' },
  { name: 'UBTC', szDecimals: 5, index: 197, tokenId: '0x8f254b963e8468305d409b33aa137c67' },
];

export const ANSWERS: readonly SpotAnswer[] = [
  {
    venue: 'binance',
    url: '/api/v3/exchangeInfo',
    payload: {
      symbols: [
        binanceMarket('BTCUSDT', 'BTC', 'USDT'),
        binanceMarket('1000SATSUSDT', '1000SATS', 'USDT'),
        binanceMarket('BTCUSD1', 'BTC', 'USD1'),
        binanceMarket('ETHBTC', 'ETH', 'BTC', {
          filters: [
            { filterType: 'PRICE_FILTER', tickSize: '0.00001' },
            { filterType: 'LOT_SIZE', stepSize: '0.0001' },
            { filterType: 'MIN_NOTIONAL', minNotional: '0.0001' },
          ],
        }),
        binanceMarket('BTCUPUSDT', 'BTCUP', 'USDT'),
        binanceMarket('JUPUSDT', 'JUP', 'USDT'),
        binanceMarket('ADADOWNUSDT', 'ADADOWN', 'USDT', { permissions: ['LEVERAGED'] }),
        binanceMarket('BCCUSDT', 'BCC', 'USDT', { status: 'BREAK' }),
        binanceMarket('NEWUSDT', 'NEW', 'USDT', { status: 'PRE_TRADING' }),
      ],
    },
  },
  {
    venue: 'binance',
    url: '/api/v3/ticker/24hr',
    payload: [
      binanceRow('BTCUSDT', '50000', '50000.5'),
      binanceRow('1000SATSUSDT', '0.00025', '0.00026'),
      binanceRow('BTCUSD1', '49990', '50010'),
      binanceRow('ETHBTC', '0.03', '0.0301'),
      // The asks of this one are gone.
      { ...binanceRow('JUPUSDT', '0.3', '0.00000000'), askQty: '0.00000000' },
      binanceRow('BTCUPUSDT', '12', '13'),
    ],
  },
  {
    venue: 'binance',
    url: '/api/v3/ticker/bookTicker',
    payload: [{ symbol: 'BTCUSDT', bidPrice: '50000', bidQty: '2', askPrice: '50001', askQty: '3' }],
  },
  {
    venue: 'binance',
    url: '/bapi/margin/v1/public/margin/vip/spec/list-all',
    payload: {
      code: '000000',
      data: [
        {
          assetName: 'BTC',
          specs: [
            { vipLevel: '1', dailyInterestRate: '0.00018', borrowLimit: '200' },
            { vipLevel: '0', dailyInterestRate: '0.00024', borrowLimit: '100' },
          ],
        },
      ],
    },
  },
  {
    venue: 'aster',
    url: '/api/v3/exchangeInfo',
    payload: { symbols: [binanceMarket('ASTERUSDT', 'ASTER', 'USDT', { isSpotTradingAllowed: undefined })] },
  },
  {
    venue: 'aster',
    url: '/api/v3/ticker/bookTicker',
    payload: [
      { symbol: 'ASTERUSDT', bidPrice: '1.5', bidQty: '20', askPrice: '0.000000', askQty: '0', time: AT },
    ],
  },
  {
    venue: 'bybit',
    url: '/v5/market/instruments-info?category=spot',
    payload: bybitAnswer('spot', [
      bybitMarket('BTCUSDT', 'BTC'),
      bybitMarket('AAPLXUSDT', 'AAPLX', { symbolType: 'xstocks', marginTrading: 'none' }),
      bybitMarket('BTC3SUSDT', 'BTC3S', { marginTrading: 'none' }),
      bybitMarket('OLDUSDT', 'OLD', { status: 'Closed' }),
    ]),
  },
  {
    venue: 'bybit',
    url: '/v5/market/tickers?category=spot',
    payload: bybitAnswer('spot', [
      {
        symbol: 'BTCUSDT',
        bid1Price: '50000',
        bid1Size: '2',
        ask1Price: '50001',
        ask1Size: '1.5',
        lastPrice: '50000.5',
        volume24h: '1000',
        turnover24h: '50000000',
      },
    ]),
  },
  {
    venue: 'bybit',
    url: '/v5/market/tickers?category=linear',
    payload: bybitAnswer('linear', [{ symbol: 'BTCUSDT', bid1Price: '50000', ask1Price: '50001' }]),
  },
  {
    venue: 'bybit',
    url: '/v5/spot-margin-trade/data?vipLevel=No%20VIP',
    payload: {
      retCode: 0,
      result: {
        vipCoinList: [
          {
            vipLevel: 'VIP-1',
            list: [
              { currency: 'BTC', borrowable: true, hourlyBorrowRate: '0.000001', maxBorrowingAmount: '9' },
            ],
          },
          {
            vipLevel: 'No VIP',
            list: [
              { currency: 'BTC', borrowable: true, hourlyBorrowRate: '0.000002', maxBorrowingAmount: '3' },
              { currency: 'ODD', borrowable: false, hourlyBorrowRate: '0.000005', maxBorrowingAmount: '' },
            ],
          },
        ],
      },
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/public/instruments?instType=SPOT',
    payload: {
      code: '0',
      data: [
        okxRow('BTC-USDT', {
          baseCcy: 'BTC',
          quoteCcy: 'USDT',
          tickSz: '0.1',
          lotSz: '0.001',
          minSz: '0.002',
          state: 'live',
          listTime: String(AT),
        }),
        okxRow('OLD-USDT', { baseCcy: 'OLD', quoteCcy: 'USDT', state: 'suspend' }),
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/market/tickers?instType=SPOT',
    payload: {
      code: '0',
      data: [
        okxRow('BTC-USDT', {
          last: '50000',
          bidPx: '49999',
          bidSz: '2',
          askPx: '50001',
          askSz: '1.5',
          vol24h: '1000',
          volCcy24h: '50000000',
        }),
        okxRow('ETH-BTC', { last: '0.03', bidPx: '', askPx: '0.0301', vol24h: '100', volCcy24h: '3' }),
        { instType: 'SWAP', instId: 'BTC-USDT-SWAP', last: '50000' },
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/public/interest-rate-loan-quota',
    payload: {
      code: '0',
      data: [
        {
          basic: [
            { ccy: 'BTC', rate: '0.00019992', quota: '10' },
            { ccy: 'ODD', rate: '24', quota: '1' },
          ],
          configCcyList: [{ ccy: 'SOL', rate: '0.00048' }],
          config: [
            { ccy: 'SOL', stgyType: '1', quota: '900', level: 'Lv1' },
            { ccy: 'SOL', stgyType: '0', quota: '500', level: 'Lv1' },
          ],
          regular: [{ level: 'Lv1', loanQuotaCoef: '1' }],
        },
      ],
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/finance/savings/lending-rate-history?ccy=BTC',
    payload: { code: '0', data: [{ ccy: 'BTC', rate: '0.01', ts: String(AT) }] },
  },
  {
    venue: 'bitget',
    url: '/api/v2/spot/public/symbols',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'TONCOINUSDT',
          baseCoin: 'TONCOIN',
          quoteCoin: 'USDT',
          minTradeAmount: '0',
          takerFeeRate: '0.002',
          pricePrecision: '3',
          quantityPrecision: '2',
          status: 'online',
          minTradeUSDT: '1',
        },
        { symbol: 'AAPLonUSDT', baseCoin: 'AAPLon', quoteCoin: 'USDT', status: 'online' },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v2/spot/market/tickers',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'ETHBTC',
          lastPr: '0.03',
          bidPr: '0.0299',
          bidSz: '2',
          askPr: '0.0301',
          askSz: '3',
          baseVolume: '100',
          quoteVolume: '3',
          usdtVolume: '150000',
          ts: String(AT),
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v3/market/tickers?category=SPOT',
    payload: {
      code: '00000',
      data: [
        {
          category: 'SPOT',
          symbol: 'BTCUSDT',
          bid1Price: '50000',
          ask1Price: '50001',
          volume24h: '7',
          ts: String(AT),
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v3/market/margin-loans?coin=BTC',
    payload: { code: '00000', data: { dailyInterest: '0.00024', limit: '26', platformRemaingQuota: '0' } },
  },
  {
    venue: 'gate',
    url: '/api/v4/spot/currency_pairs',
    payload: [
      gateMarket('BTC', 'USDT', 'Bitcoin'),
      gateMarket('ETH5S', 'USDT', 'ETH5xShort'),
      gateMarket('AAPLX', 'USDT', 'Apple xStock'),
      gateMarket('GONE', 'USDT', 'Gone', 'sellable'),
      gateMarket('BTC', 'GUSD', 'Bitcoin'),
    ],
  },
  {
    venue: 'gate',
    url: '/api/v4/spot/tickers',
    payload: [
      {
        currency_pair: 'BTC_USDT',
        last: '50000',
        lowest_ask: '50001',
        lowest_size: '1.5',
        highest_bid: '49999',
        highest_size: '2',
        base_volume: '1000',
        quote_volume: '50000000',
      },
      { currency_pair: 'BTC_GUSD', last: '50000', lowest_ask: '', base_volume: 'nan', quote_volume: '7' },
      { currency_pair: 'BTC3L_USDT', last: '2', etf_net_value: '2.1', etf_leverage: '3' },
    ],
  },
  {
    venue: 'gate',
    url: '/api/v4/unified/history_loan_rate?currency=BTC&limit=1',
    payload: { currency: 'BTC', tier: '0', rates: [{ time: AT, rate: '0.00001' }] },
  },
  {
    venue: 'gate',
    url: '/api/v4/unified/currencies',
    payload: [
      {
        name: 'BTC',
        user_max_borrow_amount: '1000000',
        total_max_borrow_amount: '3000000',
        loan_status: 'enable',
      },
      { name: 'OLD', user_max_borrow_amount: '1000', loan_status: 'disable' },
    ],
  },
  {
    venue: 'kucoin',
    url: '/api/v2/symbols',
    payload: {
      code: '200000',
      data: [
        kucoinMarket('BTC-USDT', 'BTC'),
        kucoinMarket('WAX-USDT', 'WAX', { name: 'WAXP-USDT', takerFeeCoefficient: '2.00' }),
        kucoinMarket('BTC3L-USDT', 'BTC3L', { market: 'ETF' }),
        kucoinMarket('OLD-USDT', 'OLD', { enableTrading: false }),
      ],
    },
  },
  {
    venue: 'kucoin',
    url: '/api/v1/market/allTickers',
    payload: {
      code: '200000',
      data: {
        time: AT,
        ticker: [
          {
            symbol: 'BTC-USDT',
            buy: '49999',
            bestBidSize: '2',
            sell: '50001',
            bestAskSize: '1.5',
            last: '50000',
            vol: '1000',
            volValue: '50000000',
            takerFeeRate: '0.001',
            takerCoefficient: '2',
          },
          // In a call auction bids may stand above asks.
          { symbol: 'NEW-USDT', buy: '2', sell: '1', last: '1.5', vol: null, volValue: null },
        ],
      },
    },
  },
  {
    venue: 'kucoin',
    url: '/api/v3/project/marketInterestRate?currency=BTC',
    payload: { code: '200000', data: [{ time: '202611281200', marketInterestRate: '0.005' }] },
  },
  {
    venue: 'mexc',
    url: '/api/v3/exchangeInfo',
    payload: {
      symbols: [
        {
          symbol: 'BTCUSDT',
          status: '1',
          baseAsset: 'BTC',
          baseAssetPrecision: 4,
          quoteAsset: 'USDT',
          quotePrecision: 2,
          baseSizePrecision: '0',
          quoteAmountPrecision: '5',
          takerCommission: '0.002',
          isSpotTradingAllowed: true,
        },
        {
          symbol: 'AAPLXUSDT',
          status: '1',
          baseAsset: 'AAPLX',
          quoteAsset: 'USDT',
          fullName: 'Apple xStock',
          isSpotTradingAllowed: true,
        },
      ],
    },
  },
  {
    venue: 'mexc',
    url: '/api/v3/ticker/24hr',
    payload: [{ ...binanceRow('BTCUSDT', '50000', '50001'), bidQty: '', askQty: '', quoteVolume: null }],
  },
  {
    venue: 'htx',
    url: '/v1/common/symbols',
    payload: {
      status: 'ok',
      data: [
        htxMarket('btc'),
        htxMarket('fil3s', { underlying: 'filusdt', 'init-nav': 10, tags: 'etp,nav' }),
        htxMarket('old', { state: 'offline' }),
      ],
    },
  },
  {
    venue: 'htx',
    url: '/market/tickers',
    payload: {
      status: 'ok',
      ts: AT,
      data: [
        {
          symbol: 'btcusdt',
          close: 50_000,
          amount: 1000,
          vol: 50_000_000,
          bid: 49_999,
          bidSize: 2,
          ask: 50_001,
          askSize: 1.5,
        },
        { symbol: 'xvgusdt', close: 5e-9, amount: 0, vol: 0, bid: 0, bidSize: 0, ask: 6e-9, askSize: 10 },
      ],
    },
  },
  {
    venue: 'htx',
    url: '/v1/margin/loan-info',
    payload: {
      status: 'ok',
      data: [
        {
          symbol: 'btcusdt',
          currencies: [{ currency: 'btc', 'interest-rate': '0.00096', 'max-loan-amt': '550' }],
        },
      ],
    },
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/common/symbols',
    payload: {
      code: 0,
      data: {
        symbols: [
          { symbol: 'BTC-USDT', minQty: 0.002, minNotional: 5, status: 1, tickSize: 0.01, stepSize: 0.001 },
          { symbol: 'TRUMPSOL-USDT', minQty: 1, minNotional: 5, status: 1, tickSize: 0.001, stepSize: 1 },
          { symbol: 'TRUMP-USDT', minQty: 1, minNotional: 5, status: 1, tickSize: 0.001, stepSize: 1 },
          { symbol: 'SOON-USDT', status: 5 },
          { symbol: 'SHUT-USDT', status: 1, apiStateBuy: false },
        ],
      },
    },
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/ticker/24hr?timestamp=1',
    payload: {
      code: 0,
      data: [
        {
          symbol: 'BTC-USDT',
          lastPrice: '50000',
          volume: 1000,
          quoteVolume: 50_000_000,
          bidPrice: 49_999,
          bidQty: 2,
          askPrice: 50_001,
          askQty: 1.5,
          priceChangePercent: '2.91%',
          closeTime: AT,
        },
      ],
    },
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/market/depth?symbol=BTC-USDT',
    payload: {
      code: 0,
      data: {
        bids: [
          ['49999', '1'],
          ['49998', '2'],
        ],
        asks: [
          ['50003', '2'],
          ['50001', '1'],
        ],
        ts: AT,
      },
    },
  },
  {
    venue: 'kraken',
    url: '/0/public/AssetPairs',
    payload: {
      error: [],
      result: {
        XXBTZUSD: krakenMarket('XBT/USD'),
        XDGUSD: krakenMarket('XDG/USD', { tick_size: undefined, pair_decimals: 7, leverage_sell: [] }),
        LUNAUSD: krakenMarket('LUNA/USD'),
        LUNA2USD: krakenMarket('LUNA2/USD', { status: 'cancel_only' }),
        AAPLxUSD: krakenMarket('AAPLx/USD', { aclass_base: 'tokenized_asset' }),
      },
    },
  },
  {
    venue: 'kraken',
    url: '/0/public/Ticker',
    payload: {
      error: [],
      result: {
        XXBTZUSD: {
          a: ['50001.0', '1', '1.5'],
          b: ['49999.0', '2', '2.25'],
          c: ['50000.0', '0.1'],
          v: ['10', '1000'],
          p: ['49000', '50000'],
        },
      },
    },
  },
  {
    venue: 'cryptocom',
    url: '/exchange/v1/public/get-instruments',
    payload: {
      code: 0,
      result: {
        data: [
          {
            symbol: 'BTC_USD',
            inst_type: 'CCY_PAIR',
            base_ccy: 'BTC',
            quote_ccy: 'USD',
            price_tick_size: '0.01',
            qty_tick_size: '0.001',
            tradable: true,
            margin_sell_enabled: true,
          },
          {
            symbol: 'BTCUSD-PERP',
            inst_type: 'PERPETUAL_SWAP',
            base_ccy: 'BTC',
            quote_ccy: 'USD',
            tradable: true,
          },
        ],
      },
    },
  },
  {
    venue: 'cryptocom',
    url: '/exchange/v1/public/get-tickers',
    payload: {
      code: 0,
      result: {
        data: [
          {
            i: 'ETH_BTC',
            a: '0.03',
            b: '0.0299',
            bs: '2',
            k: '0.0301',
            ks: '1',
            v: '100',
            vv: '150000',
            t: AT,
          },
          { i: 'BTCUSD-PERP', a: '50000', b: '49999', k: '50001', v: '100', vv: '5000000', t: AT },
          { i: 'USD_Stable_Coin', a: '1', b: '0.9999', k: '1.0001', t: AT },
        ],
      },
    },
  },
  {
    venue: 'whitebit',
    url: '/api/v4/public/markets',
    payload: [
      whitebitMarket('BTC_USDT'),
      whitebitMarket('BTC_UAH', { takerFee: '0.001' }),
      whitebitMarket('DBTC_DUSDT'),
      whitebitMarket('BTC_PERP', { type: 'futures' }),
      whitebitMarket('OLD_USDT', { delistedAt: 1_764_000_000 }),
    ],
  },
  {
    venue: 'whitebit',
    url: '/api/v2/public/ticker',
    payload: {
      success: true,
      result: [
        {
          tradingPairs: 'BTC_USDT',
          lastPrice: '50000',
          highestBid: '49999',
          lowestAsk: '50001',
          baseVolume24h: '1000',
          quoteVolume24h: '50000000',
          tradesEnabled: true,
        },
        {
          tradingPairs: 'BTC_UAH',
          lastPrice: '2100000',
          highestBid: '2099000',
          lowestAsk: '2101000',
          quoteVolume24h: '9',
        },
        { tradingPairs: 'BTC_PERP', lastPrice: '50000', highestBid: '49999', lowestAsk: '50001' },
      ],
    },
  },
  {
    venue: 'whitebit',
    url: '/api/v4/public/ticker',
    payload: {
      BTC_USDT: { last_price: '50000', quote_volume: '50000000', base_volume: '1000', isFrozen: false },
    },
  },
  {
    venue: 'backpack',
    url: '/api/v1/markets?marketType=SPOT',
    payload: [
      backpackMarket('SOL'),
      backpackMarket('AAPL.US'),
      backpackMarket('OLD', { orderBookState: 'Closed' }),
      backpackMarket('SOL', { symbol: 'SOL_USDC_PERP', marketType: 'PERP' }),
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/tickers',
    payload: [
      { symbol: 'SOL_USDC', lastPrice: '150', volume: '1000', quoteVolume: '150000' },
      { symbol: 'SOL_USDC_PERP', lastPrice: '150', volume: '9000', quoteVolume: '1350000' },
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/borrowLend/markets',
    payload: [
      {
        symbol: 'SOL',
        state: 'Open',
        borrowInterestRate: '0.0876',
        borrowedQuantity: '100',
        lentQuantity: '1000',
        maxUtilization: '0.9',
        openBorrowLendLimit: '5000',
        timestamp: '2026-11-28T12:00:00.000Z',
      },
      {
        symbol: 'OLD',
        state: 'RepayOnly',
        borrowInterestRate: '0.5',
        borrowedQuantity: '1',
        lentQuantity: '9',
        maxUtilization: '1',
      },
    ],
  },
  {
    venue: 'backpack',
    url: '/api/v1/depth?symbol=SOL_USDC',
    payload: {
      bids: [
        ['148', '3'],
        ['149', '2'],
      ],
      asks: [
        ['150', '1'],
        ['151', '4'],
      ],
      lastUpdateId: '7',
      timestamp: AT * 1000,
    },
  },
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"spotMetaAndAssetCtxs"}',
    payload: [
      {
        tokens: HYPERLIQUID_TOKENS,
        universe: [
          { name: '@9', tokens: [77, 0], index: 9, isCanonical: false },
          { name: '@142', tokens: [197, 0], index: 142, isCanonical: false },
        ],
      },
      [
        { coin: '@142', midPx: '50000', markPx: '50001', dayNtlVlm: '40000000', dayBaseVlm: '800' },
        { coin: '@9', midPx: '3', markPx: '3', dayNtlVlm: '10' },
      ],
    ],
  },
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"allBorrowLendReserveStates"}',
    payload: [
      [0, { borrowYearlyRate: '0.0438', balance: '3000000.5' }],
      [197, { borrowYearlyRate: '0.05', balance: '12' }],
      [999, { borrowYearlyRate: '0.05', balance: '1' }],
    ],
  },
  {
    venue: 'lighter',
    url: '/api/v1/orderBookDetails?filter=spot',
    payload: {
      code: 200,
      order_book_details: [],
      spot_order_book_details: [
        {
          symbol: 'ETH/USDC',
          market_id: 2048,
          market_type: 'spot',
          status: 'active',
          taker_fee: '0.0000',
          min_base_amount: '0.002',
          min_quote_amount: '5',
          size_decimals: 3,
          price_decimals: 2,
          last_trade_price: 2500,
          daily_base_token_volume: 1000,
          daily_quote_token_volume: 2_500_000,
        },
      ],
    },
  },
];
