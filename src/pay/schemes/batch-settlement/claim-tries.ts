import type { UnixMs } from '../../../domain/units.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { trueAt } from './chain-view.ts';
import type { DueClaim } from './claim-policy.ts';

const FIRST_PAUSE_MS = 2 * MINUTE_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;

interface Tries {
  readonly count: number;
  readonly until: UnixMs;
}

/** A claim that a facilitator says it has made. */
interface Made {
  readonly total: bigint;
  readonly at: UnixMs;
}

/**
 * Claims that were asked for and are not on the chain. Each is asked for again only after a pause, in which it may still
 * arrive, and with fewer others, since one of them may be the reason for which all failed.
 */
export class ClaimTries {
  readonly #tries = new Map<string, Tries>();
  readonly #unseen = new Map<string, Made>();

  /** @param most channels of one transaction */
  sizeAfter(id: string, most: number): number {
    return Math.max(1, most >> (this.#tries.get(id)?.count ?? 0));
  }

  isPaused(id: string, now: UnixMs): boolean {
    return (this.#tries.get(id)?.until ?? 0) > now;
  }

  /** True where a facilitator has said that it made this claim, and no view of the chain is new enough to show it. */
  isUnseen({ stored: { id, channel }, total }: DueClaim): boolean {
    const made = this.#unseen.get(id);
    return made !== undefined && made.total >= BigInt(total) && trueAt(channel.chain) < made.at;
  }

  /** A facilitator says that it has made a claim, and the view of the chain is older. */
  said({ stored: { id }, total }: DueClaim, at: UnixMs): void {
    this.#unseen.set(id, { total: BigInt(total), at });
  }

  failed(id: string, now: UnixMs): void {
    this.#unseen.delete(id);
    const count = (this.#tries.get(id)?.count ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(count - 1, 10), MAX_PAUSE_MS);
    this.#tries.set(id, { count, until: (now + pause) as UnixMs });
  }

  made(id: string): void {
    this.#tries.delete(id);
    this.#unseen.delete(id);
  }
}
