import { join } from 'node:path';
import { iso, systemClock } from '../domain/clock.ts';
import { rotateKeys } from '../pay/receipts/signing-keys.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { Settings } from './settings.ts';

/**
 * Puts a new signing key in the place of the newest, which running services take up by themselves.
 * @returns exit code: 0 done, 1 the file cannot be read or written
 */
export function rotateReceiptKeys({
  dataDir,
  receiptKeys,
}: Pick<Settings, 'dataDir' | 'receiptKeys'>): number {
  const path = receiptKeys ?? join(dataDir, 'receipt-keys.json');
  try {
    const { id, from } = rotateKeys(path, systemClock.now());
    process.stdout.write(`${id} signs from ${iso(from)}; the keys before it stay published\n`);
    return 0;
  } catch (cause) {
    process.stderr.write(`perpmeter: ${reasonOf(cause)}\n`);
    return 1;
  }
}
