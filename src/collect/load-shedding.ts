import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import type { LoopSample } from './event-loop.ts';

/**
 * Work that is shed under overload, in this order. Live funding, marks and payments never are.
 */
export const SHED_ORDER = ['backfill', 'unread_books', 'book_rotation', 'sampling'] as const;
export type Shed = (typeof SHED_ORDER)[number];

/** True while this work is shed. */
export type IsShed = (what: Shed) => boolean;

/** The extent of shedding. */
export interface Overload {
  /** The number of entries of `SHED_ORDER` that are shed, 0..4. */
  readonly level: number;
  /** When the level last changed; undefined = not since start. */
  readonly since: UnixMs | undefined;
  /** The lag of the event loop that last shed load; undefined at level 0. */
  readonly reason: string | undefined;
}

/** More is shed after so many looks on end that rest on one level, less after fewer: recovery is quick. */
const LOOKS_TO_SHED = 5;
/** After something was taken up again: what its beginning costs ends by itself. */
const LOOKS_AFTER_RESTORING = 10;
const LOOKS_TO_RESTORE = 3;
/** The loop hardly ever waits for work: what comes in is read later and later. */
const BUSY = 0.9;
/** Most looks find the loop late by so much, seconds: it waits for the CPU, however little it does. */
const LATE_S = 0.5;
/** Below both there is room for more. */
const CALM = 0.7;
const CALM_LAG_S = 0.25;
/**
 * Work that was taken up and was too much within a minute is tried again only where there is more room, or
 * after so long: all has to be back within half a minute where the CPU suffices.
 */
const JUDGED_FOR_MS = MINUTE_MS;
const RETRY_MS = 15_000;
const RETRY_HEADROOM = 0.8;
/** The load of a start ends by itself. */
const START_MS = 30_000;

interface Seen {
  readonly utilization: number;
  readonly lag: number;
}

/**
 * Decides from looks at the event loop, one a second, how much load is shed: one step of `SHED_ORDER` at a time, back in
 * the reverse order. Each decision rests on looks since the one before. It holds no timer and no clock.
 */
export class LoadShedding {
  #looks: LoopSample[] = [];
  /** Looks since another part could still do less. */
  #alone = 0;
  #level = 0;
  #since: UnixMs | undefined;
  #reason: string | undefined;
  #startedAt: number | undefined;
  /** True if the last step took work up again. */
  #isRestored = false;
  /** The last such step, and how busy the loop was then; undefined once it was judged. */
  #restored: { readonly at: number; readonly utilization: number } | undefined;
  /** After one that did not last: how busy the loop may be for the next, and for how long. */
  #most = CALM;
  #mostUntil = 0;

  /**
   * @param now monotonic, ms: all decisions rest on it
   * @param at what is shown as the time of a change
   * @param isPreceded true while something else can do less for this process: nothing is shed before that has
   * @returns whether the level changed
   */
  observe(look: LoopSample, now: number, at: UnixMs, isPreceded = false): boolean {
    this.#alone = isPreceded ? 0 : this.#alone + 1;
    const change = this.#decide(look, now);
    if (change === undefined) return false;
    this.#level += change;
    this.#since = at;
    this.#looks = [];
    return true;
  }

  /** @returns how many more are given up; undefined = nothing changes */
  #decide(look: LoopSample, now: number): 1 | -1 | undefined {
    this.#startedAt ??= now;
    if (!this.hasBegun(now)) return undefined;
    this.#looks = [...this.#looks.slice(1 - LOOKS_AFTER_RESTORING), look];
    const count = this.#isRestored ? LOOKS_AFTER_RESTORING : LOOKS_TO_SHED;
    const seen = this.#alone < count ? undefined : this.#seen(count);
    if (seen !== undefined && isPressed(seen) && this.#level < SHED_ORDER.length)
      return this.#shed(seen, now);
    const lately = this.#seen(LOOKS_TO_RESTORE);
    if (this.#level > 0 && lately !== undefined && this.#isCalm(lately, now))
      return this.#restore(lately, now);
    return undefined;
  }

  /** False in the time after a start in which looks count for nothing. */
  hasBegun(now: number): boolean {
    return this.#startedAt !== undefined && now - this.#startedAt >= START_MS;
  }

  /** True while this work is shed. */
  readonly isShed: IsShed = (what) => SHED_ORDER.indexOf(what) < this.#level;

  get state(): Overload {
    return { level: this.#level, since: this.#since, reason: this.#reason };
  }

  #shed(seen: Seen, now: number): 1 {
    const { utilization, lag } = seen;
    this.#judgeRestored(now);
    this.#reason = `the event loop was busy for ${Math.round(utilization * 100)} % of the time and late by ${lag.toFixed(2)} s`;
    this.#isRestored = false;
    return 1;
  }

  /** The first step after something was taken up says whether that lasted. */
  #judgeRestored(now: number): void {
    const last = this.#restored;
    this.#restored = undefined;
    if (last === undefined || now - last.at >= JUDGED_FOR_MS) return;
    this.#most = last.utilization * RETRY_HEADROOM;
    this.#mostUntil = now + RETRY_MS;
  }

  #restore({ utilization }: Seen, now: number): -1 {
    this.#restored = { at: now, utilization };
    this.#isRestored = true;
    if (this.#level === 1) this.#reason = undefined;
    return -1;
  }

  #isCalm({ utilization, lag }: Seen, now: number): boolean {
    const most = now < this.#mostUntil ? this.#most : CALM;
    return utilization < most && lag < CALM_LAG_S;
  }

  /** Mean utilization and median lag of the last looks; undefined where there are not so many since the last change. */
  #seen(count: number): Seen | undefined {
    const looks = this.#looks.slice(-count);
    if (looks.length < count) return undefined;
    const lags = looks.map(({ lag }) => lag).sort((a, b) => a - b);
    return {
      utilization: looks.reduce((sum, look) => sum + look.utilization, 0) / count,
      lag: lags[Math.floor(count / 2)] ?? 0,
    };
  }
}

const isPressed = ({ utilization, lag }: Seen): boolean => utilization >= BUSY || lag >= LATE_S;
