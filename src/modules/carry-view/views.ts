import type { ViewBlock, ViewSection } from '../../host/page-view.ts';

export const VIEWS: readonly ViewBlock[] = [
  {
    name: 'carry',
    after: 'heatmap',
    title: 'Carry',
    file: 'src/modules/carry-view/view/carry.tsx',
    component: 'Carry',
    shots: [
      { name: 'carry', port: 'operator', place: '#/carry' },
      { name: 'carry-sale', port: 'public', place: '#/carry' },
      { name: 'carry-empty', port: 'operator', place: '#/carry?min_oi=900b' },
    ],
  },
];

/** Spot markets of an asset, and a spot leg of a pair. */
export const VIEW_SECTIONS: readonly ViewSection[] = [
  {
    view: 'asset',
    name: 'spot',
    file: 'src/modules/carry-view/view/asset-spot.tsx',
    component: 'AssetSpot',
    shots: [
      { name: 'asset-spot', port: 'operator', place: '#/asset?ticker=ETH&market=spot' },
      { name: 'asset-spot-sale', port: 'public', place: '#/asset?ticker=ETH&market=spot' },
    ],
  },
  {
    view: 'pair',
    name: 'spot',
    file: 'src/modules/carry-view/view/spot-pair.tsx',
    component: 'SpotPair',
    shots: [
      { name: 'pair-spot', port: 'operator', place: '#/pair?ticker=ETH&short=binance&long=spot:okx' },
      { name: 'pair-spot-short', port: 'operator', place: '#/pair?ticker=ETH&short=spot:bybit&long=okx' },
      { name: 'pair-spot-sale', port: 'public', place: '#/pair?ticker=ETH&short=binance&long=spot:okx' },
    ],
  },
];
