import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import { isOwnerGone, isOwnersPlace } from '../../storage/process-owner.ts';

/** A process of another place that says nothing for so long has ended, if nothing else tells. */
export const LEASE_MS = 30 * SECOND_MS;
/** A process of this machine whose number still runs may be held up: after so long its number is taken to be another's. */
export const HELD_UP_MS = 10 * MINUTE_MS;

/**
 * Tells which of the processes that share a store have ended. Silence is measured by this process alone, so that the clock of
 * no machine decides.
 */
export class ProcessLeases {
  readonly #heard = new Map<string, { readonly aliveAt: number; readonly since: number }>();

  /**
   * True where the process runs no more, or has said nothing for too long.
   *
   * @param aliveAt what it last said, Unix ms: it is compared with itself alone
   * @param at steady ms
   */
  isOver(owner: string, aliveAt: number, at: number): boolean {
    const heard = this.#heard.get(owner);
    const isSilent = heard?.aliveAt === aliveAt;
    if (!isSilent) this.#heard.set(owner, { aliveAt, since: at });
    const leaseMs = isOwnersPlace(owner) ? HELD_UP_MS : LEASE_MS;
    return isOwnerGone(owner) || (isSilent && at - heard.since > leaseMs);
  }

  /** Measures the silence of all from now on. */
  beginAnew(): void {
    this.#heard.clear();
  }
}
