import { matchingCall, recordedCall } from '../../src/modules/decode/named-call.ts';
import type { CallRef, VenueCall } from '../../src/venues/call.ts';

/** The call that a path, an address or a channel names, as it reads recordings. */
export function namedCall(calls: readonly VenueCall[], ref: CallRef): VenueCall | undefined {
  const call = matchingCall(calls, ref);
  return call && recordedCall(call);
}
