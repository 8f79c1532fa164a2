import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import { NO_SIGN } from '../watch-conditions/kind-readings.ts';
import { kindOf } from '../watch-conditions/kinds.ts';
import type { WatchedValues } from '../webhook/firing.ts';
import type { Judged, Progress, Terms } from './watch-state.ts';

/** The answer to a condition's question at a moment. */
export type Observation =
  | {
      readonly value: number | string;
      readonly values: WatchedValues;
      /** Time of the oldest data behind the value, Unix ms; undefined where there is none. */
      readonly rowsAt: number | undefined;
    }
  | {
      readonly value: null;
      readonly values: WatchedValues;
      readonly rowsAt: number | undefined;
      readonly reason: string;
      /** Present where the value is known to be no greater than this. */
      readonly atMost?: number;
    };

/** The value that a change is held against: a sign, an interval, the number of an event. */
export type Mark = number | string | undefined;

/** A judgement, with the mark that the next one is held against. */
export interface Judgement {
  readonly judged: Judged;
  readonly mark: Mark;
}

export const termsOf = ({ kind, for_minutes, firings }: Condition): Terms => ({
  holdMs: for_minutes * MINUTE_MS,
  mostFirings: firings,
  isInstant: kindOf(kind).mode === 'change' || kindOf(kind).mode === 'event',
});

const known = (isTrue: boolean): Judged => ({ state: isTrue ? 'true' : 'false' });

/**
 * Judges an observation. A level that has fired holds until the value has reached `reset`: the level is strict, the
 * reset is not. The first known value of a change is what later ones are held against.
 */
export function judge(
  condition: Condition,
  seen: Observation,
  phase: Progress['phase'],
  mark: Mark,
): Judgement {
  const isHeld = phase === 'fired';
  if (seen.value === null) {
    const isTrue = seen.atMost === undefined ? undefined : isBeyondAtMost(condition, seen.atMost, isHeld);
    return { judged: isTrue === undefined ? { state: 'unknown', reason: seen.reason } : known(isTrue), mark };
  }
  const { mode } = kindOf(condition.kind);
  if (mode === 'state') return { judged: known(seen.value !== 'live'), mark };
  if (mode === 'event') return { judged: known(mark !== undefined && seen.value !== mark), mark: seen.value };
  if (mode === 'change') {
    if (seen.value === NO_SIGN) return { judged: known(false), mark };
    const isOther = mark !== undefined && seen.value !== mark;
    return { judged: known(isOther), mark: seen.value };
  }
  return { judged: known(isBeyond(condition, Number(seen.value), isHeld)), mark };
}

function isBeyond({ above, below, reset }: Condition, value: number, isHeld: boolean): boolean {
  if (above !== undefined) return isHeld ? value > (reset ?? above) : value > above;
  if (below !== undefined) return isHeld ? value < (reset ?? below) : value < below;
  return false;
}

/** The same of a value of which only a bound is known; undefined where the bound does not decide. */
function isBeyondAtMost(condition: Condition, atMost: number, isHeld: boolean): boolean | undefined {
  const isBoundBeyond = isBeyond(condition, atMost, isHeld);
  // A smaller value is above no level that the bound is not above, and below every level that the bound is below.
  return isBoundBeyond === (condition.below !== undefined) ? isBoundBeyond : undefined;
}
