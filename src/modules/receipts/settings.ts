import { join } from 'node:path';
import type { ReadSettings } from '../../host/module.ts';
import { SETTINGS as CORE } from '../../host/settings/setting-table.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';

export const SETTINGS = {
  receiptKeys: {
    flag: 'receipt-keys',
    env: 'RECEIPT_KEYS_FILE',
    type: 'text',
    notInDemo: true,
    about:
      'file of the keys that sign offers and receipts, made where it is missing; default receipt-keys.json in the data folder',
  },
} as const satisfies SettingSpecs;

/** The file of the signing keys. */
export function keysPathOf(settings: ReadSettings): string {
  const { receiptKeys, dataDir } = settings({ ...SETTINGS, dataDir: CORE.dataDir });
  return receiptKeys ?? join(dataDir, 'receipt-keys.json');
}
