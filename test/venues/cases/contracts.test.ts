import { contract, describeCases, quote, reject } from './case.ts';

/** Lists of contracts as bug reports have shown them to be misread, with figures of our own. */

const bitget = (base: string, more: object) => ({
  code: '00000',
  data: [
    {
      symbol: `${base}USDT`,
      baseCoin: base,
      quoteCoin: 'USDT',
      supportMarginCoins: ['USDT'],
      takerFeeRate: '0.0006',
      symbolType: 'perpetual',
      symbolStatus: 'normal',
      fundInterval: '8',
      launchTime: '',
      offTime: '-1',
      isRwa: 'NO',
      ...more,
    },
  ],
});

const fapi = (base: string, more: object = {}) => ({
  symbol: `${base}USDT`,
  pair: `${base}USDT`,
  contractType: 'PERPETUAL',
  status: 'TRADING',
  baseAsset: base,
  quoteAsset: 'USDT',
  marginAsset: 'USDT',
  underlyingType: 'COIN',
  onboardDate: 1_760_000_000_000,
  deliveryDate: 4_133_404_800_000,
  ...more,
});
const TRADFI = { contractType: 'TRADIFI_PERPETUAL', underlyingSubType: ['TradFi'] };

const okx = (base: string, more: object = {}) => ({
  instType: 'SWAP',
  instId: `${base}-USDT-SWAP`,
  uly: `${base}-USDT`,
  instFamily: `${base}-USDT`,
  settleCcy: 'USDT',
  ctVal: '0.1',
  ctMult: '1',
  ctValCcy: base,
  ctType: 'linear',
  listTime: '1760000000000',
  state: 'live',
  instCategory: '1',
  ...more,
});

const bybit = (base: string, more: object = {}) => ({
  symbol: `${base}USDT`,
  contractType: 'LinearPerpetual',
  status: 'Trading',
  baseCoin: base,
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  launchTime: '1760000000000',
  deliveryTime: '0',
  fundingInterval: 240,
  symbolType: '',
  ...more,
});
const bybitList = (...list: object[]) => ({ retCode: 0, result: { category: 'linear', list } });

const edgex = (id: string, name: string, coin: string, more: object = {}) => ({
  contractId: id,
  contractName: name,
  baseCoinId: coin,
  quoteCoinId: '1',
  defaultTakerFeeRate: '0.0004',
  enableTrade: true,
  enableDisplay: true,
  enableOpenPosition: true,
  fundingRateIntervalMin: '60',
  ...more,
});
const edgexMeta = (contractList: readonly object[]) => ({
  code: 'SUCCESS',
  data: {
    coinList: ['USDC', 'SOL', '1000BONK', 'KAOLA', 'USDT'].map((coinName, at) => ({
      coinId: String(at + 1),
      coinName,
    })),
    contractList,
  },
});

const orderly = (symbol: string, status: string, broker: string | null = null) => ({
  symbol,
  status,
  broker_id: broker,
  funding_period: 4,
  base_min: 0.01,
});

