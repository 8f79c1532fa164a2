import { type Decoded, rowCount } from '../../domain/decoded.ts';
import { isFault, type Reject } from '../../domain/reject.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext, VenueCall } from '../../venues/adapter.ts';
import { ReadKeys } from './read-keys.ts';
import { redactPayload } from './redact.ts';
import { type CallKind, type CallRecord, mergeQuote } from './venue-probe.ts';

/** The record of a call, made on first use. */
export function recordOf(
  calls: Map<string, CallRecord>,
  name: string,
  kind: CallKind,
  isCoarse = false,
): CallRecord {
  const known = calls.get(name);
  if (known !== undefined) return known;
  const made: CallRecord = {
    name,
    kind,
    isCoarse,
    asked: 0,
    answered: 0,
    rows: 0,
    failures: new Set(),
    faults: new Map(),
    bodyFaults: new Set(),
    outOfScope: new Map(),
    keys: new ReadKeys(),
    dates: [],
    rounds: [new Map(), new Map()],
    newest: undefined,
    sample: undefined,
  };
  calls.set(name, made);
  return made;
}

const count = (into: Map<string, number>, name: string): void => {
  into.set(name, (into.get(name) ?? 0) + 1);
};

/** Details repeat values of the row behind the field; only the field tells rows of one fault together. */
function nameOf({ reason, detail }: Reject): string {
  const field = detail?.split(/[\s:=]/)[0];
  return field === undefined || field === '' ? reason : `${reason} ${field}`;
}

/** Decodes one payload and notes what came of it. A decoder that throws is a fault of the payload. */
export function readInto(
  record: CallRecord,
  call: VenueCall,
  payload: unknown,
  context: DecodeContext & { readonly receivedAt: UnixMs },
  round: 0 | 1,
): Decoded | undefined {
  let decoded: Decoded;
  try {
    decoded = call.decode(record.keys.watch(payload), context);
  } catch (error) {
    record.bodyFaults.add(`decoder failed (${error instanceof Error ? error.message : 'unknown'})`);
    return undefined;
  }
  record.rows += rowCount(decoded);
  for (const reject of decoded.rejects) {
    if (!isFault(reject)) count(record.outOfScope, reject.reason);
    else if (reject.symbol === null && rowCount(decoded) === 0) record.bodyFaults.add(nameOf(reject));
    else count(record.faults, nameOf(reject));
  }
  for (const patch of decoded.quotes) {
    mergeQuote(record.rounds[round], patch);
    noteStamp(record, patch.venueTime, context.receivedAt);
  }
  return decoded;
}

function noteStamp(record: CallRecord, stamp: UnixMs | undefined, receivedAt: UnixMs): void {
  if (stamp !== undefined && stamp > (record.newest?.stamp ?? 0))
    record.newest = { stamp: asMs(stamp), receivedAt };
}

/** Keeps a payload to show: the first one, or one with a fault in its place. */
export function keepPayload(
  record: CallRecord,
  payload: unknown,
  request: DecodeContext['request'],
  decoded: Decoded | undefined,
): void {
  const hasFault = decoded === undefined || decoded.rejects.some(isFault);
  if (record.sample !== undefined && (record.sample.hasFault || !hasFault)) return;
  record.sample = { request, status: undefined, text: redactPayload(payload), hasFault };
}
