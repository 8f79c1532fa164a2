import type { Clock } from '../../../domain/clock.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';

/** An answer that was longer under way says too little of a time that is known already. */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * The time of the database, carried on by this process's monotonic clock: leases that hosts grant each other are of one
 * clock, and a step of a host's own clock moves none of them.
 */
export class ServerClock implements Clock {
  /** Server time at the origin of the monotonic clock, Unix ms. */
  #origin: number;
  #isSet = false;

  constructor(before: Clock) {
    this.#origin = before.now() - performance.now();
  }

  /**
   * Takes over what the server said. An answer that is in accord with what is known, as far as it was under way, changes nothing, so that
   * the time goes evenly.
   *
   * @param serverMs Unix ms
   * @param askedAt when it was asked, by `performance.now()`
   */
  set(serverMs: number, askedAt: number): void {
    const tripMs = performance.now() - askedAt;
    if (this.#isSet && tripMs > MAX_ROUND_TRIP_MS) return;
    this.#isSet = true;
    const origin = serverMs - askedAt - tripMs / 2;
    if (Math.abs(origin - this.#origin) > tripMs / 2) this.#origin = origin;
  }

  /** Is handed on without its clock, as that of the system is. */
  readonly now = (): UnixMs => asMs(Math.floor(this.#origin + performance.now()));
}
