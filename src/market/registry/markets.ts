import type { AssetBlock } from './asset.ts';

/** Commodities, indices, currencies, funds and companies before listing. */
export const MARKET_ASSETS: readonly AssetBlock[] = [
  {
    assetClass: 'commodity',
    evidence: 'Spot or front-month price of the commodity in USD; venues differ in the name only',
    entries: [
      [
        'XAU',
        {
          name: 'Gold, ounce',
          aliases: 'GOLD XAUUSD',
          range: [500, 20_000],
          evidence: 'GOLD on HIP-3 dexes, XAU elsewhere; the tokens PAXG and XAUT are assets of their own',
        },
      ],
      ['XAG', { name: 'Silver, ounce', aliases: 'SILVER XAGUSD' }],
      ['XPT', { name: 'Platinum, ounce', aliases: 'PLATINUM' }],
      ['XPD', { name: 'Palladium, ounce', aliases: 'PALLADIUM' }],
      ['COPPER', { name: 'Copper, pound', aliases: 'XCU HG' }],
      ['ALUMINIUM', { name: 'Aluminium, tonne', aliases: 'ALUMINUM' }],
      ['WTI', { name: 'Crude oil, WTI', aliases: 'CL USOIL WTIOIL XTI CRUDEOIL XTIUSD OILWTI' }],
      ['BRENT', { name: 'Crude oil, Brent', aliases: 'BRENTOIL BZ UKOIL XBR XBRUSD OILBRENT' }],
      ['NATGAS', { name: 'Natural gas, Henry Hub', aliases: 'NG XNG NATURALGAS' }],
      ['TTF', { name: 'Natural gas, TTF' }],
      ['URANIUM', { name: 'Uranium, pound' }],
      ['CORN', { name: 'Corn', range: [1, 1000] }],
      ['WHEAT', { name: 'Wheat' }],
    ],
  },
  {
    assetClass: 'index',
    evidence: 'Share index at the level its publisher quotes',
    entries: [
      [
        'SPX',
        {
          name: 'S&P 500',
          aliases: 'SP500 US500 USA500 SPX500 SPX500M',
          range: [1500, 50_000],
          evidence: 'xyz:SP500, cash:USA500, flx:USA500 near 7,550 together (2026-05)',
        },
      ],
      [
        'US500',
        {
          name: 'S&P 500 at the scale of a fund',
          range: [100, 1500],
          evidence: 'km and mkts contracts stand on another price scale than the index; never merged with it',
        },
      ],
      [
        'NDX',
        {
          name: 'Nasdaq 100',
          aliases: 'XYZ100 NAS100 US100 USA100 USTECH NASDAQ100 NASDAQ TECH100M',
          range: [5000, 200_000],
          evidence:
            'xyz:XYZ100 29,855 and flx:USA100 29,996 (2026-05); XYZ100 is the deployer’s own 100-share index',
        },
      ],
      [
        'USTECH',
        {
          name: 'Nasdaq 100 at the scale of a fund',
          range: [100, 5000],
          evidence: 'km and mkts contracts stand on another price scale than the index; never merged with it',
        },
      ],
      ['RUT', { name: 'Russell 2000', aliases: 'SMALL2000 US2000 RUSSELL2000', range: [800, 20_000] }],
      ['SMALL2000', { name: 'Russell 2000 at the scale of a fund', range: [50, 800] }],
      ['DJI', { name: 'Dow Jones Industrial Average', aliases: 'US30 DJ30 DOWJONES' }],
      ['N225', { name: 'Nikkei 225', aliases: 'JP225 NIKKEI NIKKEI225' }],
      ['KOSPI', { name: 'KOSPI composite', evidence: 'Another index than the KOSPI 200, at another level' }],
      ['KOSPI200', { name: 'KOSPI 200', aliases: 'KR200' }],
      [
        'KR200USD',
        {
          name: 'KOSPI 200 in dollars',
          evidence:
            'KR200_USDT of Gate at 0.80 when xyz:KR200 and Bitget had some 1,100 points: points over KRW (2026-09)',
        },
      ],
      ['HSI', { name: 'Hang Seng', aliases: 'HK50', range: [9000, 100_000] }],
      [
        'HK50',
        {
          name: 'Hang Seng in dollars',
          slug: 'HK50USD',
          aliases: 'HK50USD',
          range: [1000, 9000],
          evidence: 'Gate converts its Asian indices to dollars: HK50 as KR200 (2026-09)',
        },
      ],
      ['DAX', { name: 'DAX 40', aliases: 'DE40 GER40 DE30' }],
      ['FTSE', { name: 'FTSE 100', aliases: 'UK100' }],
      ['STOXX50', { name: 'Euro Stoxx 50', aliases: 'EU50' }],
      ['NIFTY', { name: 'Nifty 50', aliases: 'NIFTY50' }],
      ['IBOV', { name: 'Ibovespa' }],
      ['VIX', { name: 'CBOE volatility index' }],
      ['DXY', { name: 'US dollar index' }],
      ['USBOND', { name: 'US bonds (Kinetiq)' }],
      ['10Y', { name: 'US ten-year yield (Paragon)' }],
      ['H100', { name: 'Rental price of an H100 hour' }],
      ['B200', { name: 'Rental price of a B200 hour' }],
      ['MAG7', { name: 'Seven large technology shares (Ventuals)' }],
      ['SEMIS', { name: 'Semiconductor shares (Ventuals)' }],
      ['ROBOT', { name: 'Robotics shares (Ventuals)' }],
      ['INFOTECH', { name: 'Information technology shares (Ventuals)' }],
      ['NUCLEAR', { name: 'Nuclear power shares (Ventuals)' }],
      ['DEFENSE', { name: 'Defense shares (Ventuals)' }],
      ['BIOTECH', { name: 'Biotechnology shares (Ventuals)' }],
    ],
  },
  {
    assetClass: 'index',
    evidence: 'Index of coins computed by the venue or by a data service; no coin of its own',
    entries: [
      [
        'BTCDOM',
        {
          name: 'Bitcoin dominance (Binance)',
          soleName: true,
          evidence: 'INDEX at Binance; Aster lists BTCDOMUSDT among its coins (2026-08)',
        },
      ],
      ['BTCD', { name: 'Bitcoin dominance (Paragon)' }],
      ['TOTAL2', { name: 'Market value of all coins but Bitcoin (Paragon)' }],
      ['OTHERS', { name: 'Market value of the coins behind the first ten (Paragon)' }],
    ],
  },
  {
    assetClass: 'fx',
    evidence: 'Base currency first: the number is the price of one base unit in the other currency',
    entries: [
      ['EUR', { name: 'Euro in dollars', slug: 'EURUSD', aliases: 'EURUSD', range: [0.5, 2.5] }],
      ['GBP', { name: 'Pound in dollars', slug: 'GBPUSD', aliases: 'GBPUSD', range: [0.6, 3] }],
      [
        'AUD',
        { name: 'Australian dollar in US dollars', slug: 'AUDUSD', aliases: 'AUDUSD', range: [0.3, 1.5] },
      ],
      [
        'NZD',
        { name: 'New Zealand dollar in US dollars', slug: 'NZDUSD', aliases: 'NZDUSD', range: [0.3, 1.2] },
      ],
      [
        'JPY',
        {
          name: 'Yen per dollar',
          slug: 'USDJPY',
          aliases: 'USDJPY',
          range: [40, 500],
          evidence:
            'xyz:JPY and Orderly USDJPY quote yen per dollar: the inverse of JPYUSD, rates have the other sign',
        },
      ],
      [
        'JPY',
        {
          name: 'Dollars per yen',
          slug: 'JPYUSD',
          aliases: 'JPYUSD',
          range: [0.002, 0.025],
          evidence: 'edgeX JPYUSDC is dollars per yen',
        },
      ],
      ['CHF', { name: 'Franc per dollar', slug: 'USDCHF', aliases: 'USDCHF', range: [0.4, 1] }],
      ['CHF', { name: 'Dollars per franc', slug: 'CHFUSD', aliases: 'CHFUSD', range: [1, 2.5] }],
      ['CAD', { name: 'Canadian dollar per US dollar', slug: 'USDCAD', aliases: 'USDCAD', range: [1, 2.5] }],
      ['CAD', { name: 'US dollars per Canadian dollar', slug: 'CADUSD', aliases: 'CADUSD', range: [0.4, 1] }],
      ['KRW', { name: 'Won per dollar', slug: 'USDKRW', aliases: 'USDKRW', range: [400, 5000] }],
      ['KRW', { name: 'Dollars per won', slug: 'KRWUSD', aliases: 'KRWUSD', range: [0.0002, 0.0025] }],
      ['CNH', { name: 'Yuan per dollar', slug: 'USDCNH', aliases: 'USDCNH', range: [3, 15] }],
      ['TRY', { name: 'Lira per dollar', slug: 'USDTRY', aliases: 'USDTRY', range: [5, 500] }],
      ['BRL', { name: 'Real per dollar', slug: 'USDBRL', aliases: 'USDBRL', range: [2, 20] }],
      ['MXN', { name: 'Mexican peso per dollar', slug: 'USDMXN', aliases: 'USDMXN', range: [8, 60] }],
    ],
  },
  {
    assetClass: 'etf',
    evidence: 'Exchange-traded fund; ticker of its exchange',
    tickers:
      'SPY QQQ IWM DIA VOO VTI TLT GLD SLV USO SMH SOXX SOXL SOXS TQQQ SQQQ XLE XLF XLK ARKK KWEB FXI EWY EWJ EWZ EWT INDA URNM URA COPX GDX IBIT ETHA MAGS',
  },
  {
    assetClass: 'etf',
    evidence: 'Listed by the dexes xyz and io among shares; taken for the memory-chip fund of that ticker',
    tickers: 'DRAM',
  },
  {
    assetClass: 'prelaunch',
    evidence: 'Company that is not listed, priced by the dex alone',
    entries: [
      ['OPENAI', { name: 'OpenAI', aliases: 'OAI' }],
      ['ANTHROPIC', { name: 'Anthropic', aliases: 'ANTH ANTHROP' }],
      [
        'SPACEX',
        {
          name: 'SpaceX before listing',
          evidence: 'vntl:SPACEX counts company value, not a share; the share is SPCX',
        },
      ],
      ['STRIPE', { name: 'Stripe' }],
      ['CXMT', { name: 'ChangXin Memory' }],
      ['OURA', { name: 'Oura' }],
      ['SHEIN', { name: 'Shein' }],
      [
        'SKHY',
        {
          name: 'SK hynix depositary receipt',
          evidence: 'xyz:SKHY is pre-listing, about a tenth of xyz:SKHX',
        },
      ],
      ['UNITREE', { name: 'Unitree' }],
    ],
  },
];
