import type { Ports } from '../../products/define-product.ts';
import type { Firing } from '../webhook/firing.ts';
import { judge, type Observation, termsOf } from './judge.ts';
import { eventSeen, eventsOf } from './question.ts';
import type { WatchRecord } from './watch-record.ts';
import { end, LONGEST_GAP_MS, RULE_VERSION, resumed, type Step, step, type Terms } from './watch-state.ts';

/** A watch after a look, and what it has to tell. */
export interface Looked {
  readonly record: WatchRecord;
  readonly told: readonly Firing[];
}

const firingOf = (record: WatchRecord, { kind, seq, reason }: Step['told'][number], now: number): Firing => ({
  watchId: record.id,
  seq,
  at: now,
  kind,
  condition: record.condition,
  values: record.values,
  rowsAt: record.rowsAt,
  ruleVersion: RULE_VERSION,
  ...(reason !== undefined && { reason }),
});

/** The terms of a watch: once renewed after all its firings, it has as many again. */
function termsFor({ condition, firedBefore = 0 }: WatchRecord): Terms {
  const terms = termsOf(condition);
  return { ...terms, mostFirings: firedBefore + terms.mostFirings };
}

/** The watch after a step; the same object where neither its progress nor its mark changed. */
function after(record: WatchRecord, { next, told }: Step, seen: Partial<WatchRecord>, now: number): Looked {
  const isSame = next === record.progress && seen.mark === record.mark;
  if (isSame) return { record, told: [] };
  const changed: WatchRecord = { ...record, ...seen, progress: next, seenAt: now };
  return { record: changed, told: told.map((each) => firingOf(changed, each, now)) };
}

/** Judges one observation of a watch's condition. */
export function look(record: WatchRecord, seen: Observation, seenAt: number, now: number): Looked {
  const { condition, progress } = record;
  const { judged, mark } = judge(condition, seen, progress.phase, record.mark);
  const { values, rowsAt } = seen;
  return after(record, step(progress, judged, termsFor(record), seenAt, now), { mark, values, rowsAt }, now);
}

const nothing = (reason: string): Observation => ({ value: null, values: {}, rowsAt: undefined, reason });
const NO_LIST = nothing('no_list');
/** Observation of a look that failed: nothing is known. */
export const FAILED = nothing('failed');

/** Judges the events of the calendar that are new since the last look, one by one. */
export function lookAtEvents(record: WatchRecord, ports: Ports, seenAt: number, now: number): Looked {
  const events = eventsOf(record.condition, ports);
  if (events === undefined) return look(record, NO_LIST, seenAt, now);
  const last = events.at(-1)?.id ?? 0;
  const { mark } = record;
  if (mark === undefined) {
    const { values, rowsAt } = record;
    return look({ ...record, mark: last }, { value: last, values, rowsAt }, seenAt, now);
  }
  const fresh = events.filter(({ id }) => id > Number(mark));
  if (fresh.length === 0) {
    const { values, rowsAt } = record;
    return look(record, { value: mark, values, rowsAt }, seenAt, now);
  }
  let current = record;
  const told: Firing[] = [];
  for (const event of fresh) {
    if (hasFiredAll(current)) break;
    const looked = look(current, eventSeen(event), seenAt, now);
    current = looked.record;
    told.push(...looked.told);
  }
  return { record: current, told };
}

/** True once a watch has fired as often as was bought, and at its time. */
export const isOver = (record: WatchRecord, now: number): boolean =>
  now >= record.endsAt || hasFiredAll(record);

/** True once a watch has fired as often as was bought. Asked at every look of every watch, so it makes no terms. */
const hasFiredAll = ({ progress, condition, firedBefore = 0 }: WatchRecord): boolean =>
  progress.fired >= firedBefore + condition.firings;

/** The end of a watch that is over. */
export function endOf(record: WatchRecord, seenAt: number, now: number): Looked {
  const { progress, endsAt } = record;
  if (hasFiredAll(record)) return endFor(record, 'all_firings', now);
  const isGap = endsAt - seenAt > LONGEST_GAP_MS;
  const watched = isGap ? { ...record, progress: resumed(progress, seenAt, endsAt) } : record;
  return endFor(watched, 'time', endsAt, now);
}

/** A watch that ends for a reason, at a time that may be a little past. */
export function endFor(record: WatchRecord, reason: string, at: number, now = at): Looked {
  const ended = end(record.progress, reason, at);
  const closed: WatchRecord = {
    ...record,
    progress: ended.next,
    seenAt: now,
    endedAt: at,
    endReason: reason,
  };
  return { record: closed, told: ended.told.map((each) => firingOf(closed, each, now)) };
}

/** A watch that is renewed: one that has ended goes on, without the time between, and with as many firings again where it had none left. */
export function reopened(record: WatchRecord, now: number): WatchRecord {
  const { endedAt, endReason, progress } = record;
  if (endedAt === undefined) return record;
  return {
    ...record,
    ...(endReason === 'all_firings' && { firedBefore: progress.fired }),
    progress: resumed(progress, endedAt, now),
    seenAt: now,
    endedAt: undefined,
    endReason: undefined,
    statement: undefined,
  };
}
