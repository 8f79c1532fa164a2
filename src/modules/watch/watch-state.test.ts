import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { FiringKind } from '../webhook/firing.ts';
import {
  end,
  firstProgress,
  type Judged,
  LONGEST_GAP_MS,
  MOST_SPANS,
  missingUntil,
  type Progress,
  step,
  type Terms,
  UNKNOWN_TOLD_MS,
} from './watch-state.ts';

const TRUE: Judged = { state: 'true' };
const FALSE: Judged = { state: 'false' };
const UNKNOWN: Judged = { state: 'unknown', reason: 'not_ready' };
const terms = (more: Partial<Terms> = {}): Terms => ({
  holdMs: 0,
  mostFirings: 100,
  isInstant: false,
  ...more,
});

/** A watch that is looked at: how long after the look before, and what was found. */
function run(looks: readonly (readonly [afterMs: number, judged: Judged])[], of: Terms = terms()) {
  let progress: Progress = firstProgress(0);
  let now = 0;
  const told: { kind: FiringKind; at: number; seq: number }[] = [];
  for (const [afterMs, judged] of looks) {
    const seenAt = now;
    now += afterMs;
    const made = step(progress, judged, of, seenAt, now);
    progress = made.next;
    told.push(...made.told.map(({ kind, seq }) => ({ kind, at: now, seq })));
  }
  return { progress, told, now, kinds: told.map(({ kind }) => kind) };
}

describe('a watch', () => {
  it('its condition holds, and no more: fired and cleared, once each', () => {
    const { kinds } = run([
      [1000, TRUE],
      [1000, TRUE],
      [1000, FALSE],
      [1000, FALSE],
      [1000, TRUE],
    ]);
    expect(kinds).toEqual(['fired', 'cleared', 'fired']);
  });

  it('a least duration: fires once it has held for so long without a break', () => {
    const { told } = run(
      [
        [0, TRUE],
        [50_000, TRUE],
        [5000, FALSE],
        [1000, TRUE],
        [59_000, TRUE],
        [1000, TRUE],
      ],
      terms({ holdMs: MINUTE_MS }),
    );
    expect(told).toEqual([{ kind: 'fired', at: 116_000, seq: 1 }]);
  });

  it('data missing while it holds: it begins to hold anew', () => {
    const { kinds } = run(
      [
        [0, TRUE],
        [50_000, UNKNOWN],
        [5000, TRUE],
        [50_000, TRUE],
      ],
      terms({ holdMs: MINUTE_MS }),
    );
    expect(kinds).toEqual([]);
  });

  it('data missing after it fired: neither cleared nor fired again', () => {
    const { kinds } = run([
      [0, TRUE],
      [1000, UNKNOWN],
      [1000, TRUE],
      [1000, FALSE],
    ]);
    expect(kinds).toEqual(['fired', 'cleared']);
  });

  it('data missing for five minutes: told once, then known again', () => {
    const { kinds, progress } = run([
      [0, UNKNOWN],
      [UNKNOWN_TOLD_MS - 1, UNKNOWN],
      [1, UNKNOWN],
      [60_000, UNKNOWN],
      [1000, FALSE],
    ]);
    expect(kinds).toEqual(['unknown', 'known']);
    expect(progress.missing).toEqual([{ from: 0, to: UNKNOWN_TOLD_MS + 61_000, reason: 'not_ready' }]);
  });

  it('nobody looked for a while: a missing span, and holding begins anew', () => {
    const { progress, kinds } = run(
      [
        [0, TRUE],
        [LONGEST_GAP_MS + 1, TRUE],
      ],
      terms({ holdMs: MINUTE_MS }),
    );
    expect(kinds).toEqual([]);
    expect(progress.missing).toEqual([{ from: 0, to: LONGEST_GAP_MS + 1, reason: 'not_watched' }]);
  });

  it('changes: each fires, none is cleared, and the limit holds', () => {
    const { kinds } = run(
      [
        [0, TRUE],
        [1, TRUE],
        [1, FALSE],
        [1, TRUE],
      ],
      terms({ isInstant: true, mostFirings: 2 }),
    );
    expect(kinds).toEqual(['fired', 'fired']);
  });

  it('its end while data is missing: the span is closed and counted', () => {
    const { progress, now } = run([
      [0, FALSE],
      [1000, UNKNOWN],
    ]);
    const ended = end(progress, 'time', now + 5000);
    expect(ended.told).toEqual([{ kind: 'ended', seq: 1, reason: 'time' }]);
    expect(ended.next.missing).toEqual([{ from: 1000, to: 6000, reason: 'not_ready' }]);
  });
});

