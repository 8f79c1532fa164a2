import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';

/** A stream that was served goes on for this long without a paid minute. */
export const GRACE_MS = 10 * SECOND_MS;
/** The event `due` is sent this early before the end of what was paid. */
export const DUE_MS = 15 * SECOND_MS;

/**
 * The minutes that a stream has bought and used, in paid minutes, of which one minute of service takes `uses`. It never uses more than
 * was paid and credited, but for one minute that it owes; and no more is credited than was used.
 */
export interface Meter {
  readonly paid: number;
  readonly credited: number;
  readonly used: number;
  /** End of the minute that runs, or that ran last, Unix ms; undefined where none has begun, or the last one was broken off. */
  readonly endsAt: number | undefined;
  /** Begin of the minute that is owed, Unix ms. */
  readonly owedAt: number | undefined;
  /** Rest of a minute that was paid while the stream was paused, ms: it runs before another one begins. */
  readonly restMs: number;
}

export const newMeter = (paid: number): Meter => ({
  paid,
  credited: 0,
  used: 0,
  endsAt: undefined,
  owedAt: undefined,
  restMs: 0,
});

/** Paid minutes that are left; negative while some are owed. */
export const leftOf = ({ paid, credited, used }: Meter): number => paid + credited - used;

const isInGrace = ({ owedAt }: Meter, now: number): boolean =>
  owedAt === undefined || now < owedAt + GRACE_MS;

/** True while a minute runs that the stream is served in. */
export const isRunning = (meter: Meter, now: number): boolean =>
  meter.endsAt !== undefined && now < meter.endsAt && isInGrace(meter, now);

/** True where a minute runs, or one can begin. */
export const isPaid = (meter: Meter, uses: number, now: number): boolean =>
  isRunning(meter, now) || (meter.owedAt === undefined && (meter.restMs > 0 || leftOf(meter) >= uses));

/** The end of all that was paid, if it is used without a pause, Unix ms; undefined while no paid minute runs. */
export function paidUntil(meter: Meter, uses: number, now: number): number | undefined {
  if (meter.endsAt === undefined || meter.owedAt !== undefined || now >= meter.endsAt) return undefined;
  return meter.endsAt + Math.floor(leftOf(meter) / uses) * MINUTE_MS;
}

/**
 * The meter of a stream that has a reader and something to tell it: the minute that runs, or the next one, which begins now. After the
 * last paid minute one more begins that is owed: it is served for the grace.
 *
 * @param isGoing true where the stream was served up to now: only then it may owe a minute
 * @returns undefined where it is not served
 */
export function serve(meter: Meter, uses: number, now: number, isGoing: boolean): Meter | undefined {
  if (isRunning(meter, now)) return meter;
  if (meter.owedAt !== undefined) return undefined;
  if (meter.restMs > 0) return { ...meter, restMs: 0, endsAt: now + meter.restMs };
  const next = { ...meter, used: meter.used + uses, endsAt: now + MINUTE_MS };
  if (leftOf(meter) >= uses) return next;
  return isGoing ? { ...next, owedAt: now } : undefined;
}

/** Adds paid minutes: the first ones cover what is owed. A stream that was paused goes on with the rest of that minute. */
export function pay(meter: Meter, minutes: number, now: number): Meter {
  const next = { ...meter, paid: meter.paid + minutes };
  if (meter.owedAt === undefined || leftOf(next) < 0) return next;
  if (isRunning(meter, now)) return { ...next, owedAt: undefined };
  return { ...next, owedAt: undefined, endsAt: undefined, restMs: MINUTE_MS - GRACE_MS };
}

/** Credits the whole of a minute that the service has broken off, and ends it; undefined where none was running at `at`. */
export function breakOff(meter: Meter, uses: number, at: number): Meter | undefined {
  if (!isRunning(meter, at)) return undefined;
  return { ...meter, credited: meter.credited + uses, endsAt: undefined, owedAt: undefined };
}
