import { contract, describeCases, quote, reject } from './case.ts';

/** Rates, intervals and next settlements as bug reports have shown them to be misread, with figures of our own. */

const bybitTicker = (symbol: string, more: object) => ({
  symbol,
  lastPrice: '2.5',
  markPrice: '2.5',
  indexPrice: '2.5',
  openInterest: '100',
  turnover24h: '500',
  volume24h: '200',
  openInterestValue: '250',
  bid1Price: '2.4',
  bid1Size: '1',
  ask1Price: '2.6',
  ask1Size: '1',
  fundingRate: '',
  nextFundingTime: '0',
  deliveryTime: '0',
  ...more,
});
const bybitTickers = (...list: object[]) => ({ retCode: 0, result: { category: 'linear', list } });
const BLANK_PRICES = { markPrice: '', indexPrice: '', openInterest: '', volume24h: '', turnover24h: '' };
const PHASES = ['NotStarted', 'CallAuction', 'CallAuctionNoCancel', 'CrossMatching'];

const premium = (symbol: string, more: object) => ({
  symbol,
  markPrice: '0.02',
  indexPrice: '0.0201',
  interestRate: '0.0001',
  time: 1_760_000_100_000,
  lastFundingRate: '0.00020000',
  nextFundingTime: 1_760_025_600_000,
  ...more,
});

