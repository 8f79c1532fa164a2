import { SECOND_MS } from '../../runtime/duration.ts';
import { breakOff, creditEarlier, isRunning, type Meter, serve, stop } from './meter.ts';
import { type AliveAt, brokenOff, type Served, withMeter, withServer } from './minute-servers.ts';
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
export interface StreamRecord extends Served {
  readonly id: string;
  /** SHA-256 of its secret, base64url. */
  readonly secretHash: string;
  /** Address of who paid for it first, lower case; undefined where nobody did. */
  readonly payer: string | undefined;
  readonly selection: Selection;
  readonly boughtAt: number;
  /** When minutes were last bought. */
  readonly paidAt: number;
  /** The latest credits, the newest last. */
  readonly credits: readonly Credit[];
  /** Credits, among the latest, that no reader has heard of. */
  readonly untold: number;
}

/** Credits that are kept. */
export const MOST_CREDITS = 10;
/** A stream without a row for so long is paused; one late reading of a venue lasts shorter and pauses nobody. */
export const SILENT_MS = 15 * SECOND_MS;

/** Processes that have ended. */
export interface Ended {
  /** When each was last there, Unix ms. */
  readonly gone: ReadonlyMap<string, number>;
  readonly now: number;
  readonly reason: CreditReason;
  /** Of all processes. */
  readonly aliveAt: AliveAt;
}

/** The record with each minute credited once that processes have broken off; undefined where there is none. */
export function credited(record: StreamRecord, ended: Ended): StreamRecord | undefined {
  const { gone, now, reason, aliveAt } = ended;
  const broken = brokenOff(record, gone);
  if (broken.size === 0) return undefined;
  const { uses } = record.selection;
  let { meter } = record;
  for (const used of broken)
    meter = used === record.meter.used ? breakOff(meter, uses) : creditEarlier(meter, uses, now);
  const next = withMeter(record, meter, now, aliveAt);
  const credits = [...record.credits, ...Array<Credit>(broken.size).fill({ at: now, minutes: uses, reason })];
  return {
    ...next,
    former: next.former?.filter(({ used }) => !broken.has(used)) ?? [],
    credits: credits.slice(-MOST_CREDITS),
    untold: Math.min(record.untold + broken.size, MOST_CREDITS),
  };
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
  readonly aliveAt: AliveAt;
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
  const { untold, credits } = stored;
  const { now, owner, aliveAt } = circumstances;
  const { phase, meter } = reached(stored, circumstances);
  const told = untold === 0 ? [] : credits.slice(-untold);
  const next =
    meter === stored.meter
      ? withServer(stored, phase === 'served' ? owner : undefined)
      : { ...withMeter(stored, meter, now, aliveAt), servedBy: owner };
  const record = untold === 0 ? next : { ...next, untold: 0 };
  return { record, phase, told, begun: meter.used - stored.meter.used };
}

function reached(
  stored: StreamRecord,
  { now, silentMs, isGoing, owner, aliveAt }: Circumstances,
): Pick<Step, 'phase'> & { readonly meter: Meter } {
  const { meter, selection, servedBy } = stored;
  if (silentMs === undefined) {
    const isOthers = servedBy !== undefined && servedBy !== owner && aliveAt(servedBy) !== undefined;
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
