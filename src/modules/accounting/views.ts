import type { ViewSection } from '../../host/page-view.ts';

/** Parts of the operator's view, in the order of its menu. */
export const VIEW_SECTIONS: readonly ViewSection[] = [
  {
    view: 'operator',
    name: 'payments',
    file: 'src/modules/accounting/view/payments.tsx',
    component: 'Payments',
  },
  {
    view: 'operator',
    name: 'ledger',
    file: 'src/modules/accounting/view/ledger.tsx',
    component: 'LedgerPart',
    shots: [{ name: 'operator-ledger', port: 'operator', place: '#/operator?part=ledger' }],
  },
  {
    view: 'operator',
    name: 'earnings',
    file: 'src/modules/accounting/view/earnings.tsx',
    component: 'EarningsPart',
    shots: [{ name: 'operator-earnings', port: 'operator', place: '#/operator?part=earnings' }],
  },
  {
    view: 'operator',
    name: 'channels',
    file: 'src/modules/accounting/view/accounts.tsx',
    component: 'Accounts',
  },
];
