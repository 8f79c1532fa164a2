import { MINUTE_MS } from '../../runtime/duration.ts';
import type { FiringKind } from '../webhook/firing.ts';

/** Version of these rules: a firing states it. */
export const RULE_VERSION = 1;

/** A watch says that its condition cannot be known once this has lasted so long. */
export const UNKNOWN_TOLD_MS = 5 * MINUTE_MS;
/** Two looks further apart than this leave a span in which nobody watched. */
export const LONGEST_GAP_MS = 150_000;
/** Spans without data that are stated one by one; further ones join the last. */
export const MOST_SPANS = 200;

/** A span in which a condition could not be known. Unix ms; the end is not included. */
export interface MissingSpan {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  /** Spans that this one stands for, with the known time between them; absent = 1. */
  readonly spans?: number;
}

/** A condition as it was found at a moment. */
export type Judged =
  | { readonly state: 'true' | 'false' }
  | { readonly state: 'unknown'; readonly reason: string };

/** The part of a watch that its condition changes. */
export interface Progress {
  /** `holding`: true, and not for long enough yet. `fired`: told, and not back yet. */
  readonly phase: 'armed' | 'holding' | 'fired';
  /** Since when the phase lasts, Unix ms. */
  readonly since: number;
  /** Since when the condition is unknown; undefined while it is known. */
  readonly unknownSince: number | undefined;
  readonly unknownReason: string | undefined;
  /** True once the watch has said that its condition is unknown. */
  readonly isUnknownTold: boolean;
  /** Number of the last firing of any kind. */
  readonly seq: number;
  /** Firings of the kind `fired`. */
  readonly fired: number;
  readonly missing: readonly MissingSpan[];
}

export interface Terms {
  /** The condition holds for so long before it fires, ms. */
  readonly holdMs: number;
  /** Firings of the kind `fired` after which the watch ends. */
  readonly mostFirings: number;
  /** True where holding is an instant: a change fires each time, and is never cleared. */
  readonly isInstant: boolean;
}

/** A step of a watch: its progress afterwards, the same object where nothing changed, and what has to be told. */
export interface Step {
  readonly next: Progress;
  readonly told: readonly { readonly kind: FiringKind; readonly seq: number; readonly reason?: string }[];
}

export const firstProgress = (now: number): Progress => ({
  phase: 'armed',
  since: now,
  unknownSince: undefined,
  unknownReason: undefined,
  isUnknownTold: false,
  seq: 0,
  fired: 0,
  missing: [],
});

/** True once a watch has told all that was bought. */
export const isSpent = ({ fired }: Progress, { mostFirings }: Terms): boolean => fired >= mostFirings;

const NOT_WATCHED = 'not_watched';

/** Adds a span; beyond the number that is stated one by one it widens the last. */
export function withSpan(spans: readonly MissingSpan[], span: MissingSpan): readonly MissingSpan[] {
  if (span.to <= span.from) return spans;
  const last = spans.at(-1);
  if (last !== undefined && last.to === span.from && last.reason === span.reason)
    return [...spans.slice(0, -1), { ...last, to: span.to }];
  if (last === undefined || spans.length < MOST_SPANS) return [...spans, span];
  const joined: MissingSpan = {
    from: last.from,
    to: span.to,
    reason: 'several',
    spans: (last.spans ?? 1) + 1,
  };
  return [...spans.slice(0, -1), joined];
}

const spansUntil = (spans: readonly MissingSpan[], end: number): readonly MissingSpan[] =>
  spans.filter(({ from }) => from < end).map((span) => (span.to > end ? { ...span, to: end } : span));

/** The spans up to a moment, with the one that lasts. */
export function missingUntil({ missing, unknownSince, unknownReason }: Progress, now: number) {
  if (unknownSince === undefined) return missing;
  return withSpan(missing, { from: unknownSince, to: now, reason: unknownReason ?? 'unknown' });
}

/** A watch's changes by one look at its condition. */
class Stepper {
  #next: Progress;
  readonly #told: { kind: FiringKind; seq: number; reason?: string }[] = [];

  constructor(progress: Progress) {
    this.#next = progress;
  }

  get now(): Progress {
    return this.#next;
  }

  set(change: Partial<Progress>): void {
    this.#next = { ...this.#next, ...change };
  }

