import type { UnixMs } from '../../../domain/units.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';

const FIRST_PAUSE_MS = 2 * MINUTE_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;

interface Tries {
  readonly count: number;
  readonly until: UnixMs;
}

/**
 * Claims that were asked for and are not on the chain. Each is asked for again only after a pause, in which it may still
 * arrive, and with fewer others, since one of them may be the reason for which all failed.
 */
export class ClaimTries {
  readonly #tries = new Map<string, Tries>();

  /** @param most channels of one transaction */
  sizeAfter(id: string, most: number): number {
    return Math.max(1, most >> (this.#tries.get(id)?.count ?? 0));
  }

  isPaused(id: string, now: UnixMs): boolean {
    return (this.#tries.get(id)?.until ?? 0) > now;
  }

  failed(id: string, now: UnixMs): void {
    const count = (this.#tries.get(id)?.count ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(count - 1, 10), MAX_PAUSE_MS);
    this.#tries.set(id, { count, until: (now + pause) as UnixMs });
  }

  made(id: string): void {
    this.#tries.delete(id);
  }
}
