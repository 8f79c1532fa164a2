import Type from 'typebox';
import { iso } from '../../domain/clock.ts';
import { readDate } from '../../domain/date.ts';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { integer } from '../answer/schema.ts';
import { AGGREGATION_MS, type Aggregation, aggregationParameter, type HistoryWindow } from './buckets.ts';

/** A parameter that names a moment. */
export const date = (description: string) =>
  Type.String({
    format: 'date-time',
    description,
    maxLength: 40,
    examples: ['2026-11-20T00:00:00Z'],
  });

const START = 'Window start, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket';
const END =
  'End of window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known';

export const requiredFrom = date(START);
export const requiredTo = date(END);

/** Parameters that name a window, by default one up to now. */
export const windowParameters = (fromByDefault: string) => ({
  aggr: aggregationParameter,
  from: Type.Optional(date(`${START}; default ${fromByDefault}`)),
  to: Type.Optional(date(`${END}; default now`)),
});

export const asOfParameter = Type.Optional(
  date('As of this moment, ISO 8601 or Unix time: what was recorded later does not count'),
);

/** Hours from now back to what is asked for. */
export const hoursParameter = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 168, default: 24, description });

export const hoursName = integer('Hours looked back', 1);

interface WindowInput {
  readonly aggregation: Aggregation;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface WindowRule {
  /** Longest window, ms; one bucket more is let through, since both ends are floored. */
  readonly capMs: number;
  /** The default length of a window that ends now, ms. */
  readonly defaultMs: number;
  /** True if that is counted from the requested end. */
  readonly beforeEnd?: boolean;
}

export const days = (count: number): number => count * DAY_MS;

const span = (ms: number): string =>
  ms % DAY_MS === 0 ? `${ms / DAY_MS} days` : `${Math.round(ms / HOUR_MS)} hours`;

/**
 * Reads a window: both ends floored to the bucket, the end not included. Only the bucket that goes on is delivered before
 * it is over: a window that ends in it, or later, includes it. 400 for a window that is empty or longer than its cap and
 * one bucket.
 */
export function readWindow(input: WindowInput, rule: WindowRule, now: UnixMs): Result<HistoryWindow> {
  const { aggregation } = input;
  const stepMs = AGGREGATION_MS[aggregation];
  const floor = (at: number): UnixMs => asMs(Math.floor(at / stepMs) * stepMs);
  const current = floor(now);
  const asked = dateOf(input.to) ?? now;
  // A window that ends within the bucket that goes on, or later, includes it.
  const to = asked > current || asked >= now ? asMs(current + stepMs) : floor(asked);
  const counted = rule.beforeEnd === true ? Math.min(asked, now) : now;
  const from = floor(dateOf(input.from) ?? counted - rule.defaultMs);
  if (from >= to) {
    const [name, why] =
      input.from === undefined
        ? ['to', 'must be later than the start of the window']
        : ['from', 'must be earlier than the end of the window'];
    return fail({
      ...badParameter(name, `${why} by at least one bucket of ${aggregation}`),
      ...swappedEnds(input),
    });
  }
  if (to - from > rule.capMs + stepMs) {
    const earliest = iso(asMs(to - rule.capMs));
    const why = `the window may span at most ${span(rule.capMs)} at ${aggregation}: from ${earliest} to its end`;
    return fail({
      ...badParameter('from', why),
      corrections: [{ parameter: 'from', value: earliest }],
    });
  }
  return ok({ aggregation, from, to, knownTo: now });
}

/** Ends that stand in each other's place. */
function swappedEnds({ from, to }: WindowInput): Pick<Failure, 'corrections'> {
  if (from === undefined || to === undefined || from === to) return {};
  return {
    corrections: [
      { parameter: 'from', value: to },
      { parameter: 'to', value: from },
    ],
  };
}

/** The moment up to which knowledge counts. 400 for one that is still to come. */
export function readAsOf(text: string | undefined, now: UnixMs): Result<UnixMs | undefined> {
  const at = dateOf(text);
  if (at === undefined) return ok(undefined);
  return at > now ? fail(badParameter('as_of', 'must not lie in the future')) : ok(asMs(at));
}

/** Milliseconds of a parameter that was checked to be a date when it was read. */
export function dateOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDate(text);
}
