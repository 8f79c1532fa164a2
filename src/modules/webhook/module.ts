import type { Module } from '../../host/module.ts';
import { SETTINGS } from './settings.ts';

/** Posts what watches tell to the receivers that their buyers name: guarded, challenged, signed and tried again. */
export const webhook: Module = {
  id: 'webhook',
  needs: ['receipts', 'tables'],
  settings: [{ after: 'receiptKeys', specs: SETTINGS }],
};