describeCases('lists of contracts', [
  {
    name: 'bitget: the step of orders is not the contract size',
    venue: 'bitget',
    call: '/api/v2/mix/market/contracts?productType=USDT-FUTURES',
    payloads: [bitget('ARK', { sizeMultiplier: '0.01' })],
    lines: [contract('ARKUSDT', { ticker: 'ARK', contract_size: 1, multiplier: 1 })],
  },
  {
    name: 'binance: a halted share is not traded, a metal is a commodity',
    venue: 'binance',
    call: '/fapi/v1/exchangeInfo',
    payloads: [
      {
        symbols: [
          fapi('AMD', { ...TRADFI, underlyingType: 'EQUITY', status: 'TRADING_HALT' }),
          fapi('XAG', { ...TRADFI, underlyingType: 'COMMODITY' }),
        ],
      },
    ],
    lines: [contract('XAGUSDT', { asset_class: 'commodity' }), reject('AMDUSDT', 'not_trading')],
  },
  {
    name: 'binance: a pre-market asset is of the class prelaunch',
    venue: 'binance',
    call: '/fapi/v1/exchangeInfo',
    payloads: [
      { symbols: [fapi('MEGA', { underlyingType: 'PREMARKET', underlyingSubType: ['Pre-Market'] })] },
    ],
    lines: [contract('MEGAUSDT', { asset_class: 'prelaunch' })],
  },
  {
    name: 'okx: rebase and post_only are states without trading',
    venue: 'okx',
    call: '/api/v5/public/instruments?instType=SWAP',
    payloads: [
      {
        code: '0',
        data: [okx('MSTR', { state: 'rebase' }), okx('COIN', { state: 'post_only' }), okx('SOL')],
      },
    ],
    lines: [
      contract('SOL-USDT-SWAP', { contract_size: 0.1 }),
      reject('MSTR-USDT-SWAP', 'not_trading'),
      reject('COIN-USDT-SWAP', 'not_trading'),
    ],
  },
  {
    name: 'okx: announced rows without a name are placeholders',
    venue: 'okx',
    call: '/api/v5/public/instruments?instType=FUTURES',
    payloads: [
      {
        code: '0',
        data: ['XRP-USD_UM', 'DOGE-USD_UM'].map((uly) => ({
          instType: 'FUTURES',
          instId: '',
          uly,
          instFamily: uly,
          state: 'preopen',
          ctVal: '',
          ctType: '',
        })),
      },
    ],
    lines: [reject(null, 'placeholder'), reject(null, 'placeholder')],
  },
  {
    name: 'bybit: a coin under its new name is listed as such',
    venue: 'bybit',
    call: '/v5/market/instruments-info?category=linear',
    payloads: [bybitList(bybit('GRAM'))],
    lines: [contract('GRAMUSDT', { ticker: 'GRAM', funding_interval_hours: 4 })],
  },
  {
    name: 'bybit: a listing before the asset’s market is prelaunch',
    venue: 'bybit',
    call: '/v5/market/instruments-info?category=linear',
    payloads: [
      bybitList(
        bybit('MEGA', { isPreListing: true, preListingInfo: { curAuctionPhase: 'ContinuousTrading' } }),
        bybit('NEXT', {
          isPreListing: true,
          status: 'PreLaunch',
          preListingInfo: { curAuctionPhase: 'CallAuction' },
        }),
      ),
    ],
    lines: [contract('MEGAUSDT', { asset_class: 'prelaunch' }), reject('NEXTUSDT', 'prelisting')],
  },
  {
    name: 'backpack: an interval that is null is unknown',
    venue: 'backpack',
    call: '/api/v1/markets?marketType=PERP',
    payloads: [
      [
        {
          symbol: 'APT_USDC_PERP',
          baseSymbol: 'APT',
          quoteSymbol: 'USDC',
          marketType: 'PERP',
          fundingInterval: null,
          fundingRateUpperBound: null,
          orderBookState: 'Open',
          visible: true,
        },
      ],
    ],
    lines: [
      contract('APT_USDC_PERP', { funding_interval_hours: null }),
      reject('APT_USDC_PERP', 'missing_field', { detail: 'fundingInterval' }),
    ],
  },
  {
    name: 'gate: a contract of 2022 states no status and amounts as text',
    venue: 'gate',
    call: '/futures/usdt/contracts/XTZ_USDT',
    payloads: [
      {
        name: 'XTZ_USDT',
        type: 'direct',
        in_delisting: false,
        quanto_multiplier: '5',
        funding_rate: '0.0002',
        funding_interval: 28_800,
        funding_next_apply: 1_651_680_000,
        mark_price: '2.5',
        index_price: '2.51',
        position_size: '300',
        taker_fee_rate: '0.00075',
      },
    ],
    lines: [
      quote('XTZ_USDT', {
        next_funding_time: '2022-05-04T16:00:00.000Z',
        open_interest_raw: 300,
        open_interest_base: 1500,
        open_interest_usd: 3750,
        funding_interval_hours: 8,
      }),
      contract('XTZ_USDT', { ticker: 'XTZ', contract_size: 5 }),
    ],
  },
  {
    name: 'edgex: hidden, not openable and foreign contracts are left out',
    venue: 'edgex',
    call: '/api/v2/public/meta/getMetaData',
    payloads: [
      edgexMeta([
        edgex('9', 'SOLUSDC', '2'),
        edgex('10', '1000BONKUSDC', '3'),
        edgex('11', '考拉USDC', '4'),
        edgex('12', 'SHUTUSDC', '2', { enableOpenPosition: false }),
        edgex('13', 'HIDEUSDC', '2', { enableDisplay: false }),
        edgex('14', 'HALTUSDC', '2', { enableTrade: false }),
        edgex('15', 'SOLUSDT', '2', { quoteCoinId: '5' }),
      ]),
    ],
    lines: [
      contract('SOLUSDC', { ticker: 'SOL', taker_fee_bps: 4, funding_interval_hours: 1 }),
      contract('1000BONKUSDC', { ticker: 'BONK', multiplier: 1000 }),
      contract('考拉USDC', { ticker: 'KAOLA' }),
      reject('SHUTUSDC', 'not_trading'),
      reject('HIDEUSDC', 'not_trading'),
      reject('HALTUSDC', 'not_trading'),
      reject('SOLUSDT', 'foreign_quote'),
    ],
  },
  {
    name: 'edgex: a success without contracts holds none',
    venue: 'edgex',
    call: '/api/v2/public/meta/getMetaData',
    payloads: [edgexMeta([])],
    lines: [],
  },
  {
    name: 'apex: an envelope without the lists has another shape',
    venue: 'apex',
    call: '/api/v3/symbols',
    payloads: [{ data: { contractConfig: {} } }],
    lines: [reject(null, 'unexpected_shape')],
  },
  {
    name: 'hyperliquid: names with signs and growth mode are read, of any dex',
    venue: 'hyperliquid',
    call: '/info {"type":"meta","dex":"flx"}',
    payloads: [
      {
        universe: [
          { name: 'flx:NEWS****', szDecimals: 2 },
          { name: 'flx:WHAT?', szDecimals: 2 },
          { name: 'flx:AMD', szDecimals: 3, growthMode: 'enabled', deployerFeeScale: '1.0' },
        ],
        collateralToken: 360,
      },
    ],
    lines: [
      contract('flx:NEWS****', { settle: 'USDH', venue: 'hyperliquid-flx' }),
      contract('flx:WHAT?', { settle: 'USDH' }),
      contract('flx:AMD', { taker_fee_bps: 0.9, quote: 'USDH' }),
    ],
  },
  {
    name: 'hyperliquid: collateral of an unknown token is no dollar',
    venue: 'hyperliquid',
    call: '/info {"type":"meta","dex":"newd"}',
    payloads: [{ universe: [{ name: 'newd:AMD', szDecimals: 2 }], collateralToken: 901 }],
    lines: [reject('newd:AMD', 'foreign_quote')],
  },
  {
    name: 'orderly: only an active market of no builder is kept',
    venue: 'orderly',
    call: '/v1/public/info',
    payloads: [
      {
        success: true,
        data: {
          rows: [
            orderly('PERP_SOL_USDC', 'ACTIVE'),
            ...['REDUCE_ONLY', 'POST_ONLY', 'DELISTING', 'PENDING'].map((status) =>
              orderly(`PERP_${status.replace('_', '')}_USDC`, status),
            ),
            orderly('PERP_TSLA_USDC_acme', 'ACTIVE', 'acme'),
          ],
        },
      },
    ],
    lines: [
      contract('PERP_SOL_USDC', { funding_interval_hours: 4 }),
      reject('PERP_REDUCEONLY_USDC', 'not_trading'),
      reject('PERP_POSTONLY_USDC', 'not_trading'),
      reject('PERP_DELISTING_USDC', 'not_trading'),
      reject('PERP_PENDING_USDC', 'not_trading'),
      reject('PERP_TSLA_USDC_acme', 'not_listed'),
    ],
  },
  {
    name: 'aster: intervals by contract; bounds that are null bound nothing',
    venue: 'aster',
    call: '/fapi/v1/fundingInfo',
    payloads: [
      [
        { symbol: 'APTUSDT', fundingIntervalHours: 4, fundingFeeCap: 0.02, fundingFeeFloor: -0.02 },
        { symbol: 'SOLUSDT', fundingIntervalHours: 8, fundingFeeCap: null, fundingFeeFloor: null },
        { symbol: 'KLAYUSD', fundingIntervalHours: 8, fundingFeeCap: null, fundingFeeFloor: null },
      ],
    ],
    lines: [
      quote('APTUSDT', { funding_interval_hours: 4 }),
      quote('SOLUSDT', { funding_interval_hours: 8 }),
      // A bare USD is of the venue's other product.
      reject('KLAYUSD', 'foreign_quote'),
    ],
  },
]);
