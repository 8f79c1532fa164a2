import type { UnixMs } from '../../src/domain/units.ts';
import type { Progress } from '../../src/modules/backfill/progress.ts';

/** Keeps how far contracts are filled while the process lives. */
export function memoryProgress(): Progress {
  const filled = new Map<string, UnixMs>();
  const key = (...parts: readonly (string | number)[]): string => parts.join('\t');
  return {
    filledTo: (...contract) => filled.get(key(...contract)),
    fill: async (venue, symbol, listedAt, to) => void filled.set(key(venue, symbol, listedAt), to),
    close: async () => {},
  };
}
