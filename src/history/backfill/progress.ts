import { open } from 'lmdb';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';

/** How far each contract has been filled, over restarts. */
export interface Progress {
  /** End of what was filled; undefined = nothing yet. */
  filledTo(venue: VenueId, symbol: string, listedAt: UnixMs): UnixMs | undefined;
  fill(venue: VenueId, symbol: string, listedAt: UnixMs, to: UnixMs): void;
  close(): Promise<void>;
}

/** What was filled under another name is asked again: the builds of then dated payments by the hours before them. */
const NAME = 'filled-2';

/** Keeps it in a folder of its own. */
export function openProgress(path: string): Progress {
  const root = open<UnixMs, [string, string, number]>({ path, name: NAME, noSubdir: false });
  return {
    filledTo: (...contract) => root.get(contract),
    fill: (venue, symbol, listedAt, to) => root.putSync([venue, symbol, listedAt], to),
    close: () => root.close(),
  };
}

/** Keeps it while the process lives. */
export function memoryProgress(): Progress {
  const filled = new Map<string, UnixMs>();
  const key = (...parts: readonly (string | number)[]): string => parts.join('\t');
  return {
    filledTo: (...contract) => filled.get(key(...contract)),
    fill: (venue, symbol, listedAt, to) => void filled.set(key(venue, symbol, listedAt), to),
    close: async () => {},
  };
}
