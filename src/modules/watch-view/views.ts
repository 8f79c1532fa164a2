import type { ViewBlock, ViewSection } from '../../host/page-view.ts';

export const VIEWS: readonly ViewBlock[] = [
  {
    name: 'watch',
    after: 'asset',
    title: 'Watches',
    file: 'src/modules/watch-view/view/watches.tsx',
    component: 'Watches',
    goesOn: {
      key: 'perpmeter-watches',
      file: 'src/modules/watch-view/view/going-on.ts',
      begin: 'followWatches',
    },
    shots: [
      {
        name: 'watch',
        port: 'public',
        place: '#/watch?p.kind=funding&p.ticker=BTC&p.venue=binance&p.above=0.0005',
      },
    ],
  },
];

/** The part of the operator's view. */
export const VIEW_SECTIONS: readonly ViewSection[] = [
  {
    view: 'operator',
    name: 'watches',
    file: 'src/modules/watch-view/view/operator-watches.tsx',
    component: 'WatchesPart',
    shots: [{ name: 'operator-watches', port: 'operator', place: '#/operator?part=watches' }],
  },
];
