import type { Module } from '../../host/module.ts';
import { fill } from '../../runtime/port.ts';
import { OPERATOR_DOCUMENTS } from '../operator/document.ts';
import { operator } from '../operator/module.ts';

/** The operator's view of payments and money: the ledger, each payment's story, earnings, margins, channels. */
export const accounting: Module = {
  id: 'accounting',
  needs: ['operator'],
  viewSections: async () => (await import('./views.ts')).VIEW_SECTIONS,
  off: (settings) => operator.off?.(settings),
  open: async () => {
    const { ACCOUNTING_DOCUMENTS } = await import('./documents.ts');
    return { ports: [fill(OPERATOR_DOCUMENTS, ACCOUNTING_DOCUMENTS)] };
  },
};