const looks = fc.array(
  fc.tuple(
    fc.oneof(
      fc.integer({ min: 0, max: 20 * SECOND_MS }),
      fc.integer({ min: 0, max: 2 * LONGEST_GAP_MS }),
      fc.integer({ min: 0, max: 2 * UNKNOWN_TOLD_MS }),
    ),
    fc.constantFrom(TRUE, FALSE, UNKNOWN),
  ),
  { maxLength: 80 },
);
const someTerms = fc.record({
  holdMs: fc.constantFrom(0, 30 * SECOND_MS, MINUTE_MS),
  mostFirings: fc.integer({ min: 1, max: 5 }),
  isInstant: fc.boolean(),
});

describe('the laws of a watch', () => {
  it('any looks: numbers have no gap, and fired and cleared alternate', () => {
    fc.assert(
      fc.property(looks, someTerms, (made, of) => {
        const { told, progress } = run(made, of);
        expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
        expect(progress.seq).toBe(told.length);
        const fired = told.filter(({ kind }) => kind === 'fired').length;
        expect(fired).toBe(progress.fired);
        expect(fired).toBeLessThanOrEqual(of.mostFirings);
        const turns = told.filter(({ kind }) => kind === 'fired' || kind === 'cleared');
        for (const [index, { kind }] of turns.entries())
          expect(of.isInstant || kind === (index % 2 === 0 ? 'fired' : 'cleared')).toBe(true);
        const data = told.filter(({ kind }) => kind === 'unknown' || kind === 'known');
        for (const [index, { kind }] of data.entries())
          expect(kind).toBe(index % 2 === 0 ? 'unknown' : 'known');
      }),
    );
  });

  it('any looks: it fires where a plain count says that it held', () => {
    fc.assert(
      fc.property(looks, someTerms, (made, of) => {
        expect(
          run(made, of)
            .told.filter(({ kind }) => kind === 'fired')
            .map(({ at }) => at),
        ).toEqual(plainFirings(made, of));
      }),
    );
  });

  it('any looks: missing spans are apart and cover the unknown time', () => {
    fc.assert(
      fc.property(looks, (made) => {
        const { progress, now } = run(made);
        const spans = missingUntil(progress, now);
        expect(spans.length).toBeLessThanOrEqual(MOST_SPANS);
        for (const [index, { from, to }] of spans.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
        }
        const total = spans.reduce((sum, { from, to }) => sum + to - from, 0);
        expect(total).toBe(plainMissing(made));
      }),
    );
  });

  it('a look that changes nothing: the same object', () => {
    const { progress, now } = run([
      [0, TRUE],
      [1000, TRUE],
    ]);
    expect(step(progress, TRUE, terms(), now, now + 1000).next).toBe(progress);
  });
});

type Looks = readonly (readonly [number, Judged])[];

/** Times at which a watch fires, counted anew for each look from all looks before it. */
function plainFirings(made: Looks, { holdMs, mostFirings, isInstant }: Terms): readonly number[] {
  const fired: number[] = [];
  let now = 0;
  let trueSince: number | undefined;
  let isLatched = false;
  for (const [afterMs, { state }] of made) {
    now += afterMs;
    if (state !== 'true' || afterMs > LONGEST_GAP_MS) trueSince = undefined;
    if (state === 'false') isLatched = false;
    if (state !== 'true') continue;
    trueSince ??= now;
    if (isLatched || now - trueSince < holdMs || fired.length === mostFirings) continue;
    fired.push(now);
    if (isInstant) trueSince = undefined;
    else isLatched = true;
  }
  return fired;
}

/** Time in which nothing was known: behind a look that found nothing, or before one that came too late. */
function plainMissing(made: Looks): number {
  let missing = 0;
  let before: Judged = FALSE;
  for (const [afterMs, judged] of made) {
    if (before.state === 'unknown' || afterMs > LONGEST_GAP_MS) missing += afterMs;
    before = judged;
  }
  return missing;
}
