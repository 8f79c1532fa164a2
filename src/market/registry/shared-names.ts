import type { AssetBlock } from './asset.ts';

/**
 * One ticker, two assets: a coin, and a share or fund of an exchange. Where the price levels stand apart the first
 * mark tells them; where they may meet, the class that the venue states does.
 */
export const SHARED_NAMES: readonly AssetBlock[] = [
  {
    assetClass: 'crypto',
    evidence: 'Coin whose ticker is also that of a share or fund, at another price level',
    entries: [
      ['C', { name: 'Chainbase', range: [0.005, 8] }],
      ['F', { name: 'SynFutures', range: [0.0005, 2] }],
      ['H', { name: 'Humanity Protocol', range: [0.001, 15] }],
      ['M', { name: 'MemeCore', range: [0.01, 8] }],
      ['A', { name: 'Vaulta', range: [0.01, 15] }],
      ['Q', { name: 'Quack AI', range: [0.0003, 10] }],
      ['G', { name: 'Gravity', range: [0.0005, 3] }],
      ['B', { name: 'BUILDon', range: [0.005, 8] }],
      ['DIA', { name: 'DIA', range: [0.02, 30] }],
      ['ICE', { name: 'Ice Open Network', range: [0.0001, 3] }],
      ['BIO', { name: 'BIO Protocol', range: [0.003, 10] }],
      ['EDU', { name: 'Open Campus', range: [0.01, 8] }],
      [
        'OM',
        {
          name: 'MANTRA',
          range: [0.002, 15],
          soleName: false,
          evidence: 'OM is Outset Medical on Nasdaq, whose level may be in the range: the label decides',
        },
      ],
      ['ON', { name: 'Orochi Network', range: [0.005, 8] }],
      ['U', { name: 'United Stables', range: [0.2, 5] }],
    ],
  },
  {
    assetClass: 'equity',
    evidence: 'US-listed share whose ticker is also that of a coin, at another price level',
    entries: [
      ['C', { name: 'Citigroup', range: [20, 1000] }],
      ['F', { name: 'Ford', aliases: 'FORD', range: [3, 200] }],
      ['H', { name: 'Hyatt Hotels', range: [30, 1500] }],
      ['M', { name: "Macy's", range: [8, 200] }],
      ['A', { name: 'Agilent', range: [40, 1500] }],
      ['Q', { name: 'Qnity Electronics', range: [20, 1500] }],
      ['G', { name: 'Genpact', range: [10, 400] }],
      ['B', { name: 'Barrick Mining', range: [10, 400] }],
      ['ICE', { name: 'Intercontinental Exchange', range: [40, 1500] }],
      ['BIO', { name: 'Bio-Rad', range: [60, 3000] }],
      ['EDU', { name: 'New Oriental ADR', range: [15, 500] }],
      ['ON', { name: 'ON Semiconductor', range: [10, 800] }],
      ['U', { name: 'Unity Software', range: [6, 800] }],
      ['ALL', { name: 'Allstate', range: [50, 900] }],
    ],
  },
  {
    assetClass: 'index',
    evidence: 'ALLUSDT of Binance is a composite of all its USDT contracts, listed with underlyingType INDEX',
    entries: [['ALL', { name: 'All composite (Binance)', range: [900, 100_000] }]],
  },
];
