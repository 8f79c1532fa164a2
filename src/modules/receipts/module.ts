import type { Module } from '../../host/module.ts';
import type { SaleOpener } from '../../pay/sale.ts';
import { addRotate, addVerify } from './commands.ts';
import { RECEIPTS } from './port.ts';
import { keysPathOf, SETTINGS } from './settings.ts';

/** Offers and receipts that are signed, the published keys and daily roots, and their verification. */
export const receipts: Module = {
  id: 'receipts',
  settings: [{ after: 'facilitatorKey', specs: SETTINGS }],
  commands: [
    { name: 'verify', after: 'buy', add: addVerify },
    { name: 'rotate-receipt-key', after: 'verify', add: addRotate },
  ],
  products: async () => {
    const [{ receiptKeys, receiptRoots, receiptProof }, { keysAddress }, { answerReceipt }] =
      await Promise.all([import('./documents.ts'), import('./discovery.ts'), import('./answer-receipt.ts')]);
    return {
      products: [
        { product: receiptKeys, after: 'pricing-changelog' },
        { product: receiptRoots, after: 'receipt-keys' },
        { product: receiptProof, after: 'receipt-roots' },
      ],
      discovery: [keysAddress],
      soldHeaders: [answerReceipt],
    };
  },
  seams: (settings) => {
    const sale: SaleOpener = async (context) =>
      (await import('./open-receipts.ts')).receiptsWith(keysPathOf(settings))(context);
    return { sale };
  },
  open: async ({ readPort }) => {
    const opened = readPort(RECEIPTS);
    if (opened === undefined) return {};
    const { receiptMetrics } = await import('./metrics.ts');
    return { metrics: receiptMetrics(opened) };
  },
};
