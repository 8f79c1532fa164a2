import { existsSync } from 'node:fs';
import { iso, systemClock } from '../../domain/clock.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { KeyRing, rotateKeys } from './signing-keys.ts';

/**
 * Puts a new signing key in the place of the newest, which running services take up by themselves.
 * @param creates whether a file that is missing is made, with a key that signs at once
 * @returns exit code: 0 done, 1 the file cannot be read or written
 */
export function rotateReceiptKeys(path: string, creates: boolean): number {
  try {
    if (creates && !existsSync(path)) {
      const [first] = new KeyRing(path, systemClock).keys;
      process.stdout.write(`${first?.id} signs from now on; the key is in ${path}\n`);
      return 0;
    }
    const { id, from } = rotateKeys(path, systemClock.now());
    process.stdout.write(`${id} signs from ${iso(from)}; the keys before it stay published\n`);
    return 0;
  } catch (cause) {
    process.stderr.write(`perpmeter: ${reasonOf(cause)}\n`);
    return 1;
  }
}
