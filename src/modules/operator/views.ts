import type { ViewBlock } from '../../host/page-view.ts';

export const VIEWS: readonly ViewBlock[] = [
  {
    name: 'operator',
    after: 'buy',
    title: 'Operator',
    file: 'src/modules/operator/view/operator.tsx',
    component: 'Operator',
    isOperators: true,
    shots: [
      { name: 'operator', port: 'operator', place: '#/operator', kept: 'dark' },
      { name: 'operator-venues', port: 'operator', place: '#/operator?part=venues' },
      { name: 'operator-settings', port: 'operator', place: '#/operator?part=settings' },
      { name: 'operator-trends', port: 'operator', place: '#/operator?part=trends' },
      { name: 'operator-feeds', port: 'operator', place: '#/operator?part=feeds' },
      { name: 'operator-identities', port: 'operator', place: '#/operator?part=identities&q=btc' },
      { name: 'operator-log', port: 'operator', place: '#/operator?part=log' },
      { name: 'operator-identities-empty', port: 'operator', place: '#/operator?part=identities&q=nosuch' },
    ],
  },
];
