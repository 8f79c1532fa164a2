import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';

/** A stream that was served for some minutes goes on for this long without a paid one. */
export const GRACE_MS = 10 * SECOND_MS;
/** Minutes of service before a stream may owe one: else each new stream would be given the grace. */
export const GRACE_FROM = 5;
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
  /** Rest of a paid minute that was stopped, ms: it runs before another one begins. */
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

/** No minute has more than a minute left, and no grace more than the grace: else the clock was set back since they began. */
function settled(meter: Meter, now: number): Meter {
  const { endsAt = now, owedAt = now } = meter;
  if (endsAt <= now + MINUTE_MS && owedAt <= now) return meter;
  return {
    ...meter,
    endsAt: meter.endsAt && Math.min(endsAt, now + MINUTE_MS),
    owedAt: meter.owedAt && Math.min(owedAt, now),
  };
}

/** The meter with its times moved, because the clock that they were measured by was set by so many ms. */
export function shifted(meter: Meter, byMs: number): Meter {
  const { endsAt, owedAt } = meter;
  return { ...meter, endsAt: endsAt && endsAt + byMs, owedAt: owedAt && owedAt + byMs };
}

/** Until when the stream is served in the minute that runs, or ran last, Unix ms: one that is owed for the grace alone. */
export const servedUntil = ({ endsAt = Number.NEGATIVE_INFINITY, owedAt }: Meter): number =>
  owedAt === undefined ? endsAt : Math.min(endsAt, owedAt + GRACE_MS);

/** True while a minute runs that the stream is served in. */
export const isRunning = (meter: Meter, now: number): boolean => now < servedUntil(meter);

/** True where a minute runs, or one can begin. */
export const isPaid = (meter: Meter, uses: number, now: number): boolean =>
  isRunning(meter, now) || (meter.owedAt === undefined && (meter.restMs > 0 || leftOf(meter) >= uses));

/** The end of all that was paid, if it is used without a pause, Unix ms; undefined while no paid minute runs. */
export function paidUntil(meter: Meter, uses: number, now: number): number | undefined {
  const { endsAt, owedAt } = settled(meter, now);
  if (endsAt === undefined || owedAt !== undefined || now >= endsAt) return undefined;
  return endsAt + Math.floor(leftOf(meter) / uses) * MINUTE_MS;
}

/**
 * The meter of a stream that has a reader and something to tell it: the minute that runs, or the next one, which begins now. After the
 * last paid minute one more begins that is owed: it is served for the grace, once the stream was served for some minutes.
 *
 * @param isGoing true where the stream was served up to now: only then it may owe a minute
 * @returns undefined where it is not served
 */
export function serve(stored: Meter, uses: number, now: number, isGoing: boolean): Meter | undefined {
  const meter = settled(stored, now);
  if (isRunning(meter, now)) return meter;
  if (meter.owedAt !== undefined) return undefined;
  if (meter.restMs > 0) return { ...meter, restMs: 0, endsAt: now + meter.restMs };
  const next = { ...meter, used: meter.used + uses, endsAt: now + MINUTE_MS };
  if (leftOf(meter) >= uses) return next;
  const mayOwe = isGoing && meter.used - meter.credited >= GRACE_FROM * uses;
  return mayOwe ? { ...next, owedAt: now } : undefined;
}

/** Minutes that were added cover what is owed first. A stream that was paused goes on with the rest of that minute. */
function covered(next: Meter, now: number): Meter {
  if (next.owedAt === undefined || leftOf(next) < 0) return next;
  if (isRunning(next, now)) return { ...next, owedAt: undefined };
  return { ...next, owedAt: undefined, endsAt: undefined, restMs: MINUTE_MS - GRACE_MS };
}

/** Adds paid minutes. */
export const pay = (meter: Meter, minutes: number, now: number): Meter =>
  covered({ ...meter, paid: meter.paid + minutes }, now);

/** Credits the whole of a minute before the one that runs, or ran last. */
export const creditEarlier = (meter: Meter, uses: number, now: number): Meter =>
  covered({ ...meter, credited: meter.credited + uses }, now);

/** Stops a paid minute: its rest runs once the stream is served again. The meter itself where none runs, or it is owed. */
export function stop(meter: Meter, now: number): Meter {
  const { endsAt, owedAt } = settled(meter, now);
  if (endsAt === undefined || owedAt !== undefined || now >= endsAt) return meter;
  return { ...meter, endsAt: undefined, restMs: endsAt - now };
}

/** Credits the whole of the minute that runs or has a rest, because the service has broken it off, and ends it. */
export function breakOff(meter: Meter, uses: number): Meter {
  return { ...meter, credited: meter.credited + uses, endsAt: undefined, owedAt: undefined, restMs: 0 };
}
