import { DATA_KINDS, type Decoded, rowCount } from '../../domain/decoded.ts';
import { isFault } from '../../domain/reject.ts';
import type { CallRef, Decoder, VenueCall } from '../../venues/call.ts';

const VERSION = /^v\d+$/;

/** Segments of what a call was named by: host, query and any remark behind a blank are cut off. */
function segmentsOf(text: string): readonly string[] {
  const path = text.replace(/^[a-z]+:\/\/[^/\s]+/i, '').split(/[?\s]/, 1)[0] ?? '';
  return path.split('/').filter((segment) => segment !== '');
}

/**
 * True if a path ends in the named segments, or the other way round where that leaves out segments; in any
 * version.
 */
function isSamePath(path: string, named: readonly string[], isWhole: boolean): boolean {
  const own = segmentsOf(path);
  const shared = Math.min(own.length, named.length);
  if (shared === 0 || (isWhole && shared < own.length)) return false;
  for (let i = 1; i <= shared; i++) {
    const a = own.at(-i) ?? '';
    const b = named.at(-i) ?? '';
    if (a !== b && a !== '*' && !(VERSION.test(a) && VERSION.test(b))) return false;
  }
  return own.slice(-shared).some((segment) => segment !== '*');
}

/** The place at which a call is found. */
export type CallAddress = Pick<VenueCall, 'path' | 'alsoAt' | 'answers' | 'frames'>;

function isNamed(call: CallAddress, ref: CallRef, isWhole: boolean): boolean {
  if (call.frames?.test(ref.raw)) return true;
  if (call.path === undefined) return false;
  const named = segmentsOf(ref.raw);
  const isPath = [call.path, ...(call.alsoAt ?? [])].some((path) => isSamePath(path, named, isWhole));
  return isPath && (call.answers?.(ref.query, ref.body) ?? true);
}

/** Values of all rows. */
const valuesOf = (decoded: Decoded): number =>
  DATA_KINDS.flatMap((kind): readonly object[] => decoded[kind]).reduce(
    (sum, row) => sum + Object.keys(row).length,
    0,
  );

const faultsOf = (decoded: Decoded): number => decoded.rejects.filter(isFault).length;

/** Decodes by the format of the day of receipt; of a recording without one, by the format in which it says more. */
function decodeDated({ decode, former }: VenueCall): Decoder {
  if (former === undefined) return decode;
  return (payload, context) => {
    const { receivedAt } = context;
    if (receivedAt !== undefined) {
      return (receivedAt < Date.parse(former.until) ? former.decode : decode)(payload, context);
    }
    const present = decode(payload, context);
    const past = former.decode(payload, context);
    const more = valuesOf(past) - valuesOf(present);
    return more > 0 || (more === 0 && faultsOf(past) < faultsOf(present)) ? past : present;
  };
}

const namesContract = (decoded: Decoded): boolean =>
  rowCount(decoded) > 0 || decoded.rejects.some(({ symbol }) => symbol !== null);

/** Fields of envelopes that hold the data. */
const ENVELOPES = ['data', 'result'] as const;

/**
 * A call as recordings are read: by the format of their day, and with the data of an answer taken for the answer
 * where its envelope was not kept.
 */
export function recordedCall(call: VenueCall): VenueCall {
  const decode = decodeDated(call);
  return {
    ...call,
    decode: (payload, context) => {
      const read = decode(payload, context);
      if (!read.rejects.some(({ reason }) => reason === 'unexpected_shape')) return read;
      return ENVELOPES.map((field) => decode({ [field]: payload }, context)).find(namesContract) ?? read;
    },
  };
}

/** The call that a path, an address or a channel names, with or without host, version or leading segments. */
export function matchingCall<Call extends CallAddress>(
  calls: readonly Call[],
  ref: CallRef,
): Call | undefined {
  // A bare word is rather a channel than the end of a path.
  const isChannel = (call: CallAddress): boolean =>
    !ref.raw.includes('/') && call.frames?.test(ref.raw) === true;
  return (
    calls.find(isChannel) ??
    calls.find((call) => isNamed(call, ref, true)) ??
    calls.find((call) => isNamed(call, ref, false))
  );
}
