import { vi } from 'vitest';

/** Before the limit of a test, so that the error names the missing part. */
const HUNG_MS = 240_000;

/**
 * Waits until a check passes, however long a busy machine takes; what never comes fails with the check's last words.
 * @param everyMs time between two tries
 */
export function until<T>(check: () => T | Promise<T>, everyMs = 20): Promise<T> {
  return vi.waitFor(check, { timeout: HUNG_MS, interval: everyMs });
}
