import { describe, expect, it } from 'vitest';
import type { AskedCondition } from '../../src/modules/watch-conditions/condition.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { type StoredWatch, WatchJudge } from './watch-judge.ts';
import { startOf, turnsOf } from './watch-truth.ts';

const SEED = 1;
const FIRST_TICK = 10;
/** Above no rate of the soak: it holds from the first look on. */
const ASKED = {
  kind: 'funding',
  ticker: 'BTC',
  venue: 'binance',
  above: -1,
  for_minutes: 1,
  firings: 1000,
} as AskedCondition;
/** Ticks of the soak that a minute takes. */
const HELD_TICKS = Math.ceil(MINUTE_MS / (startOf(1) - startOf(0)));
const FIRED_IN = FIRST_TICK + HELD_TICKS;

const turnIn = (tick: number, turn: number): number => turnsOf(tick)[turn] ?? Number.NaN;

/** A watch that fired once, and was not looked at in a span. */
function fired(at: number, from: number, to: number): StoredWatch {
  const firing = { watchId: 'w', seq: 1, at, kind: 'fired' } as StoredWatch['firings'][number];
  return {
    id: 'w',
    asked: ASKED,
    soldAt: startOf(FIRST_TICK),
    endsAt: startOf(FIRST_TICK + 1000),
    firings: [firing],
    missing: [{ from, to, reason: 'not_watched' }],
  };
}

function judged(watch: StoredWatch): WatchJudge {
  const judge = new WatchJudge(SEED);
  judge.judge(watch, FIRED_IN);
  return judge;
}

describe('the judge of watches', () => {
  it('a firing by the last look before a gap: right', () => {
    const at = turnIn(FIRED_IN, 0);
    const { right, wrong } = judged(fired(at, at, turnIn(FIRED_IN, 2)));
    expect({ right, wrong }).toEqual({ right: 1, wrong: [] });
  });

  it('a firing after a gap in which it held no minute: wrong', () => {
    const at = turnIn(FIRED_IN, 2);
    expect(judged(fired(at, turnIn(FIRED_IN, 0), at)).wrong).toHaveLength(1);
  });

  it('a gap a tick before: what held begins anew, and a firing is wrong', () => {
    const at = turnIn(FIRED_IN, 0);
    const { wrong } = judged(fired(at, turnIn(FIRED_IN - 2, 0), turnIn(FIRED_IN - 2, 2)));
    expect(wrong).toHaveLength(1);
  });
});