describeCases('rates', [
  {
    name: 'bybit: a dated future on the topic of perpetuals is dated',
    venue: 'bybit',
    call: 'tickers.SOLUSDT-26JUN26',
    payloads: [
      {
        topic: 'tickers.SOLUSDT-26JUN26',
        type: 'snapshot',
        ts: 1_778_990_000_000,
        cs: 7,
        data: bybitTicker('SOLUSDT-26JUN26', { nextFundingTime: '', deliveryTime: '1782460800000' }),
      },
    ],
    lines: [reject('SOLUSDT-26JUN26', 'dated')],
  },
  {
    name: 'bybit: dated futures stand among the tickers',
    venue: 'bybit',
    call: '/v5/market/tickers?category=linear',
    payloads: [bybitTickers(bybitTicker('ETHUSDT-27MAR26', { deliveryTime: '1774598400000' }))],
    lines: [reject('ETHUSDT-27MAR26', 'dated')],
  },
  {
    name: 'bybit: no funding before continuous trading: not listed yet',
    venue: 'bybit',
    call: '/v5/market/tickers?category=linear',
    payloads: [
      bybitTickers(
        ...PHASES.map((phase, at) =>
          bybitTicker(`NEW${at}USDT`, { ...BLANK_PRICES, curPreListingPhase: phase, preOpenPrice: '1.1' }),
        ),
      ),
    ],
    lines: PHASES.map((_, at) => reject(`NEW${at}USDT`, 'prelisting')),
  },
  {
    name: 'bybit: a listed contract in its auction is no fault either',
    venue: 'bybit',
    call: '/v5/market/tickers?category=linear',
    listed: [
      '/v5/market/instruments-info?category=linear',
      bybitTickers({
        symbol: 'NEWUSDT',
        contractType: 'LinearPerpetual',
        status: 'Trading',
        baseCoin: 'NEW',
        quoteCoin: 'USDT',
        settleCoin: 'USDT',
        fundingInterval: 480,
        isPreListing: true,
      }),
    ],
    payloads: [bybitTickers(bybitTicker('NEWUSDT', { ...BLANK_PRICES, curPreListingPhase: 'CallAuction' }))],
    lines: [reject('NEWUSDT', 'prelisting')],
  },
  {
    name: 'kucoin: fundingTime comes next, predictedValue is not in force',
    venue: 'kucoin',
    call: '/api/v1/funding-rate/SOLUSDTM/current',
    payloads: [
      {
        code: '200000',
        data: {
          symbol: '.SOLUSDTMFPI8H',
          granularity: 14_400_000,
          value: -0.000_021,
          predictedValue: 0.0001,
          timePoint: 1_773_216_000_000,
          fundingTime: 1_773_230_400_000,
          fundingRateCap: 0.004,
          fundingRateFloor: -0.004,
          period: 0,
        },
      },
    ],
    lines: [
      quote('SOLUSDTM', {
        funding_rate: -0.000_021,
        funding_interval_hours: 4,
        next_funding_time: '2026-03-11T12:00:00.000Z',
      }),
    ],
  },
  {
    name: 'bingx: the interval is text, a number or not known',
    venue: 'bingx',
    call: '/openApi/swap/v2/quote/premiumIndex',
    payloads: [
      {
        code: 0,
        data: ['8', 2, undefined].map((hours, at) => ({
          symbol: `Q${at}-USDT`,
          markPrice: '3',
          indexPrice: '3.1',
          lastFundingRate: '0.0003',
          nextFundingTime: 1_789_545_600_000,
          updateTime: 1_789_531_200_000,
          ...(hours !== undefined && { fundingIntervalHours: hours }),
        })),
      },
    ],
    // `updateTime` is the settlement before, no stamp of the row.
    lines: [8, 2, null].map((hours, at) =>
      quote(`Q${at}-USDT`, { funding_interval_hours: hours, updated_at: null, mark_price: 3 }),
    ),
  },
  {
    name: 'binance: the next settlement is the one that a row states',
    venue: 'binance',
    call: '/fapi/v1/premiumIndex',
    payloads: [[premium('ENSUSDT', {})]],
    lines: [quote('ENSUSDT', { funding_rate: 0.0002, next_funding_time: '2025-10-09T16:00:00.000Z' })],
  },
  {
    name: 'binance: a next settlement of 0 ends a contract',
    venue: 'binance',
    call: '/fapi/v1/premiumIndex',
    payloads: [
      [
        premium('ENDUSDT', { lastFundingRate: '-0.02' }),
        premium('ENDUSDT', { lastFundingRate: '0.00000000', nextFundingTime: 0, indexPrice: '0.00000000' }),
      ],
    ],
    lines: [quote('ENDUSDT', { funding_rate: -0.02 }), reject('ENDUSDT', 'delisted')],
  },
  {
    name: 'binance: further fields of frames change nothing',
    venue: 'binance',
    call: 'wss://fstream.binance.com/public/stream?streams=solusdt@depth@100ms',
    payloads: [
      {
        stream: 'solusdt@depth@100ms',
        data: {
          e: 'depthUpdate',
          E: 1_783_000_000_001,
          T: 1_783_000_000_000,
          s: 'SOLUSDT',
          ps: 'SOLUSDT',
          st: 1,
          U: 21,
          u: 24,
          pu: 18,
          b: [['150.1', '2']],
          a: [['150.2', '3']],
        },
      },
      {
        stream: 'solusdt@markPrice@1s',
        data: {
          e: 'markPriceUpdate',
          E: 1_783_000_000_001,
          s: 'SOLUSDT',
          p: '150.15',
          ap: '149',
          i: '150.1',
          P: '150',
          r: '0.0001',
          T: 1_783_008_000_000,
          st: 1,
        },
      },
    ],
    lines: [
      {
        type: 'book',
        symbol: 'SOLUSDT',
        kind: 'delta',
        first_sequence: 21,
        sequence: 24,
        previous_sequence: 18,
      },
      quote('SOLUSDT', { mark_price: 150.15, index_price: 150.1, funding_rate: 0.0001 }),
    ],
  },
  {
    name: 'whitebit: a row without mark and interval leaves both unknown',
    venue: 'whitebit',
    call: '/api/v4/public/futures',
    payloads: [
      {
        success: true,
        result: [
          {
            ticker_id: 'XMR_PERP',
            stock_currency: 'XMR',
            money_currency: 'USDT',
            product_type: 'Perpetual',
            last_price: '150',
            index_price: '150.1',
            bid: '149.9',
            ask: '150.2',
            funding_rate: '-0.0002',
            stock_volume: '20.5',
            money_volume: '3075',
            next_funding_rate_timestamp: '1691193600000',
          },
        ],
      },
    ],
    lines: [
      quote('XMR_PERP', {
        funding_rate: -0.0002,
        next_funding_time: '2023-08-05T00:00:00.000Z',
        mark_price: null,
        funding_interval_hours: null,
        volume_24h_base: 20.5,
        volume_24h_usd: 3075,
      }),
      contract('XMR_PERP', { ticker: 'XMR' }),
    ],
  },
  {
    name: 'mexc: minutes before a settlement the row states that one',
    venue: 'mexc',
    call: '/api/v1/contract/funding_rate/SOL_USDT',
    payloads: [
      {
        success: true,
        code: 0,
        data: {
          symbol: 'SOL_USDT',
          fundingRate: -5e-6,
          maxFundingRate: 0.003,
          minFundingRate: -0.003,
          collectCycle: 4,
          nextSettleTime: 1_643_256_000_000,
          timestamp: 1_643_255_930_000,
        },
      },
    ],
    lines: [
      quote('SOL_USDT', {
        funding_rate: -5e-6,
        funding_interval_hours: 4,
        next_funding_time: '2022-01-27T04:00:00.000Z',
      }),
    ],
  },
  {
    name: 'mexc: a frame of the rate names the next settlement',
    venue: 'mexc',
    call: 'push.funding.rate',
    payloads: [
      {
        channel: 'push.funding.rate',
        symbol: 'ZK_USDT',
        ts: 1_775_576_110_000,
        data: { symbol: 'ZK_USDT', rate: 0.0031, fundingRate: 0.0031, nextSettleTime: 1_775_577_600_000 },
      },
    ],
    lines: [quote('ZK_USDT', { funding_rate: 0.0031, next_funding_time: '2026-04-07T16:00:00.000Z' })],
  },
  {
    name: 'bitget: tickers without a next settlement leave it unknown',
    venue: 'bitget',
    call: '/api/v2/mix/market/tickers?productType=USDT-FUTURES',
    payloads: [
      {
        code: '00000',
        data: [
          {
            symbol: 'SOLUSDT',
            lastPr: '150',
            askPr: '150.1',
            bidPr: '149.9',
            ts: '1751270000000',
            baseVolume: '10',
            quoteVolume: '1500',
            usdtVolume: '1500',
            markPrice: '150',
            indexPrice: '150',
            fundingRate: '-0.00012',
            holdingAmount: '7',
            deliveryTime: null,
            deliveryStatus: '',
          },
        ],
      },
    ],
    lines: [
      quote('SOLUSDT', { funding_rate: -0.00012, next_funding_time: null, funding_interval_hours: null }),
    ],
  },
  {
    name: 'kraken: a ticker of an inverse contract is inverse',
    venue: 'kraken',
    call: 'ticker',
    payloads: [
      {
        feed: 'ticker',
        product_id: 'PI_ETHUSD',
        time: 1_781_492_461_791,
        tag: 'perpetual',
        pair: 'ETH:USD',
        bid: 2000,
        ask: 2001,
        markPrice: 2000.5,
        index: 2000.4,
        openInterest: 9,
        suspended: false,
        funding_rate: 1e-9,
        relative_funding_rate: 2e-6,
        next_funding_rate_time: 1_781_495_200_000,
      },
    ],
    lines: [reject('PI_ETHUSD', 'inverse')],
  },
  {
    name: 'apex: fundingRate is in force, predictedFundingRate is not read',
    venue: 'apex',
    call: '/api/v3/ticker?symbol=SOLUSDT',
    payloads: [
      {
        data: [
          {
            symbol: 'SOLUSDT',
            fundingRate: '0.00000411',
            predictedFundingRate: '0.0000125',
            nextFundingTime: '2026-09-12T19:00:00Z',
            markPrice: '150',
            indexPrice: '150.1',
            openInterest: '12',
            volume24h: '3',
            turnover24h: '450',
            oraclePrice: '',
          },
        ],
      },
    ],
    lines: [quote('SOLUSDT', { funding_rate: 4.11e-6, next_funding_time: '2026-09-12T19:00:00.000Z' })],
  },
  {
    name: 'apex: disabled and prediction markets of the topic are not listed',
    venue: 'apex',
    call: 'wss://quote.omni.apex.exchange instrumentInfo.all',
    payloads: [
      {
        topic: 'instrumentInfo.all',
        type: 'snapshot',
        ts: 1_789_250_918_788_948,
        data: [
          { s: 'SOLUSDT', fr: '-0.000002', mp: '150', xp: '150.1', o: '12', v: '3', to: '450' },
          { s: 'WETHUSDT', fr: '', mp: '2500', xp: '2500', o: '1', v: '1', to: '1' },
          { s: 'Rain_In_Oslo_Dec9USDT', fr: '0', mp: '0.4', xp: '0.4', o: '1', v: '1', to: '1' },
        ],
      },
    ],
    lines: [
      quote('SOLUSDT', { funding_rate: -2e-6, mark_price: 150, funding_interval_hours: 1 }),
      reject('WETHUSDT', 'not_listed'),
      reject('Rain_In_Oslo_Dec9USDT', 'not_listed'),
    ],
  },
  {
    name: 'hyperliquid: the rate is no open interest, which counts both sides',
    venue: 'hyperliquid',
    call: 'wss://api.hyperliquid.xyz/ws activeAssetCtx SOL',
    payloads: [
      {
        channel: 'activeAssetCtx',
        data: {
          coin: 'SOL',
          ctx: {
            funding: '-0.0000031',
            openInterest: '800.5',
            prevDayPx: '149',
            dayNtlVlm: '9000',
            premium: '0',
            oraclePx: '150.1',
            markPx: '150',
            midPx: '150',
            dayBaseVlm: '60',
          },
        },
      },
    ],
    lines: [
      quote('SOL', {
        funding_rate: -3.1e-6,
        funding_interval_hours: 1,
        open_interest_raw: 800.5,
        open_interest_base: 400.25,
      }),
    ],
  },
  {
    name: 'dydx: a market that is paused in a change is not traded',
    venue: 'dydx',
    call: 'wss://indexer.dydx.trade/v4/ws v4_markets',
    payloads: [
      {
        type: 'channel_data',
        channel: 'v4_markets',
        message_id: 4,
        connection_id: 'x',
        contents: {
          trading: {
            'SOL-USD': { status: 'PAUSED', nextFundingRate: '0.0001' },
            'APT-USD': { status: 'ACTIVE', nextFundingRate: '-0.00003' },
          },
        },
      },
    ],
    lines: [
      quote('APT-USD', { funding_rate: -0.000_03, funding_interval_hours: 1 }),
      reject('SOL-USD', 'not_trading'),
    ],
  },
  {
    name: 'hibachi: seconds, and the estimate is the rate',
    venue: 'hibachi',
    call: '/market/data/prices?symbol=SOL/USDT-P',
    payloads: [
      {
        symbol: 'SOL/USDT-P',
        markPrice: '150',
        spotPrice: '150.2',
        askPrice: '150.1',
        bidPrice: '149.9',
        fundingRateEstimation: { estimatedFundingRate: '0.000211', nextFundingTimestamp: 1_740_412_800 },
      },
    ],
    lines: [
      quote('SOL/USDT-P', {
        funding_rate: 0.000_211,
        next_funding_time: '2025-02-24T16:00:00.000Z',
        mark_price: 150,
        index_price: 150.2,
      }),
    ],
  },
  {
    name: 'hibachi: a frame of the estimate',
    venue: 'hibachi',
    call: 'wss://data-api.hibachi.xyz/ws/market funding_rate_estimation',
    payloads: [
      {
        symbol: 'SOL/USDT-P',
        topic: 'funding_rate_estimation',
        data: {
          fundingRateEstimation: { estimatedFundingRate: '0.00031', nextFundingTimestamp: 1_740_902_400 },
        },
      },
    ],
    lines: [quote('SOL/USDT-P', { funding_rate: 0.000_31, next_funding_time: '2025-03-02T08:00:00.000Z' })],
  },
  {
    name: 'nado: the rate is of a day, open interest counts both sides',
    venue: 'nado',
    call: '/v2/contracts',
    payloads: [
      {
        'SOL-PERP_USDT0': {
          product_id: 8,
          ticker_id: 'SOL-PERP_USDT0',
          base_currency: 'SOL-PERP',
          quote_currency: 'USDT0',
          product_type: 'perpetual',
          last_price: 150,
          mark_price: 150,
          index_price: 150.1,
          base_volume: 10,
          quote_volume: 1500,
          open_interest: 90,
          open_interest_usd: 13_500,
          funding_rate: 0.0024,
          next_funding_rate_timestamp: 1_774_170_000,
        },
      },
    ],
    lines: [
      quote('SOL-PERP_USDT0', {
        funding_rate: 0.0001,
        funding_interval_hours: 1,
        open_interest_base: 45,
      }),
      contract('SOL-PERP_USDT0', { ticker: 'SOL' }),
    ],
  },
  {
    name: 'derive: the long form of the ticker states the hourly rate',
    venue: 'derive',
    call: '/public/get_ticker {"instrument_name":"SOL-PERP"}',
    payloads: [
      {
        result: {
          instrument_name: 'SOL-PERP',
          instrument_type: 'perp',
          is_active: true,
          quote_currency: 'USDC',
          best_ask_price: '150.1',
          best_bid_price: '149.9',
          index_price: '150',
          mark_price: '150',
          perp_details: { funding_rate: '-0.00004', max_rate_per_hour: '0.01', min_rate_per_hour: '-0.01' },
          stats: { contract_volume: '3', open_interest: '8' },
          timestamp: 1_780_000_000_000,
        },
      },
    ],
    lines: [
      quote('SOL-PERP', {
        funding_rate: -0.000_04,
        funding_interval_hours: 1,
        best_bid: 149.9,
        best_ask: 150.1,
      }),
    ],
  },
]);
