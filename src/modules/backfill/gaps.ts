import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { BackfillEndpoint, BackfillKind } from '../../venues/backfill-endpoint.ts';

export type Span = readonly [from: UnixMs, to: UnixMs];

/**
 * The reason for which a stretch of the past has no points: the venue's answers begin after it, an answer to it
 * was empty or about another time, a page was the one before it, the venue states more rows than it gave, or no
 * rows came; or too many answers.
 */
export type MissingReason =
  | 'before_first'
  | 'empty'
  | 'outside'
  | 'same_page'
  | 'short_of_total'
  | 'no_answer'
  | 'too_many';

/** A stretch of a contract's past [from, to), Unix ms, of which the venue gave nothing. */
export interface MissingSpan {
  readonly kind: BackfillKind;
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly reason: MissingReason;
}

/** No venue pays more often. */
const MIN_STEP_MS = HOUR_MS;
/** So far from a point that is there is asked for others: stamps come early or late by seconds, and none is nearer. */
const EDGE_MS = MIN_STEP_MS / 2;
/** A distance above this many of its neighbours' is no step: stamps come late by seconds, and no two steps make one. */
const HOLE = 1.5;
/** Hours without trading or a candle that was not made are common among other points; so many of them in a row are not. */
const HOLE_OF_POINTS = 3;

const span = (from: number, to: number): Span => [asMs(from), asMs(to)];
const lengthOf = ([from, to]: Span): number => to - from;

/** The least distance of sorted times, ms, at least an hour; `unknown` where there are no two. */
function leastStep(times: readonly number[], unknown: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < times.length; i++) least = Math.min(least, (times[i] ?? 0) - (times[i - 1] ?? 0));
  return Number.isFinite(least) ? Math.max(MIN_STEP_MS, least) : unknown;
}

/** Distance of an endpoint's points, ms, as far as it is known before they come: of payments the interval of today. */
export function stepOf({ kind, stepMs }: BackfillEndpoint, intervalHours: number | undefined): number {
  const intervalMs = intervalHours === undefined ? undefined : intervalHours * HOUR_MS;
  return (kind === 'funding' ? (intervalMs ?? stepMs) : (stepMs ?? intervalMs)) ?? HOUR_MS;
}

/**
 * The spans that an answer has left out before its oldest and after its newest point. Venues differ in the end
 * that they cut off, and in how many rows they give whatever is asked for; a contract may also have paid more
 * often than today.
 *
 * @param times of the answer within the span, sorted; none are no parts
 * @param isFull whether the answer has as many rows as one can have: then payments of any hour may be missing
 */
export function leftOut(asked: Span, times: readonly number[], stepMs: number, isFull: boolean): Span[] {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined) return [];
  const step = isFull ? MIN_STEP_MS : leastStep(times, Math.min(stepMs, lengthOf(asked)));
  const parts: Span[] = [];
  if (first - asked[0] >= step) parts.push(span(asked[0], first - EDGE_MS));
  if (asked[1] - last > step) parts.push(span(last + EDGE_MS, asked[1]));
  return parts;
}

/** A stretch between, before or after points. */
export interface Hole {
  readonly span: Span;
  /** Its side of the points; an edge before the first point may be the listing. */
  readonly place: 'before' | 'between' | 'after';
  /** True if it is longer than the steps on both sides of it: otherwise the interval may just have changed. */
  readonly isLong: boolean;
}

/**
 * Stretches of a span that have no points though steps as long as their neighbours' would have put some there.
 *
 * @param times of all points within it, sorted
 */
export function holesIn(all: Span, times: readonly number[], stepMs: number, isPaid: boolean): Hole[] {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined)
    return lengthOf(all) >= HOLE * stepMs ? [{ span: all, place: 'before', isLong: false }] : [];
  const holes: Hole[] = [];
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const least = isPaid ? HOLE : HOLE_OF_POINTS;
  const firstStep = steps[0] ?? stepMs;
  if (first - all[0] > firstStep)
    holes.push({ span: span(all[0], first - EDGE_MS), place: 'before', isLong: false });
  steps.forEach((step, i) => {
    const beside = [steps[i - 1], steps[i + 1]].filter((other) => other !== undefined);
    const known = beside.length === 0 ? [stepMs] : beside;
    if (step <= least * Math.min(...known)) return;
    const from = times[i] ?? 0;
    holes.push({
      span: span(from + EDGE_MS, from + step - EDGE_MS),
      place: 'between',
      isLong: step > least * Math.max(...known),
    });
  });
  const lastStep = Math.max(steps.at(-1) ?? stepMs, isPaid ? 0 : stepMs);
  if (all[1] - last > (least + 1) * lastStep)
    holes.push({ span: span(last + EDGE_MS, all[1]), place: 'after', isLong: true });
  return holes;
}
