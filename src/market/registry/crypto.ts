import type { AssetBlock } from './asset.ts';

const MAJOR = 'Listed as a USDT or USDC perpetual by several of the large venues under this ticker';

export const CRYPTO_ASSETS: readonly AssetBlock[] = [
  {
    assetClass: 'crypto',
    evidence: MAJOR,
    tickers: `
      ETH SOL XRP BNB DOGE HYPE ADA SUI LINK AVAX PEPE ENA LTC TRX BCH UNI AAVE WLD ASTER XPL DOT NEAR PUMP FARTCOIN
      APT ARB OP WIF SHIB BONK TRUMP ETC FIL ICP INJ TIA SEI HBAR XLM TAO ONDO CRV LDO FET RENDER ORDI JUP VIRTUAL PENGU
      MOODENG POPCAT FLOKI WLFI KAITO ZEC XMR ALGO VET ATOM GALA SAND MANA AXS APE EIGEN ETHFI PENDLE STRK ZK ZRO JTO
      PYTH DYDX GMX RUNE KAS CAKE IMX GRT THETA EGLD FLOW XTZ NEO IOTA QTUM KAVA COMP MKR SNX YFI SUSHI 1INCH ENS BLUR
      MAGIC LUNC USTC MEW TURBO BOME BRETT MOG GOAT PNUT CHILLGUY AIXBT BERA LAYER BABY HYPER INIT SIGN SYRUP NXPC
      SOPH RESOLV SAHARA LINEA HOLO BARD SKY AVNT APEX 2Z 0G MYX GMT CHZ ENJ BAT ZRX LRC ANKR ROSE ZIL WAVES KSM CFX MINA
      AR AKT OSMO BAND TRB API3 UMA NOT DOGS HMSTR AERO MORPHO USUAL MOVE VANA COW CETUS DEEP WAL DRIFT ZETA ALT MANTA DYM
      XAI SAGA LISTA BANANA POL QUBIC JASMY CKB HNT GLM STORJ SSV RPL LQTY JOE STG ARKM PEOPLE MASK SATS RATS XEC BTT
      BABYDOGE ELON KNC WOO FTT GRASS ORCA BSV GRIFFAIN MELANIA SPELL XYM JST PERP MON
    `,
  },
  {
    assetClass: 'crypto',
    evidence: MAJOR,
    entries: [
      ['BTC', { name: 'Bitcoin', aliases: 'XBT', evidence: 'Kraken and KuCoin list Bitcoin as XBT' }],
      ['GRAM', { name: 'Gram, formerly Toncoin', aliases: 'TONCOIN' }],
      [
        'LUNA',
        { name: 'Terra 2.0', aliases: 'LUNA2', evidence: 'Binance lists it as LUNA2; LUNC is Terra 1' },
      ],
      ['RAY', { name: 'Raydium', aliases: 'RAYSOL', evidence: 'Binance lists it as RAYSOL' }],
      ['DODO', { name: 'DODO', aliases: 'DODOX', evidence: 'Binance lists it as DODOX' }],
      [
        'RONIN',
        {
          name: 'Ronin',
          aliases: 'RON',
          evidence:
            'RON is the coin’s own ticker; the index of RON_USDT on Gate is what Binance lists as RONIN (2026-09)',
        },
      ],
      [
        'TST',
        {
          name: 'Test token on BNB Chain',
          aliases: 'TSTBSC',
          evidence:
            'The index of TSTBSC_USDT on Gate holds the TST of Binance and HTX (2026-09); TSTBSC on Bybit too',
        },
      ],
      [
        'EDGE',
        {
          name: 'edgeX',
          evidence:
            'EDGE of Binance, Bybit, OKX, Bitget and KuCoin; Gate calls it EDGEX and gives EDGE to Definitive (2026-09)',
        },
      ],
      [
        'DEFINITIVE',
        { name: 'Definitive', evidence: 'Listed as EDGE by Gate; its index is of Gate alone (2026-09)' },
      ],
      ['BROCCOLI714', { name: 'CZ’s Dog', evidence: 'Listed beside BROCCOLIF3B on Binance since 2025-03' }],
      [
        'BROCCOLIF3B',
        { name: 'Broccoli, contract F3B', evidence: 'Listed beside BROCCOLI714 on Binance since 2025-03' },
      ],
      ['S', { name: 'Sonic', evidence: 'SONIC is another coin (Sonic SVM)' }],
      ['USDE', { name: 'Ethena USDe', evidence: 'Felix (HIP-3) listed it near 1 USD' }],
    ],
  },
  {
    assetClass: 'crypto',
    evidence:
      'Token whose price follows an ounce of gold but which is not gold: own supply, own order books, own spread',
    entries: [
      [
        'PAXG',
        {
          name: 'PAX Gold',
          range: [500, 20_000],
          soleName: true,
          evidence:
            'Token on Ethereum. A metal on KuCoin, Gate, HTX and Bitget, a commodity on Aster, a coin on Binance, Bybit, dYdX and Paradex (2026-09)',
        },
      ],
      [
        'XAUT',
        {
          name: 'Tether Gold',
          aliases: 'XAUT0',
          range: [500, 20_000],
          soleName: true,
          evidence:
            'Token on Ethereum. A metal on KuCoin, Gate and Bitget, a commodity on Aster, a coin on Bybit (2026-09)',
        },
      ],
    ],
  },
  {
    assetClass: 'crypto',
    evidence: 'The same ticker names an unrelated asset elsewhere',
    entries: [
      [
        'SPX',
        {
          name: 'SPX6900',
          slug: 'SPX6900',
          aliases: 'SPX6900',
          range: [0.005, 100],
          evidence: 'Meme coin; SPX is also the S&P 500, three orders of magnitude above it',
        },
      ],
      [
        'STX',
        {
          name: 'Stacks',
          range: [0.01, 50],
          evidence: 'para:STX is Seagate at some 900 USD while Stacks trades below 1 USD (2026-09)',
        },
      ],
      ['BB', { name: 'BounceBit', range: [0.001, 1.4], evidence: 'xyz:BB is BlackBerry' }],
      [
        'QNT',
        { name: 'Quant', evidence: 'xyz:QNT is Quantinuum; price levels overlap, so the class decides' },
      ],
      [
        'NEIRO',
        {
          name: 'First Neiro on Ethereum',
          slug: 'NEIROCTO',
          aliases: 'NEIROCTO',
          range: [0.000001, 0.003],
          evidence:
            'BingX shows NEIROCTO as NEIRO; ccxt issues 23170 and 25500 record the mix-up with NEIROETH',
        },
      ],
      [
        'NEIRO',
        {
          name: 'Neiro on ETH',
          slug: 'NEIROETH',
          aliases: 'NEIROETH',
          range: [0.003, 10],
          evidence:
            'Listed as NEIROETH beside NEIRO on Binance; as NEIRO alone on venues that have only this one',
        },
      ],
      [
        'LIT',
        {
          name: 'Lighter',
          aliases: 'LIGHTER',
          evidence:
            'Binance listed LITUSDT for Lighter on 2025-12-23; until 2025-01-31 the symbol was Litentry',
        },
      ],
      [
        'HEI',
        {
          name: 'Heima',
          aliases: 'LITENTRY',
          evidence: 'Litentry calls itself Heima; the ticker LIT is Lighter now',
        },
      ],
      [
        'DASH',
        { name: 'Dash', evidence: 'DASH is also DoorDash on Nasdaq; levels overlap, so the class decides' },
      ],
      ['CVX', { name: 'Convex Finance', range: [0.2, 60], evidence: 'xyz:CVX is Chevron' }],
      [
        'CAT',
        { name: "Simon's Cat", range: [1e-8, 0.01], evidence: 'CAT is Caterpillar on the New York exchange' },
      ],
      ['T', { name: 'Threshold', range: [0.0005, 1], evidence: 'T is AT&T on the New York exchange' }],
      ['W', { name: 'Wormhole', range: [0.002, 5], evidence: 'W is Wayfair on the New York exchange' }],
      ['AI', { name: 'Sleepless AI', range: [0.002, 4], evidence: 'AI is C3.ai on the New York exchange' }],
      [
        'IP',
        { name: 'Story', range: [0.05, 25], evidence: 'IP is International Paper on the New York exchange' },
      ],
      ['MET', { name: 'Meteora', range: [0.01, 10], evidence: 'MET is MetLife on the New York exchange' }],
      [
        'OPEN',
        { name: 'OpenLedger', evidence: 'OPEN is Opendoor on Nasdaq; levels overlap, so the class decides' },
      ],
      ['ACT', { name: 'Act I', range: [0.0005, 1], evidence: 'ACT is Enact on Nasdaq' }],
      [
        'GAS',
        {
          name: 'NeoGas',
          soleName: false,
          evidence: 'flx:GAS is natural gas; levels overlap, so the venue decides',
        },
      ],
      [
        'PURR',
        {
          name: 'Purr',
          range: [0.002, 1.5],
          evidence:
            'Hyperliquid; PURR of Bybit, Bitget and Gate is a share, some 89 times above it (2026-09)',
        },
      ],
      [
        'RTX',
        {
          name: 'RateX',
          range: [0.01, 20],
          evidence:
            'RTXUSDT of Aster at 1.02 while the share stood at 214.92 (2026); RTX of Gate is the share',
        },
      ],
    ],
  },
];
