import { SECOND_MS } from '../../runtime/duration.ts';
import { breakOff, isRunning, type Meter, serve, stop } from './meter.ts';
import type { Selection } from './selection.ts';

/** The reason for which a begun minute was credited: the service ended, or was killed. */
export type CreditReason = 'shutdown' | 'killed';

export interface Credit {
  /** Unix ms. */
  readonly at: number;
  readonly minutes: number;
  readonly reason: CreditReason;
}

/** A stream as it is stored. Times in Unix ms. */
export interface StreamRecord {
  readonly id: string;
  /** SHA-256 of its secret, base64url. */
  readonly secretHash: string;
  /** Address of who paid for it first, lower case; undefined where nobody did. */
  readonly payer: string | undefined;
  readonly selection: Selection;
  readonly boughtAt: number;
  /** When minutes were last bought. */
  readonly paidAt: number;
  readonly meter: Meter;
  /** The process that has begun the minute which runs, or ran last, or a rest of it. */
  readonly servedBy: string | undefined;
  /** The latest credits, the newest last. */
  readonly credits: readonly Credit[];
  /** Credits, among the latest, that no reader has heard of. */
  readonly untold: number;
}

/** Credits that are kept. */
export const MOST_CREDITS = 10;
/** A stream without a row for so long is paused; one late reading of a venue lasts shorter and pauses nobody. */
export const SILENT_MS = 15 * SECOND_MS;

/** The record with its running minute credited; undefined where none was running at `at`. */
export function credited(
  record: StreamRecord,
  at: number,
  now: number,
  reason: CreditReason,
): StreamRecord | undefined {
  const { uses } = record.selection;
  const meter = breakOff(record.meter, uses, at);
  if (meter === undefined) return undefined;
  const credits = [...record.credits, { at: now, minutes: uses, reason }].slice(-MOST_CREDITS);
  return { ...record, meter, credits, untold: Math.min(record.untold + 1, MOST_CREDITS) };
}

/** Reasons for which the readers of a stream get nothing; `served` where they do. */
export type Phase = 'served' | 'unpaid' | 'no_data';

/** The circumstances of a stream that has readers. */
export interface Circumstances {
  readonly now: number;
  /** Time for which no row of what was asked for could be told; undefined where one can. */
  readonly silentMs: number | undefined;
  /** True where it was served up to now. */
  readonly isGoing: boolean;
  readonly owner: string;
  /** True where another process that is there has begun the minute which runs, or ran last. */
  readonly isOthers: boolean;
}

export interface Step {
  /** The record itself where nothing of it changes. */
  readonly record: StreamRecord;
  readonly phase: Phase;
  /** Credits that readers are to be told of. */
  readonly told: readonly Credit[];
  /** Paid minutes that a minute which has begun takes; 0 where none has. */
  readonly begun: number;
}

/** The next state of a stream that has readers: it is to be stored before anything is served by it. */
export function step(stored: StreamRecord, circumstances: Circumstances): Step {
  const { meter, untold, credits } = stored;
  const { phase, meter: next } = reached(stored, circumstances);
  const told = untold === 0 ? [] : credits.slice(-untold);
  if (next === meter && untold === 0) return { record: stored, phase, told, begun: 0 };
  const changed = next === meter ? {} : { meter: next, servedBy: circumstances.owner };
  return { record: { ...stored, ...changed, untold: 0 }, phase, told, begun: next.used - meter.used };
}

function reached(
  stored: StreamRecord,
  { now, silentMs, isGoing, owner, isOthers }: Circumstances,
): Pick<Step, 'phase'> & { readonly meter: Meter } {
  const { meter, selection, servedBy } = stored;
  if (silentMs === undefined) {
    // It goes by the clock of that process, which may be ahead: its end is no fault of ours to mend.
    if (isOthers && isRunning(meter, now)) return { phase: 'served', meter };
    const next = serve(meter, selection.uses, now, isGoing);
    return { phase: next === undefined ? 'unpaid' : 'served', meter: next ?? meter };
  }
  if (!isGoing) return { phase: 'no_data', meter };
  if (silentMs < SILENT_MS && isRunning(meter, now)) return { phase: 'served', meter };
  // Another process that has begun the minute may well have something to tell.
  return { phase: 'no_data', meter: servedBy === owner ? stop(meter, now) : meter };
}