  tell(kind: FiringKind, reason?: string): void {
    const seq = this.#next.seq + 1;
    this.set({ seq, fired: this.#next.fired + (kind === 'fired' ? 1 : 0) });
    this.#told.push({ kind, seq, ...(reason !== undefined && { reason }) });
  }

  done(): Step {
    return { next: this.#next, told: this.#told };
  }
}

/**
 * Changes a watch by one look at its condition. Pure. Time in which nothing was known counts neither as holding nor as
 * not holding: a condition that is unknown, or was not looked at for a while, begins to hold anew. A watch that has fired stays so
 * until the condition is known not to hold.
 *
 * @param seenAt when it was looked at before
 */
export function step(progress: Progress, judged: Judged, terms: Terms, seenAt: number, now: number): Step {
  if (isCalm(progress, judged, now - seenAt)) return { next: progress, told: NONE };
  const stepper = new Stepper(progress);
  if (now - seenAt > LONGEST_GAP_MS) passGap(stepper, seenAt, now);
  if (judged.state === 'unknown') passUnknown(stepper, judged.reason, now);
  else {
    becomeKnown(stepper, now);
    if (judged.state === 'true') hold(stepper, terms, now);
    else release(stepper, terms, now);
  }
  return stepper.done();
}

const NONE: Step['told'] = [];

/** True where a look finds what it found before: almost every look of almost every watch. */
function isCalm({ phase, unknownSince }: Progress, { state }: Judged, gapMs: number): boolean {
  if (unknownSince !== undefined || gapMs > LONGEST_GAP_MS) return false;
  return (state === 'false' && phase === 'armed') || (state === 'true' && phase === 'fired');
}

/** A watch that is taken up by a process: until now nobody has looked at it since then. */
export function resumed(progress: Progress, seenAt: number, now: number): Progress {
  const stepper = new Stepper(progress);
  passGap(stepper, seenAt, now);
  return stepper.now;
}

/** Nobody has looked for a while: that is a missing span, unless the condition was unknown anyway. */
function passGap(stepper: Stepper, seenAt: number, now: number): void {
  const { phase, unknownSince, missing } = stepper.now;
  if (phase === 'holding') stepper.set({ phase: 'armed', since: now });
  if (unknownSince === undefined)
    stepper.set({ missing: withSpan(missing, { from: seenAt, to: now, reason: NOT_WATCHED }) });
}

function passUnknown(stepper: Stepper, reason: string, now: number): void {
  const { phase, unknownSince, isUnknownTold } = stepper.now;
  if (phase === 'holding') stepper.set({ phase: 'armed', since: now });
  if (unknownSince === undefined) {
    stepper.set({ unknownSince: now, unknownReason: reason });
    return;
  }
  if (isUnknownTold || now - unknownSince < UNKNOWN_TOLD_MS) return;
  stepper.tell('unknown', reason);
  stepper.set({ isUnknownTold: true });
}

function becomeKnown(stepper: Stepper, now: number): void {
  const { unknownSince, isUnknownTold } = stepper.now;
  if (unknownSince === undefined) return;
  stepper.set({
    missing: missingUntil(stepper.now, now),
    unknownSince: undefined,
    unknownReason: undefined,
  });
  if (!isUnknownTold) return;
  stepper.tell('known');
  stepper.set({ isUnknownTold: false });
}

function hold(stepper: Stepper, terms: Terms, now: number): void {
  if (isSpent(stepper.now, terms) || stepper.now.phase === 'fired') return;
  if (stepper.now.phase === 'armed') stepper.set({ phase: 'holding', since: now });
  if (now - stepper.now.since < terms.holdMs) return;
  stepper.tell('fired');
  stepper.set({ phase: terms.isInstant ? 'armed' : 'fired', since: now });
}

function release(stepper: Stepper, terms: Terms, now: number): void {
  const { phase } = stepper.now;
  if (phase === 'armed') return;
  stepper.set({ phase: 'armed', since: now });
  if (phase === 'fired' && !isSpent(stepper.now, terms)) stepper.tell('cleared');
}

/** A watch's last firing. Missing time behind its end is not a part of it. */
export function end(progress: Progress, reason: string, now: number): Step {
  const stepper = new Stepper({
    ...progress,
    missing: spansUntil(missingUntil(progress, now), now),
    unknownSince: undefined,
    unknownReason: undefined,
    isUnknownTold: false,
  });
  stepper.tell('ended', reason);
  return stepper.done();
}
