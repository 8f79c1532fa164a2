import { breakOff, type Meter, serve } from './meter.ts';
import type { Selection } from './selection.ts';

/** The reason for which a begun minute was credited: the service ended, was killed, or had nothing to tell. */
export type CreditReason = 'shutdown' | 'killed' | 'no_data';

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
  /** The process that has begun the minute which runs, or ran last. */
  readonly servedBy: string | undefined;
  /** The latest credits, the newest last. */
  readonly credits: readonly Credit[];
  /** Credits, among the latest, that no reader has heard of. */
  readonly untold: number;
}

const MOST_CREDITS = 10;

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
  /** True where some row of what was asked for can be told. */
  readonly hasData: boolean;
  /** True where it was served up to now. */
  readonly isGoing: boolean;
  readonly owner: string;
}

export interface Step {
  /** The record itself where nothing of it changes. */
  readonly record: StreamRecord;
  readonly phase: Phase;
  /** Credits that readers are to be told of. */
  readonly told: readonly Credit[];
}

/** The next state of a stream that has readers: it is to be stored before anything is served by it. */
export function step(stored: StreamRecord, { now, hasData, isGoing, owner }: Circumstances): Step {
  const broken = hasData ? undefined : credited(stored, now, now, 'no_data');
  const record = broken ?? stored;
  const { meter, untold } = record;
  const next = hasData ? serve(meter, record.selection.uses, now, isGoing) : undefined;
  const phase = next !== undefined ? 'served' : hasData ? 'unpaid' : 'no_data';
  const told = untold === 0 ? [] : record.credits.slice(-untold);
  const isBegun = next !== undefined && next !== meter;
  if (!isBegun && untold === 0) return { record, phase, told };
  const begun = isBegun ? { meter: next, servedBy: owner } : {};
  return { record: { ...record, ...begun, untold: 0 }, phase, told };
}
