import type { Purchase } from '../data/answer.ts';
import { save } from './tools.tsx';

/** Saves the receipts of purchases with the addresses that were paid for, as a file: one as an object, several as a list. */
export function saveReceipts(receipts: Purchase['receipts']): void {
  const all = [...receipts].map(([path, receipt]) => ({
    url: new URL(path, location.origin).href,
    receipt: receipt ?? null,
  }));
  const file = JSON.stringify(all.length === 1 ? all[0] : all, null, 2);
  save('receipt.json', file, 'application/json');
}
