import { readFileSync } from 'node:fs';

/**
 * Files and connections that this process may have open. Node.js raises the soft limit to the hard one before the first line of a
 * program.
 *
 * @returns undefined where there is no limit, or the system does not say (`/proc/self/limits` is Linux's)
 */
export function descriptorLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
